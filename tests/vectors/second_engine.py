"""Answers the worked cases of `vectors/` a second time: nothing here comes from the portal's systems.

Rapid and blitz are calculated by the verifier of lists, the arenas by fractions, straight from their texts.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal, getcontext
from fractions import Fraction
from typing import Any

from tests.ratings.systems.oracle_figures import DP, first_2022, first_2024, hundredths, probability, rounded
from tools import verify_list

getcontext().prec = 50
Asked = dict[str, Any]


def text(system: str) -> Any:
    return verify_list.TEXTS[system]


def counted(system: str, rating: int, games: list[Any]) -> list[Any]:
    """Return the games against rated opponents that a text counts."""
    return [game for game in games if game[0] is not None and text(system).is_rated(rating, game[0])]


def sum_of(system: str, rating: int, games: list[Any]) -> tuple[list[int], list[int]]:
    """Return the differences that count and the changes in hundredths."""
    differences = text(system).counted([rating - other for other, _score in games])
    pairs = zip(differences, games, strict=True)
    return differences, [
        int(100 * score) - verify_list.probability(difference) for difference, (_, score) in pairs
    ]


def tournament(system: str, asked: Asked) -> Asked:
    played = counted(system, asked["rating"], asked["games"])
    differences, changes = (iter(numbers) for numbers in sum_of(system, asked["rating"], played))
    found = [
        (next(differences), Fraction(next(changes), 100)) if game in played else (None, None)
        for game in asked["games"]
    ]
    total = sum(change for _, change in found if change is not None)
    return {"differences": [one for one, _ in found], "changes": [one for _, one in found], "sum": total}


def initial_rating(system: str, asked: Asked) -> Asked:
    games = asked["games"]
    total, points = sum(other for other, _ in games), sum(Fraction(score) for _, score in games)
    first = (first_2022 if system.endswith("2022") else first_2024)(total, len(games), Fraction(points))
    return {
        "p": first.score,
        "dp": first.dp,
        "rating": text(system).initial(total, len(games), int(2 * points)),
    }


def k(system: str, asked: Asked) -> Asked:
    highest = asked["highest"]
    known = asked["birth_year"], asked["completed"], highest >= 2300, highest >= 2400
    return {"k": text(system).listed_k(*known, date.fromisoformat(asked["list_date"]))}


def listed(system: str, asked: Asked) -> Asked:
    rows = [
        (one["rating"], one["k"], counted(system, one["rating"], one["games"]))
        for one in asked["tournaments"]
    ]
    games = sum(len(row[2]) for row in rows)
    factors = [min(text(system).used_k(factor), 700 // games) if games else factor for _, factor, _ in rows]
    pairs = zip(factors, rows, strict=True)
    change = sum(factor * sum(sum_of(system, rating, played)[1]) for factor, (rating, _, played) in pairs)
    after = asked["rating"] + verify_list.points(change)
    shown = after if after >= text(system).floor else None
    return {"games": games, "k": factors, "change": Fraction(change, 100), "rating": shown}


def newcomer(system: str, asked: Asked) -> Asked:
    """6.1.4 and 7.2.2: five games of 26 months, without a first tournament that gave nothing."""
    first = verify_list.months_before(date.fromisoformat(asked["list_date"]), 26).isoformat()
    met = [
        (one["start"], [game for game in one["games"] if game[0] is not None]) for one in asked["tournaments"]
    ]
    met = sorted((one for one in met if one[1]), key=lambda one: one[0])
    if met and not sum(score for _, score in met[0][1]):
        del met[0]
    pool = [game for start, games in met if start >= first for game in games]
    rating = initial_rating(system, {"games": pool})["rating"] if len(pool) >= 5 else 0
    return {"rating": rating if rating >= text(system).floor else None}


# foa-rbb
CONTROLS = {
    "rapid": "15+0 25+0 45+0 10+10 15+10 25+10 45+10",
    "blitz": "3+0 5+0 10+0 3+2 3+3 5+3",
    "bullet": "1+0 2+0 1+1 1+2",
}
ORDER = {"rapid": "rapid standard", "blitz": "blitz rapid standard", "bullet": "blitz rapid standard"}


def category(system: str, asked: Asked) -> Asked:
    return {
        "category": next(
            (name for name, all_ in CONTROLS.items() if asked["time_control"] in all_.split()), None
        )
    }


def joining(system: str, asked: Asked) -> Asked:
    known = [asked["listed"][kind] for kind in ORDER[asked["category"]].split() if asked["listed"].get(kind)]
    return {"rating": known[0] if known else None}


def adjustment(system: str, asked: Asked) -> Asked:
    after = Fraction(asked["rating"]) + half_up(Fraction(asked["change"]), 100)
    return {"rating": after if after >= 100 else None}


def half_up(value: Fraction, parts: int = 1) -> Fraction:
    """Return the nearest part of a whole, a half upwards (3.13)."""
    return Fraction((value * parts + Fraction(1, 2)) // 1, parts)


class FoaMember:
    def __init__(self, rating: str | None = None, games: int = 0, *, was_unrated: bool = True) -> None:
        self.rating = None if rating is None else Fraction(rating)
        self.games, self.is_new, self.first = games, was_unrated, list[tuple[Fraction, Fraction]]()

    def play(self, other: Fraction | None, score: Fraction, name: str) -> None:
        """3.6 to 3.10: stages of an unrated member, or dR x K."""
        if other is None:
            return
        if self.rating is None:
            self.first += [(other, score)] if self.first or score else []
            if len(self.first) == 5:
                self.rating, self.games, self.is_new = self.find(), 5, True
        else:
            difference = half_up(abs(self.rating - other)) * (1 if self.rating >= other else -1)
            factor = 40 if self.is_new and self.games < 30 else 10 if name == "bullet" else 20
            self.rating += factor * (score - probability(int(difference)))
            self.games += 1
        if self.rating is not None and self.rating < 100:
            self.__init__()  # type: ignore[misc]

    def find(self) -> Fraction:
        """3.7: the average, 20 for each half point over 50 %, dp under it."""
        average = half_up(sum((other for other, _ in self.first), Fraction(0)) / 5, 100)
        score = sum((score for _, score in self.first), Fraction(0))
        over = score - Fraction(5, 2)
        return average + (over * 2 * 20 if over >= 0 else DP[hundredths(score / 5)])


def games_foa(asked: Asked) -> Asked:
    name = category("", asked)["category"]
    members = {
        key: FoaMember(**{"was_unrated": not given, **given}) for key, given in asked["players"].items()
    }
    for game in asked["games"] if name else ():
        white, black, score = members[game["white"]], members[game["black"]], Fraction(game["score"])
        score = {"white": Fraction(0), "black": Fraction(1)}.get(game.get("disconnected", ""), score)
        before = white.rating, black.rating
        white.play(before[1], score, name)
        black.play(before[0], 1 - score, name)
    ratings = {key: member.rating for key, member in members.items()}
    shown = {key: None if rating is None else half_up(rating) for key, rating in ratings.items()}
    return {"ratings": ratings, "shown": shown}


# chess-online and flyordie
def expectation(difference: int) -> Fraction:
    return Fraction(1 / (1 + Decimal(10) ** (Decimal(-difference) / 400)))


def floor_of(highest: int) -> int:
    return (highest - 200) // 100 * 100


def games_chess_online(asked: Asked) -> Asked:
    new = {"rating": 1200, "games": 0, "total": 0, "highest": 1200}
    members = {key: {**new, **given} for key, given in asked["players"].items()}
    for game in asked["games"]:
        if game.get("moves", 80) <= 2:
            continue
        names, score = (game["white"], game["black"]), Fraction(game["score"])
        before = {name: dict(members[name]) for name in names}
        higher = {
            name: max(before[name]["rating"], game.get(f"{side}_at_start") or 0)
            for name, side in zip(names, ("white", "black"), strict=True)
        }
        for own, other, points in ((*names, score), (*names[::-1], 1 - score)):
            member, met = members[own], before[other]
            member["games"] += 1
            if member["games"] <= 20:
                member["total"] += higher[other] + int((2 * points - 1) * (200 if met["games"] < 20 else 400))
                average = rounded(Fraction(member["total"], member["games"]))
                member["rating"] = average if member["games"] > 5 else 1200
            else:
                change = 20 * (points - expectation(higher[own] - higher[other]))
                member["rating"] = max(rounded(member["rating"] + change), floor_of(member["highest"]))
            member["highest"] = max(member["highest"], member["rating"])
    averages = {
        key: rounded(Fraction(one["total"], one["games"])) for key, one in members.items() if one["games"]
    }
    return {"ratings": {key: one["rating"] for key, one in members.items()}, "averages": averages}


def near_floor(system: str, asked: Asked) -> Asked:
    floor = floor_of(asked["highest"])
    days = (date.fromisoformat(asked["day"]) - date.fromisoformat(asked["since"])).days
    return {"floor": floor - 100 if asked["rating"] - floor <= 30 and days >= 90 else floor}


def k_band(rating: int) -> int:
    return 32 if rating <= 2099 else 24 if rating <= 2399 else 16


def decayed(rating: int) -> int:
    return max(0, rating - -(-(rating**2) // 125000))


def decay(system: str, asked: Asked) -> Asked:
    rating = asked["rating"]
    for _ in range(asked["days"]):
        rating = decayed(rating)
    return {"rating": rating}


def games_flyordie(asked: Asked) -> Asked:
    """K x (2 - 1/2^(n-1)) x (W/n - We) for the series, less what its games gave, by the opponent's games."""
    members = {key: {"rating": 0, "games": 0, **given} for key, given in asked["players"].items()}
    began: dict[frozenset[str], list[int]] = {}
    series: dict[frozenset[str], dict[str, Any]] = {}
    for game in asked["games"]:
        names, score = (game["white"], game["black"]), Fraction(game["score"])
        hours, pair = game.get("hours", 0), frozenset(names)
        before = {name: dict(members[name]) for name in names}
        if pair not in began or hours - began[pair][0] >= 24:
            began[pair] = [hours, 0]
            series[pair] = {name: (before[name]["rating"], Fraction(0), 0) for name in names}
        began[pair][1] += 1
        n, played = began[pair][1], series[pair]
        start = {name: played[name][0] for name in names}
        for own, other, points in ((*names, score), (*names[::-1], 1 - score)):
            _, scored, given = played[own]
            weight = Fraction(min(before[other]["games"] + 1, 20), 20)
            factor = k_band(start[own]) * (2 - Fraction(1, 2 ** (n - 1)))
            expected = expectation(start[own] - start[other])
            total = rounded(factor * ((scored + points) / n - expected) * weight)
            after = max(0, before[own]["rating"] + total - given)
            played[own] = start[own], scored + points, given + after - before[own]["rating"]
            members[own] = {"rating": after, "games": before[own]["games"] + 1}
    return {"ratings": {key: one["rating"] for key, one in members.items()}}


GAMES = {"foa-rbb": games_foa, "chess-online": games_chess_online, "flyordie": games_flyordie}
ASKS: dict[str, Callable[[str, Asked], Asked]] = {
    "probability": lambda system, asked: {"pd": [probability(one) for one in asked["differences"]]},
    "dp": lambda system, asked: {"dp": [DP[Fraction(p)] for p in asked["p"]]},
    "tournament": tournament,
    "initial-rating": initial_rating,
    "k": k,
    "list": listed,
    "newcomer": newcomer,
    "category": category,
    "joining": joining,
    "adjustment": adjustment,
    "games": lambda system, asked: GAMES[system](asked),
    "floor": lambda system, asked: {"floor": floor_of(asked["highest"])},
    "near-floor": near_floor,
    "expected-score": lambda system, asked: {"we": hundredths(expectation(asked["difference"]))},
    "k-band": lambda system, asked: {"k": k_band(asked["rating"])},
    "decay": decay,
}
