"""The federations that every portal has."""

from __future__ import annotations

from django.db import DEFAULT_DB_ALIAS

from players.models import Federation
from players.models.federation import known_federations


def load_federations(*, using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Create the federations that are missing and return their codes; those that are there stay as they are."""
    known = set(Federation.objects.using(using).values_list("code", flat=True))
    missing = [federation for federation in _federations() if federation.code not in known]
    if missing:
        Federation.objects.using(using).bulk_create(missing, ignore_conflicts=True)
    return [federation.code for federation in missing]


def _federations() -> list[Federation]:
    rows = ({**row, "is_member": row["is_member"] == "true"} for row in known_federations().values())
    return [Federation(**{name: row[name] for name in row if name != "territory"}) for row in rows]
