"""The dates that a list can bear (FIDE R&B 2024, 6.1; D-70)."""

from __future__ import annotations

from datetime import date

from core.errors import Refusal, stated_refusal
from core.stated import join_stated
from ratings.choices import SENTENCES

# So long before its day a list may be there already.
DAYS_AHEAD = 7


def date_refusals(list_date: date, *, today: date) -> list[Refusal]:
    """Return why no list can bear a date: not the first of a month (6.1), or later than today (D-70)."""
    if list_date.day != 1:
        return [stated_refusal(SENTENCES, "list-date-6.1", "date")]
    if list_date <= today:
        return []
    said = [SENTENCES.say("future-list-D-70", date=list_date, today=today)]
    if (meant := list_date.replace(year=today.year)) <= today:
        said.append(SENTENCES.say("probably-meant", meant=meant))
    elif (list_date - today).days <= DAYS_AHEAD:
        # FIDE publishes the list of the 1st the day before.
        said.append(SENTENCES.say("from-its-day"))
    return [Refusal("future-list-D-70", join_stated(said), "date")]
