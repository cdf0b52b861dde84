"""Whether the values of the players' lines can be right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import mul

from tournaments.trf.fields import federation_codes
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.players import PlayerRecord, are_of_one_person
from tournaments.trf.report import Report, header_place
from tournaments.trf.tables import GAME_CODES

# Beyond these a value is a slip, not a rating or an age.
LOWEST_RATING = 1000
HIGHEST_RATING = 3000
YOUNGEST = 3
OLDEST = 110
# With fewer years of birth than these it is a player's that is wrong.
FEWEST_BORN = 3
# The weights of the digits before the last by the length of the id, the last with none.
WEIGHTS = {length: (*range(length, 1, -1), 0) for length in (6, 7, 8)}
ZEROS = {length: sum(weights) * ord("0") for length, weights in WEIGHTS.items()}


def player_findings(report: Report) -> Iterator[Finding]:
    """Yield numbers and FIDE IDs given twice, gaps, and values that no player has."""
    yield from _twice(report)
    codes = federation_codes()
    for player in report.players:
        if not player.name:
            yield found("name-missing", Place(player.line, 15, 33), number=player.number)
        elif not player.fide_id and is_bye(player.name):
            yield found("player-is-bye", Place(player.line, 15, 33), number=player.number, name=player.name)
        # A warning only: ratings are taken from the list in force, whatever the report says.
        if player.rating and not LOWEST_RATING <= player.rating <= HIGHEST_RATING:
            limits = {"lowest": LOWEST_RATING, "highest": HIGHEST_RATING}
            yield found("rating-out-of-range", Place(player.line, 49, 4), rating=player.rating, **limits)
        # A notice only: some old IDs do not follow the rule.
        if player.fide_id and not has_right_check_digit(player.fide_id):
            yield found("fide-id-check-digit", Place(player.line, 58, 11), fide_id=player.fide_id)
        if len(player.federation) == 3 and player.federation not in codes:
            yield found("federation-unknown", Place(player.line, 54, 3), text=player.federation)
    yield from _birth_findings(report)


def _birth_findings(report: Report) -> Iterator[Finding]:
    """Yield the years of birth that no player of the event has; of all of them the year of the event is wrong."""
    day = report.start or report.end
    born = [(player, player.birth_year) for player in report.players if player.birth_year] if day else []
    if day is None or not born:
        return
    impossible = [(player, year) for player, year in born if not YOUNGEST <= day.year - year <= OLDEST]
    if len(impossible) == len(born) >= FEWEST_BORN:
        yield found("event-year-impossible", header_place(report, "042"), event=day.year)
        return
    for player, year in impossible:
        yield found("birth-impossible", Place(player.line, 70, 10), year=year, event=day.year)


# Names that programs give to the opponent of who has a bye.
BYES = {
    "bye", "byes", "spielfrei", "freilos", "exempt", "exempte", "exent", "exento", "libre", "descansa", "descanso",
    "riposo", "dummy", "nobody",
}  # fmt: skip


def is_bye(name: str) -> bool:
    """Return whether a name is that of a bye and not of a person: `BYE`, `Bye, Bye`, `Bye 1`, `Spielfrei`."""
    words = set(re.findall(r"[^\W\d_]+", name.lower()))
    return bool(words) and words <= BYES


def has_right_check_digit(fide_id: int) -> bool:
    """Return whether the check digit of an ID of 6 to 8 digits is right; other lengths have no known one.

    Weights n to 2 on the digits before it; FIDE does not document the rule, so a misfit proves nothing.
    """
    digits = b"%d" % fide_id
    weights = WEIGHTS.get(len(digits))
    if weights is None:
        return True
    weighted: int = sum(map(mul, digits, weights)) - ZEROS[len(digits)]
    return -weighted % 11 % 10 == fide_id % 10


def _twice(report: Report) -> Iterator[Finding]:
    numbers: dict[int, PlayerRecord] = {}
    ids: dict[int, PlayerRecord] = {}
    for player in report.players:
        first = numbers.setdefault(player.number, player)
        if first is not player:
            place = Place(player.line, 5, 4)
            yield found("player-number-duplicate", place, number=player.number, first=first.line)
        owner = ids.setdefault(player.fide_id, player) if player.fide_id else player
        if owner is not player:
            yield _twice_finding(owner, player)
    # A player may be missing, but programs leave gaps too.
    if max(numbers) != len(report.players):
        yield found("player-number-gap", last=max(numbers), count=len(report.players))


def _twice_finding(owner: PlayerRecord, player: PlayerRecord) -> Finding:
    # One person listed twice is harmless where one of the lines has nothing over the board.
    code = "fide-id-duplicate" if _plays(owner) and _plays(player) else "fide-id-again"
    if code == "fide-id-duplicate" and are_of_one_person(owner, player):
        return joinable_finding(owner, player)
    params = {"first": owner.number, "first_line": owner.line, "fide_id": player.fide_id or 0}
    return found(code, Place(player.line, 58, 11), **params)


def joinable_finding(first: PlayerRecord, second: PlayerRecord) -> Finding:
    """Return the finding of a second line of a person whose games are in other rounds than those of the first."""
    params = {"first": first.number, "first_line": first.line, "fide_id": first.fide_id or 0}
    return found("lines-of-one-person", Place(second.line, 58, 11), number=second.number, **params)


def _plays(player: PlayerRecord) -> bool:
    return any(result.opponent and result.code in GAME_CODES for result in player.results)
