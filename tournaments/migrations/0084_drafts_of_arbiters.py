from django.db import migrations

import core.models
from core.added_text import AddText


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0083_for_players')]

    operations = [
        AddText(
            model_name='handedreport',
            name='amendments',
            field=core.models.WholeJSONField(blank=True, default=list, verbose_name='Fixes chosen and not saved yet'),
        ),
    ]
