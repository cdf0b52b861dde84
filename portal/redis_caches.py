"""The caches of several machines, in Redis. A portal that has none does not import its client, which takes long."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from typing import Any, ClassVar

import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as NoConnectionError
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as NoAnswerError

from portal.caches import FailSafeCache

log = structlog.get_logger(__name__)
# Calls of the API, forms and attempts to sign in are counted beside what is cached, and in each process for itself
# what it has seen: where Redis is away, and what readers have pushed out of it, is counted on from there.
CALLS = ("api:", "allauth:rl:", "second-factor:", "form-kept:", "invitation-tries:")
CALLERS_NOTED, LONGEST_WINDOW = 20_000, 60


class JsonSerializer:
    """Values of the cache in Redis as JSON: whoever can write there must not be able to run code here.

    What cannot be read is a miss. A number stays one, which Redis can count up.
    """

    def dumps(self, value: Any) -> int | str:
        # Not `isinstance`: True is an int too, and would come back as 1.
        return value if type(value) is int else json.dumps(value)

    def loads(self, stored: bytes) -> Any:
        try:
            return json.loads(stored)
        except ValueError:
            log.warning("cache_unreadable")
            return None


class Absence:
    """Whether a server counts as away: for some seconds after it did not answer, for all threads of a process."""

    seconds: ClassVar[float] = 5.0

    def __init__(self) -> None:
        self._until = 0.0

    def is_over(self) -> bool:
        """Tell whether to ask the server. Of those who find the time over one asks, the others go on without it."""
        if not self._until:
            return True
        if time.monotonic() < self._until:
            return False
        self.begin()
        return True

    def begin(self) -> None:
        self._until = time.monotonic() + self.seconds

    def end(self) -> None:
        self._until = 0.0


# By the address of the server.
ABSENCES: defaultdict[str, Absence] = defaultdict(Absence)


def _is_call(key: Any) -> bool:
    return isinstance(key, str) and key.startswith(CALLS)


class FailSafeRedisCache(FailSafeCache, RedisCache):
    """The cache of several machines, while Redis answers; calls are counted without it.

    What it refuses, because it is full or another type stands there, is a miss, too.
    """

    away = (NoConnectionError, NoAnswerError, ResponseError)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._calls = LocMemCache("calls", {"OPTIONS": {"MAX_ENTRIES": CALLERS_NOTED}})
        self._absence = ABSENCES[str(args[0])]

    def get(self, key: Any, default: Any = None, *args: Any, **options: Any) -> Any:
        found = super().get(key, None, *args, **options)
        if found is None and _is_call(key):
            # A full Redis reads, and does not have what it did not take.
            found = self._calls.get(key, None, *args, **options)
        return default if found is None else found

    def get_many(self, keys: Any, *args: Any, **options: Any) -> dict[Any, Any]:
        found = super().get_many(keys, *args, **options)
        # Without what cannot be read, such as an entry of an earlier release.
        return {key: value for key, value in found.items() if value is not None}

    def delete(self, key: Any, *args: Any, **options: Any) -> bool:
        """Delete an entry, and what a full Redis, which does delete, did not take of it."""
        done = super().delete(key, *args, **options)
        return self._calls.delete(key, *args, **options) or done

    def _try(self, name: str, otherwise: Any, *args: Any, **options: Any) -> Any:
        if self._absence.is_over():
            try:
                done = getattr(RedisCache, name)(self, *args, **options)
                self._absence.end()
                return self._note_count(name, done, *args, **options) if _is_call(args[0]) else done
            except self.away as error:
                log.warning("cache_away", operation=name, why=str(error))
                # A server that refuses an entry does answer: it counts as there.
                if not isinstance(error, ResponseError):
                    self._absence.begin()
        if _is_call(args[0]):
            return getattr(self._calls, name)(*args, **options)
        return otherwise

    def _note_count(self, name: str, done: Any, key: str, *args: Any, **options: Any) -> Any:
        """Note here what was counted; put back what was counted here and is no longer there."""
        if name == "add" and done and not self._calls.add(key, *args, **options):
            RedisCache.set(self, key, self._calls.get(key), *args[1:], **options)
            # The caller then counts on with `incr`, as for any entry that is there.
            return False
        # `incr` is not told how long the count lasts: the rates of the API are by the minute.
        if name == "incr" and not self._calls.add(key, done, LONGEST_WINDOW):
            self._calls.incr(key, done - self._calls.get(key))
        return done
