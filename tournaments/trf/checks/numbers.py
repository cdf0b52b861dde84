"""Starting numbers that are wrong: one cause, of which each game of the line would be a finding of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tournaments.trf.checks.pairings import pairing_findings
from tournaments.trf.codes import Severity
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.players import PlayerRecord
from tournaments.trf.report import Report, with_field

# One opponent who names another number may be the one who is wrong.
FEWEST_OPPONENTS = 2
# With more wrong numbers than these no line is the cause.
MOST_WRONG = 10
NUMBER_COLUMN, NUMBER_WIDTH = 5, 4


def with_right_numbers(report: Report) -> Report:
    """Return a report whose players have the starting numbers that their opponents name, where that is certain.

    A number is certain where no line has it, more opponents of one player than of any other name it, and the report
    has fewer errors with it.
    """
    known = {player.number for player in report.players}
    named = {opponent for player in report.players for opponent in player.rounds.opponents if opponent}
    if not named - known:
        return report
    votes = _votes(report, named - known)
    if len(votes) > MOST_WRONG:
        return report
    for number, lines in sorted(votes.items()):
        (line, count), *others = lines.most_common(2)
        if count >= FEWEST_OPPONENTS and not (others and others[0][1] == count):
            righted = _renumbered(report, line, number)
            report = righted if _errors(righted) < _errors(report) else report
    return report


def _votes(report: Report, unknown: set[int]) -> Mapping[int, Counter[int]]:
    """Return how many opponents of the player of a line name a number that no line has, by number and line."""
    players = report.by_number()
    votes: dict[int, Counter[int]] = {}
    for player in report.players:
        for place, opponent in enumerate(player.rounds.opponents):
            other = players.get(opponent or 0)
            named = other.rounds.opponents[place] if other else None
            if named in unknown and named is not None:
                votes.setdefault(named, Counter())[player.line] += 1
    return votes


def _renumbered(report: Report, line: int, number: int) -> Report:
    players = (player._replace(number=number) if player.line == line else player for player in report.players)
    return replace(report, players=tuple(players))


def _errors(report: Report) -> int:
    return sum(finding.severity == Severity.ERROR for finding in pairing_findings(report))


def number_findings(report: Report, righted: Report) -> Iterator[Finding]:
    """Yield the players of a report who have another number in the righted one, with the line as it should be."""
    for player, right in zip(report.players, righted.players, strict=True):
        if player.number != right.number:
            place = Place(player.line, NUMBER_COLUMN - player.shift, NUMBER_WIDTH)
            finding = found("player-number-wrong", place, number=player.number, right=right.number)
            yield finding.with_fix(_line_with_number(report, player, right.number))


def _line_with_number(report: Report, player: PlayerRecord, number: int) -> str | None:
    return with_field(report, player, NUMBER_COLUMN, f"{number:>{NUMBER_WIDTH}}")
