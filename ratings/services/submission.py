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

from core.bulk import learn_sizes, no_collection
from ratings.models import RatingList
from ratings.queries.in_force import Lists
from ratings.services.runs import working_in_groups, working_inline
from ratings.services.submitted import ReadReport, Submitted, Terms, read_submitted
from tournaments import regulations
from tournaments.choices import Action, Registration, Stage
from tournaments.errors import Refusal, RefusedError
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.queries.lookups import Lookups
from tournaments.services.decisions import decide
from tournaments.services.registration import (
    NewRegistration,
    RegistrationRequest,
    new_registration,
    write_registrations,
)
from tournaments.services.reports import Decided, decide_on_report, write_decided
from tournaments.services.versions import former_versions
from tournaments.trf import Severity

GROUP = 50
# What is read of a report takes some thirty times its bytes.
GROUP_BYTES = 1_500_000
logger = structlog.get_logger(__name__)


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


def submit(content: bytes, terms: Terms, *, file_name: str, at: datetime) -> Submission:
    """Register the tournament if it is new, submit and accept the report, and rate it.

    A registration that waits for the QC stays; one made for a report with errors does not. The same report again
    changes nothing.
    """
    with working_inline():
        return _alone(read_submitted(Submitted(content, terms, file_name)), Lookups(), at=at)


def submit_all(files: Iterable[Submitted], *, at: datetime) -> Iterator[Submission]:
    """Submit many reports as `submit` does, by the group: in one transaction, and rated together.

    A group that fails as a whole is submitted one by one; what went in before a failure stays in.
    """
    for number, group in enumerate(_groups(files), 1):
        with no_collection():
            submissions = _submit_group(group, at=at)
        if number.bit_count() == 1:
            # After the first, second, fourth, eighth group: in empty tables each has doubled what there was.
            learn_sizes(Tournament, Report, Participant, Game)
        yield from submissions


def _submit_group(group: Sequence[Submitted], *, at: datetime) -> list[Submission]:
    reports = _read_all(group)
    lookups = Lookups()
    lookups.of(Lists).announce((item.request.kind, item.request.start, item.players) for item in reports)
    with working_in_groups(lookups, at):
        submissions = _together(reports, lookups, at=at)
    return submissions or [
        submit(item.content, item.terms, file_name=item.file_name, at=at) for item in group
    ]


def _groups(files: Iterable[Submitted]) -> Iterator[list[Submitted]]:
    """Yield so many files together as are held in memory at once."""
    group: list[Submitted] = []
    size = 0
    for submitted in files:
        bytes_more = len(submitted.content or b"")
        if group and (len(group) == GROUP or size + bytes_more > GROUP_BYTES):
            yield group
            group, size = [], 0
        group.append(submitted)
        size += bytes_more
    if group:
        yield group


def _read_all(group: Sequence[Submitted]) -> list[ReadReport]:
    """Read files; none of them where one cannot be read at all."""
    try:
        return [read_submitted(submitted) for submitted in group]
    except Exception:
        logger.exception("reports cannot be read together", reports=len(group))
        return []


def _alone(report: ReadReport, lookups: Lookups, *, at: datetime) -> Submission:
    try:
        with transaction.atomic():
            return _submitted([report], lookups, at=at)[0]
    except RefusedError as error:
        return Submission(None, error.refusals)


def _together(reports: Sequence[ReadReport], lookups: Lookups, *, at: datetime) -> list[Submission]:
    """Submit reports in one transaction and return what became of them; nothing of any of them where that fails."""
    try:
        with transaction.atomic():
            lookups.players.by_id({fide_id for item in reports for fide_id in item.players})
            submissions = (_submitted(events, lookups, at=at) for events in _different_events(reports))
            return [submission for some in submissions for submission in some]
    except Exception:
        logger.exception("reports failed together", reports=len(reports))
        return []


def _different_events(reports: Iterable[ReadReport]) -> Iterator[list[ReadReport]]:
    """Yield the reports in order, each event once in a list: another version waits for the one before it."""
    some: dict[str, ReadReport] = {}
    for report in reports:
        if report.event_id in some:
            yield list(some.values())
            some = {}
        some[report.event_id] = report
    if some:
        yield list(some.values())


def _submitted(reports: Sequence[ReadReport], lookups: Lookups, *, at: datetime) -> list[Submission]:
    """Submit reports of different events and return what became of each; `RefusedError` for a late registration."""
    found = {item.event_id: Submission(None, item.unreadable) for item in reports if item.unreadable}
    registered = _registered([item for item in reports if not item.unreadable], found, lookups, at=at)
    if registered:
        decided = _decided(registered, found, lookups, at=at)
        write_decided(decided, by=None, at=at, lookups=lookups)
        for item in decided:
            found[item.report.tournament.event_id] = _submission(item, lookups)
    return [found[item.event_id] for item in reports]


def _submission(decided: Decided, lookups: Lookups) -> Submission:
    report, tournament = decided.report, decided.report.tournament
    if decided.refusals:
        return Submission(tournament, decided.refusals)
    list_date = _expected_list(tournament, report, lookups.of(Lists))
    return Submission(tournament, (), _warnings(report), list_date)


def _decided(
    registered: Sequence[tuple[Tournament, ReadReport]],
    found: dict[str, Submission],
    lookups: Lookups,
    *,
    at: datetime,
) -> list[Decided]:
    """Return what becomes of the reports of registered tournaments, and put into `found` what is not taken at all."""
    tournaments = [tournament for tournament, _ in registered]
    former = former_versions(tournaments)
    players = {fide_id for _, item in registered for fide_id in item.players}
    lookups.announce_reports(players, tournaments)
    decided: list[Decided] = []
    for tournament, item in registered:
        versions = former[tournament.pk]
        try:
            decided.append(
                decide_on_report(
                    tournament, item.upload(at), versions, acknowledge=_acknowledgement, lookups=lookups
                )
            )
        except RefusedError as error:
            # Nothing of the report is written; the registration stays.
            found[item.event_id] = Submission(tournament, error.refusals)
    return decided


def _registered(
    reports: Sequence[ReadReport], found: dict[str, Submission], lookups: Lookups, *, at: datetime
) -> list[tuple[Tournament, ReadReport]]:
    """Return the tournaments of reports, locked or new, and put into `found` which cannot be registered."""
    there = Tournament.objects.select_for_update().filter(event_id__in=[item.event_id for item in reports])
    tournaments = {tournament.event_id: tournament for tournament in there.order_by("pk")}
    new: list[NewRegistration] = []
    for item in reports:
        try:
            if (tournament := tournaments.get(item.event_id)) is not None:
                _same_event(tournament, item.request)
            else:
                on = item.submitted.terms.registered_on
                new.append(new_registration(item.request, by=None, on=on, federations=lookups.federations))
        except RefusedError as error:
            found[item.event_id] = Submission(None, error.refusals)
    write_registrations(new, by=None, at=at)
    tournaments |= {item.tournament.event_id: item.tournament for item in new}
    registered = [(tournaments[item.event_id], item) for item in reports if item.event_id not in found]
    for tournament, item in registered:
        _allow(tournament, item.submitted.terms, at=at)
    return registered


def _allow(tournament: Tournament, terms: Terms, *, at: datetime) -> None:
    """Note what the QC has decided on a registration that waits for it."""
    undecided = (Registration.WAITING, Registration.REFUSED)
    if terms.qc_approved.strip() and tournament.registration in undecided:
        decide(tournament, Action.ALLOW, reason=terms.qc_approved, by=None, at=at)


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


def _acknowledgement(report: Report) -> str:
    return "Printed and acknowledged by the command." if _warnings(report) else ""


def _warnings(report: Report) -> tuple[str, ...]:
    """Return the warnings stored with a report, each with its line."""
    return tuple(
        f"line {item['line']}: {item['message']}" if item["line"] else item["message"]
        for item in report.findings
        if item["severity"] == Severity.WARNING
    )


def _expected_list(tournament: Tournament, report: Report, lists: Lists) -> date | None:
    """Return the list that has taken an accepted report, or the next that will; None for one not accepted."""
    if report.accepted_on is None:
        return None
    if tournament.stage == Stage.PUBLISHED:
        taken = RatingList.objects.filter(tournament_ratings__report=report).values_list("date", flat=True)
        if (on := taken.first()) is not None:
            return on
    return regulations.next_list_for(
        tournament.end,
        is_official=tournament.is_official,
        accepted_on=report.accepted_on,
        newest=next((item.date for item in lists.newest_first if item.kind == tournament.kind), None),
    )
