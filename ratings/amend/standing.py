"""Which report of a tournament stands for a person, and what becomes of an amendment of theirs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from players.choices import CaseState
from players.permissions import is_staff
from tournaments.choices import ReportState, Stage
from tournaments.models import Report, Tournament
from tournaments.permissions import can_hand_over, can_report


class Way(StrEnum):
    """What becomes of the amendments of one person, as pages name it."""

    # A version of a report that is not accepted.
    SAVE = "save"
    # The chief arbiter's file, which is sent again.
    SEND = "send"
    # An accepted version, before any list.
    ACCEPT = "accept"
    # An adjustment on the next list.
    PUBLISHED = "published"
    # Somebody else decides.
    REQUEST = "request"


@dataclass(frozen=True, slots=True)
class Standing:
    """The report that stands for a person, and what becomes of an amendment.

    `report` is a version, for a chief arbiter before that the file as it was handed over. FIDE staff see a published
    tournament without one where its report was withdrawn (None).
    """

    tournament: Tournament
    way: Way
    report: Any

    @property
    def is_published(self) -> bool:
        return self.tournament.stage == Stage.PUBLISHED

    @property
    def is_accepted(self) -> bool:
        return isinstance(self.report, Report) and self.report.state == ReportState.ACCEPTED

    @property
    def decides(self) -> str:
        """Who decides on a request: `staff`, or the `officer`."""
        return "staff" if self.is_published or self.tournament.is_reported_by_staff else "officer"


def current_report(tournament: Tournament) -> Report | None:
    """Return the report that stands for a tournament now, None where it was withdrawn."""
    return tournament.reports.filter(state=ReportState.ACCEPTED).first()


def standing_for(user: Any, tournament: Tournament) -> Standing | None:
    """Return the report that a person amends, or asks to amend; None where there is none, or none for them.

    That is the accepted one; before an acceptance the newest version, and for a chief arbiter the newest own file.
    Without a person it is the portal that amends, as FIDE staff do.
    """
    is_portal = user is None
    accepted, may_report = current_report(tournament), is_portal or can_report(user, tournament)
    if not may_report and not can_hand_over(user, tournament):
        return None
    if tournament.stage == Stage.PUBLISHED:
        if is_portal or is_staff(user):
            return Standing(tournament, Way.PUBLISHED, accepted)
        return Standing(tournament, Way.REQUEST, accepted) if accepted else None
    if accepted is not None:
        return Standing(tournament, Way.ACCEPT if may_report else Way.REQUEST, accepted)
    newest = tournament.reports.filter(state=ReportState.CHECKED).order_by("version").last()
    if newest is not None:
        return Standing(tournament, Way.SAVE if may_report else Way.REQUEST, newest)
    own = tournament.handed_reports.order_by("number").last()
    if may_report or own is None or own.state == CaseState.APPROVED:
        return None
    return Standing(tournament, Way.SEND, own)
