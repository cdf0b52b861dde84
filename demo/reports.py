"""Simulated tournaments and their reports, in the format of pairing programs.

Pairings are by score as in a Swiss, results by the players' true strength.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Any, NamedTuple

from demo.people import HOME, DemoPlayer
from ratings.systems.arithmetic import scoring_probability
from tournaments.conditions import Conditions
from tournaments.trf import PlayerRecord, Report, RoundResult, write_report, write_trf26
from tournaments.trf.checks.pairings import HALF_POINTS

FIRST_OF_TRF26 = date(2025, 9, 1)


class Board(NamedTuple):
    """A game of a round between two starting ranks, or an unplayed round (`black` is None)."""

    round: int
    white: int
    black: int | None
    white_code: str
    black_code: str = ""

    def code_of(self, number: int) -> str:
        return self.white_code if number == self.white else self.black_code

    @property
    def is_played(self) -> bool:
        return self.black is not None and self.white_code in "10="


@dataclass(frozen=True, slots=True)
class Draw:
    """The distribution of results: strength by starting rank, and how many of 10 possible draws are drawn."""

    strengths: Sequence[int]
    draws: int

    def result(self, rng: Random, white: int, black: int) -> tuple[str, str]:
        """Return the result codes of a game. The difference in strength gives the expected score (7.1.2)."""
        # 20 points for the advantage of White.
        expected = scoring_probability(self.strengths[white - 1] - self.strengths[black - 1] + 20)
        draws = min(expected, 100 - expected) * self.draws // 10
        drawn = rng.randrange(100)
        if drawn < expected - draws // 2:
            return "1", "0"
        return ("=", "=") if drawn < expected - draws // 2 + draws else ("0", "1")


def play_match(rng: Random, draw: Draw, *, rounds: int) -> list[Board]:
    """Return the games of two players with alternating colours."""
    pairs = [(1, 2) if number % 2 else (2, 1) for number in range(1, rounds + 1)]
    return [Board(number, *pair, *draw.result(rng, *pair)) for number, pair in enumerate(pairs, 1)]


def play_swiss(rng: Random, draw: Draw, *, rounds: int) -> list[Board]:
    """Return all boards. Some players take a half-point bye or stay away, and a few games are forfeited."""
    tournament = _Swiss(rng, draw)
    for number in range(1, rounds + 1):
        tournament.play(number)
    return tournament.boards


class _Swiss:
    """A Swiss tournament while it is played. Ranks are starting ranks from 1."""

    def __init__(self, rng: Random, draw: Draw) -> None:
        self.boards: list[Board] = []
        self._rng = rng
        self._draw = draw
        self._ranks = list(range(1, len(draw.strengths) + 1))
        self._points = dict.fromkeys(self._ranks, 0)
        self._whites = dict.fromkeys(self._ranks, 0)
        self._met: set[tuple[int, int]] = set()
        self._had_bye: set[int] = set()

    def play(self, number: int) -> None:
        present = sorted(self._ranks, key=lambda rank: (-self._points[rank], rank))
        present = self._leave_out(number, present)
        if len(present) % 2:
            present.remove(self._give_bye(number, present))
        for one, other in self._pair(present) or ():
            self._play_board(number, one, other)

    def _leave_out(self, number: int, present: list[int]) -> list[int]:
        """Remove players with a half-point bye (H) or absent (Z). Return the players to pair."""
        # The leaders do not stay away.
        for rank in present[len(present) // 4 :]:
            chance = self._rng.randrange(120)
            if chance < 3:
                self._record(Board(number, rank, None, "H" if chance < 2 else "Z"))
                present = [other for other in present if other != rank]
        return present

    def _give_bye(self, number: int, present: list[int]) -> int:
        # Nobody has a second bye while another player can have it (FIDE C.04.1).
        rank = next((rank for rank in reversed(present) if rank not in self._had_bye), present[-1])
        self._had_bye.add(rank)
        self._record(Board(number, rank, None, "U"))
        return rank

    def _pair(self, left: list[int]) -> list[tuple[int, int]] | None:
        """Return pairs within the score, upper against lower half, without repetitions, or None if that fails."""
        if not left:
            return []
        first, rest = left[0], left[1:]
        for other in self._candidates(first, rest):
            pairs = self._pair([rank for rank in rest if rank != other])
            if pairs is not None:
                return [(first, other), *pairs]
        return None

    def _candidates(self, first: int, rest: list[int]) -> list[int]:
        same = [rank for rank in rest if self._points[rank] == self._points[first]]
        half = len(same) // 2
        ordered = same[half:] + same[:half] + rest[len(same) :]
        return [rank for rank in ordered if (min(first, rank), max(first, rank)) not in self._met]

    def _play_board(self, number: int, one: int, other: int) -> None:
        self._met.add((min(one, other), max(one, other)))
        is_turned = (self._whites[one], one % 2) > (self._whites[other], other % 2)
        white, black = (other, one) if is_turned else (one, other)
        self._whites[white] += 1
        is_forfeit = self._rng.randrange(140) == 0
        codes = ("+", "-") if is_forfeit else self._draw.result(self._rng, white, black)
        self._record(Board(number, white, black, *codes))

    def _record(self, board: Board) -> None:
        self.boards.append(board)
        for rank in (board.white, board.black):
            if rank is not None:
                self._points[rank] += HALF_POINTS.get(board.code_of(rank), 0)


# The columns of a name in a TRF report.
NAME_WIDTH = 33
# Fewer games of blitz end in a draw.
DRAWS = {"rapid": 6, "blitz": 4}


@dataclass(frozen=True, slots=True)
class DemoEvent:
    """A tournament as its report names it. `time` is minutes and seconds per move."""

    name: str
    city: str
    kind: str
    time: tuple[int, int]
    start: date
    end: date
    rounds: int
    arbiter: str
    federation: str = HOME
    is_match: bool = False

    @property
    def time_control(self) -> str:
        return f"{self.time[0]}+{self.time[1]}"

    @property
    def round_dates(self) -> tuple[date, ...]:
        """The date of each round, spread evenly over the days."""
        days = (self.end - self.start).days + 1
        return tuple(self.start + timedelta(days=index * days // self.rounds) for index in range(self.rounds))

    def conditions(self, **others: Any) -> Conditions:
        """Return the conditions with which it is registered."""
        return Conditions(
            name=self.name,
            federation_code=self.federation,
            kind=self.kind,
            base_seconds=self.time[0] * 60,
            increment_seconds=self.time[1],
            start=self.start,
            end=self.end,
            city=self.city,
            schedule=[day.isoformat() for day in self.round_dates],
            chief_arbiter=self.arbiter,
            organiser=f"Chess club of {self.city}",
            is_match=self.is_match,
            **others,
        )

    @property
    def file_name(self) -> str:
        words = "-".join(part for part in self.name.lower().replace("'", "").split())
        return f"{self.start:%Y-%m-%d}-{words}.trf"


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """A finished tournament: its players by starting rank with their ratings, and all boards."""

    event: DemoEvent
    field: tuple[DemoPlayer, ...]
    ratings: tuple[int, ...]
    boards: tuple[Board, ...]

    @property
    def report(self) -> Report:
        """The report with points and ranks."""
        event = self.event
        kind = "Match" if event.is_match else "Individual: Swiss-System"
        return Report(
            name=event.name,
            city=event.city,
            federation=event.federation,
            start=event.start,
            end=event.end,
            number_of_players=len(self.field),
            number_of_rated_players=sum(rating > 0 for rating in self.ratings),
            number_of_teams=0,
            tournament_type=kind,
            chief_arbiter=event.arbiter,
            time_control=event.time_control,
            round_dates=event.round_dates,
            rounds=event.rounds,
            players=tuple(self._records()),
        )

    @property
    def content(self) -> bytes:
        """The report as TRF26 if it applies on the first day, else as TRF16."""
        write = write_trf26 if self.event.start >= FIRST_OF_TRF26 else write_report
        return write(self.report).encode()

    def with_result_turned(self) -> PlayedEvent:
        """Return the tournament with the first decisive game of round 3 reversed."""
        index = next(
            i for i, board in enumerate(self.boards) if board.round == 3 and board.white_code in "10"
        )
        board = self.boards[index]
        turned = board._replace(white_code=board.black_code, black_code=board.white_code)
        return replace(self, boards=(*self.boards[:index], turned, *self.boards[index + 1 :]))

    def _records(self) -> list[PlayerRecord]:
        results = [self._results(number) for number in range(1, len(self.field) + 1)]
        points = [sum(HALF_POINTS.get(result.code, 0) for result in rounds) for rounds in results]
        # Without tie-breaks, which no rating needs.
        order = sorted(range(len(points)), key=lambda index: (-points[index], index))
        ranks = {index: rank for rank, index in enumerate(order, 1)}
        return [
            _record(index, person, self.ratings[index], points[index], ranks[index], results[index])
            for index, person in enumerate(self.field)
        ]

    def _results(self, number: int) -> tuple[RoundResult, ...]:
        boards = {board.round: board for board in self.boards if number in (board.white, board.black)}
        return tuple(
            _result(boards[at], number) if at in boards else RoundResult(at, None, "", "Z")
            for at in range(1, self.event.rounds + 1)
        )


def play(rng: Random, event: DemoEvent, field: Sequence[tuple[DemoPlayer, int]]) -> PlayedEvent:
    """Play a tournament of players with their published ratings (0 if unrated), and return it."""
    ranked = sorted(field, key=lambda pair: (-pair[1], pair[0].record.name, pair[0].fide_id))
    persons = tuple(person for person, _ in ranked)
    draw = Draw([person.strength for person in persons], DRAWS[event.kind])
    play_rounds = play_match if event.is_match else play_swiss
    boards = play_rounds(rng, draw, rounds=event.rounds)
    return PlayedEvent(event, persons, tuple(rating for _, rating in ranked), tuple(boards))


def _record(
    index: int, person: DemoPlayer, rating: int, points: int, rank: int, results: tuple[RoundResult, ...]
) -> PlayerRecord:
    record = person.record
    return PlayerRecord(
        number=index + 1,
        name=record.name[:NAME_WIDTH].strip(),
        sex=record.sex,
        title=record.title,
        rating=rating,
        federation=record.federation,
        fide_id=record.fide_id or None,
        birth_year=record.birth_year,
        points=points,
        rank=rank,
        results=results,
    )


def _result(board: Board, number: int) -> RoundResult:
    if board.black is None:
        return RoundResult(board.round, None, "", board.white_code)
    is_white = number == board.white
    opponent = board.black if is_white else board.white
    colour = ("w" if is_white else "b") if board.is_played else ""
    return RoundResult(board.round, opponent, colour, board.code_of(number))
