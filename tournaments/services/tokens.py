"""The tokens of officers' tools: issued by the officer, for one federation and some verbs, revocable."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext as _

from core.secrets import digest_of, new_token, note_use
from players.models import Federation
from players.permissions import can_act_for
from tournaments.choices import Verb
from tournaments.errors import Refusal, RefusedError
from tournaments.models import OfficerToken

MOST_TOKENS = 20


def issue_token(user: Any, federation: Federation, *, name: str, verbs: Sequence[str], at: datetime) -> str:
    """Return a new token; `RefusedError` for somebody who does not act for the federation, or has too many.

    A name stands for one token that is not revoked: a page loaded again makes no second one.
    """
    if not can_act_for(user, federation.code):
        raise RefusedError([Refusal("not-yours", _("You do not act for this federation."), "federation")])
    with transaction.atomic():
        get_user_model()._default_manager.select_for_update().get(pk=user.pk)
        held = OfficerToken.objects.filter(user=user, revoked_at=None)
        if len(held) >= MOST_TOKENS:
            message = _("You have %(number)d tokens; revoke one first.") % {"number": MOST_TOKENS}
            raise RefusedError([Refusal("too-many", message)])
        if any(one.name == name.strip() for one in held):
            message = _(
                "You have a token with this name, which was shown once. Revoke it, or choose another name."
            )
            raise RefusedError([Refusal("name-taken", message, "name")])
        token = new_token()
        OfficerToken.objects.create(
            user=user,
            federation=federation,
            name=name.strip(),
            verbs=[verb for verb in Verb.values if verb in verbs],
            digest=digest_of(token),
            created_at=at,
        )
    return token


def revoke_token(token: OfficerToken, *, at: datetime) -> bool:
    """End a token; it stays as evidence. False where it was ended before."""
    return bool(OfficerToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=at))


def holder_of(token: str, *, at: datetime) -> OfficerToken | None:
    """Return the row of a token whose owner still acts for its federation, None for any other; notes the use."""
    rows = OfficerToken.objects.filter(digest=digest_of(token), revoked_at=None)
    found = rows.select_related("user", "federation").first()
    if found is None or not can_act_for(found.user, found.federation_id):
        return None
    note_use(found, at=at)
    return found
