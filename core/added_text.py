"""A migration that adds a column of text, for which SQLite need not copy the table."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models


class AddText(migrations.AddField):
    """Add a column of text with one value in all rows: empty, or of JSON what its default is."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Add the column; on SQLite with the value as its default, which Django would take away by a copy."""
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        table, name = map(schema_editor.quote_name, (model._meta.db_table, self.name))
        kind, check = "varchar(24) NOT NULL DEFAULT ''", ""
        if isinstance(self.field, models.JSONField):
            empty = "{}" if self.field.default is dict else "[]"
            kind = f"text NOT NULL DEFAULT '{empty}'"
            check = f" CHECK ((JSON_VALID({name}) OR {name} IS NULL))"
        schema_editor.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}{check}")
