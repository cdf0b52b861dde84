"""Invitations: sent by email, accepted once, withdrawn, expired; the end of an appointment and of sessions."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import NoticeKind
from players.models import Appointment, Federation, Invitation
from players.permissions import can_invite
from players.services import notices

VALID_FOR = timedelta(days=7)
# An invitation sent again so soon is the second click of one.
SAME_CLICK = timedelta(seconds=30)


def invite(
    email: str, *, role: str, federation: Federation | None, by: Any, at: datetime
) -> tuple[Invitation, str]:
    """Record an invitation and return it with the token of its link, of which a hash is stored.

    An open invitation to the same role is replaced: its link no longer works. `RefusedError` where the person
    holds the role already or the inviter may not give it.
    """
    email = email.strip().lower()
    if not can_invite(by, role, federation.code if federation else ""):
        raise refused("not-yours-to-give", _("You may not give this role."), "role")
    if Appointment.objects.filter(user__email__iexact=email, role=role, federation=federation).exists():
        raise refused("appointed-already", _("This person holds the role already."), "email")
    token = secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            same = Invitation.objects.filter(
                email=email, role=role, federation=federation, accepted_at=None, revoked_at=None
            )
            just_now = (at - SAME_CLICK, at + SAME_CLICK)
            if same.filter(invited_by=by, invited_at__range=just_now).exists():
                raise refused("invited-just-now", _("You invited this person a moment ago."), "email")
            same.update(revoked_at=at, revoked_by=by)
            invitation = Invitation.objects.create(
                email=email,
                role=role,
                federation=federation,
                token_sha256=invitation_digest(token),
                invited_by=by,
                invited_at=at,
                expires_at=at + VALID_FOR,
            )
    except IntegrityError as error:
        message = _("Somebody invited this person at the same moment.")
        raise refused("invited-already", message, "email") from error
    return invitation, token


def mail_invitation(invitation: Invitation, *, link: str, at: datetime) -> None:
    """Note the mail with an invitation's link, in the language of the inviter; its text goes once it is sent."""
    text = render_to_string("mails/invitation.txt", {"invitation": invitation, "link": link})
    notices.post(
        to=[invitation.email],
        kind=NoticeKind.INVITATION,
        key=f"invitation:{invitation.pk}",
        subject=_("Invitation to the rating portal"),
        text=text.strip(),
        at=at,
    )


def invitation_of(token: str, *, at: datetime) -> Invitation | None:
    """Return the open invitation of a link's token, None where it is unknown, used, withdrawn or expired."""
    found = Invitation.objects.open_at(at).filter(token_sha256=invitation_digest(token))
    return found.select_related("federation", "invited_by").first()


def accept_invitation(
    invitation: Invitation, *, first_name: str, last_name: str, password: str, at: datetime
) -> Any:
    """Make the account, appoint the person and return the user; the link works once.

    `RefusedError` where it was used meanwhile or the address has an account: its owner signs in and accepts.
    """
    users = get_user_model()._default_manager
    with transaction.atomic():
        if users.filter(email__iexact=invitation.email).exists():
            raise refused("account-exists", _("You have an account already: sign in to accept."))
        names = {"first_name": first_name, "last_name": last_name}
        make: Any = users
        user = make.create_user(invitation.email, password, **names)
        _appoint(invitation, user, at=at)
    return user


def accept_as(invitation: Invitation, *, user: Any, at: datetime) -> None:
    """Appoint a signed-in person whom the invitation was sent to."""
    if user.email.lower() != invitation.email:
        raise refused("sent-to-another", _("This invitation was sent to another address than yours."))
    with transaction.atomic():
        _appoint(invitation, user, at=at)


def revoke_invitation(invitation: Invitation, *, by: Any, at: datetime) -> bool:
    """Withdraw an invitation that is not answered and return whether this call did."""
    open_ones = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, revoked_at=None)
    return bool(open_ones.update(revoked_at=at, revoked_by=by))


def end_appointment(appointment: Appointment, *, by: Any) -> bool:
    """Take a role and return whether this call did; the history keeps that it was held."""
    if not can_invite(by, appointment.role, appointment.federation_id or ""):
        raise refused("not-yours-to-take", _("You may not end this appointment."))
    with transaction.atomic():
        # The order of appointments joins federations, which the lock must leave alone.
        rows = Appointment.objects.select_for_update(of=("self",))
        locked = rows.filter(pk=appointment.pk).first()
        if locked is None:
            return False
        locked.delete()
    return True


def invitation_digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _appoint(invitation: Invitation, user: Any, *, at: datetime) -> None:
    open_ones = Invitation.objects.open_at(at).filter(pk=invitation.pk)
    if not open_ones.update(accepted_at=at, accepted_by=user):
        message = _("This invitation is no longer open: ask for a new one.")
        raise refused("invitation-closed", message)
    Appointment.objects.get_or_create(user=user, role=invitation.role, federation_id=invitation.federation_id)


def end_sessions(user: Any) -> None:
    """End every session of a person, on whatever machine."""
    users: Any = get_user_model()._default_manager
    users.filter(pk=user.pk).update(session_epoch=F("session_epoch") + 1)
    user.session_epoch = users.values_list("session_epoch", flat=True).filter(pk=user.pk).first() or 0
