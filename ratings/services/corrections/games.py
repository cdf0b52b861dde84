"""Correcting one game: not rated after all, rated again, or another result; the effect first (4.1, D-11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError
from ratings.services.corrections.correct import correct_report, current_report
from ratings.services.corrections.lines import Line
from ratings.services.rating import rate_contents
from ratings.systems.otb.values import UNRATED, Participation
from tournaments.choices import GameMark, Stage
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.services.report_corrections import Mark, mark_games
from tournaments.trf import RESULTS, pairing_of, read_report, with_result
from tournaments.trf.writer import as_written

RATED_AGAIN = "rated"
ABSENT = Participation(UNRATED, (), 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Decision:
    """What is decided of the game in which a starting rank has white: a mark, `rated`, or a result of `RESULTS`."""

    round: int
    white: int
    verdict: str
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """A participant's games and the sum of their changes in hundredths, before K, without and with a decision."""

    participant: Participant
    games: tuple[int, int]
    changes: tuple[int, int]


@dataclass(frozen=True, slots=True)
class GameEffect:
    """What a decision does. Before publication it changes `shares`; afterwards the next list takes `lines`."""

    tournament: Tournament
    white: Participant
    black: Participant
    shares: tuple[Share, ...] = ()
    lines: tuple[Line, ...] = ()

    @property
    def is_published(self) -> bool:
        return self.tournament.stage == Stage.PUBLISHED


def correct_game(
    tournament: Tournament,
    decision: Decision,
    *,
    reason: str,
    by: Any,
    on: date,
    at: datetime,
    is_dry_run: bool = False,
) -> GameEffect:
    """Carry out a decision on one game and return its effect; a dry run writes nothing.

    `RefusedError` where there is no report, no such game, no reference, or where nothing would differ. A result is
    corrected after publication only: before it the report is submitted again.
    """
    report = current_report(tournament)
    if report is None:
        raise RefusedError([Refusal("no-report", _("No report of this tournament has been accepted."))])
    white, black = _players(report, decision)
    if tournament.stage != Stage.PUBLISHED:
        shares = _mark(tournament, report, decision, by=by, at=at, is_dry_run=is_dry_run)
        return GameEffect(tournament, white, black, shares=shares)
    effect = correct_report(
        tournament,
        _content(report, decision),
        file_name=report.file_name,
        reason=reason,
        by=by,
        on=on,
        at=at,
        marks=_marks(report, decision),
        is_dry_run=is_dry_run,
    )
    return GameEffect(tournament, white, black, lines=effect.lines)


def _players(report: Report, decision: Decision) -> tuple[Participant, Participant]:
    game = Game.objects.filter(report=report, round=decision.round, white=decision.white).first()
    if game is None or game.black is None:
        message = _("Player %(white)s has no game with White in round %(round)s.")
        values = {"white": decision.white, "round": decision.round}
        raise RefusedError([Refusal("no-such-game", message % values, "white")])
    people = {row.number: row for row in Participant.objects.filter(report=report).select_related("player")}
    return people[game.white], people[game.black]


def _mark(
    tournament: Tournament, report: Report, decision: Decision, *, by: Any, at: datetime, is_dry_run: bool
) -> tuple[Share, ...]:
    if decision.verdict in RESULTS:
        message = _("The report is not published yet. Upload it with the correct result instead.")
        raise RefusedError([Refusal("not-published", message, "verdict")])
    with transaction.atomic():
        before = rate_contents(report).participations
        mark_games(tournament, [_as_mark(decision)], by=by, at=at)
        after = rate_contents(report).participations
        if is_dry_run:
            transaction.set_rollback(True)
    return shares_between(report, before, after)


def shares_between(
    report: Report, before: Mapping[int, Participation], after: Mapping[int, Participation]
) -> tuple[Share, ...]:
    """Return the participants whose games or changes differ between two ratings of a report."""
    people = Participant.objects.filter(report=report).select_related("player").order_by("number")
    return tuple(
        Share(
            person,
            (former.games, after[person.number].games),
            (former.change, after[person.number].change),
        )
        for person in people
        if (former := before.get(person.number, ABSENT)) != after[person.number]
    )


def _content(report: Report, decision: Decision) -> bytes:
    """Return the report's bytes, with another result where that is decided."""
    content = bytes(report.content)
    if decision.verdict not in RESULTS:
        return content
    read = read_report(content)
    pairing = pairing_of(read, round_number=decision.round, white=decision.white)
    if pairing is None:
        raise RefusedError([Refusal("no-such-game", _("The report has no such game."), "white")])
    if (pairing.white_code, pairing.black_code) == RESULTS[decision.verdict]:
        raise RefusedError([Refusal("nothing-changes", _("The report already has this result."), "verdict")])
    return as_written(with_result(read, pairing, decision.verdict), content)


def _marks(report: Report, decision: Decision) -> list[Mark]:
    """Return the mark that the decision sets or removes; those of other games stay with their games (D-100)."""
    games = Game.objects.filter(report=report, round=decision.round, white=decision.white)
    former = games.exclude(mark="").first()
    if decision.verdict in RESULTS and former is None:
        return []
    if decision.verdict == RATED_AGAIN and former is None:
        raise RefusedError([Refusal("nothing-changes", _("This game is already rated."), "verdict")])
    if former and (former.mark, former.mark_reference) == (decision.verdict, decision.reference.strip()):
        raise RefusedError([Refusal("nothing-changes", _("This has already been decided."), "verdict")])
    return [_as_mark(decision)]


def _as_mark(decision: Decision) -> Mark:
    verdict = GameMark(decision.verdict) if decision.verdict in GameMark.values else ""
    return Mark(decision.round, decision.white, verdict, decision.reference)
