"""Linking FIDE IDs that became known after their report was accepted (D-139)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.dispatch import receiver

from players.models import Player
from players.registration import player_registered
from tournaments.awaited_ids import lines_known_since
from tournaments.checking import CheckedReport, check_contents
from tournaments.choices import Action, ReportState, Stage
from tournaments.log import record_action
from tournaments.lookups import Lookups
from tournaments.models import Participant, Report, Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.reports import stored_bytes
from tournaments.signals import Dispatch, reports_accepted
from tournaments.trf import Severity, read_report
from tournaments.trf.findings import OF_ANOTHER_PERSON


def link_known_ids(
    *, at: datetime, dispatch: Dispatch | None = None, fide_id: int | None = None
) -> list[Report]:
    """Link the lines of reports whose FIDE ID is known now, have the reports rated anew, and return them.

    Reports that a list has taken are left to a correction by staff, and so are IDs of somebody else by name or year of
    birth. `fide_id` is the only one that became known.
    """
    lines = lines_known_since().exclude(report__tournament__stage=Stage.PUBLISHED)
    if fide_id is not None:
        lines = lines.filter(fide_id=fide_id)
    tournaments = set(lines.values_list("report__tournament", flat=True))
    if not tournaments:
        return []
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().filter(pk__in=tournaments).order_by("pk")
        reports = [report for tournament in locked if (report := _linked(tournament, at=at)) is not None]
        if reports:
            reports_accepted.send(Report, reports=reports, at=at, dispatch=dispatch)
    return reports


def _linked(tournament: Tournament, *, at: datetime) -> Report | None:
    """Link the lines of a locked tournament's report and return it; None where nothing is to be linked."""
    # Asked again under the lock: a list may have taken it meanwhile, or another version may be the accepted one.
    report = tournament.reports.filter(state=ReportState.ACCEPTED).first()
    if report is None or tournament.stage == Stage.PUBLISHED:
        return None
    report.tournament = tournament
    trf = read_report(bytes(report.content))
    pgn = stored_bytes(report.pgn)
    checked = check_contents(trf, tournament, on=at.date(), lookups=Lookups(), pgn=pgn)
    lines = {line.number: line for line in lines_known_since().filter(report=report)}
    doubtful = {
        item.line
        for item in checked.findings
        if item.code in OF_ANOTHER_PERSON or item.severity == Severity.ERROR
    }
    places = {record.number: record.line for record in checked.report.players}
    known = {
        number: player
        for number, player in checked.players.items()
        if number in lines and places[number] not in doubtful
    }
    if not known:
        return None
    for number, player in known.items():
        lines[number].player = player
    Participant.objects.bulk_update([lines[number] for number in known], ["player"])
    report.findings = _findings_of(report, checked, {places[number] for number in known})
    report.save(update_fields=["findings"])
    ids = ", ".join(str(lines[number].fide_id) for number in sorted(known))
    record_action(tournament, Action.REPORT, reason=SENTENCES.state("ids-known", ids=ids), by=None, at=at)
    # No list takes it before it is rated anew.
    Tournament.objects.filter(pk=tournament.pk).update(stage=Stage.REPORTED)
    return report


def _findings_of(report: Report, checked: CheckedReport, lines: set[int]) -> list[dict[str, Any]]:
    """Return the findings of a report, at some lines as they are now; the others were answered as they are."""
    others = [one for one in report.findings if one["line"] not in lines]
    return [*others, *(one for one in checked.findings_as_json() if one["line"] in lines)]


@receiver(player_registered)
def link_registered(
    sender: Any, *, player: Player | None, at: datetime, dispatch: Dispatch | None, **kwargs: Any
) -> None:
    """Link the lines that named the FIDE ID of a new player, or of many."""
    link_known_ids(at=at, dispatch=dispatch, fide_id=player.pk if player else None)
