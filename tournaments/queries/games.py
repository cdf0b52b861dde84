"""The rounds of stored reports; those of reports that were only just written need not be asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from tournaments.models import Game

# Round, white, black, both codes, whether it was played, and why it is not rated.
FIELDS = ("round", "white", "black", "white_code", "black_code", "is_played", "mark")
Row = tuple[Any, ...]

_held: ContextVar[dict[int, Sequence[Row]] | None] = ContextVar("games held", default=None)


@contextmanager
def games_held() -> Iterator[None]:
    """Keep the games of reports that are written inside: for as many reports as are held in memory at once."""
    token = _held.set({})
    try:
        yield
    finally:
        _held.reset(token)


def hold_games(report_id: int, rows: Sequence[Row]) -> None:
    """Note the games of a report as they are written, by `FIELDS`, where anybody wants them."""
    held = _held.get()
    if held is not None:
        held[report_id] = rows


def games_of(report_ids: Collection[int]) -> dict[int, list[Row]]:
    """Return the rounds of accepted reports by report, each by `FIELDS`.

    Games never change, but for their marks: those are asked for in any case.
    """
    held = _held.get() or {}
    known = [report_id for report_id in report_ids if report_id in held]
    if known:
        marked = Game.objects.filter(report__in=known).exclude(mark="").order_by()
        known = sorted(set(known) - set(marked.values_list("report_id", flat=True)))
    games = {report_id: list(held[report_id]) for report_id in known}
    missing: dict[int, list[Row]] = {report_id: [] for report_id in report_ids if report_id not in games}
    if missing:
        rows = Game.objects.filter(report__in=list(missing)).order_by()
        for row in rows.values_list("report_id", *FIELDS):
            missing[row[0]].append(row[1:])
    return games | missing
