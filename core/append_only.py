"""Rows that are written once: never changed or deleted afterwards."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models


class AppendOnlyError(Exception):
    """Somebody tried to change or delete what is written once."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """Rows that can be added to and read."""

    def update(self, **values: Any) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__}: rows are never changed.")

    def delete(self) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__}: rows are never deleted.")

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__}: rows are never changed.")


AppendOnlyManager = models.Manager.from_queryset(AppendOnlyQuerySet)


class AppendOnly(models.Model):
    """A row that is written once. Only the database clears its reference to a removed account."""

    objects = AppendOnlyManager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Write a new row; `AppendOnlyError` for one that is there."""
        if not self._state.adding:
            raise AppendOnlyError(f"{type(self).__name__}: rows are never changed.")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnlyError(f"{type(self).__name__}: rows are never deleted.")
