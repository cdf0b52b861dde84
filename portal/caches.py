"""Caches that break nothing while they are away, and limits that no reader pushes out."""

from __future__ import annotations

import fcntl
import hashlib
import json
import secrets
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import IO, Any, ClassVar

import structlog
from django.apps import apps
from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.filebased import FileBasedCache
from django.db import transaction
from django.db.models.functions import Now

log = structlog.get_logger(__name__)
# The letters of the first line of a file of the cache: a time in seconds, or null.
LONGEST_END = 40
# Files are counted before one write in so many, by chance: to count thousands takes longer than to write one.
WRITES_A_COUNT = 50


class FailSafeCache(BaseCache):
    """Acts as an empty cache while its backend is down. `/health/ready` reports it."""

    away: ClassVar[tuple[type[Exception], ...]]

    def add(self, key: Any, value: Any, *args: Any, **options: Any) -> bool:
        # As if it were new: the caller goes on as at the first time.
        return bool(self._tried("add", True, key, value, *args, **options))

    def get(self, key: Any, default: Any = None, *args: Any, **options: Any) -> Any:
        return self._tried("get", default, key, default, *args, **options)

    def set(self, key: Any, value: Any, *args: Any, **options: Any) -> None:
        self._tried("set", None, key, value, *args, **options)

    def touch(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._tried("touch", False, key, *args, **options))

    def delete(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._tried("delete", False, key, *args, **options))

    def get_many(self, keys: Any, *args: Any, **options: Any) -> dict[Any, Any]:
        return dict(self._tried("get_many", {}, keys, *args, **options))

    def set_many(self, data: Any, *args: Any, **options: Any) -> list[Any]:
        return list(self._tried("set_many", list(data), data, *args, **options))

    def delete_many(self, keys: Any, *args: Any, **options: Any) -> None:
        self._tried("delete_many", None, keys, *args, **options)

    def has_key(self, key: Any, *args: Any, **options: Any) -> bool:
        return bool(self._tried("has_key", False, key, *args, **options))

    def incr(self, key: Any, delta: int = 1, *args: Any, **options: Any) -> int:
        return int(self._tried("incr", delta, key, delta, *args, **options))

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

    def _tried(self, name: str, otherwise: Any, *args: Any, **options: Any) -> Any:
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
        threading.Thread(target=cls._work, name="replacements", daemon=True).start()

    @classmethod
    def _work(cls) -> None:
        while True:
            with cls._lock:
                if not cls._waiting:
                    cls._is_working = False
                    return
                waiting = list(cls._waiting.items())
            for name, entry in waiting:
                cache, *change = entry
                if cache.has_replaced(*change):
                    with cls._lock:
                        if cls._waiting.get(name) is entry:
                            del cls._waiting[name]
            time.sleep(cls.pause)


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
        return bool(rows.model._default_manager.get_or_create(key=_hashed(key), defaults=defaults)[1])

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        defaults = {"value": value, "ends_at": self._end(timeout)}
        self._rows(key).model._default_manager.update_or_create(key=_hashed(key), defaults=defaults)

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
        return apps.get_model("portal", "Limit")._default_manager.filter(key=_hashed(key))

    def _end(self, timeout: Any) -> Any:
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return Now() + timedelta(seconds=FOR_EVER if seconds is None else seconds)


FOR_EVER = 400 * 24 * 3600


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


class JsonFileCache(FileBasedCache):
    """A cache of files: a line with the end of an entry, then its value as compressed JSON.

    The values are those that Redis takes: what is written into the folder cannot run code here. What cannot be read is
    a miss.
    """

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        found = self._read(key, version)
        return default if found is None else found[1]

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        with self._locked():
            return super().add(key, value, timeout, version)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Count up to the end that the entry has, as Redis does."""
        with self._locked():
            found = self._read(key, version)
            if found is None:
                raise ValueError(f"no entry {key!r}")
            end, value = found
            self.set(key, value + delta, None if end is None else end - time.time(), version)
            return int(value) + delta

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Let one thread of one process at a time read and write: requests at once shall not count as one."""
        own: Any = self
        folder = Path(own._dir)
        folder.mkdir(0o700, parents=True, exist_ok=True)
        with (folder / "lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _read(self, key: Any, version: int | None) -> tuple[float | None, Any] | None:
        """Return the end of an entry and its value, None where there is none."""
        own: Any = self  # Django's stubs leave the private methods out.
        try:
            with Path(own._key_to_file(key, version)).open("rb") as file:
                if not self._is_expired(file):
                    content = zlib.decompress(file.read())
                    file.seek(0)
                    return json.loads(file.readline(LONGEST_END)), json.loads(content)
        except FileNotFoundError:
            pass
        except (ValueError, zlib.error):
            log.warning("cache_unreadable")
        return None

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        missing = object()
        value = self.get(key, missing, version)
        if value is missing:
            return False
        self.set(key, value, timeout, version)
        return True

    def _cull(self) -> None:
        if secrets.randbelow(WRITES_A_COUNT) == 0:
            super()._cull()  # type: ignore[misc]

    def _write_content(self, file: IO[bytes], timeout: Any, value: Any) -> None:
        content = zlib.compress(json.dumps(value).encode(), level=1)
        file.write(json.dumps(self.get_backend_timeout(timeout)).encode() + b"\n" + content)

    def _is_expired(self, file: IO[bytes]) -> bool:
        """Whether an entry has ended; what does not say when has ended, too, and goes."""
        try:
            end = json.loads(file.readline(LONGEST_END))
            is_over = end is not None and float(end) < time.time()
        except (ValueError, TypeError):
            is_over = True
        own: Any = self
        if is_over:
            own._delete(file.name)
        return is_over


class FailSafeFileCache(FailSafeCache, JsonFileCache):
    """The cache of the embedded portal, while its disk has room: readers shall not pay for a full one."""

    away = (OSError,)


class FileCacheOfAll(LimitsApart, FailSafeFileCache):
    """The cache of the embedded portal, without limits."""
