"""What follows from a change of an account (an entry in the audit log, a mail to its owner) and from a sign-in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.account.signals import email_added
from allauth.core import context
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.db.models.signals import post_save, pre_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.commands import operator_name
from core.html.figures import colon
from core.web.typed_forms import drop_foreign_form
from players import notices
from players.appointments import end_sessions
from players.choices import Area, Deed, NoticeKind
from players.models.log import record_act
from players.notices import Text
from portal.models import User, save_language
from tournaments.tokens import end_secrets_of

WATCHED = ("email", "first_name", "last_name", "is_active", "is_superuser")


@receiver(pre_save, sender=User)
def remember_account(sender: Any, *, instance: Any, **kwargs: Any) -> None:
    """Remember what an account was, for `record_account`; nothing where only the last sign-in is written."""
    fields = kwargs.get("update_fields")
    # Fixtures (`raw`) are stored as they are, and what they refer to may not be there yet.
    is_watched = not kwargs["raw"] and (fields is None or {*WATCHED, "password"} & {*fields})
    instance._former = User.objects.filter(pk=instance.pk).first() if is_watched else None
    # Hashing the same password anew at a sign-in is no change.
    instance._has_new_password = bool(is_watched and instance._password is not None)
    instance._ends_tokens = instance._has_new_password or not instance.is_active


@receiver(post_save, sender=User)
def record_account(sender: Any, *, instance: Any, **kwargs: Any) -> None:
    """Record a change of an account in the audit log, and mail its owner: whoever made it, and wherever."""
    former: User | None = getattr(instance, "_former", None)
    # A superuser comes from a command: no invitation of theirs is in the audit log.
    if kwargs["created"] and instance.is_superuser:
        _record(Deed.CHANGE, instance, changes=_changes(None, instance, ["email", "is_superuser"]))
    if former is None:
        return
    changed = [name for name in WATCHED if getattr(former, name) != getattr(instance, name)]
    if changed:
        _record(Deed.CHANGE, instance, changes=_changes(former, instance, changed))
        # To the former address too: whoever takes an account over changes the address first.
        addresses = [former.email, instance.email]
        text = _l(
            "Your account on the rating portal was changed. New values: %(after)s. If this was not you, "
            "write to FIDE staff."
        )
        # The former address is no account's any more: it has the language of this one.
        with override(instance.language or get_language()):
            _post(
                dict.fromkeys(addresses),
                _l("Your account was changed"),
                lambda: text % {"after": _values(instance, changed, colon())},
            )
    if instance._has_new_password:
        instance._has_new_password = False
        _record(Deed.PASSWORD, instance)


@receiver(email_added)
def record_address(sender: Any, *, user: User, email_address: EmailAddress, **kwargs: Any) -> None:
    """Record and mail to the present address that another one waits for its confirmation."""
    _record(Deed.ADDRESS, user, before=user.email, after=email_address.email)
    text = _l(
        "A person who was signed in with your account asked to change its email address to %(email)s. It "
        "changes when that address is confirmed. If this was not you, change your password now and "
        "cancel the change."
    )
    _post([user.email], _l("Email address change requested"), lambda: text % {"email": email_address.email})


@receiver([authenticator_added, authenticator_removed, authenticator_reset])
def record_factor(sender: Any, *, user: User, authenticator: Any, **kwargs: Any) -> None:
    """Record that a second factor of an account was added, removed or made anew."""
    _record(Deed.FACTOR, user, after=str(authenticator))


@receiver(user_logged_in)
def record_sign_in(sender: Any, *, request: HttpRequest | None, user: User, **kwargs: Any) -> None:
    """Record a sign-in as proof of identity, and delete another person's form from the session."""
    if request is not None:
        record_authentication(request, user, method="sign-in", reauthenticated=True)
        drop_foreign_form(request, user)


@receiver(user_logged_in)
def store_first_language(sender: Any, *, user: User, **kwargs: Any) -> None:
    """Give an account without a language that of the page where it signs in or is created."""
    if not user.language:
        save_language(user, get_language() or settings.LANGUAGE_CODE)


@receiver(post_save, sender=User)
def end_tokens(sender: Any, *, instance: Any, **kwargs: Any) -> None:
    """End all that lets programs in for a person whose password changes or whose account is closed."""
    if getattr(instance, "_ends_tokens", False):
        instance._ends_tokens = False
        end_secrets_of(instance, at=timezone.now())
        if not instance.is_active:
            # Or those of before would go on once the account is opened again.
            end_sessions(instance)


def _record(deed: Deed, user: User, **values: Any) -> None:
    request = context.request
    by_name = operator_name() if request is None else f"{user.email} (by mail)"
    record_act(
        Area.ACCOUNT,
        deed,
        user.email,
        by=getattr(request, "user", None),
        by_name=by_name,
        at=timezone.now(),
        account=user,
        **values,
    )


def _values(user: User, fields: list[str], mark: str) -> str:
    labels = {name: getattr(User._meta.get_field(name), "verbose_name", name) for name in fields}
    answers = {True: _("yes"), False: _("no")}
    values = {name: getattr(user, name) for name in fields}
    return "; ".join(f"{labels[name]}{mark} {answers.get(value, value)}" for name, value in values.items())


def _changes(former: User | None, user: User, fields: list[str]) -> list[dict[str, Any]]:
    """Return the values for the audit log."""
    return [
        {"field": name, "before": getattr(former, name, None), "after": getattr(user, name)}
        for name in fields
    ]


def _post(to: Iterable[str], subject: Text, text: Text) -> None:
    notices.post(
        to=to,
        kind=NoticeKind.SECURITY,
        # A recipient gets a key once, and is to be told of every change.
        key=f"account:{uuid4().hex}",
        subject=subject,
        text=text,
        at=timezone.now(),
    )


@receiver(user_logged_in)
def confirm_own_address(sender: Any, *, user: Any, **kwargs: Any) -> None:
    """Store the address of an account as confirmed.

    An invitation proved it, or staff entered it. Without that row a second factor could not be set up, and an address
    change would start with confirming the current one.
    """
    if EmailAddress.objects.filter(user=user, email=user.email, verified=True, primary=True).exists():
        return
    with transaction.atomic():
        # The library lets an address be confirmed for one account only.
        EmailAddress.objects.filter(email=user.email).exclude(user=user).delete()
        EmailAddress.objects.filter(user=user, primary=True).exclude(email=user.email).delete()
        EmailAddress.objects.update_or_create(
            user=user, email=user.email, defaults={"verified": True, "primary": True}
        )
