"""Invitations: sent by email, accepted once, withdrawn, expired."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal, just_now, refused, refusing_second
from core.pages import Page
from core.sql import lock_person
from core.tokens import new_token, token_digest
from players import notices
from players.appointments import tell_watchers
from players.choices import CONFIRMED_ROLES, Area, Deed, NoticeKind, Role
from players.models import Appointment, Federation, Invitation
from players.models.log import record_act
from players.permissions import can_confirm, can_invite

VALID_FOR = timedelta(days=7)
# So many invitations a person sends within a time: a borrowed account is no mail cannon.
QUOTAS = ((20, timedelta(hours=1)), (100, timedelta(days=1)))


def invite(
    email: str, *, role: str, federation: Federation | None, by: Any, at: datetime
) -> tuple[Invitation, str]:
    """Record an invitation and return it with the token of its link, of which a hash is stored.

    An open invitation to the same role is replaced: its link no longer works. `RefusedError` if the person
    already has the role, is the inviter, or the inviter may not assign it.
    """
    email = email.strip().lower()
    _check_inviter(by, email, role=role, federation=federation)
    if Appointment.objects.filter(user__email__iexact=email, role=role, federation=federation).exists():
        raise refused("appointed-already", _("This person already has this role."), "email")
    token = new_token()
    with refusing_second(
        Refusal("invited-already", _("Another user has just invited this person."), "email")
    ):
        lock_person(by)
        _check_quota(by, at=at)
        same = Invitation.objects.filter(
            email=email, role=role, federation=federation, accepted_at=None, revoked_at=None
        )
        if same.filter(invited_by=by, invited_at__range=just_now(at)).exists():
            raise refused("invited-just-now", _("You have just invited this person."), "email")
        same.update(revoked_at=at, revoked_by=by)
        invitation = Invitation.objects.create(
            email=email,
            role=role,
            federation=federation,
            token_sha256=token_digest(token),
            invited_by=by,
            invited_at=at,
            expires_at=at + VALID_FOR,
        )
        _record(Deed.INVITE, invitation, by=by, at=at)
    return invitation, token


def _check_inviter(by: Any, email: str, *, role: str, federation: Federation | None) -> None:
    if email == by.email.lower():
        raise refused(
            "not-yourself",
            _("You cannot assign a role to yourself. Ask another person to invite you."),
            "email",
        )
    if not can_invite(by, role, federation.code if federation else ""):
        raise refused("not-yours-to-give", _("You cannot assign this role."), "role")


def _check_quota(by: Any, *, at: datetime) -> None:
    """Raise `RefusedError` where a person has sent as many invitations as are allowed in a time."""
    for most, period in QUOTAS:
        # Those of a later instant were sent before the clock was set back.
        sent = Invitation.objects.filter(invited_by=by, invited_at__gt=at - period, invited_at__lte=at)
        # The one that used the quota up, if there is one: it says until when.
        oldest = sent.order_by("-invited_at")[most - 1 : most].first()
        if oldest is not None:
            message = _(
                "You have sent %(most)d invitations, which is the limit. Send the next one after "
                "%(until)s UTC."
            )
            until = date_format(oldest.invited_at + period, "DATETIME_FORMAT")
            raise refused("too-many-invitations", message % {"most": most, "until": until}, "email")


def confirm_invitation(invitation: Invitation, *, by: Any, at: datetime, by_name: str = "") -> str:
    """Confirm an invitation to one of FIDE's roles and return the token of its link, which is now to be sent.

    `by` is a second person who may give the role; None for the operator of the command, whom `by_name` names.
    """
    if by is not None and not can_confirm(by, invitation):
        message = _(
            "Another person who can assign this role must confirm it: not the sender and not the "
            "person invited."
        )
        raise refused("second-person", message)
    # A new one: the link from before the confirmation must work for nobody.
    token = new_token()
    waiting = Invitation.objects.unanswered_at(at).filter(
        pk=invitation.pk, role__in=CONFIRMED_ROLES, confirmed_at=None
    )
    with transaction.atomic():
        changed = waiting.update(
            confirmed_at=at,
            confirmed_by=by,
            token_sha256=token_digest(token),
            expires_at=at + VALID_FOR,
        )
        if not changed:
            raise refused("invitation-closed", _("This invitation does not need a confirmation."))
        invitation.refresh_from_db()
        _record(Deed.CONFIRM, invitation, by=by, at=at, by_name=by_name)
    return token


def mail_invitation(invitation: Invitation, token: str, *, at: datetime) -> None:
    """Queue the email with an invitation's link; its text is deleted after sending."""
    link = Page("invitation", token).link
    context = {"invitation": invitation, "link": link}
    notices.post(
        to=[invitation.email],
        kind=NoticeKind.INVITATION,
        key=f"invitation:{invitation.pk}",
        subject=_l("Invitation to the rating portal"),
        text=lambda: render_to_string("mails/invitation.txt", context).strip(),
        at=at,
    )


def invitation_of(token: str, *, at: datetime) -> Invitation | None:
    """Return the open invitation of a link's token, None where it is unknown, used, withdrawn or expired."""
    rows = Invitation.objects.open_at(at).filter(token_sha256=token_digest(token))
    found = rows.select_related("federation", "invited_by").first()
    return found if found is not None and is_still_offered(found) else None


def is_still_offered(invitation: Invitation) -> bool:
    """Return whether the sender may give the role now: as of a token, it is asked at each use."""
    return can_invite(invitation.invited_by, invitation.role, invitation.federation_id or "")


def accept_invitation(
    invitation: Invitation, *, first_name: str, last_name: str, password: str, at: datetime
) -> Any:
    """Create the account, assign the role and return the user; the link works once.

    `RefusedError` if it was already used, or if the address has an account: its owner signs in and accepts.
    """
    users = get_user_model()._default_manager
    with transaction.atomic():
        if users.filter(email__iexact=invitation.email).exists():
            raise refused("account-exists", _("You already have an account. Sign in to accept."))
        names = {"first_name": first_name, "last_name": last_name}
        make: Any = users
        user = make.create_user(invitation.email, password, **names)
        _appoint(invitation, user, at=at)
    return user


def accept_as(invitation: Invitation, *, user: Any, at: datetime) -> None:
    """Appoint a signed-in person whom the invitation was sent to."""
    if user.email.lower() != invitation.email:
        raise refused("sent-to-another", _("This invitation was sent to a different email address."))
    with transaction.atomic():
        _appoint(invitation, user, at=at)


def revoke_invitation(invitation: Invitation, *, by: Any, at: datetime) -> bool:
    """Withdraw an invitation that is not answered and return whether this call did."""
    open_ones = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, revoked_at=None)
    with transaction.atomic():
        if not open_ones.update(revoked_at=at, revoked_by=by):
            return False
        _record(Deed.WITHDRAW, invitation, by=by, at=at)
    return True


def _appoint(invitation: Invitation, user: Any, *, at: datetime) -> None:
    open_ones = Invitation.objects.open_at(at).filter(pk=invitation.pk)
    if user.pk in (invitation.invited_by_id, invitation.confirmed_by_id):
        raise refused(
            "not-yourself", _("You cannot assign a role to yourself. Ask another person to invite you.")
        )
    # Claimed by the expected state: of two who open the link at once one gets the role.
    if not is_still_offered(invitation) or not open_ones.update(accepted_at=at, accepted_by=user):
        message = _("This invitation is no longer valid. Ask for a new one.")
        raise refused("invitation-closed", message)
    role = {"user": user, "role": invitation.role, "federation_id": invitation.federation_id}
    # Of two invitations for one role, accepted at once, the second finds it there.
    with suppress(IntegrityError), transaction.atomic():
        Appointment(**role).save(by=user, at=at)
    if invitation.role in CONFIRMED_ROLES:
        tell_watchers(user, Role(invitation.role), _l("%(who)s is now %(role)s."), at=at)


def _record(deed: Deed, invitation: Invitation, *, by: Any, at: datetime, by_name: str = "") -> None:
    role = f"{invitation.get_role_display()} {invitation.federation_id or ''}".strip()
    record_act(Area.ACCOUNT, deed, invitation.email, by=by, at=at, by_name=by_name, after=role)
