"""Whose accounts a person sees."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from players.choices import Role
from players.permissions import federations_of, has_role, is_staff
from ratings.models import FeeStatement, Invoice


def statements_of(user: Any) -> QuerySet[FeeStatement]:
    """Return the statements that the person reads: the federations' own; staff and auditors all."""
    statements = FeeStatement.objects.select_related("rating_list", "federation", "rate")
    if is_staff(user) or has_role(user, Role.AUDITOR):
        return statements
    return statements.filter(federation__in=federations_of(user))


def invoices_of(user: Any) -> QuerySet[Invoice]:
    """Return the invoices that the person reads: those of the statements; without staff, none that is not sent yet."""
    related = ("federation", "statement__rating_list", "statement__rate", "of")
    held = Invoice.objects.filter(statement__in=statements_of(user)).select_related(*related)
    if not (is_staff(user) or has_role(user, Role.AUDITOR)):
        held = held.filter(~Q(sent_at=None) | Q(of__sent_at__isnull=False))
    return held.prefetch_related("followers")
