"""Writing a report as TRF26: what it requires, and its own records for extensions of programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from tournaments.trf.limits import MAX_PLAYERS
from tournaments.trf.records import Record
from tournaments.trf.records.event import NumberListRecord, RoundsRecord
from tournaments.trf.records.other import OtherRecord, TextRecord
from tournaments.trf.records.pairing import ByeRecord, ForbiddenRecord
from tournaments.trf.records.teams import TeamRecord13, TeamRecord310
from tournaments.trf.report import Report
from tournaments.trf.time_control import encode_222, parse_time_control
from tournaments.trf.writer import write_report

# Record 310 numbers teams in three columns.
MAX_TEAMS = 999


def write_trf26(report: Report) -> str:
    """Return a report as TRF26 in lines that end in CR LF: with 142, 222 and 132 where they are certain, 310 for 013.

    XXR, XXC, XXZ and XXP of JaVaFo become 142, 152, 240 and 260. Extensions that have no record of their own, such
    as scores, stay: a reader skips what it does not know. `#` comments begin with `###`. Players and games are those
    of the report.
    """
    records = [new for record in report.records for new in _convert_record(record, report)]
    announced = [record for record in report.records if isinstance(record, RoundsRecord)]
    if report.rounds:
        rounds = next((record for record in announced if record.tag == "142"), None)
        records.insert(0, rounds or RoundsRecord("142", report.rounds))
    modern = replace(
        report,
        encoded_time_control=report.encoded_time_control or _encode_time_control(report.time_control),
        round_dates=report.round_dates or _only_day(report),
        records=tuple(_with_teams(records)),
    )
    return write_report(modern)


def _convert_record(record: Record, report: Report) -> Iterator[Record]:
    """Yield what takes the place of a record, mostly itself; the number of rounds is written first."""
    match record:
        case RoundsRecord():
            return
        case TextRecord(tag="XXC") if record.text.lower() in ("white1", "black1"):
            yield TextRecord("152", f" {record.text[0].upper()}")
        case NumberListRecord() if max(record.numbers, default=0) > MAX_PLAYERS:
            yield record
        case NumberListRecord(tag="XXZ"):
            yield ByeRecord("Z", report.rounds_played + 1, record.numbers)
        case NumberListRecord(tag="XXP"):
            yield ForbiddenRecord(1, max(report.rounds, 1), record.numbers)
        case OtherRecord() if record.text.startswith("#") and not record.text.startswith("###"):
            yield OtherRecord(f"### {record.text.lstrip('# ')}")
        case _:
            yield record


def _with_teams(records: list[Record]) -> list[Record]:
    """Return the records with the teams of 013 as 310, where there are none of 310 and not too many."""
    old = [record for record in records if isinstance(record, TeamRecord13)]
    if len(old) > MAX_TEAMS or any(isinstance(record, TeamRecord310) for record in records):
        return records
    numbers = {id(team): number for number, team in enumerate(old, 1)}
    return [
        TeamRecord310(numbers[id(record)], record.name, "", "", None, None, None, record.players)
        if isinstance(record, TeamRecord13)
        else record
        for record in records
    ]


def _encode_time_control(text: str) -> str | None:
    """Return the time control of 122 as 222; None where it is not understood, or is a delay, which 222 cannot tell."""
    control = parse_time_control(text)
    return encode_222(control) if control and not control.is_delay else None


def _only_day(report: Report) -> tuple[date | None, ...]:
    """Return the day of each round of an event of one day, nothing for others."""
    is_one_day = report.start and report.start == report.end
    return (report.start,) * report.rounds if is_one_day else ()
