"""Rows that a thread produces ahead of the caller who uses them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from django.utils import translation

T = TypeVar("T")


def produce_ahead(items: Iterable[T]) -> Iterator[T]:
    """Yield items; a thread produces the next one while the caller uses the present one.

    Producing must not use the database. Its errors are raised here, in the caller's language. The thread ends with
    the iterator.
    """
    iterator, language = iter(items), translation.get_language()

    def produce() -> list[T]:
        # The active language belongs to a thread, and this is another one.
        with translation.override(language):
            return list(islice(iterator, 1))

    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(produce)
        while item := coming.result():
            coming = thread.submit(produce)
            yield item[0]
