"""Holds of reports, on which no list takes the tournament until they are released (0.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from players.cases import RULES, CaseRules, close_overtaken, decide, nothing, open_case, row_of
from players.choices import HOLDS, CaseKind, CaseState
from players.models import Case
from players.own_matters import decides_alone
from tournaments.cases import (
    IS_QC,
    hold_tournament,
    of_the_queue,
    only_qc,
    own_tournament,
    qc_decides,
    waits_for_qc,
)
from tournaments.changed_meanwhile import hold_to_what_was_seen
from tournaments.choices import OPEN_REGISTRATIONS, Action, ReportState, Stage
from tournaments.drafts import CODE, answers_in_log
from tournaments.log import tournament_acts
from tournaments.models import Flags, Hold, Report, Tournament
from tournaments.portal_reasons import SENTENCES, with_alone
from tournaments.trf import Severity
from tournaments.trf.findings import LIFTED_BY_QC

OUTLIERS = LIFTED_BY_QC | {"performance-outlier", "event-again", "few-games-again", "report-of-others"}
SAME_GAMES = "same-games"
# What a hold can still keep from a list.
STANDS = Q(tournament__registration__in=OPEN_REGISTRATIONS) & ~Q(tournament__stage=Stage.PUBLISHED)
HOLDABLE = (Stage.REPORTED, Stage.RATED)


def place_hold(
    tournament: Tournament, *, reason: str, by: Any, at: datetime, seen: str | None = None
) -> Hold:
    """Place an accepted report on hold and return the hold; no list takes the tournament until it is released.

    It takes the place of a flag that the findings set. `RefusedError` where there is no accepted report, it is
    published, official (0.3), on hold already, the author has not `seen` the newest step, or is officer of the
    federation, whose own report it would keep from a list, while somebody else could hold it (D-131).
    """
    refusals = _hold_refusals(tournament, reason)
    if refusals:
        raise RefusedError(refusals)
    is_alone = decides_alone(by, {tournament.federation_id}, asked_by=None, holders=IS_QC)
    why = Hold.columns_of(with_alone(reason.strip(), is_alone=is_alone))
    with transaction.atomic():
        hold_to_what_was_seen(tournament, seen)
        tournament.refresh_from_db()
        # Read under the lock: a list that takes the report at this moment comes first.
        if not can_be_held(tournament):
            raise RefusedError([_not_now()])
        hold = Hold(tournament=tournament, asked_by=by, asked_at=at, **why)
        open_case(hold, second=_not_now())
        close_overtaken(Flags.objects.filter(tournament=tournament), by=by, at=at)
    return hold


def release_hold(
    tournament: Tournament, *, reason: str, by: Any, at: datetime, seen: str | None = None
) -> None:
    """Release the hold without a decision against the tournament: the next list that can take it does.

    `RefusedError` without a hold or a reason, or where the author has not `seen` the newest step.
    """
    held = held_or_flagged(tournament).first()
    if held is None or not decide(row_of(held), CaseState.APPROVED, answer=reason, by=by, at=at, seen=seen):
        raise refused("no-question", _("The report is not on hold. The hold may have been released."))


def held_or_flagged(tournament: Tournament) -> QuerySet[Case]:
    """Return the hold on a report, or the flag of its checks, that waits for its release."""
    return tournament.cases.filter(kind__in=HOLDS, state=CaseState.WAITING)


def flag_outliers(report: Report, *, at: datetime) -> None:
    """Flag an accepted report for the QC where its findings say so; this alone holds nothing back."""
    found = Counter(finding["code"] for finding in report.findings if finding["code"] in OUTLIERS)
    # Lines whose FIDE ID is of another name (D-130); only later versions have answers in the log.
    found["id-of-another"] += sum(item.get("code") == CODE for item in report.acknowledgement_stated or ())
    found["id-of-another"] += len(answers_in_log(report.tournament)) if report.version > 1 else 0
    tournament = report.tournament
    # Official events are rated whatever the findings say (0.3).
    if found.total() and not tournament.is_official and not held_or_flagged(tournament).exists():
        flags = [{"code": code, "number": number} for code, number in found.items() if number]
        _flag(tournament, SENTENCES.join(flags), at=at)


def flag_same_games(report: Report, *, at: datetime) -> None:
    """Bring a version before the QC that only it allows, as another event has its games (D-129); once for each event.

    A later version without such games takes the flag back.
    """
    tournament = report.tournament
    if report.state != ReportState.CHECKED:
        return
    again = [one for one in report.findings if one["code"] in LIFTED_BY_QC]
    allowed = allowed_games(tournament) if again else set()
    again = [one for one in again if not are_allowed(one["code"], one["params"], allowed)]
    events = {one["params"]["event_id"] for one in again}
    if not events and report.version == 1:
        return
    games = "; ".join(sorted(_games_again(one["code"], one["params"]) for one in again))
    reason = SENTENCES.state(SAME_GAMES, events=", ".join(sorted(events)), games=games)
    held = held_or_flagged(tournament).first()
    if held is not None and (held.kind == CaseKind.HOLD or held.stated == reason.items):
        return
    if held is not None and (events or _is_same_games(held)):
        close_overtaken(Flags.objects.filter(pk=held.pk), by=None, at=at)
    if events:
        _flag(tournament, reason, at=at)


def _flag(tournament: Tournament, reason: str, *, at: datetime) -> None:
    open_case(Flags(tournament=tournament, asked_at=at, **Flags.columns_of(reason)), second=_not_now())


def allowed_games(tournament: Tournament) -> set[str]:
    """Return which games of other events the QC allows a tournament to have, by releasing the flag (D-129)."""
    # A flag also ends by a decision or by a hold: only its release is the answer to it.
    released = Flags.objects.filter(tournament=tournament, state=CaseState.APPROVED)
    return {games for one in released if _is_same_games(one) for games in _games_of(one)}


def are_allowed(code: str, params: Mapping[str, Any], allowed: Collection[str]) -> bool:
    """Return whether the QC allowed the games of a finding: no others, or more, of the event."""
    return _games_again(code, params) in allowed or params["event_id"] in allowed


def _games_again(code: str, params: Mapping[str, Any]) -> str:
    return f"{code} {params['event_id']} {params.get('games') or params['rounds']}"


def _games_of(flag: Case) -> list[str]:
    """Return the games that a flag is about; one of a former release names the event alone."""
    (found,) = (item for item in flag.stated or () if item.get("code") == SAME_GAMES)
    return str(found["games"]).split("; ") if "games" in found else str(found["events"]).split(", ")


def _is_same_games(hold: Case) -> bool:
    return any(item.get("code") == SAME_GAMES for item in hold.stated or ())


def can_be_held(tournament: Tournament) -> bool:
    """Whether the report can be placed on hold by a person as the tournament stands, if it is not on hold."""
    return tournament.stage in HOLDABLE and tournament.is_open and not tournament.is_official


def _hold_refusals(tournament: Tournament, reason: str) -> list[Refusal]:
    if not reason.strip():
        return [Refusal("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")]
    if tournament.is_official:
        return [
            Refusal("official-0.3", _("Official FIDE and continental events must be rated (article 0.3)."))
        ]
    return []


def _not_now() -> Refusal:
    message = _(
        "The report cannot be placed on hold: it is not accepted, already published, or already on hold."
    )
    return Refusal("wrong-state", message)


def _release(held: Case, reason: str, *, by: Any, at: datetime) -> None:
    if _is_same_games(held):
        allowed = allowed_games(held.tournament) | {*_games_of(held)}
        for report in held.tournament.reports.filter(state=ReportState.CHECKED, has_errors=True).defer(
            "content", "pgn"
        ):
            errors = [one for one in report.findings if one["severity"] == Severity.ERROR]
            if all(
                one["code"] in LIFTED_BY_QC and are_allowed(one["code"], one["params"], allowed)
                for one in errors
            ):
                held.tournament.reports.filter(pk=report.pk).update(has_errors=False)


for _kind, _acts in (
    (CaseKind.HOLD, {CaseState.WAITING: Action.HOLD, CaseState.APPROVED: Action.CLEAR}),
    (CaseKind.FLAGS, {CaseState.APPROVED: Action.UNFLAG}),
):
    RULES[_kind] = CaseRules(
        seen_by=of_the_queue,
        waits_for=lambda user, today: waits_for_qc(user) & STANDS,
        followed_by=lambda user: of_the_queue(user) & STANDS,
        bar=qc_decides,
        begin=hold_tournament,
        grant=_release,
        verdicts=(CaseState.APPROVED,),
        with_reason=(CaseState.APPROVED,),
        concerned=own_tournament,
        # Whoever placed the report on hold may release it.
        asker=nothing,
        holders=only_qc,
        record=tournament_acts(_acts),
    )
