"""One task of somebody at the desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.translation import pgettext_lazy

from core.html.dates import day_text
from core.pages import Page
from tournaments.models import Tournament

# Tasks without a deadline come after those with one.
NO_DEADLINE = date.max
# The choices of the switch above the tasks; what has no other sort is about players.
SORTS = {
    "reports": pgettext_lazy("tasks", "Reports"),
    "registrations": pgettext_lazy("tasks", "Registrations"),
    "replies": pgettext_lazy("tasks", "Replies"),
    "holds": pgettext_lazy("tasks", "Holds and requests"),
    "decisions": pgettext_lazy("tasks", "Decisions"),
    "lists": pgettext_lazy("tasks", "Rating lists"),
    "players": pgettext_lazy("tasks", "Players"),
    "people": pgettext_lazy("tasks", "People"),
}


@dataclass(frozen=True, slots=True)
class DeskTask:
    """One task: its title, the verb of its button, its object, page, reason and last UTC day.

    The last day is the nearest one that matters; `last_day` is the final one, after which nothing helps. A task about
    a report has the list that will include it; `is_final` says that it is the last possible (8.1). `sort` is one of
    `SORTS`, `code` names what is to be done. `facts` are labels with what they say, on which the task is decided;
    `shortcut` is the words and the page of a second way in, `about_page` that of the object.
    """

    what: str
    action: str
    about: str
    page: Page
    why: str = ""
    deadline: date | None = None
    since: datetime | None = None
    list_date: date | None = None
    is_final: bool = False
    sort: str = ""
    code: str = ""
    last_day: date | None = None
    about_page: Page | None = None
    facts: Sequence[tuple[str, str]] = ()
    shortcut: tuple[str, Page] | None = None

    @property
    def order(self) -> tuple[date, str]:
        """The place among other tasks: the fewest days left first."""
        return self.deadline or NO_DEADLINE, self.about


def played_on(tournament: Tournament) -> str:
    """Return when and how a tournament was played: `Mon 16 Nov 2026, blitz 5+0`."""
    played = f"{tournament.get_kind_display()} {tournament.time_control}"
    return f"{day_text(tournament.end)}, {played}"
