"""Who may do what with federations and players: one predicate a verb.

Officers and deputies act for the federations of their appointments; staff for all.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import Role
from players.models import (
    Appointment,
    ChangeRequest,
    Claim,
    Federation,
    Invitation,
    Player,
    Transfer,
    Webhook,
)
from players.models.invitation import NEEDS_CONFIRMATION, InvitationQuerySet


def roles_of(user: Any) -> frozenset[tuple[str, str]]:
    """Return the (role, federation code) pairs of a person, read once a user object."""
    if not getattr(user, "is_authenticated", False) or not user.is_active:
        return frozenset()
    roles = getattr(user, "_portal_roles", None)
    if roles is None:
        # Unordered: their order joins the federations, which a first import of a FIDE list locks.
        held = Appointment.objects.filter(user=user).order_by().values_list("role", "federation_id")
        roles = frozenset((role, code or "") for role, code in held)
        user._portal_roles = roles
    return roles


def has_role(user: Any, *wanted: str) -> bool:
    return any(role in wanted for role, _ in roles_of(user))


def is_staff(user: Any) -> bool:
    """Return whether the user is FIDE staff (rating administrator)."""
    return has_role(user, Role.STAFF) or bool(getattr(user, "is_superuser", False))


def can_explain(user: Any) -> bool:
    """Return whether the user explains figures of a list before it is published (D-134): staff and the QC."""
    return is_staff(user) or has_role(user, Role.QC_CHAIR)


def federations_of(user: Any) -> frozenset[str]:
    """Return the codes of the federations for which the person is officer or deputy."""
    return frozenset(code for role, code in roles_of(user) if role in (Role.OFFICER, Role.DEPUTY))


def can_act_for(user: Any, federation_code: str) -> bool:
    """Return whether the user may register and report for a federation: its officers, and staff."""
    return is_staff(user) or federation_code in federations_of(user)


def refuse_strangers(user: Any, federation_code: str, field: str = "federation") -> None:
    """Raise `RefusedError` for who does not act for a federation."""
    if not can_act_for(user, federation_code):
        raise refused("not-your-federation", _("You do not act for this federation."), field)


def refuse_merged(player: Player, field: str = "player") -> None:
    """Raise `RefusedError` for the record of a merged FIDE ID, which only redirects."""
    if player.merged_into_id:
        message = _("This FIDE ID was merged into %(successor)s. Enter that ID.")
        raise refused("merged", message % {"successor": player.merged_into_id}, field)


def can_use_desk(user: Any) -> bool:
    """Return whether the user has any work in the portal."""
    return bool(roles_of(user)) or is_staff(user)


def has_account(user: Any) -> bool:
    """Return whether the user has an account that is open, with a role or without."""
    return bool(getattr(user, "is_authenticated", False) and user.is_active)


def can_see_fees(user: Any) -> bool:
    """Return whether the user reads statements of fees: officers and deputies, staff and auditors."""
    return bool(federations_of(user)) or is_staff(user) or has_role(user, Role.AUDITOR)


def can_manage_people(user: Any) -> bool:
    """Return whether the user invites people at all: rating officers, for their federations, and staff."""
    return has_role(user, Role.OFFICER) or is_staff(user)


def can_invite(user: Any, role: str, federation_code: str) -> bool:
    """Return whether the user gives and takes this role: staff every one, an officer those of deputies and arbiters."""
    if is_staff(user):
        return True
    return role in (Role.DEPUTY, Role.ARBITER) and (Role.OFFICER, federation_code) in roles_of(user)


def can_register(user: Any) -> bool:
    """Return whether the user registers players and tournaments: officers and deputies, and staff."""
    return bool(federations_of(user)) or is_staff(user)


def players_of(user: Any) -> QuerySet[Player]:
    """Return the players whose data the person sees whole and changes: those of the federations, staff all."""
    return (
        Player.objects.all() if is_staff(user) else Player.objects.filter(federation__in=federations_of(user))
    )


def can_answer_transfer(user: Any, transfer: Transfer) -> bool:
    """Return whether the user agrees to a transfer or refuses it: the side that did not ask, and staff."""
    sides = {transfer.from_federation_id, transfer.to_federation_id} - {transfer.federation_id}
    return is_staff(user) or bool(sides & federations_of(user))


def can_withdraw_transfer(user: Any, transfer: Transfer) -> bool:
    """Return whether the user takes a transfer back: the side that asked for it."""
    return transfer.federation_id in federations_of(user)


def can_decide_claim(user: Any, claim: Claim) -> bool:
    """Return whether the user decides on a claim: officers of the player's federation and staff, never the claimant."""
    is_theirs = Claim.objects.filter(pk=claim.pk, player__in=players_of(user)).exists()
    return claim.asked_by_id != user.pk and is_theirs


def can_withdraw_change(user: Any, request: ChangeRequest) -> bool:
    """Return whether the user takes a request back: the federation that asked."""
    return request.federation_id in federations_of(user)


def officer_federations(user: Any) -> QuerySet[Federation]:
    """Return the federations whose people the person appoints: those of a rating officer; staff all."""
    if is_staff(user):
        return Federation.objects.all()
    mine = [code for role, code in roles_of(user) if role == Role.OFFICER]
    return Federation.objects.filter(pk__in=mine)


def registering_federations(user: Any) -> QuerySet[Federation]:
    """Return the federations for which the person registers players; staff all."""
    everywhere = Federation.objects.all()
    return everywhere if is_staff(user) else everywhere.filter(pk__in=federations_of(user))


def webhooks_of(user: Any) -> QuerySet[Webhook]:
    """Return the webhooks of the person's federations; staff see all."""
    held = Webhook.objects.filter(ended_at=None).select_related("federation", "created_by")
    return held if is_staff(user) else held.filter(federation__in=federations_of(user))


def appointments_of(user: Any) -> QuerySet[Appointment]:
    """Return the appointments that the person sees on the page of people; staff see all."""
    everybody = Appointment.objects.all()
    return everybody if is_staff(user) else everybody.filter(federation__in=officer_federations(user))


def can_confirm(user: Any, invitation: Invitation) -> bool:
    """Return whether the user is the second one that an invitation to one of FIDE's roles waits for."""
    is_other = user.pk != invitation.invited_by_id and user.email.lower() != invitation.email
    return invitation.needs_confirmation and is_other and can_invite(user, invitation.role, "")


def invitations_to_confirm(user: Any) -> InvitationQuerySet:
    """Return the invitations to FIDE's roles that wait for a second person, to a user who may be that one."""
    waiting = Invitation.objects.filter(NEEDS_CONFIRMATION) if is_staff(user) else Invitation.objects.none()
    return waiting.exclude(invited_by=user.pk).exclude(email=user.email.lower())


def invitations_of(user: Any) -> InvitationQuerySet:
    """Return the invitations that the person sees on the page of people; staff see all."""
    everybody = Invitation.objects.all()
    return everybody if is_staff(user) else everybody.filter(federation__in=officer_federations(user))
