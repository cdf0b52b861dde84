"""Indexes shared by the apps."""

from __future__ import annotations

from typing import Any

from django.db import models


class BlockIndex(models.Index):
    """An index of the blocks of a table in which values lie, for rows written in one go and found in one go.

    PostgreSQL keeps a line for some hundred blocks (BRIN), which costs next to nothing as rows come in; other
    databases get an ordinary index.
    """

    def create_sql(
        self, model: type[models.Model], schema_editor: Any, using: str = "", **kwargs: Any
    ) -> Any:
        method = " USING brin" if schema_editor.connection.vendor == "postgresql" else using
        return super().create_sql(model, schema_editor, using=method, **kwargs)
