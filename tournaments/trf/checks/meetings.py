"""Who meets whom again, and how many byes a round has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter

from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.records.other import TextRecord
from tournaments.trf.report import Report

REPEATS = re.compile(
    r"double|match|robin|rr\b|berger|schiller|scheveningen|knock|cup|league|arena|liga|all[- ]play",
    re.IGNORECASE,
)
SWISS = re.compile(r"swiss|dutch|dubov|burstein|lim\b|schweizer|suizo|suisse|svizzero", re.IGNORECASE)
BOARD_CODES = frozenset("10=WDL")
opponent_of, code_of = itemgetter(1), itemgetter(3)


def meeting_findings(report: Report) -> Iterator[Finding]:
    """Yield second meetings, a fault in a Swiss and odd where the system is not said, and rounds of many byes."""
    kind = _system(report)
    if len(report.players) > 2 and not REPEATS.search(kind):
        yield from _second_meetings(report, "played-twice" if SWISS.search(kind) else "played-again")
    if not report.teams:
        yield from _many_byes(report)


def _system(report: Report) -> str:
    systems = [
        record.text for record in report.records if isinstance(record, TextRecord) and record.tag == "192"
    ]
    return " ".join([report.tournament_type, *systems])


def _second_meetings(report: Report, code: str) -> Iterator[Finding]:
    for player in report.players:
        number = player.number
        if len(set(map(opponent_of, player.results))) == len(player.results):
            continue
        first: dict[int, int] = {}
        for result in player.results:
            opponent = result.opponent
            if opponent is None or opponent <= number or result.code not in BOARD_CODES:
                continue
            if opponent in first:
                place = Place(player.line, player.column_of(result.round), 4)
                rounds = {"first": first[opponent], "round": result.round}
                yield found(code, place, number=number, opponent=opponent, **rounds)
            first.setdefault(opponent, result.round)


def _many_byes(report: Report) -> Iterator[Finding]:
    byes = Counter(
        result.round
        for player in report.players
        if "U" in map(code_of, player.results)
        for result in player.results
        if result.code == "U"
    )
    for number, count in sorted(byes.items()):
        if count > 1:
            yield found("byes-in-round", round=number, count=count)
