"""Appeals to FIDE Council against decisions not to rate (FIDE R&B 2024, 0.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal, RefusedError, refused
from players.cases import RULES, CaseRules, CaseTask, every, open_case
from players.choices import CaseKind, CaseState, Role
from players.models import LogEntry
from tournaments import regulations
from tournaments.cases import hold_tournament, own_tournament
from tournaments.choices import Action, AppealGround, FilePurpose, Registration
from tournaments.evidence import file_refusals, write_files
from tournaments.limits import refuse_too_many_bytes
from tournaments.log import tournament_acts
from tournaments.models import Appeal, Tournament
from tournaments.permissions import can_decide_appeals, can_see_queue, for_user
from tournaments.portal_reasons import SENTENCES
from tournaments.signals import appeal_upheld


@dataclass(frozen=True, slots=True)
class AppealRequest:
    """What is lodged: on which ground, in whose name, and files as pairs of name and bytes."""

    ground: str
    statement: str
    organiser: str
    files: Sequence[tuple[str, bytes]] = field(default_factory=list)


def lodge_appeal(tournament: Tournament, request: AppealRequest, *, by: Any, at: datetime) -> Appeal:
    """Submit an appeal against the decision not to rate, up to the 7th UTC day after its communication (0.4).

    `RefusedError` later, if there is no such decision, or if another user appealed; a second click of the same user
    returns the existing appeal.
    """
    decision = decision_not_to_rate(tournament)
    standing = Appeal.objects.filter(decision=decision).first() if decision else None
    # The second click of one person; the deadline may have passed between the two.
    if standing is not None and standing.asked_by == by and standing.reason == request.statement.strip():
        return standing
    refusals = [*lodging_refusals(tournament, decision, on=_day(at)), *_request_refusals(request)]
    if refusals or decision is None:
        raise RefusedError(refusals)
    appeal = Appeal(
        tournament=tournament,
        decision=decision,
        communicated_on=communicated_on(decision),
        ground=request.ground,
        organiser=request.organiser.strip(),
        reason=request.statement.strip(),
        asked_by=by,
        asked_at=at,
    )
    with transaction.atomic():
        refuse_too_many_bytes(by, [content for _name, content in request.files], at=at)
        # A decision has one appeal by the database, so that of two officers at once the second is refused.
        open_case(appeal, second=_appealed_already())
        write_files(request.files, appeal=appeal, purpose=FilePurpose.APPEAL, added_by=by, added_at=at)
    return appeal


def decision_not_to_rate(tournament: Tournament) -> LogEntry | None:
    """Return the current decision not to rate, None without one."""
    if tournament.registration != Registration.NOT_RATED:
        return None
    # After a restored report the QC may decide again: only the newest decision counts.
    return tournament.log_entries.filter(action=Action.NOT_RATE).order_by("-at", "-pk").first()


def lodging_refusals(tournament: Tournament, decision: LogEntry | None, *, on: date) -> Iterator[Refusal]:
    """Yield why no appeal can be lodged on a day (0.4)."""
    if decision is None:
        yield Refusal(
            "no-decision-0.4",
            _("There is no decision not to rate this tournament, so no appeal is possible."),
        )
        return
    if Appeal.objects.filter(decision=decision).exists():
        yield _appealed_already()
    elif not regulations.may_appeal(communicated_on(decision), on):
        message = _("Appeals were possible for 7 days, until the end of %(day)s UTC (article 0.4).")
        ended = regulations.appeal_ends(communicated_on(decision))
        yield Refusal("appeal-late-0.4", message % {"day": date_format(ended)})


def communicated_on(decision: LogEntry) -> date:
    """Return the UTC day on which a decision was communicated: that of its record, which the officer reads at once."""
    return _day(decision.at)


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _request_refusals(request: AppealRequest) -> Iterator[Refusal]:
    if request.ground not in AppealGround.values:
        yield Refusal("ground-missing", _("Select the grounds."), "ground")
    if not request.statement.strip():
        yield Refusal("statement-missing", _("Explain why the tournament should be rated."), "statement")
    if not request.organiser.strip():
        yield Refusal(
            "organiser-missing", _("Enter the organiser you appeal for (article 0.4)."), "organiser"
        )
    yield from file_refusals(request.files)


def _appealed_already() -> Refusal:
    return Refusal("appealed-already", _("An appeal against this decision has already been submitted."))


def _bar(user: Any, appeal: Appeal) -> Refusal | None:
    if user is None:
        return None
    if not can_decide_appeals(user, appeal):
        return Refusal("not-yours", _("FIDE Council decides on the appeal."))
    # Nobody judges a decision of their own.
    if appeal.decision.by_id == user.pk:
        message = _(
            "You cannot decide an appeal against your own decision. Another Council member must decide."
        )
        return Refusal("own-decision", message)
    return None


def _rate_after_all(appeal: Appeal, reason: str, *, by: Any, at: datetime) -> None:
    """Have the next possible list include the tournament, even after its third."""
    owned = Tournament.objects.filter(pk=appeal.tournament.pk, registration=Registration.NOT_RATED)
    # Claimed by the expected state: the QC may have changed its decision while Council deliberated.
    if not owned.update(registration=Registration.APPROVED, upheld_on=_day(at)):
        raise refused("wrong-state", _("The decision not to rate is no longer valid."))


def _about(appeal: Appeal, state: CaseState) -> dict[str, Any]:
    if state == CaseState.WAITING:
        return {"reason": SENTENCES.state("ground", ground=appeal.ground)}
    # A dismissed appeal leaves the registration as it was, and the log names a former state only where it changed.
    before = Registration.NOT_RATED if state == CaseState.APPROVED else ""
    return {"before": before, "is_public": True}


def _tell(appeal: Appeal, *, at: datetime) -> None:
    if appeal.state == CaseState.APPROVED:
        appeal_upheld.send(Appeal, appeal=appeal, at=at)


RULES[CaseKind.APPEAL] = CaseRules(
    task=CaseTask(_l("Decide the appeal"), sort="decisions"),
    related=("decision",),
    seen_by=lambda user: Q(tournament__in=for_user(user).values("pk")),
    waits_for=lambda user, today: every(where=can_decide_appeals(user)),
    followed_by=lambda user: every(where=can_see_queue(user)),
    bar=_bar,
    begin=hold_tournament,
    grant=_rate_after_all,
    with_reason=(CaseState.APPROVED, CaseState.REFUSED),
    apart=(CaseState.APPROVED, CaseState.REFUSED),
    concerned=own_tournament,
    holders=lambda appeal: Q(appointments__role=Role.COUNCIL),
    record=tournament_acts(
        {
            CaseState.WAITING: Action.APPEAL,
            CaseState.APPROVED: Action.UPHOLD,
            CaseState.REFUSED: Action.DISMISS,
        },
        _about,
    ),
    tell=_tell,
)


def newest_appeal(tournament: Tournament) -> Appeal | None:
    """Return the newest appeal of a tournament with the decision that it is against, None without one."""
    found = Appeal.objects.filter(tournament=tournament)
    return found.select_related("decision", "asked_by", "decided_by").order_by("-pk").first()
