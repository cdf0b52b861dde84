from datetime import timedelta

from django.db import migrations, models
from django.utils import timezone


def give_a_year(apps, schema_editor):
    """Let the tokens that are in use go on for a year."""
    apps.get_model("tournaments", "OfficerToken").objects.update(
        expires_at=timezone.now() + timedelta(days=365)
    )


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0013_ask_the_qc_for_changes"),
    ]

    operations = [
        migrations.AddField(
            model_name="officertoken",
            name="expires_at",
            field=models.DateTimeField(null=True, verbose_name="expires at"),
        ),
        migrations.RunPython(give_a_year, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="officertoken",
            name="expires_at",
            field=models.DateTimeField(verbose_name="expires at"),
        ),
    ]
