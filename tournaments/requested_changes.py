"""Requests of officers once a tournament has begun, on which the QC decides (D-80, D-81)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from core.sql import ids_subquery
from players.cases import RULES, CaseRules, close_overtaken, only_who_asked, open_case
from players.choices import CaseKind, CaseState
from players.models import Case
from tournaments import regulations
from tournaments.amendments import Condition
from tournaments.cases import (
    hold_tournament,
    of_the_queue,
    only_qc,
    own_tournament,
    qc_decides,
    waits_for_qc,
)
from tournaments.choices import POSSIBLE_REGISTRATIONS, Action, Registration, RequestSort, Stage
from tournaments.conditions import DAYS
from tournaments.holds import held_or_flagged
from tournaments.log import new_entry, record_actions, tournament_acts
from tournaments.models import RequestedChange, Tournament
from tournaments.permissions import for_user
from tournaments.portal_reasons import SENTENCES
from tournaments.registered_conditions import in_columns


def waiting_request(tournament: Tournament) -> RequestedChange | None:
    """Return the request that waits for the QC, None without one."""
    return RequestedChange.objects.filter(tournament=tournament, state=CaseState.WAITING).first()


def ask_the_qc(
    tournament: Tournament,
    sort: RequestSort,
    changes: Sequence[dict[str, Any]] = (),
    *,
    reason: str,
    by: Any,
    at: datetime,
) -> RequestedChange:
    """Ask the QC for a change or a withdrawal; `RefusedError` while another one waits. The caller holds the lock."""
    request = RequestedChange(
        tournament=tournament,
        sort=sort,
        amendments=[Condition(**change) for change in changes],
        asked_by=by,
        asked_at=at,
        **RequestedChange.columns_of(reason),
    )
    return open_case(request, second=request_open())


def request_open() -> Refusal:
    """Return why nothing more is asked for: a request waits already (D-80)."""
    message = _("A request is already waiting for the QC. Wait for the decision before you make another.")
    return Refusal("request-open-D-80", message)


def close_request(tournament: Tournament, *, reason: str, by: Any, at: datetime) -> None:
    """Refuse a waiting request together with a decision against the tournament. Within a transaction."""
    close_overtaken(_waiting([tournament.pk]), CaseState.REFUSED, answer=reason, by=by, at=at)


def close_cases_of_published(tournaments: Collection[int], *, at: datetime) -> None:
    """Close what still waits while a list takes the tournaments; requests are told what is possible from then on.

    Within the transaction of the list, which holds the tournaments locked (D-104).
    """
    reason = SENTENCES.state("published-before")
    waiting = list(_waiting(tournaments).select_related("tournament").order_by("tournament"))
    if waiting:
        close_overtaken(_waiting(tournaments), CaseState.REFUSED, answer=reason, by=None, at=at)
        record_actions(
            new_entry(one.tournament, Action.DENY, reason=reason, by=None, at=at) for one in waiting
        )
    # Nothing can come of these any more: what the checks flagged or the QC asked, and a report that an arbiter sent.
    kinds = (CaseKind.FLAGS, CaseKind.INFORMATION, CaseKind.HANDED)
    others = Case.objects.filter(kind__in=kinds, state=CaseState.WAITING)
    close_overtaken(others.filter(tournament__in=ids_subquery(tournaments)), by=None, at=at)


def _waiting(tournaments: Collection[int]) -> QuerySet[Case]:
    about = ids_subquery(tournaments)
    return Case.objects.filter(kind=CaseKind.REQUEST, state=CaseState.WAITING, tournament__in=about)


def _apply(request: RequestedChange, reason: str, *, by: Any, at: datetime) -> None:
    """Change or withdraw the registration as granted.

    `RefusedError` where that cannot be done any more: a report was accepted, or the registration is closed.
    """
    tournament = request.tournament
    owned = Tournament.objects.filter(pk=tournament.pk, registration__in=POSSIBLE_REGISTRATIONS)
    if request.sort == RequestSort.WITHDRAWAL:
        is_done = owned.exclude(stage=Stage.PUBLISHED).update(registration=Registration.WITHDRAWN)
        # What is withdrawn goes into no list: nothing is left to hold back or to ask.
        asked = tournament.cases.filter(kind=CaseKind.INFORMATION)
        close_overtaken(held_or_flagged(tournament) | asked, by=by, at=at)
    else:
        values = {one.field: stored_value(one.field, one.after) for one in request.amendments}
        columns = in_columns(tournament, values)
        # The part before was withdrawn while the request waited.
        if values.get("continues") and columns["continues"] is None:
            raise _not_fitting()
        # Refuse a change that no longer fits what was changed since it was asked for: time control, part before
        # (1.1).
        now = {name: columns.get(name, getattr(tournament, name)) for name in ("kind", "start", "end")}
        base = columns.get("base_seconds", tournament.base_seconds)
        increment = columns.get("increment_seconds", tournament.increment_seconds)
        is_fitting = regulations.kind_of(base + 60 * increment) == now["kind"] and now["start"] <= now["end"]
        before = columns.get("continues", tournament.continues)
        is_after_it = before is None or (before.kind == now["kind"] and before.end < now["start"])
        if not (is_fitting and is_after_it):
            raise _not_fitting()
        # Once a report is accepted, staff correct conditions with their effect shown first (D-82).
        is_done = owned.filter(stage=Stage.PLANNED).update(**columns)
    if not is_done:
        message = _(
            "The request cannot be approved because the registration is closed or a report was accepted "
            "or published."
        )
        raise refused("wrong-state", message)


def stored_value(name: str, kept: Any) -> Any:
    """Return a value of a field from what is kept of it."""
    return date.fromisoformat(kept) if name in DAYS and kept else kept


def _not_fitting() -> RefusedError:
    message = _("The change no longer matches the registration. Refuse it. The officer can request it again.")
    return refused("not-fitting", message)


def _about(request: RequestedChange, state: CaseState) -> dict[str, Any]:
    is_granted = state == CaseState.APPROVED
    # As it was when the request was locked: the log names a former state only where it changed.
    before = request.tournament.registration if is_granted and request.sort == RequestSort.WITHDRAWAL else ""
    return {"before": before, "changes": request.changes if is_granted or state == CaseState.WAITING else ()}


RULES[CaseKind.REQUEST] = CaseRules(
    seen_by=lambda user: of_the_queue(user) | Q(tournament__in=for_user(user).values("pk")),
    waits_for=lambda user, today: waits_for_qc(user) & ~Q(tournament__stage=Stage.PUBLISHED),
    followed_by=lambda user: of_the_queue(user) & ~Q(tournament__stage=Stage.PUBLISHED),
    bar=qc_decides,
    bar_to_cancel=only_who_asked,
    begin=hold_tournament,
    grant=_apply,
    with_reason=(CaseState.APPROVED, CaseState.REFUSED),
    apart=(CaseState.APPROVED, CaseState.REFUSED),
    concerned=own_tournament,
    holders=only_qc,
    record=tournament_acts(
        {
            CaseState.WAITING: Action.REQUEST,
            CaseState.APPROVED: Action.GRANT,
            CaseState.REFUSED: Action.DENY,
            CaseState.WITHDRAWN: Action.DROP,
        },
        _about,
    ),
)
