"""Reports of the demonstration's tournaments as the programs of arbiters write them (TRF16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from demo.games import HALF_POINTS, Board, Draw, play_match, play_swiss
from demo.people import HOME, Person
from tournaments.trf import PlayerRecord, Report, RoundResult, write_report

NAME_WIDTH = 33
DRAWS = {"rapid": 6, "blitz": 4}


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament as its report names it. `time` is minutes and seconds a move."""

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
        """The day of each round, the rounds spread evenly over the days."""
        days = (self.end - self.start).days + 1
        return tuple(self.start + timedelta(days=index * days // self.rounds) for index in range(self.rounds))

    @property
    def file_name(self) -> str:
        words = "-".join(part for part in self.name.lower().replace("'", "").split())
        return f"{self.start:%Y-%m-%d}-{words}.trf"


@dataclass(frozen=True, slots=True)
class Played:
    """A tournament that was played: its players by starting rank with their ratings, and all boards."""

    event: Event
    field: tuple[Person, ...]
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
        return write_report(self.report).encode()

    def with_result_turned(self) -> Played:
        """Return the tournament with the first decisive game of its third round the other way round."""
        index = next(
            i for i, board in enumerate(self.boards) if board.round == 3 and board.white_code in "10"
        )
        board = self.boards[index]
        turned = board._replace(white_code=board.black_code, black_code=board.white_code)
        return replace(self, boards=(*self.boards[:index], turned, *self.boards[index + 1 :]))

    def _records(self) -> list[PlayerRecord]:
        results = [self._results(number) for number in range(1, len(self.field) + 1)]
        points = [sum(HALF_POINTS.get(result.code, 0) for result in rounds) for rounds in results]
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


def play(rng: Random, event: Event, field: Sequence[tuple[Person, int]]) -> Played:
    """Return a tournament of players with their published ratings (0 for none), played to its end."""
    ranked = sorted(field, key=lambda pair: (-pair[1], pair[0].record.name, pair[0].fide_id))
    persons = tuple(person for person, _ in ranked)
    draw = Draw([person.strength for person in persons], DRAWS[event.kind])
    play_rounds = play_match if event.is_match else play_swiss
    boards = play_rounds(rng, draw, rounds=event.rounds)
    return Played(event, persons, tuple(rating for _, rating in ranked), tuple(boards))


def _record(
    index: int, person: Person, rating: int, points: int, rank: int, results: tuple[RoundResult, ...]
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
