"""Decisions on a registration: allow, refuse, decide not to rate, withdraw (FIDE R&B 2024, 0.2 and 0.4)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.choices import Action, Registration, Stage
from tournaments.errors import Refusal, RefusedError
from tournaments.models import Tournament
from tournaments.services.trail import record_step

FROM = {
    Action.ALLOW: (Registration.WAITING, Registration.REFUSED),
    Action.REFUSE: (Registration.WAITING, Registration.REGISTERED, Registration.APPROVED),
    Action.NOT_RATE: (Registration.REGISTERED, Registration.APPROVED),
    Action.WITHDRAW: (Registration.WAITING, Registration.REGISTERED, Registration.APPROVED),
}
TO = {
    Action.ALLOW: Registration.APPROVED,
    Action.REFUSE: Registration.REFUSED,
    Action.NOT_RATE: Registration.NOT_RATED,
    Action.WITHDRAW: Registration.WITHDRAWN,
}


def decide(
    tournament: Tournament, action: Action, *, reason: str, by: Any, at: datetime, is_public: bool = False
) -> Tournament:
    """Take a decision with its reason and return the tournament as it then stands; an open question ends with it.

    Everybody may read the reason of a public one. `RefusedError` where the state does not allow it, a reason is
    missing, the event is official (0.3) or its games are published already (then only a correction helps, D-11).
    """
    refusals = _refusals(tournament, action, reason)
    if refusals:
        raise RefusedError(refusals)
    with transaction.atomic():
        # What the person decides on is what they saw: who was faster is found out by the update, and told.
        before = tournament.registration
        owned = Tournament.objects.filter(pk=tournament.pk, registration=before).exclude(
            stage=Stage.PUBLISHED
        )
        if before not in FROM[action] or not owned.update(registration=TO[action], is_held=False):
            raise RefusedError([_wrong_state(tournament)])
        tournament.refresh_from_db()
        record_step(tournament, action, reason=reason, by=by, at=at, before=before, is_public=is_public)
        tournament.questions.filter(closed_at=None).update(closed_by=by, closed_at=at)
    return tournament


def possible_actions(tournament: Tournament) -> frozenset[Action]:
    """Return what may be decided on a tournament as it stands."""
    if tournament.stage == Stage.PUBLISHED:
        return frozenset()
    barred = (Action.REFUSE, Action.NOT_RATE) if tournament.is_official else ()
    return frozenset(
        action
        for action, states in FROM.items()
        if tournament.registration in states and action not in barred
    )


def _refusals(tournament: Tournament, action: Action, reason: str) -> list[Refusal]:
    if not reason.strip():
        return [
            Refusal("reason-missing", _("Give the reason; it is kept and shown to the officer."), "reason")
        ]
    if action in (Action.REFUSE, Action.NOT_RATE) and tournament.is_official:
        return [Refusal("official-0.3", _("Official FIDE and continental events shall be rated (0.3)."))]
    return []


def _wrong_state(tournament: Tournament) -> Refusal:
    tournament.refresh_from_db()
    message = _("This cannot be decided now: the registration is “%(state)s” and the report “%(stage)s”.")
    states = {"state": tournament.get_registration_display(), "stage": tournament.get_stage_display()}
    return Refusal("wrong-state", message % states)
