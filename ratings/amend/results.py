"""Requests to correct a game, as cases: whoever may decides, and the report as it is then is amended."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.acts import Act
from core.errors import Refusal, refused
from players.cases import RULES, CaseRules, CaseTask, only_who_asked
from players.choices import CaseKind, CaseState
from players.own_matters import is_concerned
from players.permissions import is_staff
from ratings.amend.amend import amend, lock_corrected
from ratings.amend.records import ids_of, tell_decision, tell_players
from ratings.amend.standing import Standing, Way, standing_for
from tournaments.amended import numbers_in
from tournaments.changed_meanwhile import hold_to_what_was_seen
from tournaments.choices import Action, Stage
from tournaments.log import tournament_acts
from tournaments.models import ResultCorrection
from tournaments.objections import settle_objections
from tournaments.permissions import can_decide_correction, for_arbiter_or_user, reported_by
from tournaments.portal_reasons import with_alone
from tournaments.trf import Pairing, pairing_of, read_report
from tournaments.trf import Report as TrfReport


def _grant(correction: ResultCorrection, reason: str, *, by: Any, at: datetime) -> None:
    """Make a requested correction in the report as it is now."""
    standing, concerned = standing_for(by, correction.tournament), _concerned(correction)
    is_there = standing is not None and standing.report is not None
    if standing is None or not is_there or standing.way not in (Way.SAVE, Way.ACCEPT, Way.PUBLISHED):
        raise refused("no-report", _("There is no report that could be corrected. Refuse the request."))
    _refuse_another_game(correction, standing)
    # Whoever is concerned came so far only where nobody else could decide.
    is_alone = concerned is not None and is_concerned(by, concerned, asked_by=correction.asked_by_id)
    reason = with_alone(reason.strip(), is_alone=is_alone)
    act = Act(by, at, reason)
    correction.effect = amend(correction.tournament, correction.amendments, act, case=correction)


def _refuse_another_game(correction: ResultCorrection, standing: Standing) -> None:
    """Refuse to correct a game that has other players or another result than when it was requested."""
    if correction.report_id == standing.report.pk:
        return
    read = [read_report(bytes(report.content)) for report in (correction.report, standing.report)]
    games = [pairing_of(report, round_number=correction.round, white=correction.white) for report in read]
    seats = [_seats(report, game, correction) for report, game in zip(read, games, strict=True)]
    if None in games or games[0] != games[1] or seats[0] != seats[1]:
        message = _("The report was replaced, and this game has changed. Refuse the request.")
        raise refused("game-changed", message)


def _seats(read: TrfReport, game: Pairing | None, correction: ResultCorrection) -> list[Any]:
    """Return who plays a game, and who takes a place in it with what that player has in the round."""
    players = read.by_number
    numbers = {number for one in correction.amendments for number in numbers_in(read, one)} if game else ()
    named = [players[number] for number in sorted(numbers) if number in players]
    rounds = [one.results[correction.round - 1 : correction.round] for one in named]
    return [(one.fide_id, one.name, *result) for one, result in zip(named, rounds, strict=True)]


def _bar(user: Any, correction: ResultCorrection) -> Refusal | None:
    if can_decide_correction(user, correction):
        return None
    is_published = correction.tournament.stage == Stage.PUBLISHED
    message = _("FIDE staff decide.") if is_published else _("The rating officer decides on the correction.")
    return Refusal("not-yours", message)


def _begin(correction: ResultCorrection, seen: str | None) -> None:
    tournament = correction.tournament
    if tournament.stage == Stage.PUBLISHED:
        # The lists before the tournament (D-104).
        lock_corrected(tournament, [tournament.kind])
    hold_to_what_was_seen(tournament, seen)


def _concerned(correction: ResultCorrection) -> set[str] | None:
    # Before publication the officer corrects, and an arbiter's request is only a proposal.
    tournament = correction.tournament
    return {tournament.federation_id} if tournament.stage == Stage.PUBLISHED else None


def _tell(correction: ResultCorrection, *, at: datetime) -> None:
    tell_decision(correction, correction.effect, at=at)
    read = read_report(bytes(correction.report.content))
    numbers = {number for one in correction.amendments for number in numbers_in(read, one)}
    ids = ids_of(correction.report, read, numbers)
    # Also where it was refused, which the players are told.
    settle_objections(correction.tournament, ids, round_number=correction.round, at=at)
    tell_players(correction, ids, correction.effect, at=at)


def _waits_for(user: Any, today: date) -> Q:
    """Return that officers decide before publication, and staff after it."""
    published = Q(tournament__stage=Stage.PUBLISHED)
    mine = Q(tournament__in=reported_by(user).values("pk")) & ~published
    return mine | published if is_staff(user) else mine


RULES[CaseKind.RESULT] = CaseRules(
    task=CaseTask(_l("Decide on the correction of a result"), sort="decisions"),
    related=("report",),
    left_out=("report__content", "report__pgn", "report__findings"),
    seen_by=lambda user: Q(tournament__in=for_arbiter_or_user(user).values("pk")),
    waits_for=_waits_for,
    bar=_bar,
    bar_to_cancel=only_who_asked,
    begin=_begin,
    grant=_grant,
    with_reason=(CaseState.APPROVED, CaseState.REFUSED),
    apart=(CaseState.APPROVED, CaseState.REFUSED),
    concerned=_concerned,
    # What is made is logged as the correction that it is.
    record=tournament_acts(
        {CaseState.WAITING: Action.ASK_CORRECTION, CaseState.REFUSED: Action.DENY_CORRECTION}
    ),
    tell=_tell,
)
