"""Reports of chief arbiters: checked, sent to the rating officer, and added or returned.

The rating officer adds chief arbiters to a tournament. The arbiter submits nothing for rating. A sent report becomes a
version when an officer (FIDE staff for an official event) adds it; from then on it is like one that the officer
uploads.
"""

from __future__ import annotations

import hashlib
from datetime import date, datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from players.choices import Role
from players.models import Invitation
from players.permissions import can_invite
from players.queries.federations import Federations
from players.services.invitations import invite
from tournaments.choices import RETURN_UNDONE, Action, HandedState
from tournaments.models import HandedReport, NamedArbiter, Report, Tournament
from tournaments.queries.lookups import Lookups
from tournaments.services.audit_log import record_action
from tournaments.services.changed_meanwhile import hold_to_what_was_seen
from tournaments.services.checking import check_contents, report_refusals
from tournaments.services.crosstables import Draft, as_trf, upload_draft
from tournaments.services.limits import refuse_too_many_bytes
from tournaments.services.reports import Upload, safe_file_name
from tournaments.trf import read_report

MAX_NAMED = 10


def name_arbiter(
    tournament: Tournament, email: str, *, by: Any, at: datetime
) -> tuple[NamedArbiter, tuple[Invitation, str] | None]:
    """Name a chief arbiter by e-mail address and return it, with the invitation and token to be sent, if one is.

    Somebody with the role is named at once; anybody else is invited to it, where the namer may invite. Named twice
    is named once. `RefusedError` where the address is nobody's whom the namer may name.
    """
    email = email.strip().lower()
    with transaction.atomic():
        # Under the lock, so that two who name at once neither name twice nor pass the limit.
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        who, made = _whom(locked, email, by=by, at=at)
        known = locked.named_arbiters.filter(**who).first()
        if known is not None:
            return known, made
        if locked.named_arbiters.count() >= MAX_NAMED:
            message = _("A tournament can have at most %(most)d chief arbiters. Remove one first.")
            raise refused("too-many-named", message % {"most": MAX_NAMED}, "email")
        named = NamedArbiter.objects.create(tournament=locked, **who, named_by=by, named_at=at)
        record_action(locked, Action.NAME, reason=email, by=by, at=at)
    return named, made


def end_naming(named: NamedArbiter, *, by: Any, at: datetime) -> bool:
    """End a naming and return whether this call did; the audit log keeps that it was."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=named.tournament_id)
        held = tournament.named_arbiters.select_related("user", "invitation").filter(pk=named.pk).first()
        if held is None:
            return False
        address = address_of(held)
        held.delete()
        record_action(tournament, Action.UNNAME, reason=address, by=by, at=at)
    return True


def address_of(named: NamedArbiter) -> str:
    """Return the e-mail address of a named arbiter, known or invited."""
    if named.user is not None:
        return str(named.user.email)
    return str(named.invitation.email) if named.invitation else ""


def _whom(
    tournament: Tournament, email: str, *, by: Any, at: datetime
) -> tuple[dict[str, Any], tuple[Invitation, str] | None]:
    """Return whom the address belongs to, as fields of a naming, and an invitation that was made for it."""
    held: dict[str, Any] = {"appointments__role": Role.ARBITER}
    if not tournament.is_official and not tournament.decided_by:
        held["appointments__federation"] = tournament.federation_id
    user = get_user_model().objects.filter(email__iexact=email, is_active=True, **held).first()
    if user is not None:
        return {"user": user}, None
    if not can_invite(by, Role.ARBITER, str(tournament.federation_id)):
        message = _(
            "No chief arbiter of %(federation)s has this address. The rating officer of that "
            "federation may send an invitation."
        )
        values = {"federation": tournament.federation_id}
        raise refused("nobody", message % values, "email")
    waiting = Invitation.objects.open_at(at).filter(
        email=email, role=Role.ARBITER, federation=tournament.federation_id
    )
    invitation = waiting.first()
    if invitation is not None:
        return {"invitation": invitation}, None
    made = invite(email, role=Role.ARBITER, federation=tournament.federation, by=by, at=at)
    return {"invitation": made[0]}, made


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
        if held.report is not None:
            return held.report
        if held.state != HandedState.WAITING:
            raise refused("not-waiting", _("The report was returned, or a later one was sent meanwhile."))
        hold_to_what_was_seen(tournament, seen)
        pgn = None if held.pgn is None else bytes(held.pgn)
        original = None if held.original is None else bytes(held.original)
        draft = Draft(bytes(held.content), held.file_name, original, held.original_name)
        report = upload_draft(tournament, draft, by=by, on=on, at=at, pgn=pgn)
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
        if waiting.exists():
            hold_to_what_was_seen(tournament, seen)
        done = waiting.update(state=HandedState.RETURNED, reason=reason.strip(), decided_by=by, decided_at=at)
        if done:
            record_action(tournament, Action.SEND_BACK, reason=reason, by=by, at=at)
    return bool(done)


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
    record_action(tournament, Action.KEEP, reason=RETURN_UNDONE, by=by, at=at)
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
    if not has_errors or remark.strip():
        return []
    message = _("The report has errors. Correct them, or explain in the remark why you send it as it is.")
    return [Refusal("remark-missing", message, "remark")]


def _hash(content: bytes | None) -> str:
    return "" if content is None else hashlib.sha256(content).hexdigest()
