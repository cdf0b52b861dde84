"""Whether the lines of two opponents agree (FIDE R&B 2024, 4.1), and whether two meet too often."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.players import PlayerRecord, RoundResult, cell_text, column_of, mark_of
from tournaments.trf.report import COMPLEMENT, PENALTIES, Report
from tournaments.trf.tables import GAME_CODES

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


UNREAD = {"round-unreadable", "opponent-unreadable", "colour-unreadable", "result-unreadable"}
BYES = frozenset("HFUZ")
FORFEITS = frozenset("+-")
HALF_POINTS = {"1": 2, "=": 1, "W": 2, "D": 1, "+": 2, "H": 1, "F": 2, "U": 2}
AGREED_CODES = {
    *COMPLEMENT.items(),
    # Games of less than one move, which are not rated: penalties, too.
    *(("W", "L"), ("L", "W"), ("D", "D"), ("L", "L"), ("D", "L"), ("L", "D")),
}
AGREED_FORFEITS = {("+", "-"), ("-", "+"), ("-", "-")}
AGREED_COLOURS = {("w", "b"), ("b", "w")}
# The most frequent pairs of lines, for a quick check: the marks that go with each.
USUAL: dict[str, set[str]] = {}
for one, other in AGREED_CODES | AGREED_FORFEITS:
    for mine, back in AGREED_COLOURS | ({("", "")} if one in FORFEITS else set()):
        USUAL.setdefault(mark_of(mine, one), set()).add(mark_of(back, other))
# What most games have: one mark that goes with each.
PARTNERS = {
    mark_of(mine, one): mark_of(back, other)
    for mine, back in AGREED_COLOURS
    for one, other in COMPLEMENT.items()
}
OVER_THE_BOARD = frozenset(mark_of(colour, code) for colour in ("", "w", "b") for code in BOARD_CODES)


def pairing_findings(report: Report) -> Iterator[Finding]:
    """Yield what is wrong with the rounds of the players against each other."""
    yield from _Pairings(report).findings()
    yield from meeting_findings(report)


def _agree(players: Mapping[int, PlayerRecord]) -> bool:
    """Return whether all lines agree: a quick check that spares most reports the full one.

    Each pair is compared from its lower number. If the higher numbers name as many opponents as there are such
    pairs, each of them is named in return.
    """
    rounds = {number: player.rounds for number, player in players.items()}
    columns = {number: (of_player.opponents, of_player.marks) for number, of_player in rounds.items()}
    partner_of = PARTNERS.get
    pairs = named_by_higher = 0
    for number, (opponents, marks) in columns.items():
        for index, opponent in enumerate(opponents):
            if opponent is None:
                if marks[index] in OVER_THE_BOARD:
                    return False
            elif opponent < number:
                named_by_higher += 1
            elif opponent == number or opponent not in columns:
                return False
            else:
                answer, others = columns[opponent]
                mark, other = marks[index], others[index]
                if answer[index] != number or (
                    partner_of(mark) != other and other not in USUAL.get(mark, ())
                ):
                    return False
                pairs += 1
    return pairs == named_by_higher


class _Pairings:
    """The rounds of one report, looked at from both sides."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._players = report.by_number
        self._counted: dict[int, int] = {}
        self._named: dict[tuple[int, int], list[PlayerRecord]] = defaultdict(list)
        self._unread = {
            (finding.line, finding.params["round"]) for finding in report.findings if finding.code in UNREAD
        }

    def findings(self) -> Iterator[Finding]:
        """Yield the findings of both lines of a pair at the lower number, so that most rounds are passed over."""
        players = self._players
        if len(players) == len(self._report.players) and _agree(players):
            return
        for player in self._report.players:
            number = player.number
            for mine in player.results:
                index, opponent, colour, code = mine
                if opponent is None:
                    if code in BOARD_CODES:
                        yield from self._problems(player, mine, None)
                    continue
                other = players.get(opponent)
                answer = other.results[index - 1] if other else None
                if other is None or answer is None or answer[1] != number or number == opponent:
                    yield from self._problems(player, mine, other)
                elif number < opponent and mark_of(*answer[2:]) not in USUAL.get(mark_of(colour, code), ()):
                    yield from self._problems(player, mine, other)
                    yield from self._problems(other, answer, player)

    def _problems(
        self, player: PlayerRecord, mine: RoundResult, other: PlayerRecord | None
    ) -> Iterator[Finding]:
        if (player.line, mine.round) in self._unread:
            return
        place = _opponent_of(player, mine)
        if mine.opponent is None:
            yield _alone(player, mine).with_fix(self._right_opponent(player, mine))
        elif mine.opponent == player.number:
            finding = found("opponent-self", place, number=player.number, round=mine.round)
            yield finding.with_fix(self._right_opponent(player, mine))
        elif other is None:
            finding = found("opponent-unknown", place, opponent=mine.opponent, round=mine.round)
            yield finding.with_fix(self._right_opponent(player, mine))
        elif mine.code in BYES:
            place = _code_of(player, mine)
            yield found(
                "bye-with-opponent", place, result=mine.code, round=mine.round, opponent=mine.opponent
            )
        elif (other.line, mine.round) not in self._unread:
            yield from self._against(player, mine, other)

    def _against(self, player: PlayerRecord, mine: RoundResult, other: PlayerRecord) -> Iterator[Finding]:
        answer = other.results[mine.round - 1]
        if answer.opponent == player.number:
            yield from self._disagreements(player, mine, other, answer)
        # Such a game is not rated in either reading, so that it is no error.
        elif answer.opponent is None and mine.code in FORFEITS and answer.code not in BOARD_CODES:
            yield found("forfeit-asymmetric", _opponent_of(player, mine), **_pair(player, mine, other))
        # Else the other line is the wrong one, and its own finding says how it should be.
        elif self._naming()[mine.round, other.number] != [player] or not self._right_opponent(other, answer):
            params = {**_pair(player, mine, other), "other": answer.opponent or "nobody"}
            fix = self._right_opponent(player, mine)
            yield found("pairing-asymmetric", _opponent_of(player, mine), **params).with_fix(fix)

    def _disagreements(
        self, player: PlayerRecord, mine: RoundResult, other: PlayerRecord, answer: RoundResult
    ) -> Iterator[Finding]:
        params = _pair(player, mine, other)
        place = Place(player.line, player.column_of(mine.round) + 5, 1)
        is_played = mine.code in BOARD_CODES or answer.code in BOARD_CODES
        if mine.colour and mine.colour == answer.colour:
            yield found(
                "colours-same" if is_played else "forfeit-colours", place, **params, colour=mine.colour
            )
        elif not mine.colour and (mine.code in GAME_CODES or answer.code in GAME_CODES):
            yield found("colour-missing", place, **params)
        codes = (mine.code, answer.code)
        if codes == ("", ""):
            if player.number < other.number:
                yield found("result-missing", _code_of(player, mine), round=mine.round)
        # Both codes may be true: the arbiter took points (D-120).
        elif codes in PENALTIES:
            if player.number < other.number:
                fix = self._right_result(player, mine, other, answer)
                yield found("result-penalty", _code_of(player, mine), **params).with_fix(fix)
        elif codes not in AGREED_CODES and codes not in AGREED_FORFEITS and answer.code not in BYES:
            params |= {"result": mine.code or " ", "other_result": answer.code or " "}
            del params["number"]
            fix = self._right_result(player, mine, other, answer)
            yield found("results-contradict", _code_of(player, mine), **params).with_fix(fix)

    def _right_opponent(self, player: PlayerRecord, mine: RoundResult) -> str | None:
        """Return the line with the one player who names this one in the round and agrees in all else.

        None where the opponent may as well be the one whose line is wrong: then either would leave as few errors.
        """
        naming = self._naming()[mine.round, player.number]
        named = self._players.get(mine.opponent or 0)
        # Only what the other lines leave no doubt about is proposed: nobody looks at each fix again.
        if len(naming) != 1 or not _may_meet(mine, naming[0].results[mine.round - 1]):
            return None
        if self._players[player.number] is not player or self._players[naming[0].number] is not naming[0]:
            return None
        if (
            named
            and _may_meet(mine, named.results[mine.round - 1])
            and not self._is_answered(named, mine.round)
        ):
            return None
        return self._with_cell(player, mine._replace(opponent=naming[0].number))

    def _is_answered(self, player: PlayerRecord, number: int) -> bool:
        """Return whether the opponent whom a player names in a round names this player, too."""
        other = self._players.get(player.results[number - 1].opponent or 0)
        return other is not None and other.results[number - 1].opponent == player.number

    def _right_result(
        self, player: PlayerRecord, mine: RoundResult, other: PlayerRecord, answer: RoundResult
    ) -> str | None:
        """Return the line with the opponent's result if the points of both lines support it."""
        # The opponent's line is believed where its own points bear it out.
        if answer.code not in GAME_CODES or self._surplus(other) != 0:
            return None
        righted = mine._replace(code=COMPLEMENT[answer.code])
        gained = HALF_POINTS.get(righted.code, 0) - HALF_POINTS.get(mine.code, 0)
        return self._with_cell(player, righted) if gained and self._surplus(player) == gained else None

    def _surplus(self, player: PlayerRecord) -> int | None:
        """Return by how many half points a player's points exceed the results, None where they are not given."""
        if player.points is None:
            return None
        if player.line not in self._counted:
            points = (HALF_POINTS.get(result.code, 0) for result in player.results)
            self._counted[player.line] = sum(points)
        return player.points - self._counted[player.line]

    def _naming(self) -> dict[tuple[int, int], list[PlayerRecord]]:
        """Return who names whom: players by round and opponent, made once, when it is first needed."""
        if not self._named:
            for player in self._report.players:
                for number, opponent, _, _ in player.results:
                    if opponent and opponent != player.number:
                        self._named[number, opponent].append(player)
        return self._named

    def _with_cell(self, player: PlayerRecord, result: RoundResult) -> str | None:
        line = self._report.lines[player.line - 1]
        start = column_of(result.round) - 1
        # Columns of the line as written are not those that were read.
        if player.is_moved or "\t" in line:
            return None
        return line[:start] + cell_text(result) + line[start + 8 :]


def _may_meet(mine: RoundResult, other: RoundResult) -> bool:
    """Return whether two cells have the colours and the results of one game."""
    is_agreed = (mine.colour, other.colour) in AGREED_COLOURS
    return is_agreed and mine.code in GAME_CODES and other.code == COMPLEMENT[mine.code]


def _alone(player: PlayerRecord, mine: RoundResult) -> Finding:
    if mine.colour and mine.code in GAME_CODES:
        place = _opponent_of(player, mine)
        return found("opponent-missing", place, round=mine.round, colour=mine.colour, result=mine.code)
    if mine.code == "=":
        return found("bye-as-draw", _code_of(player, mine), round=mine.round)
    return found("bye-as-result", _code_of(player, mine), round=mine.round, result=mine.code)


def _pair(player: PlayerRecord, mine: RoundResult, other: PlayerRecord) -> dict[str, str | int]:
    return {
        "round": mine.round,
        "number": player.number,
        "opponent": other.number,
        "other_line": other.line,
    }


def _opponent_of(player: PlayerRecord, mine: RoundResult) -> Place:
    return Place(player.line, player.column_of(mine.round), 4)


def _code_of(player: PlayerRecord, mine: RoundResult) -> Place:
    return Place(player.line, player.column_of(mine.round) + 7, 1)
