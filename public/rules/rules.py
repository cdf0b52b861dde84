"""The rating regulations by effective date, and their differences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from ratings.in_force import load_adoptions
from ratings.models import LateAdoption
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import ENGINE_VERSION, known_texts


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the regulations by effective date, and their differences."""
    adoptions, today = load_adoptions(), timezone.now().date()
    late = list(LateAdoption.objects.filter(confirmed_at__isnull=False).order_by("pk"))

    def page() -> HttpResponse:
        since: dict[PeriodRules, date] = {}
        for row in adoptions.rows:
            since.setdefault(row.rules, row.first_day)
        texts = list(since)[::-1]
        context = {
            "adoptions": adoptions,
            "texts": texts,
            "since": since,
            "rows": _differences(texts),
            "newest": texts[0],
            "today": adoptions.text_on(today) if adoptions.has_text_on(today) else None,
            "unused": [rules for rules in known_texts() if rules not in since],
            "late": late,
            "engine": ENGINE_VERSION,
        }
        return render(request, "public/rules/rules.html", context)

    version = (
        "rules",
        today,
        *((row.rules.slug, row.first_day) for row in adoptions.rows),
        *((one.pk, one.cancelled_at) for one in late),
    )
    return conditionally(request, page, version=version)


def _differences(
    texts: Sequence[PeriodRules],
) -> list[tuple[str, list[tuple[PeriodRules, tuple[str, ...] | None]]]]:
    """Return the matters on which texts differ, each with the sentence of every text and its articles."""
    matters = dict.fromkeys(matter for rules in texts for matter in rules.points)
    return [(matter, [(rules, rules.points.get(matter)) for rules in texts]) for matter in matters]
