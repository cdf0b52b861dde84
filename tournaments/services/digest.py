"""The weekly mail with all that waits for a person: one a UTC week, and none where nothing waits."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from players.choices import NoticeKind
from players.services import notices
from tournaments.list_calendar import ListCalendars
from tournaments.queries.desk import Desk, desk_of
from tournaments.queries.progress import published_lists


def send_digests(*, at: datetime) -> int:
    """Note the week's digest to everybody with a role for whom something waits, and return how many.

    Called again in the same ISO week, in UTC days, it notes nothing new.
    """
    lists = published_lists(at.date())
    people = get_user_model().objects.filter(appointments__isnull=False, is_active=True).distinct()
    return sum(_digest(person, lists, at) for person in people.order_by("pk").iterator())


def week_of(day: date) -> str:
    """Return the ISO week of a day: 2026-W53 for 2027-01-01."""
    year, week, _weekday = day.isocalendar()
    return f"{year}-W{week:02}"


def _digest(person: Any, lists: ListCalendars, at: datetime) -> int:
    desk, today = desk_of(person, lists), lists.today
    if not _has_work(desk):
        return 0
    context = {
        "desk": desk,
        "today": today,
        "site": settings.SITE_URL,
        "address": settings.SITE_URL + reverse("desk"),
    }
    return notices.post(
        to=[person],
        kind=NoticeKind.DIGEST,
        key=f"digest:{week_of(today)}",
        subject=_("Your weekly tasks"),
        text=render_to_string("mails/digest.txt", context).strip(),
        at=at,
    )


def _has_work(desk: Desk) -> bool:
    return bool(desk.needs or desk.reports_due or desk.waiting)
