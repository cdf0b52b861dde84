"""Reports of chief arbiters: checked, sent to the rating officer, added or returned.

The arbiter submits nothing for rating. A sent report becomes a version when an officer (FIDE staff for an official
event) adds it; from then on it is like one that the officer uploads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from core.digests import sha256_of
from core.errors import Refusal, RefusedError, refused
from core.pages import Page
from players.cases import (
    RULES,
    CaseRules,
    CaseTask,
    close_overtaken,
    decide,
    nothing,
    only,
    open_case,
    reopen,
)
from players.choices import CaseKind, CaseState
from players.federations import Federations
from tournaments.cases import hold_tournament
from tournaments.checking import check_contents
from tournaments.choices import Action, Stage
from tournaments.corrected_versions import changed_content, corrected_name
from tournaments.files import safe_file_name
from tournaments.limits import refuse_too_many_bytes
from tournaments.line_changes import ChangedLine
from tournaments.log import record_action, tournament_acts
from tournaments.lookups import Lookups
from tournaments.models import HandedReport, Handover, Report, Tournament
from tournaments.models.handed_report import CHECKED
from tournaments.permissions import can_report, for_arbiter_or_user, reported_by
from tournaments.portal_reasons import SENTENCES
from tournaments.report_barriers import report_refusals
from tournaments.reports import Upload, stored_bytes
from tournaments.steps import Progress
from tournaments.trf import Report as ReadReport
from tournaments.trf import read_report
from tournaments.uploaded_files import TrfFile, as_trf, keep_file

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
        refusals = [*handover_refusals(locked, on=upload.on, federations=lookups.federations)]
        if refusals:
            raise RefusedError(refusals)
        draft = as_trf(locked, upload.content, upload.file_name)
        report, on = draft.trf or read_report(draft.content), upload.on
        checked = check_contents(report, locked, on=on, lookups=lookups, pgn=upload.pgn, is_arbiters=True)
        hashes = {"sha256": _hash(draft.content), "pgn_sha256": _hash(upload.pgn)}
        same = locked.handed_reports.filter(**hashes, handover=None).first()
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


def handover_refusals(tournament: Tournament, *, on: date, federations: Federations) -> Iterator[Refusal]:
    """Yield why a tournament takes no report of its arbiter on a day: who has results to correct asks for that."""
    yield from report_refusals(tournament, on=on, federations=federations)
    if tournament.stage in (Stage.REPORTED, Stage.RATED):
        yield Refusal("accepted", _("The report is accepted. Correct a result in the crosstable."))


def can_be_taken(handed: HandedReport, progress: Progress) -> bool:
    """Return whether an arbiter's report waits and its tournament still takes it: it is added or returned."""
    return handed.state == CaseState.WAITING and progress.report_step == "take"


def keep_fixed(
    handed: HandedReport, read: ReadReport, changes: Sequence[ChangedLine], *, by: Any, on: date, at: datetime
) -> HandedReport:
    """Store an arbiter's report with changed lines as another one, checked; `RefusedError` as `keep_checked`."""
    content, name = changed_content(handed, read, changes), corrected_name(handed.file_name)
    pgn = stored_bytes(handed.pgn) if handed.pgn_sha256 else None
    upload = Upload(content=content, file_name=name, by=by, on=on, at=at, pgn=pgn)
    return keep_checked(handed.tournament, upload)


def check_handed_again(handed: HandedReport, *, on: date) -> None:
    """Judge an arbiter's report that waits by what is known on the day on which it is opened (D-139)."""
    if handed.state not in (CHECKED, CaseState.WAITING):
        return
    pgn = stored_bytes(handed.pgn) if handed.pgn_sha256 else None
    trf = read_report(bytes(handed.content))
    checked = check_contents(trf, handed.tournament, on=on, lookups=Lookups(), pgn=pgn, is_arbiters=True)
    handed.findings = checked.findings_as_json()
    HandedReport.objects.filter(pk=handed.pk).update(findings=handed.findings)


def hand_over(handed: HandedReport, *, remark: str, by: Any, at: datetime) -> bool:
    """Send a checked report and return whether this call did; it replaces one that is waiting.

    `RefusedError` if the tournament accepts no report, or for errors without a remark.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=handed.tournament_id)
        refusals = [
            *handover_refusals(tournament, on=at.date(), federations=Federations()),
            *_remark_refusals(handed, remark),
        ]
        if refusals:
            raise RefusedError(refusals)
        if Handover.objects.filter(file=handed).exists():
            return False
        # First, as one waits for each tournament.
        close_overtaken(Handover.objects.filter(tournament=tournament), by=by, at=at)
        sent = Handover(tournament=tournament, file=handed, reason=remark.strip(), asked_by=by, asked_at=at)
        open_case(sent, second=_not_waiting())
    return True


def take_over(handed: HandedReport, *, by: Any, at: datetime, seen: str | None = None) -> Report:
    """Make an arbiter's report a version of one's own and return it; taken twice it is the same version.

    Its findings are those of the whole portal as of today. `RefusedError` where it does not wait any more, no report
    of the tournament can be taken, or a step follows the one that the author has `seen` last.
    """
    if handed.sent is None:
        raise RefusedError([_not_waiting()])
    is_done = decide(handed.sent, CaseState.APPROVED, by=by, at=at, seen=seen)
    sent = Handover.objects.select_related("report").get(pk=handed.sent.pk)
    # The second click, or another officer's at the same moment: both get the version of the first.
    if sent.report is None or not (is_done or sent.state == CaseState.APPROVED):
        raise RefusedError([_not_waiting()])
    return sent.report


def send_back(handed: HandedReport, *, reason: str, by: Any, at: datetime, seen: str | None = None) -> bool:
    """Send an arbiter's report back with a reason and return whether this call did.

    `RefusedError` without a reason, and where a step follows the one that the author has `seen` last.
    """
    if handed.sent is None:
        raise RefusedError([_not_waiting()])
    return decide(handed.sent, CaseState.REFUSED, answer=reason, by=by, at=at, seen=seen)


# Not while another report waits: only one of a tournament does.
def undo_send_back(tournament: Tournament, *, by: Any, at: datetime) -> bool:
    """Undo the last return of a report, and return whether this call did.

    The reason of the return stays in the audit log. Call it in a transaction that locks the tournament.
    """
    sent = Handover.objects.filter(tournament=tournament)
    newest = sent.filter(state=CaseState.REFUSED).order_by("-decided_at", "-pk").first()
    if newest is None or sent.filter(state=CaseState.WAITING).exists():
        return False
    reopen(newest)
    record_action(tournament, Action.KEEP, reason=SENTENCES.state("return-undone"), by=by, at=at)
    return True


def _not_waiting() -> Refusal:
    return Refusal("not-waiting", _("The report was returned, or a later one was sent meanwhile."))


def _keep_version(sent: Handover, answer: str, *, by: Any, at: datetime) -> dict[str, Any]:
    """Make the file a version of the report."""
    held, on = sent.file, at.astimezone(UTC).date()
    original, name = stored_bytes(held.original), held.original_name
    draft = TrfFile(bytes(held.content), held.file_name, original=original, original_name=name)
    # Checked anew: the arbiter's check left out what is not published of other tournaments.
    kept = keep_file(sent.tournament, draft, by=by, on=on, at=at, pgn=stored_bytes(held.pgn))
    return {"report": kept}


def _about(sent: Handover, state: CaseState) -> dict[str, Any]:
    if state == CaseState.APPROVED and sent.report is not None:
        return {"reason": _("Version %(version)d of the report.") % {"version": sent.report.version}}
    return {} if sent.answer or sent.reason else {"reason": sent.file.file_name}


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


RULES[CaseKind.HANDED] = CaseRules(
    task=CaseTask(
        _l("Add or return the report"),
        pgettext_lazy("report", "Open"),
        "reports",
        lambda row: Page("desk:handed", row.tournament.event_id, row.file.number),
    ),
    related=("file",),
    left_out=("file__content", "file__original", "file__pgn"),
    seen_by=lambda user: Q(tournament__in=for_arbiter_or_user(user).values("pk")),
    waits_for=lambda user, today: Q(tournament__in=reported_by(user).values("pk")),
    bar=only(
        lambda user, sent: user is None or can_report(user, sent.tournament),
        _l("Only the rating officer of the tournament can add or return it."),
    ),
    begin=hold_tournament,
    grant=_keep_version,
    # The tournament is the officer's own.
    concerned=nothing,
    record=tournament_acts(
        {
            CaseState.WAITING: Action.HAND_OVER,
            CaseState.APPROVED: Action.TAKE,
            CaseState.REFUSED: Action.SEND_BACK,
        },
        _about,
    ),
)
