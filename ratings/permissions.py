"""Whose accounts a person sees."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from players.choices import Role
from players.permissions import federations_of, has_role, is_staff
from ratings.models import FeeStatement


def statements_of(user: Any) -> QuerySet[FeeStatement]:
    """Return the statements that the person reads: the federations' own; staff and auditors all."""
    statements = FeeStatement.objects.select_related("rating_list", "federation", "rate")
    if is_staff(user) or has_role(user, Role.AUDITOR):
        return statements
    return statements.filter(federation__in=federations_of(user))
