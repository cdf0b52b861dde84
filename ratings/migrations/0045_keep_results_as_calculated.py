"""Columns for results as they are calculated, and for why K is what it is; filled by the migration that follows."""

from django.db import migrations, models

import core.models
from core.added_text import AddText

TABLES = ("calculation", "provisionalcalculation")


def reason():
    return models.CharField(blank=True, db_default="", default="", max_length=24, verbose_name="Reason for K")


class Migration(migrations.Migration):
    dependencies = [("ratings", "0044_corrections_have_amendments")]

    operations = [
        AddText("listentry", "k_reason", reason()),
        AddText("participantrating", "k_reason", reason()),
        *(migrations.RenameField(table, "steps", "value") for table in TABLES),
        # The columns stay as they are: SQLite would copy the tables.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "participantrating", "outcomes", core.models.WholeJSONField(verbose_name="Outcomes")
                ),
                *(
                    migrations.AlterField(
                        table, "value", core.models.WholeJSONField(verbose_name="Calculation")
                    )
                    for table in TABLES
                ),
            ]
        ),
        *(
            AddText(
                table,
                "found",
                core.models.WholeJSONField(default=list, verbose_name="What the list found"),
                preserve_default=False,
            )
            for table in TABLES
        ),
    ]
