"""Suspected duplicates: players of one federation with the same words in the name and the same year of birth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from players.models import Player
from players.spelling import words_of

SHOWN = 100
# A name of one word says too little.
MIN_WORDS = 2


@dataclass(frozen=True, slots=True)
class Suspects:
    """Two players who may be one; `other` has the higher FIDE ID."""

    player: Player
    other: Player


def suspected_duplicates(federation: str) -> list[Suspects]:
    """Return pairs of players of a federation who may be one person, at most `SHOWN`, by name; two queries.

    The year of birth is the same, or one of them has none. Those with another sex, who died or were merged are left
    out. Every player of the federation is read: it takes a second for a hundred thousand.
    """
    rows = Player.objects.filter(federation=federation, merged_into=None, died_on=None).order_by("pk")
    groups: dict[tuple[str, ...], list[tuple[int, str, int | None]]] = defaultdict(list)
    for fide_id, name, sex, year in rows.values_list("pk", "name", "sex", "birth_year").iterator():
        words = tuple(sorted(words_of(name)))
        if len(words) >= MIN_WORDS:
            groups[words].append((fide_id, sex, year))
    pairs = [pair for _words, group in sorted(groups.items()) for pair in _pairs(group)][:SHOWN]
    players = Player.objects.in_bulk({fide_id for pair in pairs for fide_id in pair})
    return [Suspects(players[first], players[second]) for first, second in pairs]


def _pairs(group: list[tuple[int, str, int | None]]) -> Iterator[tuple[int, int]]:
    for place, (fide_id, sex, year) in enumerate(group):
        for other_id, other_sex, other_year in group[place + 1 :]:
            is_same_sex = not sex or not other_sex or sex == other_sex
            is_same_year = year is None or other_year is None or year == other_year
            if is_same_sex and is_same_year:
                yield fide_id, other_id
