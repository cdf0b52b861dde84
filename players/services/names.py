"""The words by which players are found by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from players.bulk import batched, write_rows
from players.models import NameWord
from players.text import words_of

BATCH = 5_000


def write_name_words(names: Iterable[tuple[int, str]]) -> None:
    """Write the words of players that have none yet, given as (FIDE ID, name)."""
    rows = ((word, fide_id) for fide_id, name in names for word in words_of(name))
    write_rows(NameWord, ("word", "player"), rows)


def rewrite_name_words(names: Sequence[tuple[int, str]]) -> None:
    """Replace the words of players that are called otherwise now, given as (FIDE ID, name)."""
    for batch in batched(names, BATCH):
        NameWord.objects.filter(player__in=[fide_id for fide_id, _ in batch]).delete()
    write_name_words(names)
