import core.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0075_handed_reports_are_files')]

    operations = [
        migrations.AddField(
            model_name='report',
            name='amendments',
            field=core.models.ValueField(blank=True, default=list, verbose_name='fixes chosen and not saved yet'),
        ),
        migrations.AddField(
            model_name='report',
            name='reasons',
            field=models.JSONField(blank=True, default=dict, verbose_name='reasons typed and not saved yet'),
        ),
    ]
