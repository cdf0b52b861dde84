"""From the bytes of a report to the values of its participants and games; the same bytes, the same values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tournaments.trf import Report


def participant_rows(report: Report) -> Iterator[tuple[Any, ...]]:
    """Yield number, FIDE ID, name, federation, sex, title, rating, half points and rank of each participant."""
    for record in report.players:
        yield (
            *(record.number, record.fide_id, record.name[:120], record.federation[:10], record.sex),
            *(record.title, record.rating, record.points, record.rank),
        )


def game_rows(report: Report) -> Iterator[tuple[Any, ...]]:
    """Yield round, white, black, both codes and whether it was played: pairings, then rounds without an opponent."""
    for pairing in report.games():
        yield (
            *(pairing.round, pairing.white, pairing.black),
            *(pairing.white_code, pairing.black_code, pairing.played),
        )
    for alone in report.unplayed():
        yield (alone.round, alone.player, None, alone.code, "", False)
