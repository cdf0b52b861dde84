"""Chief arbiters who are named for a tournament, so that they can send its report."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from core.errors import refused
from players.arbiters import Arbiter, arbiter_of
from players.choices import CaseKind, Role
from players.invitations import invite, is_still_offered
from players.models import Invitation
from players.permissions import can_invite
from tournaments.choices import OPEN_REGISTRATIONS, Action, Stage
from tournaments.log import record_action
from tournaments.models import NamedArbiter, Tournament

MAX_NAMED = 10


def name_arbiter(
    tournament: Tournament, email: str, *, by: Any, at: datetime
) -> tuple[NamedArbiter, tuple[Invitation, str] | None]:
    """Name a chief arbiter by e-mail address and return it, with the invitation and token to be sent, if one is.

    Somebody with the role is named at once; anybody else is invited to it, where the namer may invite. Named twice
    is named once. `RefusedError` where the address is nobody's whom the namer may name.
    """
    email = email.strip().lower()
    with transaction.atomic():
        # Under the lock, so that two who name at once neither name twice nor pass the limit.
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        who, made = _whom(locked, email, by=by, at=at)
        known = locked.named_arbiters.filter(**who).first()
        if known is not None:
            return known, made
        if locked.named_arbiters.count() >= MAX_NAMED:
            message = _("A tournament can have at most %(most)d chief arbiters. Remove one first.")
            raise refused("too-many-named", message % {"most": MAX_NAMED}, "email")
        named = NamedArbiter.objects.create(tournament=locked, **who, named_by=by, named_at=at)
        record_action(locked, Action.NAME, reason=email, by=by, at=at)
    return named, made


def end_naming(named: NamedArbiter, *, by: Any, at: datetime) -> bool:
    """End a naming and return whether this call did; the audit log keeps that it was."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=named.tournament_id)
        held = tournament.named_arbiters.select_related("user", "invitation").filter(pk=named.pk).first()
        if held is None:
            return False
        # Read before the row is gone, for the log.
        address = address_of(held)
        held.delete()
        record_action(tournament, Action.UNNAME, reason=address, by=by, at=at)
    return True


def address_of(named: NamedArbiter) -> str:
    """Return the e-mail address of a named arbiter, known or invited."""
    if named.user is not None:
        return str(named.user.email)
    return str(named.invitation.email) if named.invitation else ""


def _whom(
    tournament: Tournament, email: str, *, by: Any, at: datetime
) -> tuple[dict[str, Any], tuple[Invitation, str] | None]:
    """Return whom the address belongs to, as fields of a naming, and an invitation that was made for it."""
    held: dict[str, Any] = {"appointments__role": Role.ARBITER}
    # For an event that no federation reports, the role for any federation suffices.
    if not tournament.is_reported_by_staff:
        held["appointments__federation"] = tournament.federation_id
    user = get_user_model().objects.filter(email__iexact=email, is_active=True, **held).first()
    if user is not None:
        return {"user": user}, None
    if not can_invite(by, Role.ARBITER, str(tournament.federation_id)):
        message = _(
            "No chief arbiter of %(federation)s has this address. The rating officer of that "
            "federation may send an invitation."
        )
        values = {"federation": tournament.federation_id}
        raise refused("nobody", message % values, "email")
    waiting = Invitation.objects.open_at(at).filter(
        email=email, role=Role.ARBITER, federation=tournament.federation_id
    )
    # An open invitation for the role also serves this tournament, without a second email.
    invitation = waiting.select_related("invited_by").first()
    if invitation is not None and is_still_offered(invitation):
        return {"invitation": invitation}, None
    made = invite(email, role=Role.ARBITER, federation=tournament.federation, by=by, at=at)
    return {"invitation": made[0]}, made


# The tournaments of an arbiter, and the arbiters of a tournament.

# Refused and withdrawn tournaments are not shown.
SHOWN = Q(registration__in=OPEN_REGISTRATIONS) | Q(stage=Stage.PUBLISHED)


def directed_by(fide_id: int) -> QuerySet[Tournament]:
    """Return the registered and published tournaments of an arbiter; `is_chief` is the role in each."""
    tournaments = Tournament.objects.filter(SHOWN, arbiters__player=fide_id)
    return tournaments.annotate(is_chief=F("arbiters__is_chief")).defer("schedule")


def arbiters_of(tournament: Tournament) -> list[tuple[Arbiter, bool]]:
    """Return the arbiters of a tournament by FIDE ID in their order, each with whether it is the chief."""
    rows = tournament.arbiters.select_related("player__arbiter_licence").order_by("place")
    return [(arbiter_of(row.player), row.is_chief) for row in rows]


def chief_emails_and_objection_states(tournament: Tournament) -> tuple[list[str], list[str]]:
    """Return the email addresses of the named chief arbiters, and the states of the objections, in one query."""
    email = Coalesce("user__email", "invitation__email", Value(""))
    named = tournament.named_arbiters.order_by().annotate(sort=Value("named"), what=email)
    objections = tournament.cases.filter(kind=CaseKind.OBJECTION).order_by()
    objections = objections.annotate(sort=Value("objection"), what=F("state"))
    columns = ("sort", "what", "pk")
    both = named.values_list(*columns).union(objections.values_list(*columns), all=True).order_by()
    rows = sorted(both, key=lambda row: row[2])
    return [row[1] for row in rows if row[0] == "named"], [row[1] for row in rows if row[0] == "objection"]
