"""Correcting the conditions of a tournament whose report is accepted or published; the effect first (D-82, D-11)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import refused
from players.permissions import is_staff
from ratings.services.corrections.correct import correct_report, current_report
from ratings.services.corrections.games import Share, shares_between
from ratings.services.corrections.lines import Line
from ratings.services.publication.due import lock_kind
from ratings.services.rating import rate_contents
from tournaments.choices import Stage
from tournaments.models import Report, Tournament
from tournaments.services.registration import RegistrationRequest
from tournaments.services.registration_changes import Change
from tournaments.services.report_corrections import change_conditions, request_new_rating
from tournaments.services.trail import hold_to_what_was_seen


@dataclass(frozen=True, slots=True)
class ConditionsEffect:
    """What other conditions do. Before publication they change `shares`; afterwards the next list takes `lines`."""

    tournament: Tournament
    changes: tuple[Change, ...]
    is_published: bool
    shares: tuple[Share, ...] = ()
    lines: tuple[Line, ...] = ()


def correct_conditions(
    tournament: Tournament,
    wanted: RegistrationRequest,
    *,
    reason: str,
    by: Any,
    on: date,
    at: datetime,
    seen: str | None = None,
    content: bytes | None = None,
    file_name: str = "",
    is_dry_run: bool = False,
) -> ConditionsEffect:
    """Correct what FIDE staff correct of the conditions (`CORRECTABLE`), and return the effect (D-82).

    Before publication the report is rated anew; afterwards the next list takes the differences (D-11). Where the
    report says otherwise, too, the corrected one (`content`) takes its place. A dry run writes nothing.
    `RefusedError` for anybody else, without an accepted report or a reason, where nothing differs or a rule stands
    against it, and where a step follows the one that the author has `seen` last.
    """
    if not is_staff(by):
        raise refused("staff-only", _("FIDE staff correct the conditions."))
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved and published."), "reason")
    with transaction.atomic():
        lock_kind(tournament.kind, waits=True)
        hold_to_what_was_seen(tournament, seen)
        locked = Tournament.objects.get(pk=tournament.pk)
        report = current_report(locked)
        if report is None:
            raise refused("no-report", _("No report of this tournament has been accepted."))
        told: dict[str, Any] = {"reason": reason, "by": by, "on": on, "at": at}
        correct = _correct_published if locked.stage == Stage.PUBLISHED else _correct_accepted
        file = File(content or bytes(report.content), file_name or report.file_name)
        effect = correct(locked, report, file, wanted, told)
        if is_dry_run:
            transaction.set_rollback(True)
    return effect


class File(NamedTuple):
    """The bytes of a report, and the name under which they were sent."""

    content: bytes
    name: str


def _correct_published(
    tournament: Tournament, report: Report, file: File, wanted: RegistrationRequest, told: dict[str, Any]
) -> ConditionsEffect:
    effect = correct_report(tournament, file.content, file_name=file.name, conditions=wanted, **told)
    return ConditionsEffect(tournament, effect.changes, is_published=True, lines=effect.lines)


def _correct_accepted(
    tournament: Tournament, report: Report, file: File, wanted: RegistrationRequest, told: dict[str, Any]
) -> ConditionsEffect:
    before = rate_contents(report).participations
    changes = change_conditions(tournament, wanted, on=told["on"])
    again = request_new_rating(tournament, changes, file.content, file_name=file.name, **told)
    shares = shares_between(again, before, rate_contents(again).participations)
    return ConditionsEffect(tournament, tuple(changes), is_published=False, shares=shares)
