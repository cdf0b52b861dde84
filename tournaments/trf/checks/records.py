"""Whether FIDE IDs can be right, points add up, and teams and records name players, teams and rounds that there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from operator import mul

from tournaments.trf.columns import RecordRow
from tournaments.trf.comments import CorrectionRecord
from tournaments.trf.fields import federation_codes, points_text
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.players import PlayerRecord, mark_of
from tournaments.trf.report import Record, Report
from tournaments.trf.tables import GAME_CODES, TEAMS_16, TEAMS_26

LOWEST_RATING = 1000
HIGHEST_RATING = 3000
YOUNGEST = 3
OLDEST = 110
# The weights of the digits before the last by the length of the id, the last with none.
WEIGHTS = {length: (*range(length, 1, -1), 0) for length in (6, 7, 8)}
ZEROS = {length: sum(weights) * ord("0") for length, weights in WEIGHTS.items()}


def player_findings(report: Report) -> Iterator[Finding]:
    """Yield numbers and FIDE IDs given twice, gaps, and values that no player has."""
    yield from _twice(report)
    day, codes = report.start or report.end, federation_codes()
    for player in report.players:
        if not player.name:
            yield found("name-missing", _place(player, 15, 33), number=player.number)
        elif not player.fide_id and is_bye(player.name):
            yield found("player-is-bye", _place(player, 15, 33), number=player.number, name=player.name)
        if player.rating and not LOWEST_RATING <= player.rating <= HIGHEST_RATING:
            limits = {"lowest": LOWEST_RATING, "highest": HIGHEST_RATING}
            yield found("rating-out-of-range", _place(player, 49, 4), rating=player.rating, **limits)
        if player.fide_id and not has_right_check_digit(player.fide_id):
            yield found("fide-id-check-digit", _place(player, 58, 11), fide_id=player.fide_id)
        if len(player.federation) == 3 and player.federation not in codes:
            yield found("federation-unknown", _place(player, 54, 3), text=player.federation)
        if player.birth_year and day and not YOUNGEST <= day.year - player.birth_year <= OLDEST:
            years = {"year": player.birth_year, "event": day.year}
            yield found("birth-impossible", _place(player, 70, 10), **years)


# Names that programs give to the opponent of who has a bye.
BYES = frozenset(
    {
        "bye",
        "byes",
        "spielfrei",
        "freilos",
        "exempt",
        "exempte",
        "exent",
        "exento",
        "libre",
        "descansa",
        "descanso",
    }
    | {"riposo", "dummy", "nobody"}
)


def is_bye(name: str) -> bool:
    """Return whether a name is that of a bye and not of a person: `BYE`, `Bye, Bye`, `Bye 1`, `Spielfrei`."""
    words = set(re.findall(r"[^\W\d_]+", name.lower()))
    return bool(words) and words <= BYES


def has_right_check_digit(fide_id: int) -> bool:
    """Return whether the check digit of an ID of 6 to 8 digits is right; other lengths have no known one.

    Weights n to 2 on the digits before it; FIDE does not document the rule, so a misfit proves nothing.
    """
    digits = b"%d" % fide_id
    weights = WEIGHTS.get(len(digits))
    if weights is None:
        return True
    weighted: int = sum(map(mul, digits, weights)) - ZEROS[len(digits)]
    return -weighted % 11 % 10 == fide_id % 10


def _twice(report: Report) -> Iterator[Finding]:
    numbers: dict[int, PlayerRecord] = {}
    ids: dict[int, PlayerRecord] = {}
    for player in report.players:
        first = numbers.setdefault(player.number, player)
        if first is not player:
            place = _place(player, 5, 4)
            yield found("player-number-duplicate", place, number=player.number, first=first.line)
        owner = ids.setdefault(player.fide_id, player) if player.fide_id else player
        if owner is not player:
            # One person listed twice is harmless where one of the lines has nothing over the board.
            code = "fide-id-duplicate" if _plays(owner) and _plays(player) else "fide-id-again"
            params = {"first": owner.number, "first_line": owner.line, "fide_id": player.fide_id or 0}
            yield found(code, _place(player, 58, 11), **params)
    if max(numbers) != len(report.players):
        yield found("player-number-gap", last=max(numbers), count=len(report.players))


def _plays(player: PlayerRecord) -> bool:
    return any(result.opponent and result.code in GAME_CODES for result in player.results)


def _place(player: PlayerRecord, column: int, length: int) -> Place:
    return Place(player.line, column, length)


def team_findings(report: Report) -> Iterator[Finding]:
    """Yield games between members of one team, and players who are in none where there are teams."""
    teams = {number: team["name"] for team in report.teams for number in team["players"]}
    if not teams:
        return
    for player in report.players:
        if player.number not in teams:
            yield found("player-without-team", _place(player, 5, 4), number=player.number)
    players = report.by_number()
    for game in report.games():
        team = teams.get(game.white)
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
        round_number = _round(record)
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


def _round(record: RecordRow) -> int:
    return int(record["round"]) if record.tag in OF_ROUNDS else 0


Scores = dict[tuple[str, str], int]
COLOURS = ("", "w", "b")
USUAL = {
    "1": 2,
    "=": 1,
    "0": 0,
    "W": 2,
    "D": 1,
    "L": 0,
    "+": 2,
    "-": 0,
    "H": 1,
    "F": 2,
    "U": 2,
    "Z": 0,
    "": 0,
}
# Which result codes a score of each record is for.
CODES_162 = {"W": "1W+FU", "D": "=DH", "L": "0L", "A": "-Z", "P": "U"}
CODES_BB = {"BBW": "1W+F", "BBD": "=DH", "BBL": "0L", "BBZ": "Z", "BBF": "-", "BBU": "U"}
CODES_XXS = {
    "W": "1W",
    "D": "=D",
    "WW": "1W",
    "BW": "1W",
    "WD": "=D",
    "BD": "=D",
    "WL": "0L",
    "BL": "0L",
    "ZPB": "Z",
    "HPB": "H",
    "FPB": "F",
    "PAB": "U",
    "FW": "+",
    "FL": "-",
}


def points_findings(report: Report) -> Iterator[Finding]:
    """Yield players whose results do not add up to their points, and ranks that do not follow the points."""
    counted_of = _counting(scores_of(report))
    exempt = {number for record in report.records for number in _with_other_points(record)}
    for player in report.players:
        if player.points is None or player.number in exempt:
            continue
        counted = counted_of(player.rounds.marks)
        if counted != player.points:
            points = {"counted": _text(counted), "said": _text(player.points)}
            yield found("points-mismatch", _points_of(player), number=player.number, **points)
    yield from _rank_findings(report)


def _with_other_points(record: Record) -> tuple[int, ...]:
    """Return the players whose points differ from their results by 299, or by a correction for rating."""
    match record:
        case RecordRow(tag="299"):
            return tuple(record["numbers"])
        case CorrectionRecord():
            return record.white, record.black
    return ()


def correction_findings(report: Report) -> Iterator[Finding]:
    """Yield the results that comments correct for rating, and those that differ from the players' lines."""
    records = zip(report.records, report.record_lines, strict=True)
    corrections = [(record, line) for record, line in records if isinstance(record, CorrectionRecord)]
    if not corrections:
        return
    codes = {
        (game.round, game.white, game.black): (game.white_code, game.black_code) for game in report.games()
    }
    for record, line in corrections:
        is_so = codes.get((record.round, record.white, record.black)) == record.codes
        game = {"round": record.round, "white": record.white, "black": record.black}
        yield found("rating-correction" if is_so else "rating-correction-differs", Place(line), **game)


def scores_of(report: Report) -> Scores:
    """Return the half points of each colour and code by 162, XXS and BB*, else the usual ones."""
    scores = {(colour, code): points for code, points in USUAL.items() for colour in COLOURS}
    for record in report.rows("162"):
        for name, points in record["scores"]:
            _set(scores, CODES_162.get(name, ""), points)
    for tag, codes in CODES_BB.items():
        for record in report.rows(tag):
            _set(scores, codes, record["points"])
    for record in report.rows("XXS"):
        for name, points in record["scores"]:
            colours = (name[0].lower(),) if name in ("WW", "WD", "WL", "BW", "BD", "BL") else COLOURS
            _set(scores, CODES_XXS.get(name, ""), points, colours=colours)
    return scores


def _counting(scores: Scores) -> Callable[[Iterable[str]], int]:
    """Return a function that adds up the half points of the marks of rounds."""
    by_mark = {mark_of(colour, code): points for (colour, code), points in scores.items()}
    return lambda marks: sum(map(by_mark.__getitem__, marks))


def _set(scores: Scores, codes: str, points: int, *, colours: tuple[str, ...] = COLOURS) -> None:
    scores.update({(colour, code): points for colour in colours for code in codes})


def _rank_findings(report: Report) -> Iterator[Finding]:
    ranked: dict[int, PlayerRecord] = {}
    if report.has_games and all(player.rank is None for player in report.players):
        yield found("ranks-missing")
    for player in report.players:
        if player.rank is None:
            continue
        if player.rank in ranked:
            first = ranked[player.rank]
            place = Place(player.line, 86 - player.shift, 4)
            yield found("rank-duplicate", place, rank=player.rank, other=first.number, other_line=first.line)
        ranked.setdefault(player.rank, player)
    yield from _first_out_of_order([ranked[rank] for rank in sorted(ranked)])


def _first_out_of_order(players: list[PlayerRecord]) -> Iterator[Finding]:
    """Yield one note that ranks do not follow the points; on every line it would be useless."""
    for higher, lower in pairwise(players):
        if higher.points is not None and lower.points is not None and higher.points < lower.points:
            params = {"points": _text(higher.points), "other_points": _text(lower.points)}
            ranks = {"rank": higher.rank or 0, "other_rank": lower.rank or 0}
            yield found("rank-order", Place(higher.line, 86 - higher.shift, 4), **params, **ranks)
            return


def _text(points: int) -> str:
    return points_text(points, width=8)


def _points_of(player: PlayerRecord) -> Place:
    return Place(player.line, 81 - player.shift, 4)
