"""Whether points add up and ranks follow them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from operator import itemgetter

from tournaments.trf.fields import points_text
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.records.event import ScoreListRecord, ScoreRecord, ScoringRecord
from tournaments.trf.records.pairing import AbnormalRecord
from tournaments.trf.records.player import PlayerRecord
from tournaments.trf.records.rounds import RoundResult
from tournaments.trf.report import Report

Scores = dict[tuple[str, str], int]
COLOURS = ("", "w", "b")
mark_of, code_of = itemgetter(2, 3), itemgetter(3)
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
    exempt = {
        number for record in report.records if isinstance(record, AbnormalRecord) for number in record.numbers
    }
    for player in report.players:
        if player.points is None or player.number in exempt:
            continue
        counted = counted_of(player.results)
        if counted != player.points:
            points = {"counted": _text(counted), "said": _text(player.points)}
            yield found("points-mismatch", _points_of(player), number=player.number, **points)
    yield from _rank_findings(report)


def scores_of(report: Report) -> Scores:
    """Return the half points of each colour and code, as 162, XXS and BB* say, else as usual."""
    scores = {(colour, code): points for code, points in USUAL.items() for colour in COLOURS}
    for record in report.records:
        if isinstance(record, ScoringRecord) and record.tag == "162":
            for name, points in record.scores:
                _set(scores, CODES_162.get(name, ""), points)
        elif isinstance(record, ScoreRecord):
            _set(scores, CODES_BB[record.tag], record.points)
        elif isinstance(record, ScoreListRecord):
            for name, points in record.scores:
                colours = (name[0].lower(),) if name in ("WW", "WD", "WL", "BW", "BD", "BL") else COLOURS
                _set(scores, CODES_XXS.get(name, ""), points, colours=colours)
    return scores


def _counting(scores: Scores) -> Callable[[Iterable[RoundResult]], int]:
    """Return what adds up the half points of rounds, by the codes alone where the colour does not matter."""
    by_code = {code: points for (_, code), points in scores.items()}
    if all(by_code[code] == points for (_, code), points in scores.items()):
        return lambda results: sum(map(by_code.__getitem__, map(code_of, results)))
    return lambda results: sum(map(scores.__getitem__, map(mark_of, results)))


def _set(scores: Scores, codes: str, points: int, *, colours: tuple[str, ...] = COLOURS) -> None:
    scores.update({(colour, code): points for colour in colours for code in codes})


def _rank_findings(report: Report) -> Iterator[Finding]:
    ranked: dict[int, PlayerRecord] = {}
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
    """One notice says that ranks follow something else than points; it would be no use on every line."""
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
