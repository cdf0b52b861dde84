"""Whether the header of a report is complete and agrees with the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import zip_longest

from tournaments.trf.columns import RecordRow
from tournaments.trf.days import readings
from tournaments.trf.fields import federation_codes, in_ranges, is_federation_code
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.findings import gettext_noop as _
from tournaments.trf.players import column_of
from tournaments.trf.report import HEADER_COLUMN, Report, header_place, rounds_per_day
from tournaments.trf.time_control import parse_222, parse_time_control
from tournaments.trf.writer import dates_record

# The most rounds a day that any kind allows: 30 in blitz (FIDE R&B 2024, 3.1).
ROUNDS_A_DAY = 30
CLEAR_DAY = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|.*[A-Za-z].*", re.ASCII)


def event_findings(report: Report) -> Iterator[Finding]:
    """Yield what the header lacks, contradicts or gets wrong."""
    yield from _missing(report)
    code = report.federation
    if code and not is_federation_code(code):
        yield found("event-federation-code", Place(report.header_lines.get("032"), 5, len(code)), text=code)
    elif code and code not in federation_codes():
        yield found("event-federation-unknown", header_place(report, "032"), text=code)
    yield from _day_texts(report)
    if report.start and report.end and report.end < report.start:
        days = {"start": report.start.isoformat(), "end": report.end.isoformat()}
        yield found("event-dates-reversed", Place(report.header_lines.get("052"), 5, 10), **days)
    yield from _counts(report)
    yield from _rounds(report)
    yield from _round_dates(report)
    encoded, free = report.encoded_time_control, parse_time_control(report.time_control)
    control = parse_222(encoded) if encoded else None
    for tag in report.unequal_times:
        yield found("time-control-unequal", header_place(report, tag))
    if encoded and control is None:
        yield found("time-control-unreadable", header_place(report, "222"), text=encoded)
    # The two may mean different kinds of rating.
    if control and free and free.total != control.total:
        yield found(
            "time-controls-differ", header_place(report, "222"), said=free.total, counted=control.total
        )
    if not report.has_games:
        yield found("games-missing")


def _missing(report: Report) -> Iterator[Finding]:
    required = {
        "012": (_("name of the tournament"), report.name),
        "022": (_("city"), report.city),
        "032": (_("federation"), report.federation),
        "042": (_("first day"), "042" in report.header_lines and (report.start or "written")),
        "052": (_("last day"), "052" in report.header_lines and (report.end or "written")),
        "102": (_("chief arbiter"), report.chief_arbiter),
    }
    for tag, (meaning, value) in required.items():
        if not value:
            yield found("record-missing", _line(report, tag), tag=tag, meaning=meaning)
    # TRF26 asks for them too; without dates the rounds of a day cannot be counted (3.1).
    advised = {
        "122": (_("time control"), report.time_control or report.encoded_time_control),
        "132": (_("dates of the rounds"), report.round_dates),
    }
    for tag, (meaning, given) in advised.items():
        if not given:
            yield found("record-advised", _line(report, tag), tag=tag, meaning=meaning)


def _day_texts(report: Report) -> Iterator[Finding]:
    """Yield the days that cannot be read, and those that were read in one of several ways."""
    texts = report.day_texts
    for tag, text, day in (("042", texts.start, report.start), ("052", texts.end, report.end)):
        place = Place(report.header_lines.get(tag), HEADER_COLUMN, len(text))
        if text and day is None:
            yield found("event-date-unreadable", place, text=text)
        elif day in (meant := readings(text)) and len(meant) > 1 and not CLEAR_DAY.fullmatch(text):
            yield found("event-date-ambiguous", place, text=text, day=day.isoformat())
    for number, (text, read) in enumerate(zip_longest(texts.rounds, report.round_dates), 1):
        if text and read is None:
            place = Place(report.header_lines["132"], column_of(number), len(text))
            yield found("round-date-unreadable", place, text=text, round=number)


# "Rated" is no more than a notice, since programs count it differently.
def _counts(report: Report) -> Iterator[Finding]:
    rated = sum(player.rating > 0 for player in report.players)
    counts = (
        ("player-count", "062", report.number_of_players, len(report.players)),
        ("rated-count", "072", report.number_of_rated_players, rated),
        ("team-count", "082", report.number_of_teams, len(report.teams)),
    )
    for code, tag, said, counted in counts:
        if said is not None and said != counted:
            place = Place(report.header_lines.get(tag), HEADER_COLUMN)
            yield found(code, place, said=said, counted=counted).with_fix(f"{tag} {counted}")


def _rounds(report: Report) -> Iterator[Finding]:
    played = report.rounds_played
    pairs = zip(report.records, report.record_lines, strict=True)
    for record, line in pairs:
        if isinstance(record, RecordRow) and record.get("rounds", played) != played:
            code = "rounds-unplayed" if record["rounds"] > played else "rounds-surplus"
            yield found(code, Place(line, 5), said=record["rounds"], counted=played)


def _round_dates(report: Report) -> Iterator[Finding]:
    line = report.header_lines.get("132")
    before = None
    outside = _days_outside(report)
    for index, day in enumerate(report.round_dates, 1):
        # Reading the record, or the rounds outside, say so already.
        if day is None or index in outside:
            continue
        if before and day < before:
            place = Place(line, column_of(index), 8)
            yield found("round-date-order", place, round=index, day=day.isoformat())
        before = day
    yield from _rounds_outside(report)
    if not outside:
        yield from _ends(report)
    if report.round_dates and len(report.round_dates) != report.rounds:
        counts = {"said": len(report.round_dates), "counted": report.rounds}
        yield found("round-dates-count", Place(line), **counts)
    for day, count in rounds_per_day(report).items():
        if count > ROUNDS_A_DAY:
            yield found("rounds-a-day", Place(line), count=count, day=day.isoformat(), limit=ROUNDS_A_DAY)


def _rounds_outside(report: Report) -> Iterator[Finding]:
    """Yield the rounds outside the event as one finding: one wrong day is outside as many as were played on it."""
    if days := _days_outside(report):
        dates = " – ".join(dict.fromkeys((str(report.start or "?"), str(report.end or "?"))))
        texts = {"rounds": in_ranges([*days]), "days": ", ".join(map(str, sorted({*days.values()})))}
        place = Place(report.header_lines.get("132"), column_of(min(days)), 8)
        finding = found("round-date-outside", place, outside=len(days), dates=dates, **texts)
        # All rounds of an event of one day were on that day.
        if report.start == report.end:
            right = replace(report, round_dates=(report.start,) * len(report.round_dates))
            finding = finding.with_fix(dates_record(right))
        yield finding


def _days_outside(report: Report) -> dict[int, date]:
    first, last = report.start or date.min, report.end or date.max
    return {
        number: day for number, day in enumerate(report.round_dates, 1) if day and not first <= day <= last
    }


def _ends(report: Report) -> Iterator[Finding]:
    """Yield a first round after the first day, and a last one before the last day."""
    place = header_place(report, "132")
    days = [day for day in report.round_dates if day]
    if days and report.start and min(days) > report.start:
        yield found("rounds-begin-late", place, day=str(min(days)), start=str(report.start))
    # A missing day may be the last one, so only a complete row says when the rounds ended.
    is_whole = len(days) == report.rounds
    if days and is_whole and report.end and max(days) < report.end:
        yield found("rounds-end-early", place, day=str(max(days)), end=str(report.end))


def _line(report: Report, tag: str) -> Place:
    return Place(report.header_lines.get(tag))
