"""Who replies to a report of a mistake: the rating officer of a federation, or FIDE staff."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from players.choices import Area
from players.models import Federation, LogEntry
from tournaments.models import Tournament
from tournaments.objections import DAYS_TO_ANSWER


@dataclass(frozen=True, slots=True)
class Officer:
    """Who replies, and within how many days; `name` is what a sentence starts with, `details` are public."""

    name: str
    federation: str
    details: str = ""
    days: int = DAYS_TO_ANSWER

    @property
    def email(self) -> str:
        """The first email address of the public details, empty without one."""
        words = (word.strip(".,;:<>()") for word in self.details.split())
        return next((word for word in words if "@" in word[1:-1]), "")


def officer_of(federation: Federation) -> Officer:
    if federation.officer_name:
        name = f"{federation.officer_name} ({federation.code})"
    else:
        name = _("The rating officer of %(federation)s") % {"federation": federation.shown_name}
    return Officer(name, federation.code, federation.officer_details)


def officer_of_tournament(tournament: Tournament) -> Officer:
    """Return who reports a tournament and replies to objections to its results."""
    if tournament.is_reported_by_staff:
        return Officer(_("FIDE staff"), tournament.federation_id)
    return officer_of(tournament.federation)


def officers_version() -> int:
    """Return what differs as soon as the officer of a federation does: for validators of cached pages; one query."""
    entries = LogEntry.objects.filter(area=Area.FEDERATION).order_by("-at", "-pk")
    return entries.values_list("pk", flat=True).first() or 0
