"""Requests of officers once a tournament has begun, on which the QC decides (D-80, D-81)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime
from typing import Any

from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from core.errors import RefusedError, refused
from core.sql import ids_subquery
from players.choices import Role
from players.own_matters import decides_alone
from tournaments import regulations
from tournaments.choices import Action, Registration, RequestedChangeState, RequestSort, Stage
from tournaments.models import RequestedChange, Tournament
from tournaments.portal_reasons import SENTENCES, with_alone
from tournaments.services.audit_log import new_entry, record_action, record_actions
from tournaments.services.changed_meanwhile import hold_to_what_was_seen
from tournaments.services.registered_conditions import in_columns

GRANTABLE = (Registration.REGISTERED, Registration.WAITING, Registration.APPROVED)


def waiting_request(tournament: Tournament) -> RequestedChange | None:
    """Return the request that waits for the QC, None without one."""
    if not tournament.has_request:
        return None
    waiting = tournament.requested_changes.filter(state=RequestedChangeState.WAITING)
    return waiting.select_related("asked_by").first()


def decide_request(
    request: RequestedChange, *, is_granted: bool, reason: str, by: Any, at: datetime, seen: str | None = None
) -> Tournament:
    """Grant or refuse a request with a reason and return the tournament as it then stands.

    `RefusedError` without a reason, where somebody decided before or a step follows the one that the author has `seen`
    last, and where the change cannot be made any more: a report was accepted, or the registration is closed.
    """
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")
    tournament = request.tournament
    is_qc = Q(appointments__role=Role.QC_CHAIR)
    federations, asked_by = {tournament.federation_id}, request.asked_by_id
    is_alone = decides_alone(by, federations, asked_by=asked_by, holders=is_qc)
    with transaction.atomic():
        hold_to_what_was_seen(tournament, seen)
        tournament.refresh_from_db()
        state = RequestedChangeState.GRANTED if is_granted else RequestedChangeState.REFUSED
        if not _close(tournament, state, reason=reason, by=by, at=at, pk=request.pk):
            raise refused("decided", _("Another user has already decided this request."))
        before, after = tournament.registration, tournament.registration
        if is_granted:
            after = _apply(tournament, request)
            if request.sort == RequestSort.WITHDRAWAL:
                # What is withdrawn goes into no list: nothing is left to hold back.
                tournament.holds.filter(closed_at=None).update(closed_by=by, closed_at=at)
        record_action(
            tournament,
            Action.GRANT if is_granted else Action.DENY,
            reason=with_alone(reason, is_alone=is_alone),
            before=before if before != after else "",
            changes=request.changes if is_granted else (),
            by=by,
            at=at,
        )
    request.refresh_from_db()
    return tournament


def close_request(tournament: Tournament, *, reason: str, by: Any, at: datetime) -> None:
    """Refuse a waiting request together with a decision against the tournament. Within a transaction."""
    if tournament.has_request:
        _close(tournament, RequestedChangeState.REFUSED, reason=reason, by=by, at=at)


def withdraw_request(tournament: Tournament, *, by: Any, at: datetime) -> bool:
    """Withdraw the officer's waiting request and return whether this call did. Within a transaction."""
    reason = SENTENCES.state("request-cancelled")
    if not _close(tournament, RequestedChangeState.WITHDRAWN, reason=reason, by=by, at=at):
        return False
    record_action(tournament, Action.DROP, reason=reason, by=by, at=at)
    return True


def close_requests_of_published(tournaments: Collection[int], *, at: datetime) -> None:
    """Close the requests that still wait while a list takes the tournaments, with what is possible from then on.

    Within the transaction of the list, which holds the tournaments locked (D-104).
    """
    reason = SENTENCES.state("published-before")
    waiting = Tournament.objects.filter(pk__in=ids_subquery(tournaments), has_request=True)
    for tournament in waiting.order_by("pk"):
        if _close(tournament, RequestedChangeState.REFUSED, reason=reason, by=None, at=at):
            record_action(tournament, Action.DENY, reason=reason, by=None, at=at)


def _close(
    tournament: Tournament, state: RequestedChangeState, *, reason: str, by: Any, at: datetime, **wanted: Any
) -> bool:
    """Close the waiting request and return whether this call did."""
    waiting = tournament.requested_changes.filter(state=RequestedChangeState.WAITING, **wanted)
    # Claimed by its state: of two who decide at once, the second finds nothing that waits.
    if not waiting.update(state=state, decision_reason=reason.strip(), decided_by=by, decided_at=at):
        return False
    Tournament.objects.filter(pk=tournament.pk).update(has_request=False)
    tournament.has_request = False
    return True


def _apply(tournament: Tournament, request: RequestedChange) -> str:
    """Change or withdraw the registration as granted and return its state after that."""
    if request.sort == RequestSort.WITHDRAWAL:
        owned = Tournament.objects.filter(pk=tournament.pk, registration__in=GRANTABLE)
        is_done = owned.exclude(stage=Stage.PUBLISHED).update(
            registration=Registration.WITHDRAWN, is_held=False
        )
    else:
        values = {
            change["field"]: stored_value(change["field"], change["after"]) for change in request.changes
        }
        columns = in_columns(tournament, values)
        # The part before was withdrawn while the request waited.
        if values.get("continues") and columns["continues"] is None:
            raise _not_fitting()
        _check_fit(tournament, columns)
        owned = Tournament.objects.filter(pk=tournament.pk, registration__in=GRANTABLE)
        # Once a report is accepted, staff correct conditions with their effect shown first (D-82).
        is_done = owned.filter(stage=Stage.PLANNED).update(**columns)
    if not is_done:
        message = _(
            "The request cannot be approved because the registration is closed or a report was accepted "
            "or published."
        )
        raise refused("wrong-state", message)
    tournament.refresh_from_db()
    return tournament.registration


def stored_value(name: str, kept: Any) -> Any:
    """Return a value of a field from what is kept of it."""
    is_day = isinstance(Tournament._meta.get_field(name), models.DateField)
    return date.fromisoformat(kept) if is_day and kept else kept


def _check_fit(tournament: Tournament, values: dict[str, Any]) -> None:
    """Refuse a change that no longer fits what was changed since it was asked for: time control, part before (1.1)."""
    now = {name: values.get(name, getattr(tournament, name)) for name in ("kind", "start", "end")}
    base = values.get("base_seconds", tournament.base_seconds)
    increment = values.get("increment_seconds", tournament.increment_seconds)
    is_fitting = regulations.kind_of(base + 60 * increment) == now["kind"] and now["start"] <= now["end"]
    before = values.get("continues", tournament.continues)
    is_after_it = before is None or (before.kind == now["kind"] and before.end < now["start"])
    if not (is_fitting and is_after_it):
        raise _not_fitting()


def _not_fitting() -> RefusedError:
    message = _("The change no longer matches the registration. Refuse it. The officer can request it again.")
    return refused("not-fitting", message)


def write_request(tournament: Tournament, request: RequestedChange, *, at: datetime) -> None:
    """Write a request to the QC with its step; `IntegrityError` while another one waits. The caller holds the lock."""
    request.tournament, request.asked_at = tournament, at
    request.save(force_insert=True)
    Tournament.objects.filter(pk=tournament.pk).update(has_request=True)
    tournament.has_request = True
    step = new_entry(tournament, Action.REQUEST, reason=request.reason, by=request.asked_by, at=at)
    step.changes = request.changes
    record_actions([step])
