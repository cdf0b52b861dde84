"""Exchanging the accepted reports of two events whose files were swapped at upload, in one act before publication."""

from __future__ import annotations

from datetime import date, datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from core.sql import lock_until_commit
from players.choices import CaseKind, CaseState
from tournaments.changed_meanwhile import refuse_unseen
from tournaments.choices import Action, ReportState
from tournaments.drafts import answers_in
from tournaments.log import record_action
from tournaments.lookups import Lookups
from tournaments.models import Report, Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.report_barriers import acknowledgement_of
from tournaments.reports import (
    ACCEPTANCES,
    Upload,
    decide_on_report,
    former_versions,
    stored_bytes,
    write_decided,
)
from tournaments.trf import Severity


def exchange_reports(
    tournament: Tournament,
    other: Tournament,
    *,
    reason: str,
    by: Any,
    on: date,
    at: datetime,
    seen: str | None = None,
) -> None:
    """Accept the report of each of two events for the other one, both or neither, with one reason.

    Each is checked for its new event as an upload is, without what is accepted for the two now. `RefusedError` where
    one of them is on hold, has errors there, cannot be reported any more, or a step follows the last that the author
    has `seen`.
    """
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved with both reports."), "reason")
    with transaction.atomic():
        # Locked in one order, as a list locks the tournaments that it takes.
        both = Tournament.objects.select_for_update().filter(pk__in=[tournament.pk, other.pk]).order_by("pk")
        locked = {one.pk: one for one in both}
        refuse_unseen(locked[tournament.pk], seen)
        # A hold is on the games, which would leave it behind.
        for one in locked.values():
            if one.cases.filter(kind=CaseKind.HOLD, state=CaseState.WAITING).exists():
                message = _("The report of %(name)s is on hold. Wait for the decision of the QC.")
                raise refused("on-hold", message % {"name": one.name})
        accepted = {
            one.tournament_id: one
            for one in Report.objects.filter(tournament__in=locked, state=ReportState.ACCEPTED)
        }
        if len(accepted) != 2 or len({one.sha256 for one in accepted.values()}) != 2:
            raise refused("not-exchangeable", _("Two events with different accepted reports are needed."))
        lock_until_commit(ACCEPTANCES)
        lookups, former = Lookups(), former_versions(locked.values())
        lookups.leave_out(locked)
        decided = []
        refusals: list[Refusal] = []
        for key, one in locked.items():
            (new,) = (report for owner, report in accepted.items() if owner != key)
            upload = Upload(bytes(new.content), new.file_name, by, on, at, stored_bytes(new.pgn))
            decision = decide_on_report(
                one,
                upload,
                former[key],
                acknowledge=partial(_answers, reason=reason, former=new),
                lookups=lookups,
            )
            refusals += [
                Refusal(item.code, f"{one.name} ({one.event_id}): {item.message}")
                for item in decision.refusals
            ]
            decided.append(decision)
        if refusals:
            raise RefusedError(refusals)
        events = {one.pk: one.event_id for one in locked.values()}
        for key, one in locked.items():
            (name,) = (event for owner, event in events.items() if owner != key)
            stated = SENTENCES.state("exchanged", event=name, words=reason)
            record_action(one, Action.REPORT, reason=stated, by=by, at=at)
        write_decided(decided, by=by, at=at, lookups=lookups, dispatch=None)


def _answers(report: Report, *, reason: str, former: Report) -> str:
    """Return the reason as the answer to each finding that takes one, and what was answered of the lines (D-130)."""
    codes = {item["code"] for item in report.findings if item["severity"] != Severity.NOTICE}
    lines = answers_in(former.acknowledgement_stated)
    return acknowledgement_of(dict.fromkeys(sorted(codes), reason.strip()), reason.strip(), lines=lines)
