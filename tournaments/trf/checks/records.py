"""Whether teams and records name players, teams and rounds that there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tournaments.trf.columns import RecordRow
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.report import Report
from tournaments.trf.tables import TEAMS_16, TEAMS_26


def team_findings(report: Report) -> Iterator[Finding]:
    """Yield games between members of one team, and players who are in none where there are teams."""
    teams = {number: team["name"] for team in report.teams for number in team["players"]}
    if not teams:
        return
    for player in report.players:
        if player.number not in teams:
            yield found("player-without-team", Place(player.line, 5, 4), number=player.number)
    players = report.by_number
    for game in report.games:
        team = teams.get(game.white)
        # Members of a team do not meet, so that one of the lines names the wrong number.
        if team is not None and team == teams.get(game.black):
            record = players[game.white]
            place = Place(record.line, record.column_of(game.round), 4)
            pair = {"number": game.white, "opponent": game.black}
            yield found("team-mates-paired", place, round=game.round, team=team, **pair)


def record_findings(report: Report) -> Iterator[Finding]:
    """Yield the players, teams and rounds in team lists and other records that do not exist."""
    players = {player.number for player in report.players}
    teams = {team["number"] for team in report.rows(TEAMS_26)}
    is_team_event = bool(report.teams)
    members: dict[tuple[str, int], str] = {}
    for record, line in zip(report.records, report.record_lines, strict=True):
        if not isinstance(record, RecordRow):
            continue
        if record.tag in (TEAMS_16, TEAMS_26):
            yield from _team(record, line, players, members)
            continue
        named, named_teams = _numbers(record, is_team_event=is_team_event)
        for number in _unknown(named, players):
            yield found("record-player-unknown", Place(line, 1, 3), tag=record.tag, number=number)
        for number in _unknown(named_teams, teams) if teams else ():
            yield found("record-team-unknown", Place(line, 1, 3), tag=record.tag, number=number)
        round_number = int(record["round"]) if record.tag in OF_ROUNDS else 0
        if round_number > report.rounds:
            rounds = {"round": round_number, "rounds": report.rounds}
            yield found("record-round-unknown", Place(line, 1, 3), tag=record.tag, **rounds)


def _team(
    team: RecordRow, line: int, players: set[int], members: dict[tuple[str, int], str]
) -> Iterator[Finding]:
    name, own = team["name"], team["players"]
    if not any(own):
        yield found("team-empty", Place(line), team=name)
    for number in filter(None, own):
        if number not in players:
            yield found("team-player-unknown", Place(line), team=name, number=number)
        other = members.setdefault((team.tag, number), name)
        if other != name:
            yield found("team-player-twice", Place(line), team=name, number=number, other=other)


# The fields of records that name players, and teams; `numbers` are either, by the kind of event.
OF_PLAYERS = {"300": ("players",), "XXZ": ("numbers",), "XXP": ("numbers",)}
OF_TEAMS = {"300": ("team", "opponent"), "320": ("teams",), "330": ("white", "black")}
OF_EITHER = frozenset({"240", "260", "299"})
OF_ROUNDS = frozenset({"240", "300", "330"})


def _numbers(record: RecordRow, *, is_team_event: bool) -> tuple[Iterable[int], Iterable[int]]:
    """Return the players and the teams that a record names; some name one or the other by the kind of event."""
    if record.tag in OF_EITHER:
        return ((), record["numbers"]) if is_team_event else (record["numbers"], ())
    usual = () if record.tag in OF_TEAMS else ("number",) if "number" in record else ()
    return _all(record, OF_PLAYERS.get(record.tag, usual)), _all(record, OF_TEAMS.get(record.tag, ()))


def _all(record: RecordRow, names: Iterable[str]) -> list[int]:
    """Return the numbers of some fields, of which each is one or several."""
    found_in = (record[name] for name in names)
    return [number for value in found_in for number in (value if isinstance(value, tuple) else (value,))]


def _unknown(numbers: Iterable[int], known: set[int]) -> Iterator[int]:
    return (number for number in numbers if number and number not in known)
