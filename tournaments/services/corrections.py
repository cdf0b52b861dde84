"""A corrected report in the place of a published one: the tournament's side of a correction (D-11)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from tournaments.choices import ReportState
from tournaments.errors import Refusal, RefusedError
from tournaments.models import Report, Tournament
from tournaments.queries.lookups import Lookups
from tournaments.services.checking import check_contents
from tournaments.services.marks import Mark, apply_marks
from tournaments.services.reports import write_contents
from tournaments.services.versions import kept_report, next_version
from tournaments.trf import read_report


def prepare_correction(
    tournament: Tournament,
    content: bytes | None,
    *,
    file_name: str,
    by: Any,
    on: date,
    at: datetime,
    marks: Sequence[Mark] = (),
) -> Report | None:
    """Check and keep a corrected report with its participants and games, not accepted yet; None withdraws.

    `marks` are games that are not rated, or rated again (4.1). `RefusedError` where the report has errors, or is the
    one that stands already. The caller holds the transaction.
    """
    if content is None:
        return None
    digest = hashlib.sha256(content).hexdigest()
    if not marks and tournament.reports.filter(sha256=digest, state=ReportState.ACCEPTED).exists():
        raise RefusedError([Refusal("same-report", _("This is the report that stands already."))])
    lookups = Lookups()
    checked = check_contents(read_report(content), tournament, on=on, lookups=lookups)
    if checked.errors:
        raise RefusedError([Refusal(item.code, item.message) for item in checked.errors])
    version = next_version(tournament)
    report = kept_report(
        tournament, content, checked, version=version, file_name=file_name, by=by, on=on, at=at
    )
    report.save(force_insert=True)
    write_contents([(report, checked)], lookups)
    apply_marks(report, marks)
    return report


def replace_published_report(former: Report, new: Report | None, *, on: date) -> None:
    """Let a corrected report stand in the place of the former one, or withdraw that; within a transaction."""
    if former.state != ReportState.WITHDRAWN:
        former.state = ReportState.WITHDRAWN if new is None else ReportState.REPLACED
        former.save(update_fields=["state"])
    if new is not None:
        new.state = ReportState.ACCEPTED
        new.accepted_on = on
        new.acknowledgement = former.acknowledgement
        new.save(update_fields=["state", "accepted_on", "acknowledgement"])
