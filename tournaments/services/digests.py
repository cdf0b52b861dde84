"""The weekly mail with all that waits for a person."""

from __future__ import annotations

from datetime import date, datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import override

from core.pages import Page
from players.choices import NoticeKind
from players.services import notices
from players.services.cases import open_cases
from tournaments.hooks import existing_lists
from tournaments.lists import Lists
from tournaments.queries.desk import desk_of
from tournaments.queries.waiting import cases_with_tasks


def send_digests(*, at: datetime) -> int:
    """Note the week's digest to everybody with a role for whom something waits, and return how many.

    Called again in the same ISO week, in UTC days, it notes nothing new.
    """
    # Once for all recipients.
    lists = existing_lists.answer()
    people = get_user_model().objects.filter(appointments__isnull=False, is_active=True).distinct()
    return sum(_digest(person, lists, at) for person in people.order_by("pk").iterator())


def week_of(day: date) -> str:
    """Return the ISO week of a day: 2026-W53 for 2027-01-01."""
    year, week, _weekday = day.isocalendar()
    return f"{year}-W{week:02}"


def _digest(person: Any, lists: Lists[Any], at: datetime) -> int:
    today = at.date()
    # The next steps are in words.
    with override(person.language or settings.LANGUAGE_CODE):
        mine = cases_with_tasks(open_cases(person, today))
        desk = desk_of(person, lists, mine, today=today)
    if not (desk.other_tasks or desk.reports_due or desk.waiting):
        return 0
    context = {
        "desk": desk,
        "today": today,
    }
    return notices.post(
        to=[person],
        kind=NoticeKind.DIGEST,
        # A task that is repeated after a crash finds the mails of the week by this key.
        key=f"digest:{week_of(today)}",
        subject=_l("Your weekly tasks"),
        text=partial(_digest_text, context),
        at=at,
    )


def _digest_text(context: dict[str, Any]) -> str:
    address = Page("dashboard").link
    return render_to_string("mails/digest.txt", context | {"address": address}).strip()
