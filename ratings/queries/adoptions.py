"""The adoptions that stand: read once by whoever begins a piece of work, and handed on (D-90)."""

from __future__ import annotations

from datetime import date
from typing import Any

from ratings.models import Adoption
from ratings.systems.registry import Adoptions, rules_named


def load_adoptions() -> Adoptions:
    """Return the adoptions that stand, in one query."""
    rows = Adoption.objects.filter(revoked_at=None).order_by("first_day")
    return Adoptions.of((rules_named(text), first) for text, first in rows.values_list("text", "first_day"))


def adoptions_named(manifest: dict[str, Any]) -> Adoptions | None:
    """Return the adoptions that the manifest of a list names, None for a list from before it named any."""
    if "adoptions" not in manifest:
        return None
    return Adoptions.of(
        (rules_named(row["text"]), date.fromisoformat(row["from"])) for row in manifest["adoptions"]
    )
