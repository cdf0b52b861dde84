"""The API tokens of officers' programs, and the secret addresses of their calendars."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import refused
from core.sql import lock_person
from core.tokens import LONGEST_DAYS, new_token, record_use, token_digest
from players.choices import Area, Deed
from players.models import Appointment, Federation
from players.models.log import record_act
from players.permissions import can_act_for, refuse_strangers
from tournaments.choices import Verb
from tournaments.models import DeadlineFeed, OfficerToken

MAX_TOKENS = 20


def issue_token(
    user: Any,
    federation: Federation,
    *,
    name: str,
    verbs: Sequence[str],
    at: datetime,
    days: int = LONGEST_DAYS,
) -> str:
    """Create a token; `RefusedError` for a user who does not act for the federation, or has too many.

    A name identifies one active token: a reloaded page creates no second one. It expires after `days`, at most a year.
    """
    refuse_strangers(user, federation.code)
    with transaction.atomic():
        # Two windows at once must not pass the limit together.
        lock_person(user)
        held = OfficerToken.objects.in_use(at=at).filter(user=user)
        if len(held) >= MAX_TOKENS:
            message = _("You have %(number)d tokens, which is the limit. Revoke one first.") % {
                "number": MAX_TOKENS
            }
            raise refused("too-many", message)
        # A page sent twice would leave a token in use that nobody has seen.
        if any(one.name == name.strip() for one in held):
            message = _("You already have a token with this name. Revoke it, or enter another name.")
            raise refused("name-taken", message, "name")
        token, _made = OfficerToken.objects.make(
            user=user,
            federation=federation,
            name=name.strip(),
            verbs=[verb for verb in Verb.values if verb in verbs],
            days=days,
            at=at,
        )
        record_act(Area.ACCOUNT, Deed.TOKEN, f"{federation.code}: {name.strip()}", by=user, at=at)
    return str(token)


def revoke_token(token: OfficerToken, *, at: datetime) -> bool:
    """End a token; it stays as evidence. False where it was ended before."""
    with transaction.atomic():
        is_ended = bool(OfficerToken.objects.filter(pk=token.pk).revoke(at=at))
        if is_ended:
            subject = f"{token.federation_id}: {token.name}"
            record_act(Area.ACCOUNT, Deed.UNTOKEN, subject, by=token.user, at=at)
    return is_ended


def end_secrets_of(user: Any, *, at: datetime) -> None:
    """End a person's tokens and calendar: with a new password nobody who had the former one keeps a way in."""
    OfficerToken.objects.filter(user=user).revoke(at=at)
    revoke_feed(user)


@receiver(post_delete, sender=Appointment)
def _end_with_appointment(sender: Any, *, instance: Appointment, **kwargs: Any) -> None:
    at = timezone.now()
    own = OfficerToken.objects.filter(user=instance.user)
    (own.filter(federation=instance.federation_id) if instance.federation_id else own).revoke(at=at)


def holder_of(token: str, *, at: datetime) -> OfficerToken | None:
    """Return the row of a token whose owner still acts for its federation, None for any other; notes the use."""
    found: OfficerToken | None = OfficerToken.objects.select_related("user", "federation").find(token, at=at)
    # Asked at each use: a token never does more than its owner may do at the time.
    if found is None or not can_act_for(found.user, found.federation_id):
        return None
    record_use(found, at=at)
    return found


def tokens_of(user: Any) -> QuerySet[OfficerToken]:
    """Return a person's own tokens, the newest first; the revoked ones too."""
    rows: QuerySet[OfficerToken] = OfficerToken.objects.filter(user=user).select_related("federation")
    return rows


# The secret address of a person's calendar of deadlines.
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
