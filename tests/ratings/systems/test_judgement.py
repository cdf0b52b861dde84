"""D-134: the figures of a list, their bounds, and what stops a list; honest months are generated, faults planted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from ratings.systems.judgement import (
    ENOUGH_LISTS,
    LISTS,
    Came,
    Left,
    ListFigures,
    Part,
    Row,
    Source,
    Stop,
    Unit,
    add_row,
    compare_first,
    judge,
    stops_of,
    unexplained,
)

# Months of a chess year: holidays have the most tournaments, summer the fewest.
SEASON = (10, 9, 11, 9, 8, 7, 6, 6, 9, 11, 11, 13)
Plant = Callable[[list[Row]], list[Row]]


class World:
    """A world of players whose months are made up: tournaments of some federations, newcomers, leavers."""

    def __init__(self, players: int, federations: int, tournaments: int, seed: int) -> None:
        self.random, self.tournaments = Random(seed), tournaments
        codes = [f"F{chr(65 + one // 26)}{chr(65 + one % 26)}" for one in range(federations)]
        self.codes = codes
        # The first federations are the largest.
        weights = [3 * federations / (one + 1) for one in range(federations)]
        drawn = self.random.choices(codes, weights, k=players)
        self.players = {key: (code, self._k()) for key, code in enumerate(drawn, 1)}

    def _k(self) -> int:
        return self.random.choices((40, 20, 10), (30, 65, 5))[0]

    def rows(self, month: int) -> list[Row]:
        """Return the players of a month's tournaments, those who come, and those who leave."""
        draw = self.random
        number = max(1, round(self.tournaments * SEASON[month % 12] / 9 * draw.uniform(0.75, 1.3)))
        keys = list(self.players)
        by_code: dict[str, list[int]] = {code: [] for code in self.codes}
        for key, (code, _k) in self.players.items():
            by_code[code].append(key)
        found: dict[int, Row] = {}
        for _one in range(number):
            home = by_code[self.players[draw.choice(keys)][0]]
            rounds, size = draw.choice((5, 7, 9, 9, 11, 13)), draw.randint(24, 60)
            for key in draw.sample(home, min(len(home), size)):
                self._play(found, key, rounds)
            for _new in range(draw.randint(0, 4)):
                key = len(keys) + 1
                keys.append(key)
                self.players[key] = (self.players[home[0]][0], 40)
                rating = round(draw.gauss(1650, 120))
                found[key] = Row(key, self.players[key][0], None, rating, games=rounds, came=Came.FIRST)
        for key in draw.sample(keys, draw.randint(0, 3)):
            if key not in found:
                found[key] = Row(key, self.players[key][0], 1500, None, left=Left.DECEASED)
        return list(found.values())

    def _play(self, found: dict[int, Row], key: int, rounds: int) -> None:
        code, k = self.players[key]
        change = round(100 * self.random.gauss(0, k * 0.38 * rounds**0.5))
        games = rounds - (self.random.random() < 0.2)
        row = found.get(key, Row(key, code, 1800, 1800))
        factor = k if self.random.random() < 0.95 else 20
        total = row.change + change
        found[key] = row._replace(
            now=1800 + round(total / 100),
            games=row.games + games,
            change=total,
            factors=(*row.factors, (k, factor)),
        )

    def month(self, number: int, plant: Plant = list) -> ListFigures:
        """Return the figures of a month; `plant` may change what happened in it."""
        figures = ListFigures()
        for row in plant(self.rows(number)):
            add_row(figures, row)
        for code, k in self.players.values():
            figures.whole.listed += 1
            figures.part(code).listed += 1
            figures.factors[k] = figures.factors.get(k, 0) + 1
        figures.games = figures.whole.games // 2
        first = dict.fromkeys(range(1, 101), 2500)
        compare_first(figures, first, {key + self.random.randint(0, 2): 2500 for key in first})
        return figures


SIZES = {"small": (600, 6, 3), "large": (20_000, 40, 90)}


def honest(size: str, seed: int, months: int = LISTS) -> Iterator[tuple[ListFigures, list[Stop]]]:
    """Yield the figures of each month with what would stop it."""
    world, before = World(*SIZES[size], seed), list[ListFigures]()
    for number in range(months):
        figures = world.month(number)
        yield figures, stops_of(figures, before)
        before.insert(0, figures)


@pytest.mark.parametrize(("size", "seed"), [*(("small", seed) for seed in range(6)), ("large", 1)])
def test_d_134_24_honest_months_have_at_most_one_false_stop(size: str, seed: int) -> None:
    stopped = [[stop.code for stop in stops] for _figures, stops in honest(size, seed) if stops]
    assert len(stopped) <= 1, stopped


@cache
def year(size: str) -> tuple[World, list[ListFigures]]:
    """Return a world after an honest year, and the figures of its months, the newest first."""
    world, before = World(*SIZES[size], 7), list[ListFigures]()
    for number in range(12):
        before.insert(0, world.month(number))
    return world, before


def newcomers(rows: list[Row]) -> list[Row]:
    """500 newcomers of one federation with six games each."""
    return [*rows, *(Row(10**6 + key, "FAC", None, 1600, games=6, came=Came.FIRST) for key in range(500))]


def doubled(rows: list[Row]) -> list[Row]:
    """The reports of a federation given in twice, under other numbers of events."""
    return [
        row._replace(
            games=2 * row.games,
            change=2 * row.change,
            now=row.now and (row.before or row.now) + 2 * (row.now - (row.before or row.now)),
            has_repeated=row.before is not None,
        )
        if row.federation == "FAA"
        else row
        for row in rows
    ]


def k_40(rows: list[Row]) -> list[Row]:
    """Everybody rated with K 40."""
    made = []
    for row in rows:
        k = row.factors[0][0] if row.factors else None
        if k is None or row.before is None or row.now is None:
            made.append(row)
            continue
        change = row.change * 40 // k
        now = row.before + round(change / 100)
        made.append(
            row._replace(now=now, change=change, factors=[(listed, 40) for listed, _used in row.factors])
        )
    return made


def far(rows: list[Row]) -> list[Row]:
    """A rating moved by 900."""
    place = next(place for place, row in enumerate(rows) if row.before and row.now)
    return [*rows[:place], rows[place]._replace(now=(rows[place].before or 0) + 900), *rows[place + 1 :]]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("plant", "code"),
    [
        (newcomers, "federation-newcomers:FAC"),
        (doubled, "repeated-results"),
        (k_40, "k-as-listed"),
        (far, "move-over-400"),
    ],
)
def test_d_134_planted_fault_stops_with_the_figure_that_says_so(size: str, plant: Plant, code: str) -> None:
    world, before = deepcopy(year(size))

    assert code in [stop.code for stop in stops_of(world.month(12, plant), before)]


@pytest.mark.parametrize(("size", "of_40"), [("small", 1), ("large", 0.1)])
def test_d_134_k_of_the_list_stops_it_by_all_40_and_by_birth_years_ten_years_off(
    size: str, of_40: float
) -> None:
    world, before = deepcopy(year(size))
    month = world.month(12)
    month.factors = {40: int(of_40 * month.whole.listed), 20: int((1 - of_40) * month.whole.listed)}

    assert "k-40" in [stop.code for stop in stops_of(month, before)]


def listed(newcomers: int = 0, number: int = 1000, **values: object) -> ListFigures:
    part = Part(listed=number, newcomers=newcomers)
    return replace(ListFigures(whole=replace(part), federations={"SUI": part}), **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("newcomers", "number", "codes"),
    [
        (50, 60, []),
        (51, 102, []),
        (51, 101, ["federation-newcomers:SUI"]),
        (500, 1000, []),
        (501, 1000, ["federation-newcomers:SUI"]),
    ],
)
def test_d_134_federation_has_at_most_half_newcomers_or_50(
    newcomers: int, number: int, codes: list[str]
) -> None:
    assert [stop.code for stop in stops_of(listed(newcomers, number), [])] == codes


@pytest.mark.parametrize(("now", "codes"), [(2200, []), (2201, ["move-over-400"]), (1399, ["move-over-400"])])
def test_d_134_move_of_more_than_400_points_stops_the_first_list_too(now: int, codes: list[str]) -> None:
    figures = listed()
    add_row(figures, Row(1, "SUI", 1800, now, games=9, change=100 * (now - 1800)))
    assert [stop.code for stop in stops_of(figures, [])] == codes


def test_d_134_five_lists_bound_nothing_and_six_do() -> None:
    usual = [listed(30) for _one in range(ENOUGH_LISTS)]
    unusual = listed(400)
    assert [stop.code for stop in stops_of(unusual, usual[1:])] == []
    assert [
        (stop.code, stop.value, stop.usual, stop.low, stop.high, stop.lists)
        for stop in stops_of(unusual, usual)
    ] == [
        ("newcomers", 400, 30, 0, 210, 6),
        ("federation-newcomers:SUI", 400, 30, 0, 210, 6),
    ]


def test_d_134_fewer_than_20_players_never_stop_a_list_by_deviation() -> None:
    usual = [listed(repeated=0) for _one in range(LISTS)]
    assert [stop.code for stop in stops_of(listed(repeated=19), usual)] == []
    assert [stop.code for stop in stops_of(listed(repeated=20), usual)] == ["repeated-results"]


def test_d_134_lists_older_than_24_bound_nothing() -> None:
    usual = [*[listed(30)] * 13, *[listed(900)] * 30]
    (one,) = [one for one in judge(listed(30), usual) if one.value.code == "newcomers"]
    assert (one.usual, one.lists) == (30, LISTS)


def test_d_134_value_has_no_say_in_its_own_bounds() -> None:
    usual = [ListFigures(whole=Part(played=100, change=100, size=2000)) for _one in range(ENOUGH_LISTS)]
    bounds = []
    for points in (2000, 9000):
        moved = ListFigures(whole=Part(played=100, change=points, size=points))
        bounds.append([(one.low, one.high) for one in judge(moved, usual)])
    assert bounds[0] == bounds[1]


def test_d_134_points_of_all_origins_are_the_difference_of_the_lists() -> None:
    figures = ListFigures()
    for row in (
        Row(1, "SUI", 1800, 1812, games=5, change=1150, correction=70),
        Row(2, "SUI", None, 1600, games=5, came=Came.FIRST),
        Row(3, "GER", 1700, None, left=Left.DECEASED),
    ):
        add_row(figures, row)
    assert figures.points == {
        Source.GAMES: 1150,
        Source.CORRECTIONS: 70,
        Source.ROUNDING: -20,
        Source.FIRST: 160_000,
        Source.LOST: -170_000,
    }
    assert sum(figures.points.values()) == 100 * (1812 + 1600 - 1800 - 1700) == figures.whole.points
    assert (figures.came, figures.left) == ({Came.FIRST: 1}, {Left.DECEASED: 1})
    assert [(code, part.points) for code, part in figures.federations.items()] == [
        ("SUI", 161_200),
        ("GER", -170_000),
    ]


def test_d_134_explanation_is_of_the_value_that_was_seen() -> None:
    stops = [Stop("newcomers", 400, Unit.NUMBER), Stop("games", 9, Unit.NUMBER)]
    assert unexplained(stops, {("newcomers", 400, ""), ("games", 8, "")}) == [stops[1]]
