"""Days of an event that are wrong: one cause, of which each record with a day would be a finding of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import zip_longest

from tournaments.trf.days import spell_day
from tournaments.trf.findings import Finding, found
from tournaments.trf.report import Report, header_place
from tournaments.trf.writer import dates_record

# A report whose days are farther from the registered ones is of another event, or the registration is wrong.
NEAREST = timedelta(days=7)


def with_right_days(report: Report, start: date, end: date) -> Report:
    """Return a report with its days as registered, where they are plausible: the rest of the report agrees with them.

    Either the rounds lie within the registered days and 042 or 052 does not say so, or all days are moved by as many.
    """
    days, rounds = (report.start, report.end), [day for day in report.round_dates if day]
    differing = [day for day, wanted in zip(days, (start, end), strict=True) if day and day != wanted]
    if not differing:
        return report
    if all(start <= day <= end for day in rounds) and (rounds or len(differing) == 1):
        return _with_days(report, start, end, timedelta())
    moved = start - (report.start or start)
    is_moved = (report.end or end) + moved == end and abs(moved) <= NEAREST
    # The record of the rounds is written anew: what cannot be read of it would be lost.
    is_read = all(day or not text for text, day in zip_longest(report.day_texts.rounds, report.round_dates))
    if is_moved and is_read and all(start <= day + moved <= end for day in rounds):
        return _with_days(report, start, end, moved)
    return report


def _with_days(report: Report, start: date, end: date, moved: timedelta) -> Report:
    rounds = tuple(day and day + moved for day in report.round_dates)
    return replace(report, start=report.start and start, end=report.end and end, round_dates=rounds)


def day_findings(report: Report, righted: Report) -> Iterator[Finding]:
    """Yield the records of a report that have other days in the righted one, each with the line as it should be."""
    for tag, day, right in (("042", report.start, righted.start), ("052", report.end, righted.end)):
        if day and right and day != right:
            yield days_differ(report, tag, [day], [right]).with_fix(f"{tag} {spell_day(right)}")
    rounds = zip(report.round_dates, righted.round_dates, strict=True)
    moved = [(day, right) for day, right in rounds if day and right and day != right]
    if moved:
        yield days_differ(report, "132", *zip(*moved, strict=True)).with_fix(dates_record(righted))


def days_differ(report: Report, tag: str, days: Collection[date], registered: Collection[date]) -> Finding:
    """Return that a record has other days than the registration."""
    first_and_last = [
        " – ".join(map(str, dict.fromkeys((min(some), max(some))))) for some in (days, registered)
    ]
    texts = dict(zip(("day", "registered_day"), first_and_last, strict=True))
    return found("event-days", header_place(report, tag), **texts)
