"""Players who meet twice, and rounds with many byes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.players import mark_of
from tournaments.trf.report import Report

REPEATS = re.compile(
    r"double|match|robin|rr\b|berger|schiller|scheveningen|knock|cup|league|arena|liga|all[- ]play",
    re.IGNORECASE,
)
SWISS = re.compile(r"swiss|dutch|dubov|burstein|lim\b|schweizer|suizo|suisse|svizzero", re.IGNORECASE)


def meeting_findings(report: Report) -> Iterator[Finding]:
    """Yield second meetings, an error in a Swiss and unusual without a system, and rounds with many byes."""
    # Two players are a match, in which they meet again and again.
    kind = " ".join([report.tournament_type, *(record.text for record in report.rows("192"))])
    if len(report.players) > 2 and not REPEATS.search(kind):
        code = "played-twice" if SWISS.search(kind) else "played-again"
        for player in report.players:
            number, opponents = player.number, player.rounds.opponents
            if len(set(opponents)) == len(opponents):
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
    # A team that is left without an opponent leaves a bye to each of its players.
    if not report.teams:
        yield from _many_byes(report)


def _many_byes(report: Report) -> Iterator[Finding]:
    byes = Counter(
        number
        for player in report.players
        if not PAIRING_BYES.isdisjoint(player.rounds.marks)
        for number, mark in enumerate(player.rounds.marks, 1)
        if mark in PAIRING_BYES
    )
    for number, count in sorted(byes.items()):
        if count > 1:
            yield found("byes-in-round", round=number, count=count)


BOARD_CODES = frozenset("10=WDL")
PAIRING_BYES = frozenset(mark_of(colour, "U") for colour in ("", "w", "b"))
