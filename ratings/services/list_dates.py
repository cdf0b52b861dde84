"""The dates that a list can bear (FIDE R&B 2024, 6.1; D-70)."""

from __future__ import annotations

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import Refusal
from ratings.choices import FROM_ITS_DAY, IN_FUTURE, NOT_FIRST, PROBABLY_MEANT

# So long before its day a list may be there already.
DAYS_AHEAD = 7


def date_refusals(list_date: date, *, today: date) -> list[Refusal]:
    """Return why no list can bear a date: not the first of a month (6.1), or later than today (D-70).

    As in all refusals of imports and publications, dates are in words, for commands too: jobs store the sentences.
    """
    if list_date.day != 1:
        return [Refusal("list-date-6.1", _(NOT_FIRST), "date")]
    if list_date <= today:
        return []
    message = _(IN_FUTURE) % {"date": date_format(list_date), "today": date_format(today)}
    if (meant := list_date.replace(year=today.year)) <= today:
        message = f"{message} {_(PROBABLY_MEANT) % {'meant': date_format(meant)}}"
    elif (list_date - today).days <= DAYS_AHEAD:
        # FIDE publishes the list of the 1st the day before.
        message = f"{message} {_(FROM_ITS_DAY)}"
    return [Refusal("future-list-D-70", message, "date")]
