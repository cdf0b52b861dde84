"""Claims of player records: requested by users, decided by an officer of the player's federation.

With a confirmed claim the player sees their own results, can object, hide the year of birth and get emails. It changes
no figure.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal
from django.urls import reverse
from django.utils.translation import gettext as _

from core.errors import Refusal, refused, refusing_second
from players.choices import OPEN_CLAIMS, Area, ClaimState, Deed, NoticeKind
from players.models import Claim, HiddenBirthYear, Player
from players.models.log import record_act
from players.permissions import can_decide_claim
from players.services import notices

# Limit of claims per account within the time, for any outcome.
MAX_CLAIMS, CLAIMS_WITHIN = 3, timedelta(days=30)

# A confirmed claim of an account has ended: `user`, `by` whom, `at`. What it opened to the account ends, too.
claim_ended = Signal()


def claimed_player(user: Any) -> Player | None:
    """Return the player whose record an active account is confirmed for, None without one."""
    if not getattr(user, "is_authenticated", False) or not user.is_active:
        return None
    return Player.objects.filter(claims__user=user, claims__state=ClaimState.CONFIRMED).first()


def open_claim(user: Any) -> Claim | None:
    """Return the claim of an account that waits or is confirmed, with the player and the federation."""
    claims = Claim.objects.filter(user=user, state__in=OPEN_CLAIMS)
    return claims.select_related("player__federation").first()


def confirmed_claims(fide_ids: Collection[int]) -> QuerySet[Claim]:
    """Return the confirmed claims of these players, also of those merged into them, with their accounts."""
    of_players = Q(player__in=fide_ids) | Q(player__merged_into__in=fide_ids)
    return Claim.objects.filter(of_players, state=ClaimState.CONFIRMED).select_related("user")


def newest_closed_claim(user: Any) -> Claim | None:
    """Return the claim of an account that was decided against or ended last."""
    closed = Claim.objects.filter(user=user).exclude(state__in=OPEN_CLAIMS)
    return closed.select_related("player").order_by("-asked_at", "-pk").first()


def ask_claim(player: Player, *, reason: str, evidence: str, by: Any, at: datetime) -> Claim:
    """Record a user's claim to a player record; an officer of the player's federation decides."""
    _check_claimant(by, at=at)
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")
    # Do not reveal whether another account is confirmed: only the officer sees it.
    values = {"reason": reason.strip(), "evidence": evidence.strip()}
    with refusing_second(
        Refusal("claim-open", _("You already have an open claim. Cancel or end it before you make another."))
    ):
        claim = Claim.objects.create(player=_lock_player(player.pk), user=by, asked_at=at, **values)
        # What the person wrote can be deleted, so that it is not in the audit log.
        _record(Deed.CLAIM, claim, by=by, at=at)
    return claim


def _lock_player(fide_id: int) -> Player:
    """Return a player whom nobody merges before the end of the transaction."""
    player = Player.objects.select_for_update().get(pk=fide_id)
    if player.merged_into_id:
        message = _("This FIDE ID was merged into %(successor)s. Enter that ID.")
        raise refused("merged", message % {"successor": player.merged_into_id}, "player")
    return player


def _check_claimant(by: Any, *, at: datetime) -> None:
    if not EmailAddress.objects.filter(user=by, email__iexact=by.email, verified=True).exists():
        raise refused("address-unconfirmed", _("Confirm the email address of your account first."))
    if Claim.objects.filter(user=by, asked_at__gt=at - CLAIMS_WITHIN).count() >= MAX_CLAIMS:
        message = _("You have made %(most)d claims within %(days)d days, which is the limit.")
        raise refused("too-many-claims", message % {"most": MAX_CLAIMS, "days": CLAIMS_WITHIN.days})


def decide_claim(claim: Claim, *, is_granted: bool, answer: str, by: Any, at: datetime) -> bool:
    """Confirm or refuse a claim with a reason, email the claimant, and return whether this call did."""
    _check_officer(claim, by)
    if not answer.strip():
        raise refused("answer-missing", _("Enter a reason. The player will see it."), "answer")
    state = ClaimState.CONFIRMED if is_granted else ClaimState.REFUSED
    with refusing_second(
        Refusal("claimed", _("Another account has a confirmed claim of this record. End that claim first."))
    ):
        player = _lock_player(claim.player_id)
        waiting = Claim.objects.filter(pk=claim.pk, player=player, state=ClaimState.WAITING)
        if not waiting.update(state=state, answer=answer.strip(), decided_by=by, decided_at=at):
            return False
        _record(Deed.GRANT if is_granted else Deed.REFUSE, claim, by=by, at=at, reason=answer)
        _mail(claim, state, answer, at=at)
    return True


def revoke_claim(claim: Claim, *, reason: str, by: Any, at: datetime) -> bool:
    """End a confirmed claim for the player's federation, with a reason; return whether this call did."""
    _check_officer(claim, by)
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The player will see it."), "reason")
    with transaction.atomic():
        # The record may have been merged since the claim was read.
        held = Claim.objects.select_for_update().filter(pk=claim.pk, state=ClaimState.CONFIRMED).first()
        if held is None:
            return False
        _end_confirmed(held, by=by, at=at)
        _record(Deed.END, held, by=by, at=at, reason=reason)
        _mail(held, ClaimState.ENDED, reason, at=at)
    return True


def end_own_claim(user: Any, *, at: datetime) -> bool:
    """Cancel the open claim of an account, or end the confirmed one; return whether this call did."""
    with transaction.atomic():
        claim = Claim.objects.select_for_update().filter(user=user, state__in=OPEN_CLAIMS).first()
        if claim is None:
            return False
        if claim.state == ClaimState.CONFIRMED:
            _end_confirmed(claim, by=user, at=at)
        else:
            Claim.objects.filter(pk=claim.pk).update(state=ClaimState.WITHDRAWN, ended_at=at)
        _record(Deed.END, claim, by=user, at=at)
    return True


def remove_claims(user: Any, *, by: Any, at: datetime) -> None:
    """End the claims of a removed account; its texts are deleted, the decisions stay."""
    claims = Claim.objects.filter(user=user)
    for claim in claims.filter(state=ClaimState.CONFIRMED):
        _end_confirmed(claim, by=by, at=at)
    claims.filter(state=ClaimState.WAITING).update(state=ClaimState.WITHDRAWN, ended_at=at)
    # A claim has a reason, by a constraint.
    claims.update(reason="–", evidence="", answer="")


def move_claims(player: Player, *, into: Player, by: Any, at: datetime) -> None:
    """Move the claims of a merged record; a record has one confirmed claim, its own before the other."""
    claims = Claim.objects.filter(player=player, state__in=OPEN_CLAIMS)
    confirmed = claims.filter(state=ClaimState.CONFIRMED).select_related("player", "user").first()
    if confirmed and Claim.objects.filter(player=into, state=ClaimState.CONFIRMED).exists():
        _end(confirmed, by=by, at=at)
        values = {"player": into}
        reason = _("The record was merged into %(player)s, which is the record of another account.") % values
        _record(Deed.END, confirmed, by=by, at=at, reason=reason)
        _mail(confirmed, ClaimState.ENDED, reason, at=at)
    claims.update(player=into)
    if hidden := HiddenBirthYear.objects.filter(player=player).first():
        HiddenBirthYear.objects.get_or_create(player=into, defaults={"asked_at": hidden.asked_at})
        hidden.delete()


def _check_officer(claim: Claim, by: Any) -> None:
    if claim.user_id == by.pk:
        raise refused("own-claim", _("You cannot decide on your own claim. Another officer must decide."))
    if not can_decide_claim(by, claim):
        raise refused("not-your-federation", _("You do not act for this player's federation."))


def _end_confirmed(claim: Claim, *, by: Any, at: datetime) -> None:
    # The next confirmed player chooses again.
    HiddenBirthYear.objects.filter(player=claim.player_id).delete()
    _end(claim, by=by, at=at)


def _end(claim: Claim, *, by: Any, at: datetime) -> None:
    Claim.objects.filter(pk=claim.pk).update(state=ClaimState.ENDED, ended_at=at)
    claim_ended.send(Claim, user=claim.user, by=by, at=at)


def _record(deed: Deed, claim: Claim, *, by: Any, at: datetime, reason: str = "") -> None:
    values: dict[str, Any] = {"player": claim.player, "after": claim.user.email, "reason": reason}
    record_act(Area.PLAYER, deed, str(claim.player), by=by, at=at, **values)


def _mail(claim: Claim, state: ClaimState, answer: str, *, at: datetime) -> None:
    values: dict[str, Any] = {"player": claim.player, "state": state.label}

    def text() -> str:
        line = _("Your claim of the record %(player)s: %(state)s.") % values
        return "\n\n".join([line, answer.strip(), settings.SITE_URL + reverse("chess:mine")])

    notices.post(
        to=[claim.user],
        kind=NoticeKind.CLAIM,
        key=f"claim:{claim.pk}:{state}",
        subject=lambda: _("Player record %(player)s: %(state)s") % values,
        text=text,
        at=at,
    )
