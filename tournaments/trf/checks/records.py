"""Whether teams and the records of TRF26 name players, teams and rounds that there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.records import Record, TeamRecord
from tournaments.trf.records.event import NumberListRecord
from tournaments.trf.records.national import NationalRecord
from tournaments.trf.records.pairing import (
    AbnormalRecord,
    AddedPointsRecord,
    ByeRecord,
    ForbiddenRecord,
    LineupRecord,
    MatchForfeitRecord,
    TeamByeRecord,
)
from tournaments.trf.records.teams import TeamRecord13, TeamRecord310
from tournaments.trf.report import Report


def record_findings(report: Report) -> Iterator[Finding]:
    """Yield what team lists and records beside the players say of players, teams and rounds that there are not."""
    players = {player.number for player in report.players}
    teams = {record.number for record in report.records if isinstance(record, TeamRecord310)}
    is_team_event = bool(report.teams)
    members: dict[tuple[type[Record], int], str] = {}
    for record, line in zip(report.records, report.record_lines, strict=True):
        if isinstance(record, TeamRecord13 | TeamRecord310):
            yield from _team(record, line, players, members)
            continue
        named, named_teams = _numbers(record, is_team_event=is_team_event)
        for number in _unknown(named, players):
            yield found("record-player-unknown", Place(line, 1, 3), tag=record.tag, number=number)
        for number in _unknown(named_teams, teams) if teams else ():
            yield found("record-team-unknown", Place(line, 1, 3), tag=record.tag, number=number)
        round_number = _round(record)
        if round_number > report.rounds:
            rounds = {"round": round_number, "rounds": report.rounds}
            yield found("record-round-unknown", Place(line, 1, 3), tag=record.tag, **rounds)


def _team(
    team: TeamRecord, line: int, players: set[int], members: dict[tuple[type[Record], int], str]
) -> Iterator[Finding]:
    if not any(team.players):
        yield found("team-empty", Place(line), team=team.name)
    for number in filter(None, team.players):
        if number not in players:
            yield found("team-player-unknown", Place(line), team=team.name, number=number)
        other = members.setdefault((type(team), number), team.name)
        if other != team.name:
            yield found("team-player-twice", Place(line), team=team.name, number=number, other=other)


def _numbers(record: Record, *, is_team_event: bool) -> tuple[Iterable[int], Iterable[int]]:
    """Return the players and the teams that a record names; some name one or the other by the kind of event."""
    match record:
        case ByeRecord() | ForbiddenRecord() | AbnormalRecord():
            return ((), record.numbers) if is_team_event else (record.numbers, ())
        case LineupRecord():
            return record.players, (record.team, record.opponent)
        case TeamByeRecord():
            return (), record.teams
        case MatchForfeitRecord():
            return (), (record.white, record.black)
        case NationalRecord() | AddedPointsRecord():
            return (record.number,), ()
        case NumberListRecord():
            return record.numbers, ()
    return (), ()


def _unknown(numbers: Iterable[int], known: set[int]) -> Iterator[int]:
    return (number for number in numbers if number and number not in known)


def _round(record: Record) -> int:
    return record.round if isinstance(record, ByeRecord | LineupRecord | MatchForfeitRecord) else 0
