"""Caches that break nothing while they are away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, ClassVar

import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache

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

    def replace(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT) -> None:
        """Set an entry that must not stay as it was: deleted where it cannot be set, later where nobody answers."""
        if self.is_away() or not self.has_replaced(key, value, timeout):
            Replacements.add(self, key, value, timeout)

    def is_away(self) -> bool:
        """Return whether to go on without the backend, which did not answer a moment ago."""
        return False

    def is_settled(self) -> bool:
        """Return whether what was to be replaced is; not just after the backend was away for some process."""
        return True

    def has_replaced(self, key: str, value: Any, timeout: Any) -> bool:
        """Set or delete an entry; return whether the former one is gone."""
        plain: Any = super()
        changes: tuple[Callable[[], Any], ...] = (
            lambda: plain.set(key, value, timeout),
            lambda: plain.delete(key),
        )
        for change in changes:
            try:
                change()
            except self.away:
                continue
            return True
        return False

    def _try(self, name: str, otherwise: Any, *args: Any, **options: Any) -> Any:
        try:
            return getattr(super(), name)(*args, **options)
        except self.away:
            log.warning("cache_away", operation=name)
            return otherwise


class Replacements:
    """Entries of caches that are replaced as soon as their backend answers, by a thread of the process."""

    pause: ClassVar[float] = 0.2
    _lock: ClassVar[threading.Lock] = threading.Lock()
    _waiting: ClassVar[dict[str, tuple[FailSafeCache, str, Any, Any]]] = {}
    _is_working: ClassVar[bool] = False

    @classmethod
    def add(cls, cache: FailSafeCache, key: str, value: Any, timeout: Any) -> None:
        """Note the newest value of an entry."""
        log.warning("cache_replaced_later", key=key)
        with cls._lock:
            cls._waiting[cache.make_key(key)] = (cache, key, value, timeout)
            if cls._is_working:
                return
            cls._is_working = True
        # A process that ends does not wait for its cache: the former pages then last `KEPT_PAGES_SECONDS` at most.
        threading.Thread(target=cls._work, name="replacements", daemon=True).start()

    @classmethod
    def _work(cls) -> None:
        while True:
            with cls._lock:
                if not cls._waiting:
                    # Within the lock, so that an entry noted from now on starts a thread of its own.
                    cls._is_working = False
                    return
                waiting = list(cls._waiting.items())
            for name, entry in waiting:
                cache, *change = entry
                if cache.has_replaced(*change):
                    with cls._lock:
                        # A newer value that was noted meanwhile is still to be written.
                        if cls._waiting.get(name) is entry:
                            del cls._waiting[name]
            time.sleep(cls.pause)
