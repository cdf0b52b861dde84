"""Claims of player records: requested by users, decided by an officer of the player's federation.

With a confirmed claim the player sees their own results, can object, hide the year of birth and get emails. It changes
no figure.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal, RefusedError, refused
from core.pages import Page
from players import notices
from players.cases import (
    RULES,
    CaseRules,
    CaseTask,
    cancel,
    cancel_overtaken,
    only_who_asked,
    open_case,
    player_acts,
)
from players.choices import OPEN_CLAIMS, Area, CaseKind, CaseState, Deed, NoticeKind
from players.models import Claim, HiddenBirthYear, Player
from players.models.log import record_act
from players.permissions import can_decide_claim, federations_of, is_staff, players_of, refuse_merged

# What staff take over where the federation does not reply in so many days.
UNANSWERED_DAYS = 7
# Limit of claims per account within the time, for any outcome.
MAX_CLAIMS, CLAIMS_WITHIN = 3, timedelta(days=30)
CLAIM_OPEN = _l(
    "You already have a claim that waits or is confirmed. Cancel or end it before you make another."
)

# A confirmed claim of an account has ended: `user`, `by` whom, `at`. What it opened to the account ends, too.
claim_ended = Signal()


def claimed_player(user: Any) -> Player | None:
    """Return the player whose record an active account is confirmed for, None without one."""
    if not getattr(user, "is_authenticated", False) or not user.is_active:
        return None
    confirmed = Claim.objects.filter(asked_by=user, state=CaseState.APPROVED)
    return Player.objects.filter(pk__in=confirmed.values("player")).first()


def open_claim(user: Any) -> Claim | None:
    """Return the claim of an account that waits or is confirmed, with the player and the federation."""
    if not user.is_authenticated:
        return None
    claims = Claim.objects.filter(asked_by=user, state__in=OPEN_CLAIMS)
    return claims.select_related("player__federation").first()


def confirmed_claims(fide_ids: Collection[int]) -> QuerySet[Claim]:
    """Return the confirmed claims of these players, also by their other FIDE IDs, with their accounts."""
    staying = Player.objects.filter(pk__in=fide_ids).values("merged_into")
    of_players = Q(player__in=fide_ids) | Q(player__merged_into__in=fide_ids) | Q(player__in=staying)
    return Claim.objects.filter(of_players, state=CaseState.APPROVED).select_related("asked_by")


def newest_closed_claim(user: Any) -> Claim | None:
    """Return the claim of an account that was decided against or ended last."""
    closed = Claim.objects.filter(asked_by=user).exclude(state__in=OPEN_CLAIMS)
    return closed.select_related("player").order_by("-asked_at", "-pk").first()


def ask_claim(player: Player, *, reason: str, evidence: str, by: Any, at: datetime) -> Claim:
    """Record a user's claim to a player record; an officer of the player's federation decides."""
    if not EmailAddress.objects.filter(user=by, email__iexact=by.email, verified=True).exists():
        raise refused("address-unconfirmed", _("Confirm the email address of your account first."))
    if Claim.objects.filter(asked_by=by, asked_at__gt=at - CLAIMS_WITHIN).count() >= MAX_CLAIMS:
        message = _("You have made %(most)d claims within %(days)d days, which is the limit.")
        raise refused("too-many-claims", message % {"most": MAX_CLAIMS, "days": CLAIMS_WITHIN.days})
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")
    # Do not reveal whether another account is confirmed: only the officer sees it.
    second = Refusal("claim-open", str(CLAIM_OPEN))
    values = {"reason": reason.strip(), "evidence": evidence.strip()}
    with transaction.atomic():
        made = Claim(player=_lock_player(player.pk), asked_by=by, asked_at=at, **values)
        claim = open_case(made, second=second)
        # After that: the row waits for a decision at this moment on the claim before.
        if Claim.objects.filter(asked_by=by, state=CaseState.APPROVED).exists():
            raise RefusedError([second])
    return claim


def _lock_player(fide_id: int) -> Player:
    """Return a player whom nobody merges before the end of the transaction."""
    player = Player.objects.select_for_update().get(pk=fide_id)
    refuse_merged(player)
    return player


def revoke_claim(claim: Claim, *, reason: str, by: Any, at: datetime) -> bool:
    """End a confirmed claim for the player's federation, with a reason; return whether this call did."""
    if (bar := _bar(by, claim)) is not None:
        raise RefusedError([bar])
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The player will see it."), "reason")
    with transaction.atomic():
        # The record may have been merged since the claim was read.
        held = Claim.objects.select_for_update().filter(pk=claim.pk, state=CaseState.APPROVED).first()
        if held is None:
            return False
        _end(held, reason, by=by, at=at)
        _mail(held, reason, at=at)
    return True


def end_own_claim(user: Any, *, at: datetime) -> bool:
    """Cancel the open claim of an account, or end the confirmed one; return whether this call did."""
    waiting = Claim.objects.filter(asked_by=user, state=CaseState.WAITING).first()
    if waiting is not None:
        return cancel(waiting, by=user, at=at)
    with transaction.atomic():
        confirmed = Claim.objects.filter(asked_by=user, state=CaseState.APPROVED)
        claim = confirmed.select_for_update().first()
        if claim is not None:
            _end(claim, by=user, at=at)
    return claim is not None


def remove_claims(user: Any, *, by: Any, at: datetime) -> None:
    """End the claims of a removed account; its texts are deleted, the decisions stay."""
    claims = Claim.objects.filter(asked_by=user)
    for claim in claims.filter(state=CaseState.APPROVED):
        _end(claim, by=by, at=at)
    for claim in claims.filter(state=CaseState.WAITING):
        cancel_overtaken(claim, by=by, at=at)
    claims.update(reason="", evidence="", answer="")


def move_claims(player: Player, *, into: Player, by: Any, at: datetime) -> None:
    """Move the claims of a merged record; a record has one confirmed claim, its own before the other."""
    # Before a claim ends, which shows the year again.
    if hidden := HiddenBirthYear.objects.filter(player=player).first():
        HiddenBirthYear.objects.get_or_create(player=into, defaults={"asked_at": hidden.asked_at})
        hidden.delete()
    claims = Claim.objects.filter(player=player, state__in=OPEN_CLAIMS)
    confirmed = claims.filter(state=CaseState.APPROVED).select_related("player", "asked_by").first()
    if confirmed and Claim.objects.filter(player=into, state=CaseState.APPROVED).exists():
        values = {"player": into}
        reason = _("The record was merged into %(player)s, which is the record of another account.") % values
        _end(confirmed, reason, by=by, at=at)
        _mail(confirmed, reason, at=at)
    claims.update(player=into)


def _end(claim: Claim, reason: str = "", *, by: Any, at: datetime) -> None:
    # The next confirmed player chooses again.
    HiddenBirthYear.objects.filter(player=claim.player_id).delete()
    claim.state, claim.ended_at = CaseState.ENDED, at
    claim.save(update_fields=["state", "ended_at"])
    record_act(Area.PLAYER, Deed.END, by=by, at=at, **_about(claim) | {"reason": reason})
    claim_ended.send(Claim, user=claim.asked_by, by=by, at=at)


def _bar(user: Any, claim: Claim) -> Refusal | None:
    if claim.asked_by_id == user.pk:
        return Refusal("own-claim", _("You cannot decide on your own claim. Another officer must decide."))
    if not can_decide_claim(user, claim):
        return Refusal("not-yours", _("You do not act for this player's federation."))
    return None


def _begin(claim: Claim, seen: str | None) -> None:
    _lock_player(claim.player.pk)


def _confirm(claim: Claim, reason: str, *, by: Any, at: datetime) -> None:
    if Claim.objects.filter(player=claim.player_id, state=CaseState.APPROVED).exists():
        message = _("Another account has a confirmed claim of this record. End that claim first.")
        raise refused("claimed", message)


def _about(claim: Claim) -> dict[str, Any]:
    # What the person wrote can be deleted, so that it is not in the audit log.
    return {
        "player": claim.player,
        "subject": str(claim.player),
        "after": claim.asked_by.email,
        "reason": claim.answer,
    }


def _mail(claim: Claim, reason: str = "", *, at: datetime) -> None:
    def values() -> dict[str, Any]:
        return {"player": claim.player, "state": claim.get_state_display()}

    def text() -> str:
        line = _("Your claim of the record %(player)s: %(state)s.") % values()
        said = (reason or claim.answer).strip()
        return "\n\n".join([line, said, Page("chess:mine").link])

    notices.post(
        to=[claim.asked_by],
        kind=NoticeKind.CLAIM,
        key=f"claim:{claim.pk}:{claim.state}",
        subject=lambda: _("Player record %(player)s: %(state)s") % values(),
        text=text,
        at=at,
    )


def _waits_for(user: Any, today: date) -> Q:
    """Return that officers decide for their federation, and staff what no officer has decided for a week."""
    mine = Q(player__federation__in=federations_of(user))
    old = datetime.combine(today - timedelta(days=UNANSWERED_DAYS), time.min, UTC)
    return (mine | Q(asked_at__lt=old) if is_staff(user) else mine) & ~Q(asked_by=user)


RULES[CaseKind.CLAIM] = CaseRules(
    task=CaseTask(_l("Decide on the claim of a player record")),
    seen_by=lambda user: Q(player__in=players_of(user)),
    waits_for=_waits_for,
    bar=_bar,
    bar_to_cancel=only_who_asked,
    begin=_begin,
    grant=_confirm,
    with_reason=(CaseState.APPROVED, CaseState.REFUSED),
    # Officers decide on the players of their own federation, never on their own claim.
    concerned=lambda claim: None,
    tell=_mail,
    record=player_acts(
        {
            CaseState.WAITING: Deed.CLAIM,
            CaseState.APPROVED: Deed.GRANT,
            CaseState.REFUSED: Deed.REFUSE,
            CaseState.WITHDRAWN: Deed.END,
        },
        _about,
    ),
)
