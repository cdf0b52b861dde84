"""Who may do what with federations and players: one predicate a verb.

Officers and deputies act for the federations of their appointments; staff for all.
"""

from __future__ import annotations

from typing import Any

from players.choices import Role
from players.models import Appointment


def roles_of(user: Any) -> frozenset[tuple[str, str]]:
    """Return the (role, federation code) pairs of a person, read once a user object."""
    if not getattr(user, "is_authenticated", False) or not user.is_active:
        return frozenset()
    roles = getattr(user, "_portal_roles", None)
    if roles is None:
        held = Appointment.objects.filter(user=user).values_list("role", "federation_id")
        roles = frozenset((role, code or "") for role, code in held)
        user._portal_roles = roles
    return roles


def has_role(user: Any, *wanted: str) -> bool:
    return any(role in wanted for role, _ in roles_of(user))


def is_staff(user: Any) -> bool:
    """Whether the person is FIDE staff (rating administrator)."""
    return has_role(user, Role.STAFF) or bool(getattr(user, "is_superuser", False))


def federations_of(user: Any) -> frozenset[str]:
    """Return the codes of the federations for which the person is officer or deputy."""
    return frozenset(code for role, code in roles_of(user) if role in (Role.OFFICER, Role.DEPUTY))


def can_act_for(user: Any, federation_code: str) -> bool:
    """Whether the person may register and report for a federation: its officers, and staff."""
    return is_staff(user) or federation_code in federations_of(user)


def can_use_desk(user: Any) -> bool:
    """Whether the person has any work in the portal."""
    return bool(roles_of(user)) or is_staff(user)
