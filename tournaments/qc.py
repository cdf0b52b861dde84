"""Decisions of the Qualification Commission on tournaments (0.2, 0.4)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from players.cases import close_overtaken
from players.choices import CaseKind
from players.own_matters import decides_alone
from tournaments.cases import IS_QC
from tournaments.changed_meanwhile import hold_to_what_was_seen
from tournaments.choices import Action, Registration, Stage
from tournaments.holds import held_or_flagged
from tournaments.log import record_action
from tournaments.models import InternalNote, Tournament
from tournaments.portal_reasons import with_alone
from tournaments.requested_changes import close_request

FROM = {
    # A refusal is no last word: the QC may decide again, with a reason, until publication.
    Action.ALLOW: (Registration.WAITING, Registration.REFUSED),
    # What is on time is registered at once, but the QC may still refuse it (0.2).
    Action.REFUSE: (Registration.WAITING, Registration.REGISTERED, Registration.APPROVED),
    Action.NOT_RATE: (Registration.REGISTERED, Registration.APPROVED),
    Action.WITHDRAW: (Registration.WAITING, Registration.REGISTERED, Registration.APPROVED),
}
# An accepted report is there to be rated or not: only what nobody has reported is refused.
IN = {
    Action.ALLOW: (Stage.PLANNED, Stage.REPORTED, Stage.RATED),
    Action.REFUSE: (Stage.PLANNED,),
    Action.NOT_RATE: (Stage.PLANNED, Stage.REPORTED, Stage.RATED),
    Action.WITHDRAW: (Stage.PLANNED, Stage.REPORTED, Stage.RATED),
}
TO = {
    Action.ALLOW: Registration.APPROVED,
    Action.REFUSE: Registration.REFUSED,
    Action.NOT_RATE: Registration.NOT_RATED,
    Action.WITHDRAW: Registration.WITHDRAWN,
}


def decide(
    tournament: Tournament,
    action: Action,
    *,
    reason: str,
    by: Any,
    at: datetime,
    is_public: bool = False,
    seen: str | None = None,
) -> Tournament:
    """Take a decision with its reason and return the tournament as it then stands; a hold and a question end with it.

    Everybody may read the reason of a public one. `RefusedError` where the state does not allow it, a reason is
    missing, the event is official (0.3), its games are published already (then only a correction helps, D-11), the
    officer withdraws what has begun (D-81), or a step follows the one that the author has `seen` last.
    """
    refusals = _decision_refusals(tournament, action, reason, at)
    if refusals:
        raise RefusedError(refusals)
    # A withdrawal is the officer's own act, not a decision of the QC.
    is_alone = action != Action.WITHDRAW and any(
        decides_alone(by, {tournament.federation_id}, asked_by=asker, holders=IS_QC)
        for asker in _askers(tournament)
    )
    with transaction.atomic():
        hold_to_what_was_seen(tournament, seen)
        # What the person decides on is what they saw: who was faster is found out by the update, and told.
        before = tournament.registration
        owned = Tournament.objects.filter(pk=tournament.pk, registration=before, stage__in=IN[action])
        if action not in possible_actions(tournament) or not owned.update(registration=TO[action]):
            raise RefusedError([_wrong_state(tournament)])
        tournament.refresh_from_db()
        why = with_alone(reason, is_alone=is_alone)
        record_action(tournament, action, reason=why, by=by, at=at, before=before, is_public=is_public)
        # The decision also ends what the QC asked for it.
        asked = tournament.cases.filter(kind=CaseKind.INFORMATION)
        close_overtaken(held_or_flagged(tournament) | asked, by=by, at=at)
        # A change of what is refused, withdrawn or not rated has nothing left to decide.
        if action != Action.ALLOW:
            close_request(tournament, reason=reason, by=by, at=at)
    return tournament


def _askers(tournament: Tournament) -> list[int | None]:
    """Return who registered a tournament, and who changed it since so that it waits."""
    changes = tournament.log_entries.filter(action=Action.CHANGE, after=Registration.WAITING)
    waits = tournament.registration == Registration.WAITING
    changed_by = changes.order_by("-pk").values_list("by", flat=True).first() if waits else None
    return [tournament.registered_by_id, changed_by]


def possible_actions(tournament: Tournament) -> frozenset[Action]:
    """Return what may be decided on a tournament as it stands."""
    barred: tuple[Action, ...] = (Action.REFUSE, Action.NOT_RATE) if tournament.is_official else ()
    # What FIDE Council upheld is not refused, against which nobody could appeal again (0.4).
    barred = barred or ((Action.REFUSE,) if tournament.upheld_on else ())
    return frozenset(
        action
        for action, states in FROM.items()
        if tournament.registration in states and tournament.stage in IN[action] and action not in barred
    )


def _decision_refusals(tournament: Tournament, action: Action, reason: str, at: datetime) -> list[Refusal]:
    if not reason.strip():
        return [Refusal("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")]
    if action in (Action.REFUSE, Action.NOT_RATE) and tournament.is_official:
        return [
            Refusal("official-0.3", _("Official FIDE and continental events must be rated (article 0.3)."))
        ]
    if action == Action.WITHDRAW and tournament.has_begun(at.astimezone(UTC).date()):
        message = _("The tournament has started, so the QC decides on a request to withdraw it.")
        return [Refusal("begun-D-81", message)]
    return []


def _wrong_state(tournament: Tournament) -> Refusal:
    tournament.refresh_from_db()
    message = _(
        "No decision is possible now. Status of the registration: %(state)s. Status of the report: %(stage)s."
    )
    states = {"state": tournament.get_registration_display(), "stage": tournament.get_stage_display()}
    return Refusal("wrong-state", message % states)


def add_note(tournament: Tournament, text: str, *, by: Any, at: datetime) -> InternalNote:
    """Keep a note that the QC and FIDE staff alone read; `RefusedError` for an empty one.

    The same person's same note as the last one is the second click of one, and returns that.
    """
    if not text.strip():
        raise refused("note-missing", _("Enter a note."), "text")
    with transaction.atomic():
        # Under the lock the second of two requests at once finds the note of the first.
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        newest: InternalNote | None = locked.notes.order_by("-pk").first()
        if newest is not None and newest.by == by and newest.text == text.strip():
            return newest
        return InternalNote.objects.create(tournament=locked, text=text.strip(), by=by, at=at)
