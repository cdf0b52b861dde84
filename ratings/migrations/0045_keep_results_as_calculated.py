"""Columns for results as they are calculated, and for why K is what it is; filled by the migration that follows."""

from django.db import migrations, models

import core.models

TABLES = ("calculation", "provisionalcalculation")


class AddText(migrations.AddField):
    """Add a column of text with one value in all rows: SQLite need not copy a table for it."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        table, name = map(schema_editor.quote_name, (model._meta.db_table, self.name))
        is_json = isinstance(self.field, core.models.WholeJSONField)
        kind = "text NOT NULL DEFAULT '[]'" if is_json else "varchar(24) NOT NULL DEFAULT ''"
        check = f" CHECK ((JSON_VALID({name}) OR {name} IS NULL))" if is_json else ""
        schema_editor.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}{check}")


def reason():
    return models.CharField(blank=True, db_default="", default="", max_length=24, verbose_name="reason for K")


class Migration(migrations.Migration):
    dependencies = [("ratings", "0044_corrections_have_amendments")]

    operations = [
        AddText("listentry", "k_reason", reason()),
        AddText("participantrating", "k_reason", reason()),
        migrations.AlterField(
            "participantrating", "outcomes", core.models.WholeJSONField(verbose_name="outcomes")
        ),
        *(migrations.RenameField(table, "steps", "value") for table in TABLES),
        *(
            migrations.AlterField(table, "value", core.models.WholeJSONField(verbose_name="calculation"))
            for table in TABLES
        ),
        *(
            AddText(
                table,
                "found",
                core.models.WholeJSONField(default=list, verbose_name="what the list found"),
                preserve_default=False,
            )
            for table in TABLES
        ),
    ]
