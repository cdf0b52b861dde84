from django.db import migrations, models

import core.models
from core.added_text import AddText


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0075_handed_reports_are_files')]

    operations = [
        AddText(
            model_name='report',
            name='amendments',
            field=core.models.ValueField(blank=True, default=list, verbose_name='Fixes chosen and not saved yet'),
        ),
        AddText(
            model_name='report',
            name='reasons',
            field=models.JSONField(blank=True, default=dict, verbose_name='Reasons typed and not saved yet'),
        ),
    ]
