"""Preview of a report: every player's change, initial ratings and unrated games if it were accepted today.

Nothing is written. The figures are for this report only: other events of the same list may lower K (700 rule).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from players.models import Player
from ratings.in_force import InForce
from ratings.ledger.facts import Waiting
from ratings.ledger.periods import Periods, periods
from ratings.ledger.stored import StoredParticipation
from ratings.rate import RatedReport, rate_games
from ratings.systems.otb.period import PeriodResult
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import Event, Outcome, ReportedGame
from ratings.systems.registry import reason_of
from ratings.systems.words import Reason
from tournaments.checking import CheckedReport
from tournaments.choices import Registration
from tournaments.lookups import Lookups
from tournaments.models import Tournament
from tournaments.trf import Report as ReadReport
from tournaments.trf.report import game_rows

EVENT_ID = "preview"


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One player of the report with the result on the next list. `player` is None if not in the portal."""

    number: int
    name: str
    player: Player | None
    previous: int | None
    result: PeriodResult | None

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The rounds as the list would take them."""
        return self.result.events[0].participation.outcomes if self.result else ()

    def left_out(self) -> dict[str, list[int]]:
        """Return the rounds that would not count, by the reason key."""
        rounds: dict[str, list[int]] = defaultdict(list)
        for outcome in self.outcomes:
            if not outcome.counts:
                rounds[outcome.reasons[0]].append(outcome.round)
        return dict(rounds)


@dataclass(frozen=True, slots=True)
class Preview:
    """The report as it would be rated for the list of a date."""

    list_date: date
    rules: PeriodRules
    rated: RatedReport
    rows: tuple[PreviewRow, ...]

    @property
    def first_ratings(self) -> tuple[PreviewRow, ...]:
        """The players who would get a first rating."""
        return tuple(row for row in self.rows if row.previous is None and row.result and row.result.rating)


def tournament_told_by(read: ReadReport, *, kind: str, on: date, **facts: Any) -> Tournament:
    """Return the tournament of a report without saving it; `facts` are those of a registration."""
    end = read.end or read.start or on
    return Tournament(
        name=read.name,
        federation_id=read.federation,
        kind=kind,
        start=read.start or end,
        end=end,
        registration=Registration.REGISTERED,
        has_unequal_times=bool(read.unequal_times),
        **facts,
    )


def preview_report(
    checked: CheckedReport,
    tournament: Tournament,
    *,
    on: date,
    lookups: Lookups,
    marks: Mapping[tuple[int, int], str] | None = None,
) -> Preview:
    """Return what a checked report of a tournament (it need not be stored) would do if accepted on a day.

    `marks` say of games, by round and White, why they are not rated (4.1).
    """
    in_force = lookups.of(InForce)
    rated = rate_games(
        tournament,
        rounds=checked.report.rounds,
        players=checked.players,
        numbers=[record.number for record in checked.report.players],
        games=[
            ReportedGame(*row)._replace(mark=(marks or {}).get(row[:2], ""))
            for row in game_rows(checked.report)
        ],
        in_force=in_force,
    )
    # A report can be accepted only after the last day.
    list_date = in_force.lists.expected(tournament, accepted_on=max(on, tournament.end), today=on)

    def source(number: int) -> StoredParticipation:
        event = Event(EVENT_ID, tournament.start, tournament.end, rated.participations[number])
        # A draft is not stored: it has no row, and brings its games.
        return StoredParticipation(0, 0, event)

    facts = Waiting.now(
        tournament.kind,
        list_date,
        in_force,
        played={player.fide_id: [source(number)] for number, player in checked.players.items()},
        only={player.fide_id for player in checked.players.values()},
    )
    found = periods(tournament.kind, list_date, None, facts)
    return Preview(list_date, in_force.adoptions.text_on(list_date), rated, tuple(_rows(checked, found)))


def _rows(checked: CheckedReport, found: Periods) -> Iterator[PreviewRow]:
    results = found.results()
    for record in checked.report.players:
        player = checked.players.get(record.number)
        if player is None:
            yield PreviewRow(record.number, record.name, None, None, None)
            continue
        person = found.mergers.person(player.fide_id)
        previous = found.previous_rating(person)
        yield PreviewRow(record.number, player.name, player, previous, results[person])


def preview_as_json(preview: Preview) -> dict[str, Any]:
    """Return a preview as plain values; changes before rounding in hundredths."""
    return {
        "list": preview.list_date.isoformat(),
        "rules": preview.rated.basis.rules.slug,
        "games": preview.rated.counted_games,
        "players": [_row_as_json(preview, row) for row in preview.rows],
    }


def _row_as_json(preview: Preview, row: PreviewRow) -> dict[str, Any]:
    part = preview.rated.participations[row.number]
    outcomes = row.outcomes or part.outcomes
    return {
        "number": row.number,
        "name": row.name,
        "fide_id": row.player.fide_id if row.player else None,
        "status": str(part.standing.status),
        "start_rating": part.standing.rating,
        "k": row.result.events[0].k if row.result else None,
        "previous": row.previous,
        "result": row.result.outcome if row.result else "not-registered",
        "change": row.result.change if row.result else None,
        "rating": row.result.rating if row.result else None,
        "games": [
            {
                "round": outcome.round,
                "opponent": outcome.opponent,
                "counts": outcome.counts,
                "change": outcome.change,
                "reasons": list(outcome.reasons),
            }
            for outcome in outcomes
        ],
    }


@dataclass(frozen=True, slots=True)
class CommonReason:
    """A reason that most rows of a preview share, with the number of these players and of all."""

    reason: Reason
    count: int
    of: int


@dataclass(frozen=True, slots=True)
class ShownPreview:
    """A preview for display: the usual reasons once, and rows with only their differences.

    A row has `it`, its `outcome` (None where it is the usual one) and what is `left_out`: rounds behind their reason
    (None for the usual one). `unknown` counts the players who are not registered.
    """

    rows: Sequence[dict[str, Any]] = ()
    outcome: CommonReason | None = None
    left_out: CommonReason | None = None
    unknown: int = 0

    @property
    def has_exceptions(self) -> bool:
        """Whether the result of somebody is not the usual one."""
        return any(row["outcome"] or not row["is_usual"] for row in self.rows)

    @property
    def has_left_out(self) -> bool:
        """Whether somebody has a game that is not rated."""
        return any(row["left_out"] for row in self.rows)


NO_PREVIEW = ShownPreview()
# What fewer players have in common is no sentence about all of them.
FEWEST = 3


def shown_preview(preview: Preview) -> ShownPreview:
    """Return a preview with the reasons that most players share shown once."""
    results = [row for row in preview.rows if row.result]
    outcome = _common_reason([row.result.outcome for row in results if row.result], preview.rules)
    left = [key for row in results for key in row.left_out()]
    left_out = _common_reason(left, preview.rules, of=len(results))
    rows = [_shown_row(row, preview.rules, outcome, left_out) for row in preview.rows]
    return ShownPreview(rows, outcome, left_out, unknown=len(preview.rows) - len(results))


def _common_reason(keys: Sequence[str], rules: PeriodRules, *, of: int = 0) -> CommonReason | None:
    """Return the reason that most keys are, where it is that of more than half and of `FEWEST`."""
    if not keys:
        return None
    key, count = Counter(keys).most_common(1)[0]
    if count < FEWEST or count * 2 <= len(keys):
        return None
    return CommonReason(reason_of(key, rules), count, of or len(keys))


def _shown_row(
    row: PreviewRow, rules: PeriodRules, outcome: CommonReason | None, left_out: CommonReason | None
) -> dict[str, Any]:
    usual_outcome, usual_left = (item.reason.key if item else "" for item in (outcome, left_out))
    is_usual = row.result is not None and row.result.outcome == usual_outcome
    return {
        "it": row,
        "is_usual": is_usual,
        "outcome": reason_of(row.result.outcome, rules) if row.result and not is_usual else None,
        "left_out": [
            (None if key == usual_left else reason_of(key, rules), rounds)
            for key, rounds in row.left_out().items()
        ],
    }
