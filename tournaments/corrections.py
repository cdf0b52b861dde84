"""Corrections of reports and conditions that replace published ones (D-11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from itertools import chain
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from core.digests import sha256_of
from core.errors import Refusal, RefusedError, refused
from players.choices import CaseState
from players.models import LogEntry, Player
from tournaments.amendments import Condition
from tournaments.appeals import decision_not_to_rate
from tournaments.awaited_ids import lines_known_since
from tournaments.checking import CheckedReport, check_contents
from tournaments.choices import TAKING_BACK, Action, Registration, ReportState, Stage
from tournaments.conditions import COLUMNS, CORRECTED, Conditions, changed
from tournaments.log import record_action
from tournaments.lookups import Lookups
from tournaments.marked_report import finding_refusal
from tournaments.marks import Mark, apply_marks, kept_marks, marks_in, marks_refusals, write_marks
from tournaments.models import Appeal, Participant, Report, Tournament
from tournaments.registration import (
    is_far_away,
    match_refusals,
    time_control_refusals,
    waiver_refusals,
)
from tournaments.registration_changes import Change, stored_change
from tournaments.report_barriers import standing_errors
from tournaments.reports import (
    kept_report,
    stored_bytes,
    write_contents,
)
from tournaments.requested_changes import stored_value
from tournaments.signals import reports_accepted
from tournaments.trf import read_report
from tournaments.trf.findings import LIFTED_BY_REASON


def rate_again(report: Report, tournament: Tournament, *, on: date, at: datetime) -> None:
    """Queue the rating of an accepted report by conditions that were changed before publication (D-82).

    `RefusedError` if it has errors by them. The caller opens the transaction.
    """
    # The accepted version agreed with the former conditions; with the new ones it may have errors.
    pgn, read = stored_bytes(report.pgn), read_report(bytes(report.content))
    checked = check_contents(read, tournament, on=on, lookups=Lookups(), pgn=pgn)
    if errors := standing_errors(checked, tournament):
        raise RefusedError([finding_refusal(item) for item in errors])
    report.tournament = tournament
    Tournament.objects.filter(pk=tournament.pk).update(stage=Stage.REPORTED)
    reports_accepted.send(Report, reports=[report], at=at, dispatch=None)


def prepare_correction(
    tournament: Tournament,
    content: bytes | None,
    *,
    file_name: str,
    by: Any,
    on: date,
    at: datetime,
    marks: Sequence[Mark] = (),
    is_rated_anew: bool = False,
) -> Report | None:
    """Check and store a corrected report with its participants and games, not accepted yet; None withdraws.

    The current report is allowed if it `is_rated_anew` because of a late list (D-77).
    `marks` are games that are not rated, or rated again (4.1), in addition to those of the former version (D-100).
    `RefusedError` if the report has errors, lacks a marked pairing, or is the current one. The caller opens the
    transaction.
    """
    if content is None:
        return None
    standing = tournament.reports.filter(state=ReportState.ACCEPTED)
    # With a mark, a list that came late, or a FIDE ID that is known now (D-139), the same bytes give other ratings.
    may_stand = bool(marks) or is_rated_anew or lines_known_since().filter(report__in=standing).exists()
    if not may_stand and standing.filter(sha256=sha256_of(content)).exists():
        raise refused("same-report", _("This is already the accepted report."))
    lookups, kept = Lookups(), kept_marks(tournament)
    checked = check_contents(read_report(content), tournament, on=on, lookups=lookups)
    checked = replace(checked, players=_players_as_before(tournament, checked))
    # A correction has a reason, and shows what leaves before it is made (D-135).
    errors = [item for item in standing_errors(checked, tournament) if item.code not in LIFTED_BY_REASON]
    # First of all, whether the file is of another tournament. Two dates that differ say the same of both.
    told = [*(item for item in checked.findings if item.code == "event-name"), *errors] if errors else []
    refusals = [*dict.fromkeys(finding_refusal(item, "report") for item in told)]
    if refusals or (refusals := [*marks_refusals(checked.report, checked.players, kept)]):
        raise RefusedError(refusals)
    version = (tournament.reports.aggregate(newest=Max("version"))["newest"] or 0) + 1
    report = kept_report(
        tournament, content, checked, version=version, file_name=file_name, by=by, on=on, at=at
    )
    _carry_pgn(tournament, report)
    report.save(force_insert=True)
    write_contents([(report, checked)], lookups)
    write_marks(report, [mark for _kept, mark in marks_in(checked.report, checked.players, kept) if mark])
    apply_marks(report, marks)
    return report


def _carry_pgn(tournament: Tournament, report: Report) -> None:
    """Give a corrected report the games that came with the newest version that has them (8.4)."""
    versions = tournament.reports.filter(pgn__isnull=False).order_by("-version")
    newest = versions.values_list("pgn", "pgn_sha256").first()
    if newest is not None:
        report.pgn, report.pgn_sha256 = newest


def _players_as_before(tournament: Tournament, checked: CheckedReport) -> dict[int, Player]:
    """Return who is who by starting rank: a FIDE ID of an earlier version stays the player that it was then.

    One that was merged since had its own rating at the start; lists lead it to the person by themselves, whichever of
    merge and correction came first (D-102).
    """
    earlier = Participant.objects.filter(report__tournament=tournament, player__isnull=False)
    earlier = earlier.exclude(report__state=ReportState.CHECKED).select_related("player").order_by("pk")
    before = {row.fide_id: row.player for row in earlier if row.player is not None}
    reported = {line.number: line.fide_id for line in checked.report.players}
    return {number: before.get(reported.get(number), player) for number, player in checked.players.items()}


def refuse_standing(tournament: Tournament, *, is_withdrawn: bool) -> None:
    """Refuse to withdraw an official event, and to bring back what FIDE Council decides or has dismissed (0.3, 0.4)."""
    if is_withdrawn:
        # They "shall be rated" (0.3).
        if tournament.is_official:
            raise refused(
                "official-0.3", _("Official FIDE and continental events must be rated (article 0.3).")
            )
        return
    decision = decision_not_to_rate(tournament)
    appeal = Appeal.objects.filter(decision=decision).first() if decision else None
    if appeal is not None and appeal.state != CaseState.APPROVED:
        message = _("An appeal against the decision not to rate is waiting for FIDE Council (article 0.4).")
        if appeal.state == CaseState.REFUSED:
            message = _("FIDE Council dismissed the appeal, so the tournament is not rated (article 0.4).")
        raise refused("appealed-0.4", message)


def decide_standing(
    tournament: Tournament,
    *,
    is_withdrawn: bool,
    reason: str,
    by: Any,
    at: datetime,
    changes: Sequence[Change] = (),
) -> None:
    """Record a correction; withdrawing is a decision not to rate, and what comes back is rated again (0.4, D-87)."""
    before = Registration(tournament.registration)
    decision, after, action = decision_not_to_rate(tournament), before, Action.CORRECT
    if is_withdrawn:
        after, action = Registration.NOT_RATED, Action.NOT_RATE
    elif decision is not None:
        after = _registration_before(decision)
    Tournament.objects.filter(pk=tournament.pk).update(registration=after)
    tournament.registration = after
    changed_from = (Stage.PUBLISHED if is_withdrawn else before) if before != after else ""
    record_action(tournament, action, reason=reason, before=changed_from, changes=changes, by=by, at=at)


def _registration_before(decision: LogEntry) -> Registration:
    """Return the registration before a decision not to rate; a withdrawal has that of the step before it."""
    if (decision.action, decision.before) != TAKING_BACK:
        return Registration(decision.before or Registration.APPROVED)
    former = LogEntry.objects.filter(tournament=decision.tournament_id, pk__lt=decision.pk).order_by("-pk")
    found = former.values_list("after", flat=True).first()
    return Registration(found or Registration.APPROVED)


def replace_published_report(former: Report, new: Report | None, *, on: date) -> None:
    """Replace the former report by a corrected one, or withdraw it; call it in a transaction."""
    if former.state != ReportState.WITHDRAWN:
        # One that was withdrawn before stays so in the history: it was not replaced.
        former.state = ReportState.WITHDRAWN if new is None else ReportState.REPLACED
        former.save(update_fields=["state"])
    if new is not None:
        new.state = ReportState.ACCEPTED
        new.accepted_on = on
        # The corrections have a reason of their own; that for the warnings still belongs to them.
        new.acknowledgement = former.acknowledgement
        new.acknowledgement_stated = former.acknowledgement_stated
        new.save(update_fields=["state", "accepted_on", "acknowledgement", "acknowledgement_stated"])


# Correcting the conditions of a tournament that has an accepted report.
WAIVER = ("match_waiver", "match_waiver_on")


def condition_amendments(tournament: Tournament, wanted: Conditions) -> list[Condition]:
    """Return what differs of the conditions that FIDE staff correct (`CORRECTED`), as amendments."""
    return [Condition(**stored_change(change)) for change in _changes(tournament, wanted)]


def _changes(tournament: Tournament, wanted: Conditions) -> list[Change]:
    return [*chain(*changed(CORRECTED, partial(getattr, tournament), wanted.value))]


def conditions_with(tournament: Tournament, amendments: Iterable[Condition]) -> Conditions:
    """Return the conditions of a tournament with amendments; `RefusedError` for a field that is not corrected."""
    values: dict[str, Any] = {name: getattr(tournament, name) for name in (*COLUMNS, *WAIVER)}
    for one in amendments:
        if one.field not in CORRECTED:
            raise refused("not-corrected", _("This condition cannot be corrected."), one.field)
        try:
            values[one.field] = stored_value(one.field, one.after)
        except ValueError as error:
            raise refused("not-corrected", _("This condition cannot be corrected."), one.field) from error
    return Conditions(federation_code=tournament.federation_id, **values)


def change_conditions(tournament: Tournament, wanted: Conditions, *, on: date) -> list[Change]:
    """Change the conditions of a locked tournament with an accepted report; return the stored changes (D-82).

    Published versions keep the former conditions. `RefusedError` if nothing differs, or a rule forbids it. The caller
    opens the transaction and queues the rating.
    """
    changes = _changes(tournament, wanted)
    refusals = [*_condition_refusals(tournament, wanted, {change["field"] for change in changes}, on=on)]
    if refusals:
        raise RefusedError(refusals)
    if tournament.stage == Stage.PUBLISHED:
        former = {name: stored_change({name: getattr(tournament, name)})[name] for name in CORRECTED}
        # Only where none are kept: a second correction must not replace those by which the list took the report.
        tournament.reports.filter(former_conditions__isnull=True).update(former_conditions=former)
    Tournament.objects.filter(pk=tournament.pk).update(
        **{change["field"]: change["after"] for change in changes}
    )
    tournament.refresh_from_db()
    return [stored_change(change) for change in changes]


def _condition_refusals(
    tournament: Tournament, wanted: Conditions, changed: set[str], *, on: date
) -> Iterator[Refusal]:
    if not changed:
        yield Refusal("nothing-changes", _("The tournament already has these conditions."))
    if (
        wanted.is_hybrid
        and not tournament.reports.filter(state=ReportState.ACCEPTED, pgn__isnull=False).exists()
    ):
        message = _(
            "The PGN of the games is missing. Reports of hybrid tournaments must include it (article 8.4)."
        )
        yield Refusal("hybrid-pgn-8.4", message, "is_hybrid")
    if wanted.end < wanted.start:
        yield Refusal(
            "end-before-start", _("The last day is before the first day. Correct one of them."), "end"
        )
    elif is_far_away(wanted.end, on):
        yield Refusal("far-away", _("The date is too far ahead."), "end")
    yield from time_control_refusals(wanted)
    yield from match_refusals(wanted)
    # An older waiver stays valid, also where its day would not be accepted today.
    if changed & {"match_waiver", "match_waiver_on"}:
        yield from waiver_refusals(wanted, on)
