"""What follows from published lists: it is counted once and kept, for a list never changes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import msgspec
from django.core.cache import cache

# A list is the newest of its kind for a month; its figures last until the next one has its own.
KEPT_FOR = 45 * 24 * 3600
T = TypeVar("T")


def counted_once(key: str, kind: type[T], count: Callable[[], T]) -> T:
    """Return what is kept by a key as the type it has, or count it and keep it."""
    kept = cache.get(key)
    if kept is not None:
        # A release before this one kept it in another shape.
        with suppress(msgspec.ValidationError):
            return msgspec.convert(kept, kind)
    counted = count()
    cache.set(key, msgspec.to_builtins(counted), KEPT_FOR)
    return counted
