"""The federations that the portal knows from the start: those on FIDE's lists."""

from __future__ import annotations

import csv
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS

from players.models import Federation

FEDERATIONS_FILE = Path(__file__).resolve().parent.parent / "data" / "federations.csv"


def load_federations(*, using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Create the federations that are missing and return their codes; those that are there stay as they are."""
    known = set(Federation.objects.using(using).values_list("code", flat=True))
    missing = [federation for federation in _federations() if federation.code not in known]
    if missing:
        Federation.objects.using(using).bulk_create(missing, ignore_conflicts=True)
    return [federation.code for federation in missing]


def _federations() -> list[Federation]:
    with FEDERATIONS_FILE.open(encoding="utf-8", newline="") as file:
        return [
            Federation(**{**row, "is_member": row["is_member"] == "true"}) for row in csv.DictReader(file)
        ]
