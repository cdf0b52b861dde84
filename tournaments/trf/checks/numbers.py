"""Starting numbers that are wrong: one cause, of which each game of the line would be a finding of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tournaments.trf.checks.pairings import pairing_findings
from tournaments.trf.codes import Severity
from tournaments.trf.findings import Finding, found
from tournaments.trf.report import Report, field_place, with_field

# One opponent who names another number may be the one who is wrong.
FEWEST_OPPONENTS = 2
# With more wrong numbers than these no line is the cause.
MOST_WRONG = 10


def with_right_numbers(report: Report) -> Report:
    """Return a report whose players have the starting numbers that their opponents name, where that is certain.

    A number is certain where more opponents of one player than of any other name it, and the report has fewer errors
    with it; who has it gets the player's, for two may be exchanged.
    """
    votes = _votes(report)
    if len(votes) > MOST_WRONG:
        return report
    for number, lines in sorted(votes.items()):
        (line, count), *others = lines.most_common(2)
        if not (others and others[0][1] == count):
            righted = _renumbered(report, line, number)
            report = righted if _errors(righted) < _errors(report) else report
    return report


def _votes(report: Report) -> Mapping[int, Counter[int]]:
    """Return how many opponents of the player of a line name another number, by number and line."""
    opponents = {number: player.rounds.opponents for number, player in report.by_number.items()}
    votes: dict[int, Counter[int]] = {}
    for player in report.players:
        for place, opponent in enumerate(player.rounds.opponents):
            named = opponents[opponent][place] if opponent in opponents else None
            if named and named != player.number:
                votes.setdefault(named, Counter())[player.line] += 1
    return {number: lines for number, lines in votes.items() if max(lines.values()) >= FEWEST_OPPONENTS}


def _renumbered(report: Report, line: int, number: int) -> Report:
    former = next(player.number for player in report.players if player.line == line)
    numbers = {player.line: former for player in report.players if player.number == number} | {line: number}
    players = (player._replace(number=numbers.get(player.line, player.number)) for player in report.players)
    return replace(report, players=tuple(players))


def _errors(report: Report) -> int:
    return sum(finding.severity == Severity.ERROR for finding in pairing_findings(report))


def number_findings(report: Report, righted: Report) -> Iterator[Finding]:
    """Yield the players of a report who have another number in the righted one, with the line as it should be."""
    for player, right in zip(report.players, righted.players, strict=True):
        if player.number != right.number:
            place = field_place(player, "number")
            finding = found("player-number-wrong", place, number=player.number, right=right.number)
            yield finding.with_fix(with_field(report, player, "number", str(right.number)))
