"""The cache of the embedded portal: files in a folder."""

from __future__ import annotations

import fcntl
import json
import secrets
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache

from portal.caches import FailSafeCache, log

# The letters of the first line of a file of the cache: a time in seconds, or null.
LONGEST_END = 40
# Files are counted before one write in so many, by chance: to count thousands takes longer than to write one.
WRITES_A_COUNT = 50


class JsonFileCache(FileBasedCache):
    """A cache of files: a line with the end of an entry, then its value as compressed JSON.

    The values are those that Redis takes: what is written into the folder cannot run code here. What cannot be read is
    a miss.
    """

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        found = self._read(key, version)
        return default if found is None else found[1]

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        with self._lock():
            # Django's own looks first and writes then: two requests at once would both find nothing.
            return super().add(key, value, timeout, version)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Count up to the end that the entry has, as Redis does."""
        with self._lock():
            found = self._read(key, version)
            if found is None:
                raise ValueError(f"no entry {key!r}")
            end, value = found
            self.set(key, value + delta, None if end is None else end - time.time(), version)
            return int(value) + delta

    @contextmanager
    def _lock(self) -> Iterator[None]:
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
