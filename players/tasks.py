"""Celery tasks: thin, given ids, safe to run twice."""

from __future__ import annotations

from celery import shared_task
from django.core.mail import send_mail
from django.db import OperationalError
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from players.models import Invitation
from players.services import notices


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def send_notice(notice_id: int) -> None:
    """Send a mail that is due."""
    notices.send(notice_id, at=timezone.now())


@shared_task
def sweep_notices() -> None:
    """Enqueue again the mails that are due and not sent."""
    notices.sweep(at=timezone.now())


@shared_task(autoretry_for=(OSError,), retry_backoff=True, max_retries=5)
def send_invitation(invitation_id: int, link: str, language: str) -> None:
    """Mail an invitation's link, which stands nowhere in the database; not where it is no longer open."""
    found = Invitation.objects.open_at(timezone.now()).filter(pk=invitation_id)
    invitation = found.select_related("federation", "invited_by").first()
    if invitation is None:
        return
    with override(language):
        text = render_to_string("people/invitation.txt", {"invitation": invitation, "link": link})
        send_mail(_("Invitation to the rating portal"), text, None, [invitation.email])
