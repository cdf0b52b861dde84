"""Mails that remind of deadlines.

Those of deadlines go seven days, three days and one day before, and on the day itself. All days are UTC days.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import override

from core.pages import Page
from players import notices
from players.cases import open_cases
from players.choices import NoticeKind, Role
from players.models import Appointment
from tournaments.hooks import existing_lists
from tournaments.inbox import cases_with_tasks
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.overview import desk_of
from tournaments.states import load_progress, may_be_reported
from tournaments.steps import Progress

DAYS_BEFORE = (7, 3, 1, 0)
# What FIDE staff report, in the place of a federation's code.
STAFF = ""


def remind(*, at: datetime) -> int:
    """Queue the day's emails on due reports, at most one per recipient, and return how many (8.1).

    Officers and deputies get those of their federations, FIDE staff those of official events and of decisions of
    Council or the President. A second call on the same UTC day queues nothing new.
    """
    today = at.date()
    near = _near_by_reporter(today)
    posts = Q(role__in=(Role.OFFICER, Role.DEPUTY), federation__in=[code for code in near if code != STAFF])
    if STAFF in near:
        posts |= Q(role=Role.STAFF)
    codes_of: dict[Any, set[str]] = defaultdict(set)
    for held in Appointment.objects.filter(posts).select_related("user"):
        codes_of[held.user].add(STAFF if held.role == Role.STAFF else str(held.federation_id))
    return sum(
        notices.post(
            to=[user],
            kind=NoticeKind.DEADLINE,
            # One mail a day for a person, however many federations and tournaments it is about.
            key=f"deadlines:{today.isoformat()}",
            subject=_l("Tournament reports due soon"),
            text=partial(_text, [line for code in sorted(codes) for line in near[code]], today),
            at=at,
        )
        for user, codes in codes_of.items()
    )


def _near_by_reporter(today: date) -> dict[str, list[dict[str, object]]]:
    """Return, by federation, the tournaments without a report that have a deadline in so many days.

    The key of those that no federation reports is `STAFF`.
    """
    lists = existing_lists.answer()
    ended = Tournament.objects.filter(may_be_reported(lists, today)).order_by("end", "event_id")
    progress = load_progress(ended, lists, today=today)
    near: dict[str, list[dict[str, object]]] = defaultdict(list)
    for tournament in ended:
        code = STAFF if tournament.is_reported_by_staff else str(tournament.federation_id)
        near[code].extend(_near(tournament, progress[tournament.pk], today))
    return {code: lines for code, lines in near.items() if lines}


def _near(tournament: Tournament, progress: Progress, today: date) -> Iterator[dict[str, object]]:
    if not progress.is_report_open:
        return
    # The deadline of a list is missed without harm, the last one for good (8.1).
    is_past = progress.expected_list is None or progress.report_deadline >= progress.expected_list
    days = {
        "list": None if is_past else progress.report_deadline,
        "decide": progress.decide_by,
        "last": progress.days.last_day,
    }
    for code, day in days.items():
        if day is not None and (day - today).days in DAYS_BEFORE:
            yield {"tournament": tournament, "day": day, "list": progress.expected_list, "code": code}


def _text(lines: list[dict[str, object]], today: date) -> str:
    context = {"lines": lines, "today": today, "desk": Page("dashboard").link}
    return render_to_string("mails/deadlines.txt", context).strip()


# The weekly mail with all that waits for a person.
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
