"""Making the next thing while the last one is still being used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from django.utils import translation

T = TypeVar("T")


def made_ahead(items: Iterable[T]) -> Iterator[T]:
    """Yield items, each of which a thread makes while the one before is used; they must not use the database.

    What the making raises is raised here, in its turn and in the reader's language. The thread ends with the iterator.
    """
    iterator, language = iter(items), translation.get_language()

    def made() -> list[T]:
        with translation.override(language):
            return list(islice(iterator, 1))

    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(made)
        while item := coming.result():
            coming = thread.submit(made)
            yield item[0]
