"""Limits of sign-in and of forms, kept where no reader pushes them out."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import transaction
from django.db.models.functions import Now

# What is counted or kept by these keys are limits of sign-in and of forms: no reader may push them out.
LIMITS = ("allauth:rl:", "sign-in-", "second-factor:", "form-kept:", "invitation-tries:")


class LimitsApart(BaseCache):
    """Gives what is a limit to the cache `limits`, whoever fills this one."""

    def get(self, key: Any, *args: Any, **options: Any) -> Any:
        return self._place("get", key)(key, *args, **options)

    def add(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._place("add", key)(key, *args, **options))

    def set(self, key: Any, *args: Any, **options: Any) -> None:
        self._place("set", key)(key, *args, **options)

    def delete(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._place("delete", key)(key, *args, **options))

    def incr(self, key: Any, *args: Any, **options: Any) -> int:
        return int(self._place("incr", key)(key, *args, **options))

    def _place(self, name: str, key: Any) -> Any:
        is_limit = isinstance(key, str) and key.startswith(LIMITS)
        return getattr(caches["limits"] if is_limit else super(), name)


def _hash_key(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


class LimitsInDatabase(BaseCache):
    """Limits that all machines share, in the table `portal_limit`. Keys are hashed: they name accounts."""

    def __init__(self, table: str, parameters: dict[str, Any]) -> None:
        super().__init__(parameters)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        value = self._rows(key).filter(ends_at__gt=Now()).values_list("value", flat=True).first()
        return default if value is None else value

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        rows = self._rows(key)
        rows.filter(ends_at__lte=Now()).delete()
        defaults = {"value": value, "ends_at": self._end(timeout)}
        # The primary key decides between two at once: one of them has created the row.
        return bool(rows.model._default_manager.get_or_create(key=_hash_key(key), defaults=defaults)[1])

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        defaults = {"value": value, "ends_at": self._end(timeout)}
        self._rows(key).model._default_manager.update_or_create(key=_hash_key(key), defaults=defaults)

    def delete(self, key: str, version: int | None = None) -> bool:
        return bool(self._rows(key).delete()[0])

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        with transaction.atomic():
            row = self._rows(key).select_for_update().filter(ends_at__gt=Now()).first()
            if row is None or type(row.value) is not int:
                raise ValueError(f"no number {key!r}")
            row.value += delta
            row.save(update_fields=["value"])
            return int(row.value)

    def clear(self) -> None:
        apps.get_model("portal", "Limit")._default_manager.all().delete()

    def _rows(self, key: str) -> Any:
        return apps.get_model("portal", "Limit")._default_manager.filter(key=_hash_key(key))

    def _end(self, timeout: Any) -> Any:
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        # By the clock of the database, as the comparison is: those of several machines differ.
        return Now() + timedelta(seconds=FOR_EVER if seconds is None else seconds)


FOR_EVER = 400 * 24 * 3600
