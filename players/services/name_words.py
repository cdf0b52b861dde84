"""The words by which players are found by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from core.bulk import batched, write_missing_rows, write_rows
from players.models import FormerName, NameSound, NameWord
from players.spelling import sound_of, words_of

BATCH = 5_000


def write_name_words(names: Iterable[tuple[int, *tuple[str, ...]]], *, heard: set[str] | None = None) -> None:
    """Write the words of players without any, given as (FIDE ID, name, former names).

    `heard` are words whose sound is already stored; new ones are added to it.
    """
    heard = set() if heard is None else heard
    for batch in batched(names, BATCH):
        rows = [
            (word, fide_id)
            for fide_id, *called in batch
            for word in dict.fromkeys(chain.from_iterable(map(words_of, called)))
        ]
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


def rename_players(names: Sequence[tuple[int, str, str]]) -> None:
    """Write the words of players that are called otherwise now, given as (FIDE ID, name, former name).

    They are found by their former names too.
    """
    for batch in batched(names, BATCH):
        # A name of the same words, as with another case or order, finds and is found anyway.
        rows = [(item[0], item[2]) for item in batch if not {*words_of(item[2])} <= {*words_of(item[1])}]
        write_missing_rows(FormerName, ("player", "name"), rows)
        called = {fide_id: [name] for fide_id, name, _former in batch}
        for fide_id, former in FormerName.objects.filter(player__in=list(called)).values_list(
            "player", "name"
        ):
            called[fide_id].append(former)
        NameWord.objects.filter(player__in=list(called)).delete()
        write_name_words((fide_id, *names_of) for fide_id, names_of in called.items())
