"""Files as they are handed in, and what is read of them: the registration that they ask for, and whom they name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError
from tournaments.conditions import Conditions
from tournaments.registered_conditions import event_id_for
from tournaments.report_people import ids_in
from tournaments.reports import Upload
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity, check_report, read_report
from tournaments.uploaded_files import require_trf


@dataclass(frozen=True, slots=True)
class Terms:
    """What the caller says of a submission: the conditions of its tournament, the days, and the QC's approval.

    `reasons` answer single findings, by code (D-135), `lines` say by line who it is (D-130).

    The report itself says the name, the days, the schedule and the chief arbiter.
    """

    conditions: Conditions
    registered_on: date
    submitted_on: date
    pgn: bytes | None = None
    qc_approved: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Submitted:
    """A submitted file, with the terms of its tournament.

    `followers` are the SHA-256 of files that replace it in the same call: if one of them is already stored, this one
    was submitted before.
    """

    content: bytes
    terms: Terms
    file_name: str
    followers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ReadReport:
    """A file that was read, the registration that it needs, its FIDE IDs, and why it is unreadable, if so."""

    submitted: Submitted
    trf: TrfReport
    request: Conditions
    players: frozenset[int]
    unreadable: tuple[Refusal, ...]

    @property
    def event_id(self) -> str:
        return self.request.event_id or event_id_for(self.request)

    def upload(self, at: datetime) -> Upload:
        terms = self.submitted.terms
        return Upload(
            content=self.submitted.content,
            file_name=self.submitted.file_name,
            by=None,
            on=terms.submitted_on,
            at=at,
            pgn=terms.pgn,
            trf=self.trf,
        )


def read_submitted(submitted: Submitted) -> ReadReport:
    """Read a submitted file."""
    trf = read_report(submitted.content, on=submitted.terms.submitted_on)
    request = _conditions(trf, submitted.terms)
    try:
        require_trf(submitted.content, submitted.file_name)
        unreadable = tuple(_unreadable(trf))
    except RefusedError as error:
        unreadable = error.refusals
    return ReadReport(submitted, trf, request, frozenset(ids_in(trf)), unreadable)


def event_id_of(content: bytes, terms: Terms) -> str:
    """Return the event ID of a report, from its head if the terms have none."""
    if terms.conditions.event_id:
        return terms.conditions.event_id
    # Lines of players are most of a report, and none of them says which event it is.
    head = b"\n".join(line for line in content.splitlines() if not line.startswith(b"001"))
    return event_id_for(_conditions(read_report(head, on=terms.submitted_on), terms))


def _unreadable(trf: TrfReport) -> list[Refusal]:
    """Return why no tournament can be read from the file: what has no players or no days is no report."""
    if not trf.players:
        errors = [item for item in check_report(trf) if item.severity == Severity.ERROR]
        return [Refusal(item.code, item.message) for item in errors]
    if trf.start is None or trf.end is None:
        message = _(
            "The report does not give the dates of the tournament. Enter records 042 and 052 as YYYY/MM/DD."
        )
        return [Refusal("event-days-missing", message)]
    return []


def _conditions(trf: TrfReport, terms: Terms) -> Conditions:
    return replace(
        terms.conditions,
        name=trf.name or terms.conditions.event_id,
        start=trf.start or terms.submitted_on,
        end=trf.end or terms.submitted_on,
        city=trf.city[:80],
        # A report without dates of rounds has only their number.
        schedule=[
            day.isoformat() if day else None for day in trf.round_dates or (None,) * max(trf.rounds, 1)
        ],
        chief_arbiter=trf.chief_arbiter[:120],
        # The QC had its reason before it approved.
        late_reason=terms.qc_approved,
    )
