"""Writing a report as TRF, or as TRF26."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from tournaments.trf.columns import RecordRow
from tournaments.trf.comments import OtherRecord
from tournaments.trf.days import spell_day, spelled_rounds
from tournaments.trf.fields import laid_out
from tournaments.trf.limits import MAX_PLAYERS
from tournaments.trf.players import column_of
from tournaments.trf.report import Record, Report
from tournaments.trf.tables import OF_EVENT, TEAMS_16, TEAMS_26, TRF16, TRF26, row
from tournaments.trf.time_control import encode_222, parse_time_control

LINE_END = "\r\n"


def write_report(report: Report) -> str:
    """Return a report as TRF in lines that end in CR LF; read again it is equal to the report.

    `ValueError` where a value does not fit its columns, which none has that was read.
    """
    event = [record.dumps() for record in report.records if record.tag in OF_EVENT]
    players = [player.dumps() for player in report.players]
    others = [record.dumps() for record in report.records if record.tag not in OF_EVENT]
    lines = [*_header(report), *event, *players, *others]
    return "".join(line.rstrip() + LINE_END for line in lines)


def _header(report: Report) -> Iterator[str]:
    yield f"012 {report.name}"
    yield f"022 {report.city}"
    yield f"032 {report.federation}"
    yield f"042 {spell_day(report.start) if report.start else ''}"
    yield f"052 {spell_day(report.end) if report.end else ''}"
    yield f"062 {_count(report.number_of_players)}"
    yield f"072 {_count(report.number_of_rated_players)}"
    yield f"082 {_count(report.number_of_teams)}"
    yield f"092 {report.tournament_type}"
    yield f"102 {report.chief_arbiter}"
    yield from (f"112 {arbiter}" for arbiter in report.deputy_arbiters)
    yield f"122 {report.time_control}"
    if report.encoded_time_control:
        yield f"222 {report.encoded_time_control}"
    if report.round_dates:
        yield dates_record(report)


def dates_record(report: Report) -> str:
    """Return the record of the dates of a report's rounds."""
    texts = spelled_rounds(report.round_dates, start=report.start, end=report.end)
    return laid_out((1, "132"), *((column_of(index), text) for index, text in enumerate(texts, 1)))


def _count(number: int | None) -> str:
    return "" if number is None else str(number)


# Record 310 numbers teams in three columns.
MAX_TEAMS = 999


def write_trf16(report: Report) -> str:
    """Return a report as TRF16 in lines that end in CR LF: without the records of TRF26, with 013 for 310."""
    has_old_teams = any(record.tag == TEAMS_16 for record in report.records)
    records = [
        row(TEAMS_16, record["name"], record["players"])
        if isinstance(record, RecordRow) and record.tag == TEAMS_26 and not has_old_teams
        else record
        for record in report.records
    ]
    old = tuple(record for record in records if record.tag in TRF16 or record.tag not in TRF26)
    return write_report(replace(report, encoded_time_control=None, records=old))


def write_trf26(report: Report) -> str:
    """Return a report as TRF26 in lines that end in CR LF: with 142, 222 and 132 where they are certain, 310 for 013.

    XXR, XXC, XXZ and XXP of JaVaFo become 142, 152, 240 and 260. Extensions without a TRF26 record, such
    as scores, stay: readers skip unknown records. `#` comments begin with `###`. Players and games are those
    of the report.
    """
    records = [new for record in report.records for new in _convert_record(record, report)]
    if report.rounds:
        records.insert(0, next(iter(report.rows("142")), None) or row("142", report.rounds))
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
        case RecordRow(tag="142" | "XXR"):
            return
        case RecordRow(tag="XXC") if record.text.lower() in ("white1", "black1"):
            yield row("152", f" {record.text[0].upper()}")
        case RecordRow(tag="XXZ") if max(record["numbers"], default=0) <= MAX_PLAYERS:
            yield row("240", "Z", report.rounds_played + 1, record["numbers"])
        case RecordRow(tag="XXP") if max(record["numbers"], default=0) <= MAX_PLAYERS:
            yield row("260", 1, max(report.rounds, 1), record["numbers"])
        case OtherRecord() if record.text.startswith("#") and not record.text.startswith("###"):
            yield OtherRecord(f"### {record.text.lstrip('# ')}")
        case _:
            yield record


def _with_teams(records: list[Record]) -> list[Record]:
    """Return the records with the teams of 013 as 310, where there are none of 310 and not too many."""
    old = [record for record in records if isinstance(record, RecordRow) and record.tag == TEAMS_16]
    if len(old) > MAX_TEAMS or any(
        isinstance(record, RecordRow) and record.tag == TEAMS_26 for record in records
    ):
        return records
    numbers = {id(team): number for number, team in enumerate(old, 1)}
    return [
        row(TEAMS_26, numbers[id(record)], record["name"], "", "", None, None, None, record["players"])
        if isinstance(record, RecordRow) and id(record) in numbers
        else record
        for record in records
    ]


def _encode_time_control(text: str) -> str | None:
    """Return the time control of 122 as 222; None if it is unknown, or a delay, which 222 cannot encode."""
    control = parse_time_control(text)
    return encode_222(control) if control and not control.is_delay else None


def _only_day(report: Report) -> tuple[date | None, ...]:
    """Return the day of each round of an event of one day, nothing for others."""
    is_one_day = report.start and report.start == report.end
    return (report.start,) * report.rounds if is_one_day else ()
