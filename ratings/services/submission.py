"""One call from a report's bytes to a rated tournament: for moving a federation's past in.

All the rules hold as in the browser; the registration is taken from what the caller and the report say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import structlog
from django.db import transaction
from django.utils.translation import gettext as _

from players.bulk import batched, learn_sizes, rare_collection
from players.queries.federations import federations_held
from ratings.models import RatingList
from ratings.services.runs import working_in_groups, working_inline
from tournaments import regulations
from tournaments.choices import Action, Registration, Stage
from tournaments.errors import Refusal, RefusedError
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.services.decisions import decide
from tournaments.services.registration import RegistrationRequest, event_id_for, register_tournament
from tournaments.services.reports import Upload, submit_locked
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity, check_report, read_report

GROUP = 50
logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Terms:
    """What the caller says of the tournament and its submission; times are seconds a player."""

    kind: str
    base_seconds: int
    increment_seconds: int
    federation_code: str
    registered_on: date
    submitted_on: date
    has_unequal_times: bool = False
    event_id: str = ""
    is_official: bool = False
    is_match: bool = False
    match_waiver: str = ""
    is_hybrid: bool = False
    pgn: bytes | None = None
    qc_approved: str = ""


@dataclass(frozen=True, slots=True)
class Submission:
    """Whether the report was accepted, why not, what was warned of, and the list that will take it."""

    tournament: Tournament | None
    refusals: tuple[Refusal, ...]
    warnings: tuple[str, ...] = ()
    list_date: date | None = None

    @property
    def is_accepted(self) -> bool:
        return not self.refusals


@dataclass(frozen=True, slots=True)
class Submitted:
    """A file as it is handed in, with the terms of its tournament."""

    content: bytes
    terms: Terms
    file_name: str


def submit(content: bytes, terms: Terms, *, file_name: str, at: datetime) -> Submission:
    """Register the tournament if it is new, submit and accept the report, and rate it.

    A registration that waits for the QC stays; one made for a report with errors does not. The same report again
    changes nothing.
    """
    with working_inline():
        return _submit(Submitted(content, terms, file_name), at=at)


def submit_all(files: Iterable[Submitted], *, at: datetime) -> Iterator[Submission]:
    """Submit many reports as `submit` does, by the group: in one transaction, and rated together.

    A group that fails as a whole is submitted one by one; what went in before a failure stays in.
    """
    for number, group in enumerate(batched(files, GROUP), 1):
        with working_in_groups(at), rare_collection():
            submissions = _together(group, at=at) or [_submit(submitted, at=at) for submitted in group]
        if number.bit_count() == 1:
            # After the first, second, fourth, eighth group: in empty tables each has doubled what there was.
            learn_sizes(Tournament, Report, Participant, Game)
        yield from submissions


def _together(group: Sequence[Submitted], *, at: datetime) -> list[Submission]:
    """Submit reports in one transaction and return what became of them; nothing of any of them where that fails."""
    try:
        with transaction.atomic(), federations_held():
            return [_submit(submitted, at=at) for submitted in group]
    except Exception:
        logger.exception("reports failed together", reports=len(group))
        return []


def _submit(submitted: Submitted, *, at: datetime) -> Submission:
    trf = read_report(submitted.content)
    refusals = _unreadable(trf)
    if refusals:
        return Submission(None, tuple(refusals))
    try:
        with transaction.atomic():
            tournament = _registered(_request(trf, submitted.terms), submitted.terms, at=at)
            return _handed_in(tournament, submitted, trf, at=at)
    except RefusedError as error:
        return Submission(None, error.refusals)


def _unreadable(trf: TrfReport) -> list[Refusal]:
    """Return why no tournament can be read from the file: what has no players or no days is no report."""
    if not trf.players:
        errors = [item for item in check_report(trf) if item.severity == Severity.ERROR]
        return [Refusal(item.code, item.message) for item in errors]
    if trf.start is None or trf.end is None:
        message = _(
            "The report does not say on which days the event was played; write 042 and 052 as YYYY/MM/DD."
        )
        return [Refusal("event-days-missing", message)]
    return []


def _request(trf: TrfReport, terms: Terms) -> RegistrationRequest:
    start, end = trf.start or terms.submitted_on, trf.end or terms.submitted_on
    return RegistrationRequest(
        name=trf.name or terms.event_id,
        federation_code=terms.federation_code,
        kind=terms.kind,
        base_seconds=terms.base_seconds,
        increment_seconds=terms.increment_seconds,
        has_unequal_times=terms.has_unequal_times,
        start=start,
        end=end,
        city=trf.city[:80],
        event_id=terms.event_id,
        schedule=[day.isoformat() if day else None for day in trf.round_dates],
        chief_arbiter=trf.chief_arbiter[:120],
        is_official=terms.is_official,
        is_match=terms.is_match,
        match_waiver=terms.match_waiver,
        is_hybrid=terms.is_hybrid,
    )


def _registered(request: RegistrationRequest, terms: Terms, *, at: datetime) -> Tournament:
    event_id = request.event_id or event_id_for(request)
    tournament = Tournament.objects.select_for_update().filter(event_id=event_id).first()
    if tournament is None:
        tournament = register_tournament(request, by=None, on=terms.registered_on, at=at)
    else:
        _same_event(tournament, request)
    undecided = (Registration.WAITING, Registration.REFUSED)
    if terms.qc_approved.strip() and tournament.registration in undecided:
        decide(tournament, Action.ALLOW, reason=terms.qc_approved, by=None, at=at)
    return tournament


def _same_event(tournament: Tournament, request: RegistrationRequest) -> None:
    """Refuse a report for an event id under which another kind or federation is registered."""
    said = (request.kind, request.federation_code)
    if said == (tournament.kind, tournament.federation_id):
        return
    message = _("Event %(event)s is registered as a %(kind)s tournament of %(federation)s.") % {
        "event": tournament.event_id,
        "kind": tournament.kind,
        "federation": tournament.federation_id,
    }
    raise RefusedError([Refusal("other-event", message)])


def _handed_in(tournament: Tournament, submitted: Submitted, trf: TrfReport, *, at: datetime) -> Submission:
    terms = submitted.terms
    upload = Upload(
        submitted.content, submitted.file_name, by=None, on=terms.submitted_on, at=at, pgn=terms.pgn, trf=trf
    )
    try:
        report, refusals = submit_locked(tournament, upload, acknowledge=_acknowledgement)
    except RefusedError as error:
        # Nothing of the report is written; the registration stays.
        return Submission(tournament, error.refusals)
    if refusals:
        return Submission(tournament, refusals)
    return Submission(tournament, (), warnings_of(report), expected_list(tournament, report))


def _acknowledgement(report: Report) -> str:
    return "Printed and acknowledged by the command." if warnings_of(report) else ""


def warnings_of(report: Report) -> tuple[str, ...]:
    """Return the warnings stored with a report, each with its line."""
    return tuple(
        f"line {item['line']}: {item['message']}" if item["line"] else item["message"]
        for item in report.findings
        if item["severity"] == Severity.WARNING
    )


def expected_list(tournament: Tournament, report: Report) -> date | None:
    """Return the list that has taken an accepted report, or the next that will; None for one not accepted."""
    if report.accepted_on is None:
        return None
    if tournament.stage == Stage.PUBLISHED:
        taken = RatingList.objects.filter(tournament_ratings__report=report).values_list("date", flat=True)
        if (on := taken.first()) is not None:
            return on
    lists = RatingList.objects.of_kind(tournament.kind).order_by("-date")
    return regulations.next_list_for(
        tournament.end,
        is_official=tournament.is_official,
        accepted_on=report.accepted_on,
        newest=lists.values_list("date", flat=True).first(),
    )
