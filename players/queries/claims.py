"""Whose record an account is confirmed for."""

from __future__ import annotations

from typing import Any

from players.choices import OPEN_CLAIMS, ClaimState
from players.models import Claim, Player


def claimed_player(user: Any) -> Player | None:
    """Return the player whose record an active account is confirmed for, None without one."""
    if not getattr(user, "is_authenticated", False) or not user.is_active:
        return None
    return Player.objects.filter(claims__user=user, claims__state=ClaimState.CONFIRMED).first()


def open_claim(user: Any) -> Claim | None:
    """Return the claim of an account that waits or is confirmed, with the player and the federation."""
    claims = Claim.objects.filter(user=user, state__in=OPEN_CLAIMS)
    return claims.select_related("player__federation").first()


def newest_closed_claim(user: Any) -> Claim | None:
    """Return the claim of an account that was decided against or ended last."""
    closed = Claim.objects.filter(user=user).exclude(state__in=OPEN_CLAIMS)
    return closed.select_related("player").order_by("-asked_at", "-pk").first()
