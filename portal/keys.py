"""Whether the keys of this process are those with which the data was written."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import structlog
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.db import DatabaseError

from core.secrets import ENCRYPTED, decrypt
from players.models import Webhook
from ratings.choices import Origin
from ratings.models import RatingList
from ratings.publish.manifest import canonical_json
from ratings.publish.signatures import is_signed_by, public_key

log = structlog.get_logger(__name__)
# An app for codes has a secret, recovery codes are made from a seed.
FIELDS = ("secret", "seed")


def _stored_secrets() -> Iterator[str]:
    """Yield the newest stored secret of each kind."""
    for row in Authenticator.objects.order_by("-pk")[:1]:
        yield from (row.data[name] for name in FIELDS if name in row.data)
    yield from Webhook.objects.exclude(secret="").order_by("-pk").values_list("secret", flat=True)[:1]


def other_keys() -> Iterator[str]:
    """Yield the name of each variable whose key is another one than the stored data was written with."""
    with contextlib.suppress(InvalidToken):
        for stored in _stored_secrets():
            decrypt(stored)
        return
    yield "SECRETS_KEY"


def other_signing_key() -> bool:
    """Return whether the newest signed list was signed with another key than LIST_SIGNING_KEY, which may be rotated."""
    key = public_key()
    signed = RatingList.objects.filter(origin=Origin.PUBLISHED).exclude(signature="").order_by("-pk").first()
    if not key or signed is None:
        return False
    return not is_signed_by(canonical_json(signed.manifest), signed.signature, key)


def plain_secrets() -> int:
    """Return how many secrets of second factors are stored as a release before wrote them: not encrypted."""
    rows = Authenticator.objects.values_list("data", flat=True)
    return sum(any(not data.get(name, ENCRYPTED).startswith(ENCRYPTED) for name in FIELDS) for data in rows)


def tell_other_keys() -> None:
    """Write an error into the log for each key that opens no stored secret; a process that starts calls it."""
    with contextlib.suppress(DatabaseError):
        for name in other_keys():
            log.error("other_key", variable=name, remedy="Set the key with which the data was written.")
