"""Reports of chief arbiters: checked, sent to the rating officer, added or returned.

The arbiter submits nothing for rating. A sent report becomes a version when an officer (FIDE staff for an official
event) adds it; from then on it is like one that the officer uploads.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from core.digests import sha256_of
from core.errors import Refusal, RefusedError, refused
from players.queries.federations import Federations
from tournaments.choices import Action, HandedState
from tournaments.models import HandedReport, Report, Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.queries.lookups import Lookups
from tournaments.services.audit_log import record_action
from tournaments.services.changed_meanwhile import hold_to_what_was_seen
from tournaments.services.checking import check_contents
from tournaments.services.file_names import safe_file_name
from tournaments.services.limits import refuse_too_many_bytes
from tournaments.services.report_barriers import report_refusals
from tournaments.services.reports import Upload, stored_bytes
from tournaments.services.uploaded_files import TrfFile, as_trf, keep_file
from tournaments.trf import read_report

# Every file that an arbiter has checked for a tournament is kept; so many are enough for any.
MAX_KEPT = 50


def keep_checked(tournament: Tournament, upload: Upload) -> HandedReport:
    """Check a report for its chief arbiter and store it with its check results, without sending it.

    A crosstable is stored as its TRF draft, with the file. The same files again return the stored report, checked
    again, unless it was sent. `RefusedError` if the tournament accepts no report, or a crosstable cannot be read.
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        lookups = Lookups()
        refusals = [*report_refusals(locked, on=upload.on, federations=lookups.federations)]
        if refusals:
            raise RefusedError(refusals)
        draft = as_trf(locked, upload.content, upload.file_name)
        report, on = read_report(draft.content), upload.on
        checked = check_contents(report, locked, on=on, lookups=lookups, pgn=upload.pgn, is_arbiters=True)
        hashes = {"sha256": _hash(draft.content), "pgn_sha256": _hash(upload.pgn)}
        same = locked.handed_reports.filter(**hashes, state=HandedState.CHECKED).first()
        # What the portal knows may have changed since: the findings are those of now.
        if same is not None:
            same.findings = checked.findings_as_json()
            same.save(update_fields=["findings"])
            return same
        refuse_too_many_bytes(upload.by, [draft.content, draft.original, upload.pgn], at=upload.at)
        return HandedReport.objects.create(
            tournament=locked,
            number=_next_number(locked),
            file_name=safe_file_name(draft.file_name),
            content=draft.content,
            original=draft.original,
            original_name=safe_file_name(draft.original_name) if draft.original else "",
            pgn=upload.pgn,
            **hashes,
            findings=checked.findings_as_json(),
            checked_by=upload.by,
            checked_at=upload.at,
        )


def check_handed_again(handed: HandedReport, *, on: date) -> None:
    """Judge an arbiter's report that waits by what is known on the day on which it is opened (D-139)."""
    if handed.state not in (HandedState.CHECKED, HandedState.WAITING):
        return
    pgn = stored_bytes(handed.pgn) if handed.pgn_sha256 else None
    trf = read_report(bytes(handed.content))
    checked = check_contents(trf, handed.tournament, on=on, lookups=Lookups(), pgn=pgn, is_arbiters=True)
    handed.findings = checked.findings_as_json()
    HandedReport.objects.filter(pk=handed.pk, state=handed.state).update(findings=handed.findings)


def hand_over(handed: HandedReport, *, remark: str, by: Any, at: datetime) -> bool:
    """Send a checked report and return whether this call did; it replaces one that is waiting.

    `RefusedError` if the tournament accepts no report, or for errors without a remark.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=handed.tournament_id)
        refusals = [
            *report_refusals(tournament, on=at.date(), federations=Federations()),
            *_remark_refusals(handed, remark),
        ]
        if refusals:
            raise RefusedError(refusals)
        own = tournament.handed_reports.filter(pk=handed.pk, state=HandedState.CHECKED)
        if not own.exists():
            return False
        # First, as the database allows one that waits for each tournament.
        tournament.handed_reports.filter(state=HandedState.WAITING).update(state=HandedState.REPLACED)
        own.update(state=HandedState.WAITING, remark=remark.strip(), handed_by=by, handed_at=at)
        record_action(tournament, Action.HAND_OVER, reason=remark.strip() or handed.file_name, by=by, at=at)
    return True


def take_over(handed: HandedReport, *, by: Any, on: date, at: datetime, seen: str | None = None) -> Report:
    """Make an arbiter's report a version of one's own and return it; taken twice it is the same version.

    Its findings are those of the whole portal as of today. `RefusedError` where it does not wait any more, no report
    of the tournament can be taken, or a step follows the one that the author has `seen` last.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=handed.tournament_id)
        held = tournament.handed_reports.select_related("report").get(pk=handed.pk)
        # The second click, or another officer's at the same moment: both get the version of the first.
        if held.report is not None:
            return held.report
        if held.state != HandedState.WAITING:
            raise refused("not-waiting", _("The report was returned, or a later one was sent meanwhile."))
        hold_to_what_was_seen(tournament, seen)
        pgn = stored_bytes(held.pgn)
        original = stored_bytes(held.original)
        draft = TrfFile(bytes(held.content), held.file_name, original, held.original_name)
        # Checked anew: the arbiter's check left out what is not published of other tournaments.
        report = keep_file(tournament, draft, by=by, on=on, at=at, pgn=pgn)
        tournament.handed_reports.filter(pk=held.pk).update(
            state=HandedState.TAKEN, report=report, decided_by=by, decided_at=at
        )
        reason = _("Version %(version)d of the report.") % {"version": report.version}
        record_action(tournament, Action.TAKE, reason=reason, by=by, at=at)
    return report


def send_back(handed: HandedReport, *, reason: str, by: Any, at: datetime, seen: str | None = None) -> bool:
    """Send an arbiter's report back with a reason and return whether this call did.

    `RefusedError` without a reason, and where a step follows the one that the author has `seen` last.
    """
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The chief arbiter will see it."), "reason")
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=handed.tournament_id)
        waiting = tournament.handed_reports.filter(pk=handed.pk, state=HandedState.WAITING)
        # Without this look a second click would be refused because of its own first step.
        if waiting.exists():
            hold_to_what_was_seen(tournament, seen)
        done = waiting.update(state=HandedState.RETURNED, reason=reason.strip(), decided_by=by, decided_at=at)
        if done:
            record_action(tournament, Action.SEND_BACK, reason=reason, by=by, at=at)
    return bool(done)


# Not while another report waits: only one of a tournament does.
def undo_send_back(tournament: Tournament, *, by: Any, at: datetime) -> bool:
    """Undo the last return of a report, and return whether this call did.

    The reason of the return stays in the audit log. Call it in a transaction that locks the tournament.
    """
    returned = tournament.handed_reports.filter(state=HandedState.RETURNED).order_by("-decided_at", "-pk")
    newest = returned.first()
    if newest is None or tournament.handed_reports.filter(state=HandedState.WAITING).exists():
        return False
    tournament.handed_reports.filter(pk=newest.pk).update(
        state=HandedState.WAITING, reason="", decided_by=None, decided_at=None
    )
    record_action(tournament, Action.KEEP, reason=SENTENCES.state("return-undone"), by=by, at=at)
    return True


def _next_number(tournament: Tournament) -> int:
    newest: int = tournament.handed_reports.aggregate(newest=Max("number"))["newest"] or 0
    if newest >= MAX_KEPT:
        message = _(
            "%(most)d files of this tournament were checked, which is the limit. The rating officer "
            "uploads the next one."
        )
        raise refused("too-many-files", message % {"most": MAX_KEPT}, "report")
    return newest + 1


def _remark_refusals(handed: HandedReport, remark: str) -> list[Refusal]:
    has_errors = any(finding["severity"] == "error" for finding in handed.findings)
    # The arbiter cannot correct every error, as one of the registration: the remark explains it to the officer.
    if not has_errors or remark.strip():
        return []
    message = _("The report has errors. Correct them, or explain in the remark why you send it as it is.")
    return [Refusal("remark-missing", message, "remark")]


def _hash(content: bytes | None) -> str:
    return "" if content is None else sha256_of(content)
