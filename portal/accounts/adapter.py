"""Accounts as the portal keeps them: by invitation, with one confirmed address, and mails that go out once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from players.choices import NoticeKind
from players.services import notices


class ClosedSignupAdapter(DefaultAccountAdapter):
    """Accounts are made by invitation; nobody signs up alone. Mails are sent by the workers."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Note the mail as any other: a mail server that is away fails no page, and tells nobody who has an account."""
        message = self.render_mail(
            template_prefix, email, {"request": self.request, "email": email, **context}
        )
        notices.post(
            to=[email],
            kind=NoticeKind.SECURITY,
            key=f"account:{uuid4().hex}",
            subject=message.subject,
            text=str(message.body),
            at=timezone.now(),
        )


@receiver(user_logged_in)
def confirm_own_address(sender: Any, *, user: Any, **kwargs: Any) -> None:
    """Hold the address of an account to be its confirmed one.

    An invitation proved it, or staff wrote it. Without that row a second factor could not be set up, and a change of
    the address would begin by taking the present one.
    """
    if EmailAddress.objects.filter(user=user, email=user.email, verified=True, primary=True).exists():
        return
    with transaction.atomic():
        EmailAddress.objects.filter(email=user.email).exclude(user=user).delete()
        EmailAddress.objects.filter(user=user, primary=True).exclude(email=user.email).delete()
        EmailAddress.objects.update_or_create(
            user=user, email=user.email, defaults={"verified": True, "primary": True}
        )
