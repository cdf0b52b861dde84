"""Caches that break nothing while they are away."""

from __future__ import annotations

from typing import Any, ClassVar

import structlog
from django.core.cache.backends.base import BaseCache

log = structlog.get_logger(__name__)


class FailSafeCache(BaseCache):
    """Acts as an empty cache while its backend is down. `/health/ready` reports it."""

    away: ClassVar[tuple[type[Exception], ...]]

    def add(self, key: Any, value: Any, *args: Any, **options: Any) -> bool:
        # As if it were new: the caller goes on as at the first time.
        return bool(self._try("add", True, key, value, *args, **options))

    def get(self, key: Any, default: Any = None, *args: Any, **options: Any) -> Any:
        return self._try("get", default, key, default, *args, **options)

    def set(self, key: Any, value: Any, *args: Any, **options: Any) -> None:
        self._try("set", None, key, value, *args, **options)

    def touch(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._try("touch", False, key, *args, **options))

    def delete(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._try("delete", False, key, *args, **options))

    def get_many(self, keys: Any, *args: Any, **options: Any) -> dict[Any, Any]:
        return dict(self._try("get_many", {}, keys, *args, **options))

    def set_many(self, data: Any, *args: Any, **options: Any) -> list[Any]:
        # What Django's `set_many` returns are the keys that were not stored.
        return list(self._try("set_many", list(data), data, *args, **options))

    def delete_many(self, keys: Any, *args: Any, **options: Any) -> None:
        self._try("delete_many", None, keys, *args, **options)

    def has_key(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._try("has_key", False, key, *args, **options))

    def incr(self, key: Any, delta: int = 1, *args: Any, **options: Any) -> int:
        return int(self._try("incr", delta, key, delta, *args, **options))

    def _try(self, name: str, otherwise: Any, *args: Any, **options: Any) -> Any:
        try:
            return getattr(super(), name)(*args, **options)
        except self.away:
            log.warning("cache_away", operation=name)
            return otherwise
