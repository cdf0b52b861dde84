"""The words by which players are found by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.bulk import batched, write_missing_rows, write_rows
from players.models import NameSound, NameWord
from players.spelling import sound_of, words_of

BATCH = 5_000


def write_name_words(names: Iterable[tuple[int, str]], *, heard: set[str] | None = None) -> None:
    """Write the words of players without any, given as (FIDE ID, name).

    `heard` are words whose sound is already stored; new ones are added to it.
    """
    heard = set() if heard is None else heard
    for batch in batched(names, BATCH):
        rows = [(word, fide_id) for fide_id, name in batch for word in words_of(name)]
        write_rows(NameWord, ("word", "player"), rows)
        new = {word for word, _ in rows} - heard
        write_name_sounds(new)
        heard |= new


def write_name_sounds(words: Iterable[str]) -> None:
    """Write how words sound, of those that no name had before."""
    # In one order: two transactions that insert the same words would otherwise wait for each other.
    rows = [(word, sound_of(word)) for word in sorted(words)]
    if rows:
        write_missing_rows(NameSound, ("word", "sound"), rows)


def rewrite_name_words(names: Sequence[tuple[int, str]]) -> None:
    """Replace the words of players that are called otherwise now, given as (FIDE ID, name)."""
    for batch in batched(names, BATCH):
        NameWord.objects.filter(player__in=[fide_id for fide_id, _ in batch]).delete()
    write_name_words(names)
