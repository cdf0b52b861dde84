"""Appointments of people to roles."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import refused
from players import notices
from players.choices import CONFIRMED_ROLES, NoticeKind, Role
from players.models import Appointment
from players.notices import Text
from players.permissions import can_invite


def end_appointment(appointment: Appointment, *, by: Any, at: datetime) -> bool:
    """Take a role and return whether this call did; the history keeps it, and the person gets a mail.

    `RefusedError` for one's own appointment, and for a role that the person does not give.
    """
    if by is not None and by.pk == appointment.user_id:
        raise refused(
            "own-appointment", _("You cannot remove your own role. Ask another person to remove it.")
        )
    if not may_end_appointment(appointment, by=by):
        raise refused("not-yours-to-take", _("You cannot remove this role."))
    with transaction.atomic():
        # The order of appointments joins federations, which must not be locked.
        rows = Appointment.objects.select_for_update(of=("self",))
        locked = rows.filter(pk=appointment.pk).first()
        if locked is None:
            return False
        user, role = locked.user, Role(locked.role)
        locked.delete(by=by, at=at)
        text = _l("%(who)s removed your role %(role)s on the rating portal.")
        facts = {"who": by, "role": role.label}
        _tell([user], _l("Your role has been removed"), lambda: text % facts, at=at)
        if role in CONFIRMED_ROLES:
            tell_watchers(user, role, _l("%(who)s is no longer %(role)s."), at=at)
    return True


def may_end_appointment(appointment: Appointment, *, by: Any) -> bool:
    """Return whether the person may end an appointment: a role that they give, never their own."""
    return by.pk != appointment.user_id and can_invite(by, appointment.role, appointment.federation_id or "")


def tell_watchers(user: Any, role: Role, text: Promise, *, at: datetime) -> None:
    """Mail those who watch that one of FIDE's roles was given or taken."""
    watchers = get_user_model()._default_manager.filter(appointments__role__in=(Role.STAFF, Role.AUDITOR))
    facts = {"who": f"{user} ({user.email})", "role": role.label}
    subject = _l("Roles changed on the rating portal")
    _tell(watchers.distinct(), subject, lambda: str(text) % facts, at=at)


def _tell(to: Iterable[Any], subject: Text, text: Text, *, at: datetime) -> None:
    key = f"role:{secrets.token_hex(8)}"
    notices.post(to=to, kind=NoticeKind.SECURITY, key=key, subject=subject, text=text, at=at)


@receiver([post_save, post_delete], sender=Appointment)
def apply_appointment(sender: Any, *, instance: Appointment, **kwargs: Any) -> None:
    """Open the admin to FIDE staff only, and end the person's sessions: the next sign-in has the roles of today.

    Rows written in bulk send no signal: appoint one by one.
    """
    user: Any = instance.user
    if instance.role == Role.STAFF:
        is_appointed = Appointment.objects.filter(user=user, role=Role.STAFF).exists()
        # Superusers keep it without the role (ADR 10).
        user.is_staff = user.is_superuser or is_appointed
        user.save(update_fields=["is_staff"])
    end_sessions(user)


def end_sessions(user: Any) -> None:
    """End every session of a user on all devices."""
    users: Any = get_user_model()._default_manager
    users.filter(pk=user.pk).update(session_epoch=F("session_epoch") + 1)
    # Whoever ends the other sessions keeps their own by the new number (`update_session_auth_hash`).
    user.session_epoch = users.values_list("session_epoch", flat=True).filter(pk=user.pk).first() or 0
