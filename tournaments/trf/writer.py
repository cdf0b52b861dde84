"""Writing a report: the header, the records of the event, the players, everything else."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.trf.dates import spelled, spelled_rounds
from tournaments.trf.fields import laid_out
from tournaments.trf.records import EVENT_LOADERS
from tournaments.trf.records.rounds import column_of
from tournaments.trf.report import Report

LINE_END = "\r\n"


def write_report(report: Report) -> str:
    """Return a report as TRF in lines that end in CR LF; read again it is equal to the report.

    `ValueError` where a value does not fit its columns, which none has that was read.
    """
    event = [record.dumps() for record in report.records if record.tag in EVENT_LOADERS]
    players = [player.dumps() for player in report.players]
    others = [record.dumps() for record in report.records if record.tag not in EVENT_LOADERS]
    lines = [*_header(report), *event, *players, *others]
    return "".join(line.rstrip() + LINE_END for line in lines)


def _header(report: Report) -> Iterator[str]:
    yield f"012 {report.name}"
    yield f"022 {report.city}"
    yield f"032 {report.federation}"
    yield f"042 {spelled(report.start) if report.start else ''}"
    yield f"052 {spelled(report.end) if report.end else ''}"
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
        yield _round_dates(report)


def _round_dates(report: Report) -> str:
    texts = spelled_rounds(report.round_dates, start=report.start, end=report.end)
    return laid_out((1, "132"), *((column_of(index), text) for index, text in enumerate(texts, 1)))


def _count(number: int | None) -> str:
    return "" if number is None else str(number)
