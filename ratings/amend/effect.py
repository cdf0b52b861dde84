"""What amendments do: for each player the result before and after, and what the next list takes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from ratings.amend.lines import (
    NOTHING,
    OnList,
    Taken,
    results_between,
    taken_between,
    warnings_between,
)
from ratings.ledger.chain import Chain
from ratings.models import CorrectionLine, RatingList
from ratings.preview import preview_report
from ratings.systems.otb.period import PeriodResult
from tournaments.amendments import Amendment, OfField
from tournaments.checking import CheckedReport
from tournaments.lookups import Lookups
from tournaments.models import Game, Report, ResultCorrection, Tournament
from tournaments.report_people import ids_in, people_of
from tournaments.trf import Report as TrfReport


class NextEntry(NamedTuple):
    """What the next list of a kind shows of a player before and after: K, and why not listed (empty: listed)."""

    kind: str
    k: tuple[int | None, int | None]
    barred: tuple[str, str]

    @property
    def differs(self) -> bool:
        return self.k[0] != self.k[1] or self.barred[0] != self.barred[1]


@dataclass(frozen=True, slots=True)
class Effect:
    """What amendments of a subject, a tournament or a player, do: shown before and returned after.

    `players` are those whose results differ, with the line that the next list takes where a list was published; of
    another tournament it is the list so far, by this report alone. `taken` is the sum of it with the rounding beside
    it (D-145). `warnings` are those of the amended report, and of whom nothing is corrected (D-142). `versions` are
    the report before and after, where both can be read. `made` is what came of it: a version, a file or a correction;
    `records` are the requests, or what is kept, of games.
    """

    subject: Any
    amendments: tuple[Amendment, ...] = ()
    players: tuple[OnList, ...] = ()
    taken: tuple[Taken, ...] = ()
    warnings: tuple[str, ...] = ()
    corrected_lists: tuple[RatingList, ...] = ()
    next_entries: tuple[NextEntry, ...] = ()
    versions: tuple[TrfReport, TrfReport] | None = None
    made: Any = None
    records: tuple[ResultCorrection, ...] = ()

    @property
    def is_published(self) -> bool:
        """Whether the next list takes it: a list has the tournament."""
        return bool(self.corrected_lists)

    @property
    def lines(self) -> tuple[CorrectionLine, ...]:
        """The lines that the next lists take."""
        return tuple(one.line for one in self.players if one.line is not None)

    @property
    def changes(self) -> tuple[dict[str, Any], ...]:
        """The fields that change, as a step of the log keeps them."""
        return tuple(one.as_change() for one in self.amendments if isinstance(one, OfField))


def parts_between(before: Mapping[str, Chain], after: Mapping[str, Chain]) -> dict[str, Any]:
    """Return the parts of an effect that follow from the chains of each kind before and after."""
    players = results_between(before, after)
    lines = [one.line for one in players if one.line is not None]
    return {
        "players": players,
        "taken": taken_between(before, after, lines),
        "warnings": warnings_between(before, after),
    }


@dataclass(frozen=True, slots=True)
class RatedVersion:
    """A report that no list has taken, with the conditions and the marks by which it would be rated."""

    tournament: Tournament
    read: TrfReport
    marks: Mapping[tuple[int, int], str]


def marks_of(report: Any) -> dict[tuple[int, int], str]:
    """Return the marks of a stored version by round and White; an arbiter's file has none."""
    if not isinstance(report, Report):
        return {}
    rows = Game.objects.filter(report=report).exclude(mark="").values_list("round", "white", "mark")
    return {(number, white): mark for number, white, mark in rows}


def players_between(before: RatedVersion, after: RatedVersion, *, on: date) -> tuple[OnList, ...]:
    """Return whose results on the coming list differ between two versions, by these reports alone."""
    lookups = Lookups()
    lookups.players.load_with_successors({*ids_in(before.read), *ids_in(after.read)})
    results = [_results_of(version, lookups, on=on) for version in (before, after)]
    kind = str(after.tournament.kind)
    found = []
    for fide_id in sorted(results[0].keys() | results[1].keys()):
        former, latter = (some.get(fide_id, NOTHING) for some in results)
        if _figures(former) != _figures(latter):
            found.append(OnList(fide_id, kind, former, latter))
    return tuple(found)


def _figures(result: PeriodResult) -> tuple[Any, ...]:
    """Return what a result says of the player: other days of the tournament alone are no difference."""
    # Nor are other colours: the sums of the games are compared.
    events = [(item.own, item.participation[2:], item.k) for item in result.events]
    return (*result._replace(events=(), pool=(), shares=()), events)


def _results_of(version: RatedVersion, lookups: Lookups, *, on: date) -> dict[int, PeriodResult]:
    if not version.read.players:
        return {}
    people = people_of(version.read, lookups.players, version.tournament).players
    checked = CheckedReport(version.read, (), people)
    found = preview_report(checked, version.tournament, on=on, lookups=lookups, marks=version.marks)
    return {row.player.fide_id: row.result for row in found.rows if row.player and row.result}


def effect_as_json(effect: Effect) -> dict[str, Any]:
    """Return the effect on a tournament as plain values; changes and differences in hundredths."""
    return {
        "tournament": effect.subject.event_id,
        "lists": [rating_list.date.isoformat() for rating_list in effect.corrected_lists],
        "players": [
            {
                "fide_id": one.player_id,
                "kind": one.kind,
                "list": one.line.corrected_list.date.isoformat() if one.line else None,
                "before": _result_as_json(one.before),
                "after": _result_as_json(one.after),
            }
            for one in effect.players
        ],
        "lines": [_line_as_json(line) for line in effect.lines],
        "taken": [
            {
                "fide_id": one.player_id,
                "kind": one.kind,
                "points": one.points,
                "difference": one.difference,
                "rounding": one.rounding,
            }
            for one in effect.taken
        ],
        "warnings": list(effect.warnings),
    }


def _result_as_json(result: PeriodResult) -> dict[str, Any]:
    return {"games": result.games, "change": result.change, "rating": result.rating, "result": result.outcome}


def _line_as_json(line: CorrectionLine) -> dict[str, Any]:
    return {
        "fide_id": line.player_id,
        "list": line.corrected_list.date.isoformat(),
        "kind": str(line.kind),
        "before": line.before_hundredths,
        "after": line.after_hundredths,
        "difference": line.difference_hundredths,
        "games": line.games_difference,
    }
