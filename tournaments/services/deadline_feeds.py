"""The secret address of a person's calendar of deadlines."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from core.tokens import new_token, record_use, token_digest
from tournaments.models import DeadlineFeed


def issue_feed(user: Any, *, at: datetime) -> str:
    """Return a new secret for the person's calendar; the one before ends."""
    token = new_token()
    # Calendar programs cannot sign in: the address is the secret, and a copy of the database must not open it.
    DeadlineFeed.objects.update_or_create(
        user=user, defaults={"digest": token_digest(token), "created_at": at, "last_used_at": None}
    )
    return token


def revoke_feed(user: Any) -> bool:
    """End the person's calendar and return whether there was one."""
    return bool(DeadlineFeed.objects.filter(user=user).delete()[0])


def owner_of(token: str, *, at: datetime) -> Any:
    """Return the person whose secret it is and note the use; None where it is nobody's or the account is closed."""
    feed = DeadlineFeed.objects.select_related("user").filter(digest=token_digest(token)).first()
    if feed is None or not feed.user.is_active:
        return None
    record_use(feed, at=at)
    return feed.user
