"""The tokens of one person's programs."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from tournaments.models import OfficerToken


def tokens_of(user: Any) -> QuerySet[OfficerToken]:
    """Return a person's own tokens, the newest first; the revoked ones too."""
    return OfficerToken.objects.filter(user=user).select_related("federation")
