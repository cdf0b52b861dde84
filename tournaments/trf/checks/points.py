"""Whether points and ranks follow from the results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import pairwise

from tournaments.trf.checks.pairings import HALF_POINTS
from tournaments.trf.columns import RecordRow
from tournaments.trf.comments import CorrectionRecord
from tournaments.trf.fields import points_text
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.players import PlayerRecord, mark_of
from tournaments.trf.report import Record, Report, field_place, with_field
from tournaments.trf.tables import COLUMNS

Scores = dict[tuple[str, str], int]
COLOURS = ("", "w", "b")
USUAL = {**dict.fromkeys(("0", "L", "-", "Z", ""), 0), **HALF_POINTS}
# Which result codes a score of each record is for.
CODES_162 = {"W": "1W+FU", "D": "=DH", "L": "0L", "A": "-Z", "P": "U"}
CODES_BB = {"BBW": "1W+F", "BBD": "=DH", "BBL": "0L", "BBZ": "Z", "BBF": "-", "BBU": "U"}
CODES_XXS = {
    "W": "1W", "D": "=D", "WW": "1W", "BW": "1W", "WD": "=D", "BD": "=D", "WL": "0L", "BL": "0L", "ZPB": "Z",
    "HPB": "H", "FPB": "F", "PAB": "U", "FW": "+", "FL": "-",
}  # fmt: skip


def points_findings(report: Report) -> Iterator[Finding]:
    """Yield players whose results do not add up to their points, and ranks that do not follow the points."""
    counted_of = _counting(scores_of(report))
    exempt = {number for record in report.records for number in _with_other_points(record)}
    mismatched = set()
    for player in report.players:
        # What cannot be read was named by the reader; what 299 or a comment changes need not add up.
        if player.points is None or player.number in exempt:
            continue
        counted = counted_of(player.rounds.marks)
        if counted != player.points:
            mismatched.add(player.line)
            points = {"counted": _text(counted), "said": _text(player.points)}
            place, text = field_place(player, "points"), points_text(counted, width=COLUMNS["points"].width)
            fix = None if player.shift else with_field(report, player, "points", text)
            yield found("points-mismatch", place, number=player.number, **points).with_fix(fix)
    yield from _rank_findings(report, mismatched)


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
        (game.round, game.white, game.black): (game.white_code, game.black_code) for game in report.games
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


def _rank_findings(report: Report, mismatched: Collection[int]) -> Iterator[Finding]:
    """Yield ranks that are missing, given twice, or against the points; wrong points are findings of their own."""
    ranked: dict[int, PlayerRecord] = {}
    if report.has_games and all(player.rank is None for player in report.players):
        # Before the last round programs write none, so that the report may not be the final one.
        yield found("ranks-missing")
    for player in report.players:
        if player.rank is None:
            continue
        if player.rank in ranked:
            first = ranked[player.rank]
            place = Place(player.line, 86 - player.shift, 4)
            yield found("rank-duplicate", place, rank=player.rank, other=first.number, other_line=first.line)
        ranked.setdefault(player.rank, player)
    players = [player for _rank, player in sorted(ranked.items()) if player.line not in mismatched]
    for higher, lower in pairwise(players):
        if higher.points is not None and lower.points is not None and higher.points < lower.points:
            params = {"points": _text(higher.points), "other_points": _text(lower.points)}
            ranks = {"rank": higher.rank or 0, "other_rank": lower.rank or 0}
            yield found("rank-order", Place(higher.line, 86 - higher.shift, 4), **params, **ranks)
            return


def _text(points: int) -> str:
    return points_text(points, width=8)
