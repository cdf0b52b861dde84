"""What cases about tournaments have in common: whose matter they are, and who decides for the QC."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from core.errors import Refusal
from players.cases import every
from players.choices import Role
from players.models import Case
from tournaments.changed_meanwhile import hold_to_what_was_seen
from tournaments.permissions import can_decide, can_see_queue

IS_QC = Q(appointments__role=Role.QC_CHAIR)


def of_the_queue(user: Any) -> Q:
    """Return that all cases are seen by those who see the queue of the QC."""
    return every(where=can_see_queue(user))


def waits_for_qc(user: Any) -> Q:
    """Return that all cases wait for the QC."""
    return every(where=can_decide(user))


def hold_tournament(case: Case, seen: str | None) -> None:
    """Lock the tournament of a case, and refuse an act whose author has not seen its newest step."""
    hold_to_what_was_seen(case.tournament, seen)


def own_tournament(case: Case) -> Collection[str]:
    """Return the federation of the tournament, whose matter a case is."""
    return {case.tournament.federation_id}


def only_qc(case: Case) -> Q:
    """Return that the QC decides."""
    return IS_QC


def qc_decides(user: Any, case: Case) -> Refusal | None:
    """Bar everybody but the QC, and those who stand in for it; commands say what it has decided."""
    if user is None or can_decide(user, case.tournament):
        return None
    return Refusal("not-yours", _("Only the QC can decide."))
