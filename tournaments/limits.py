"""How much an account or a federation may upload and register.

A refusal says the limit and when it ends. What the portal does by itself, and commands of the operator, is not limited.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import refused
from core.sql import OctetLength, lock_person
from players.models import Federation
from tournaments.choices import POSSIBLE_REGISTRATIONS, Stage
from tournaments.files import MEBIBYTE
from tournaments.models import CaseFile, HandedReport, Report, Tournament

DAY = timedelta(days=1)
# A federation of many clubs reports 30 events on a day, of half a megabyte each.
MAX_BYTES_A_DAY = 256 * MEBIBYTE
MAX_VERSIONS_A_DAY = 40
MAX_OPEN_OF_FEDERATION, MAX_OPEN_OF_ACCOUNT = 2_000, 1_000


def refuse_too_many_versions(tournament: Tournament, *, at: datetime) -> None:
    """Raise `RefusedError` where a tournament has got as many versions in a day as are kept."""
    today = tournament.reports.filter(submitted_at__gt=at - DAY, submitted_at__lte=at)
    times = today.order_by("-submitted_at").values_list("submitted_at", flat=True)
    # As soon as this one is a day old, the next version is within the limit.
    oldest = times[MAX_VERSIONS_A_DAY - 1 :].first()
    if oldest is not None:
        message = _(
            "The limit is %(most)d versions of a report in 24 hours. Upload the next one after %(until)s UTC."
        )
        values = {"most": MAX_VERSIONS_A_DAY, "until": _minute(oldest + DAY)}
        raise refused("too-many-versions", message % values)


def refuse_too_many_bytes(by: Any, contents: Collection[bytes | None], *, at: datetime) -> None:
    """Raise `RefusedError` where an account has uploaded as many bytes in a day as are taken with these files.

    Call it in a transaction: what the account uploads at the same moment waits for its end, and counts.
    """
    if by is None:
        return
    lock_person(by)
    left = MAX_BYTES_A_DAY - sum(len(content) for content in contents if content)
    # What was uploaded last leaves last: as long as the uploads since then are too many, one has to wait.
    for uploaded_at, size in sorted(_uploads(by, at), reverse=True):
        left -= size
        if left < 0:
            message = _(
                "An account can upload at most %(most)d MiB in 24 hours. Upload this file after %(until)s UTC."
            )
            values = {"most": MAX_BYTES_A_DAY // MEBIBYTE, "until": _minute(uploaded_at + DAY)}
            raise refused("too-many-bytes", message % values)


def _uploads(by: Any, at: datetime) -> list[tuple[datetime, int]]:
    """Return the instant and size of what an account uploaded in the last day."""
    day = (at - DAY, at)
    reports = Report.objects.filter(submitted_by=by, submitted_at__range=day)
    handed = HandedReport.objects.filter(checked_by=by, checked_at__range=day)
    files = CaseFile.objects.filter(added_by=by, added_at__range=day)
    rows: list[tuple[Any, ...]] = [
        # The crosstable from which a report was made is kept beside its TRF: both count.
        *reports.values_list("submitted_at", *map(OctetLength, ("content", "pgn", "original__content"))),
        *handed.values_list("checked_at", *map(OctetLength, ("content", "pgn", "original"))),
    ]
    return [
        *((uploaded_at, sum(filter(None, sizes))) for uploaded_at, *sizes in rows),
        *files.values_list("added_at", "size"),
    ]


def refuse_too_many_open(federation_code: str, *, by: Any, on: date) -> None:
    """Raise `RefusedError` where a federation or an account holds as many open registrations as are taken.

    Call it in a transaction: what the federation and the account register at the same moment waits for its end, and
    counts.
    """
    if by is None:
        return
    # NO KEY: who writes rows of the federation without a limit need not wait.
    Federation.objects.select_for_update(no_key=True).filter(pk=federation_code).first()
    lock_person(by)
    # What is over or reported no longer counts, so that a busy federation is never shut out for good.
    planned = Tournament.objects.filter(
        registration__in=POSSIBLE_REGISTRATIONS, stage=Stage.PLANNED, end__gte=on
    )
    for held, most in (
        (planned.filter(federation=federation_code), MAX_OPEN_OF_FEDERATION),
        (planned.filter(registered_by=by), MAX_OPEN_OF_ACCOUNT),
    ):
        # From the day after this one on, fewer than the limit have still to end.
        end = held.order_by("-end").values_list("end", flat=True)[most - 1 : most].first()
        if end is not None:
            message = _(
                "A federation can have at most %(federation)d upcoming tournaments, and one account can register "
                "at most %(account)d of them. "
                "Register the next one after %(day)s, or withdraw one."
            )
            values = {
                "federation": MAX_OPEN_OF_FEDERATION,
                "account": MAX_OPEN_OF_ACCOUNT,
                "day": date_format(end),
            }
            raise refused("too-many-registrations", message % values)


def _minute(instant: datetime) -> str:
    return date_format(instant, "DATETIME_FORMAT")
