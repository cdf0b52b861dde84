"""Lost two-factor authentication: FIDE staff ask for its reset, and another of them confirms it (D-131).

The request is its entry in the audit log. It waits for seven days, or until it is confirmed.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import refused
from core.sql import lock_person
from players import notices
from players.appointments import end_sessions
from players.choices import Area, Deed, NoticeKind, Role
from players.models import LogEntry
from players.models.log import record_act
from players.permissions import is_staff
from portal.models import User

VALID_FOR = timedelta(days=7)


def waiting_request(user: User, *, at: datetime) -> LogEntry | None:
    """Return the request to reset an account that waits for a second person, None without one."""
    acts = LogEntry.objects.filter(area=Area.ACCOUNT, action__in=(Deed.LOST, Deed.RESET), subject=user.email)
    newest = acts.filter(at__gt=at - VALID_FOR, at__lte=at).order_by("-at", "-pk").first()
    return newest if newest is not None and newest.action == Deed.LOST else None


@transaction.atomic
def ask_for_reset(user: User, *, reason: str, by: Any, at: datetime) -> None:
    """Ask for the reset of another person's account, and tell the owner and the rest of FIDE staff."""
    _check(user, by=by, reason=reason)
    lock_person(user)
    if waiting_request(user, at=at):
        raise refused("asked-already", _("The reset is already requested. Another person must confirm it."))
    record_act(Area.ACCOUNT, Deed.LOST, user.email, by=by, at=at, reason=reason)
    names = {"who": str(by), "account": user.email}
    subject = _l("Reset of two-factor authentication requested")
    text = _l(
        "%(who)s asked to reset the two-factor authentication of your account. If you did not ask for this, "
        "write to FIDE staff."
    )
    _mail([user], subject, lambda: text % names, at=at)
    link = settings.SITE_URL + reverse("admin:portal_user_factor", args=[user.pk])
    to_confirm = _l(
        "%(who)s asked to reset the two-factor authentication of %(account)s. Another member of FIDE staff "
        "must confirm it: %(link)s"
    )
    staff = User.objects.filter(Q(appointments__role=Role.STAFF) | Q(is_superuser=True), is_active=True)
    others = staff.exclude(pk__in=[by.pk, user.pk]).distinct()
    _mail(others, subject, lambda: to_confirm % {**names, "link": link}, at=at)


@transaction.atomic
def confirm_reset(user: User, *, seen: int, by: Any, at: datetime) -> None:
    """Reset an account as a second person, by the request that was `seen`; `RefusedError` for who asked (D-131)."""
    _check(user, by=by)
    lock_person(user)
    waiting = waiting_request(user, at=at)
    if waiting is None or waiting.pk != seen:
        raise refused("no-request", _("This request is no longer valid. Open the page again."))
    if waiting.by_id == by.pk:
        raise refused("second-person", _("Another member of FIDE staff must confirm your request."))
    _reset(user, by=by, reason=waiting.reason, at=at)


@transaction.atomic
def reset_as_operator(user: User, *, reason: str, by_name: str, at: datetime) -> None:
    """Reset an account as the operator of the command, whom `by_name` names: the way where no second person is."""
    _check(user, by=None, reason=reason)
    lock_person(user)
    _reset(user, by=None, by_name=by_name, reason=reason, at=at)


def _check(user: User, *, by: Any, reason: str = "-") -> None:
    if by is not None and (not is_staff(by) or by.pk == user.pk):
        message = _("Only FIDE staff can reset two-factor authentication, and not their own.")
        raise refused("not-yours", message)
    if not Authenticator.objects.filter(user=user).exists():
        raise refused("no-factor", _("This account has no two-factor authentication."))
    if not reason.strip():
        raise refused("reason-missing", _("Enter the reason. It is kept in the audit log."), "reason")


def _reset(user: User, *, by: Any, reason: str, at: datetime, by_name: str = "") -> None:
    Authenticator.objects.filter(user=user).delete()
    end_sessions(user)
    record_act(Area.ACCOUNT, Deed.RESET, user.email, by=by, by_name=by_name, at=at, reason=reason)
    text = _l(
        "The two-factor authentication of your account was removed. Sign in with your password and set it up "
        "again. If you did not ask for this, change your password now and write to FIDE staff."
    )
    _mail([user], _l("Two-factor authentication was reset"), text, at=at)


def _mail(to: Any, subject: notices.Text, text: notices.Text, *, at: datetime) -> None:
    key = f"account:{uuid4().hex}"
    notices.post(to=to, kind=NoticeKind.SECURITY, key=key, subject=subject, text=text, at=at)
