"""Tournaments of any size, made up: everybody plays somebody in every round."""

from __future__ import annotations

from datetime import date
from random import Random

from tournaments.trf import PlayerRecord, Report, RoundResult

HALF_POINTS = {"1": 2, "=": 1, "0": 0}
OTHER = {"1": "0", "0": "1", "=": "="}
DAY = date(2026, 1, 10)


def tournament(*, players: int, rounds: int, seed: int = 1) -> Report:
    """Return a report of an even number of players; nobody meets twice while there are rounds enough."""
    random = Random(seed)
    results: dict[int, list[RoundResult]] = {number: [] for number in range(1, players + 1)}
    for number in range(1, rounds + 1):
        for white, black in _pairs(players, number - 1):
            code = random.choice("10=")
            results[white].append(RoundResult(number, black, "w", code))
            results[black].append(RoundResult(number, white, "b", OTHER[code]))
    return Report(
        name="Large Open",
        city="Exampletown",
        federation="SUI",
        start=DAY,
        end=DAY,
        number_of_players=players,
        number_of_rated_players=players,
        number_of_teams=0,
        tournament_type="Individual: Swiss-System",
        chief_arbiter="Arbiter, Anna",
        time_control="15+10",
        round_dates=(DAY,) * rounds,
        rounds=rounds,
        players=_players(results, random),
    )


def _pairs(players: int, turn: int) -> list[tuple[int, int]]:
    """Return the pairs of one round of a round robin (the circle method)."""
    circle = [1, *(2 + (index + turn) % (players - 1) for index in range(players - 1))]
    pairs = [(circle[index], circle[players - 1 - index]) for index in range(players // 2)]
    return [pair if turn % 2 else pair[::-1] for pair in pairs]


def _players(results: dict[int, list[RoundResult]], random: Random) -> tuple[PlayerRecord, ...]:
    points = {
        number: sum(HALF_POINTS[result.code] for result in rounds) for number, rounds in results.items()
    }
    ranked = sorted(points, key=lambda number: (-points[number], number))
    ranks = {number: rank for rank, number in enumerate(ranked, 1)}
    return tuple(
        PlayerRecord(
            number=number,
            name=f"Surname{number}, Given",
            sex=random.choice("MF"),
            rating=random.randrange(1400, 2600),
            federation="SUI",
            fide_id=900_000_000 + number,
            birth_year=random.randrange(1950, 2015),
            points=points[number],
            rank=ranks[number],
            results=tuple(rounds),
        )
        for number, rounds in results.items()
    )
