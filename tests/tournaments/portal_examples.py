"""A minimal example for every code that only the portal finds: a report, and what the portal knows beside it.

The portal knows the players of the report as it stands, on a list with their ratings, and the event as registered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tests.tournaments.trf.reports import BASE, WHOLE, added, changed, player_changed, without
from tournaments.trf.tables import row

IDS = (1300016, 1300024, 1300032, 1300040)
GAMES = [
    (1, 1, 2, "1"),
    (1, 3, 4, "="),
    (2, 3, 1, "0"),
    (2, 2, 4, "1"),
    (3, 4, 1, "="),
    (3, 2, 3, "="),
]
TEN_GAMES = [*GAMES, *((number + 3, *game) for number, *game in GAMES[:4])]
# The first two rounds once more, as rounds 4 and 5.
BASE_OF_TEN = "".join(
    f"{line}  {line[91:109]}\n" if line.startswith("001") else f"{line}\n" for line in BASE.splitlines()
)
NAMES = ("Amsel, Berta", "Buchfink, Carl", "Drossel, Emil", "Elster, Fritz")
SPELLED = {"1": "1-0", "0": "0-1", "=": "1/2-1/2"}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """An accepted report of another event: days, kind, and games as round, white, black (1 to 4) and result."""

    start: date
    games: Sequence[tuple[int, int, int, str]]
    end: date | None = None
    kind: str = "rapid"
    file: str = ""
    is_part_before: bool = False
    is_former_version: bool = False


@dataclass(frozen=True, slots=True)
class PortalExample:
    """Where a code stands in the report, and what the portal knows."""

    place: tuple[int | None, int | None] = WHOLE
    file: str = BASE
    tournament: Mapping[str, Any] = field(default_factory=dict)
    players: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    listed: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    numbers: Mapping[int, str] = field(default_factory=dict)
    elsewhere: Elsewhere | None = None
    pgn: bytes | None = None
    on: date = date(2026, 1, 20)


# The third and the fourth player have each other's FIDE ID.
EXCHANGED = (("1300032", "#" * 7), ("1300040", "1300032"), ("#" * 7, "1300040"))


def pgn_of(
    games: Sequence[tuple[int, int, int, str]] = GAMES,
    *,
    moves: Mapping[int, str] | None = None,
    names: Mapping[int, str] | None = None,
    ids: bool = True,
) -> bytes:
    """Return games as PGN; `moves` by game from 1 in place of 1. e4 e5, `names` by player."""
    called = {**dict(enumerate(NAMES, 1)), **(names or {})}
    written = []
    for number, (round_number, white, black, code) in enumerate(games, 1):
        tags = {"Round": f"{round_number}.1", "White": called[white], "Black": called[black]}
        if ids and white <= len(IDS) and black <= len(IDS):
            tags |= {"WhiteFideId": str(IDS[white - 1]), "BlackFideId": str(IDS[black - 1])}
        tags["Result"] = SPELLED[code]
        head = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items())
        written.append(f"{head}\n{(moves or {}).get(number, '1. e4 e5')} {SPELLED[code]}\n")
    return "\n".join(written).encode()


HYBRID = {"is_hybrid": True}
ONE_DAY = {"start": date(2026, 1, 10), "end": date(2026, 1, 10)}
ON_ONE_DAY = changed(
    ("052 2026/01/11", "052 2026/01/10"), ("26/01/10  26/01/10  26/01/11", "26/01/10  26/01/10  26/01/10")
)
MANY = changed(("26/01/10  26/01/10  26/01/11", "  ".join(["26/01/10"] * 16)), of=added("142 16"))
FIVE_WINS = without("001", "132") + "".join(
    f"001    {number} {who}  {points}    {number}  {'  '.join(rounds)}\n"
    for number, who, points, rounds in (
        (
            1,
            "wWFM Amsel, Berta                      1400 SUI     1300016 1990/02/03",
            "5.0",
            ["   2 w 1"] * 5,
        ),
        (
            2,
            "m    Buchfink, Carl                    1800 SUI     1300024 1985/00/00",
            "0.0",
            ["   1 b 0"] * 5,
        ),
    )
)

REGISTRATION = {
    "event-days": PortalExample(
        (4, 5),
        tournament={"start": date(2026, 1, 9)},
    ),
    "event-days-missing": PortalExample(WHOLE, without("042", "052")),
    "event-not-over": PortalExample(on=date(2026, 1, 10)),
    "event-federation": PortalExample(
        (3, 5),
        changed(("032 SUI", "032 FRA")),
    ),
    "event-name": PortalExample((1, 5), changed(("Winter Rapid", "Summer Cup"))),
    "event-kind": PortalExample((11, 5), changed(("15+10", "3+2"))),
    "event-time-control": PortalExample((11, 5), changed(("15+10", "25+10"))),
    "event-time-control-unread": PortalExample(
        (11, 5),
        changed(("15+10", "15/10")),
    ),
    "event-rounds": PortalExample(
        tournament={"schedule": ["2026-01-10"] * 2 + ["2026-01-11"] * 2},
    ),
    "event-round-dates": PortalExample(
        (12, 5),
        tournament={"schedule": ["2026-01-10"] + ["2026-01-11"] * 2},
    ),
    "event-arbiter": PortalExample((10, 5), changed(("Arbiter, Anna", "Umpire, Ulf"))),
    "arbiter-unknown": PortalExample((10, 20), changed(("Arbiter, Anna", "Arbiter, Anna (1309999)"))),
    "arbiter-id-of-another": PortalExample((10, 20), changed(("Arbiter, Anna", "Arbiter, Anna (1300040)"))),
    "rounds-a-day-3.1": PortalExample((12, 5), MANY),
    "rounds-in-all-3.1": PortalExample(
        WHOLE,
        added("142 31", of=without("132")),
    ),
    "unequal-times-1.2": PortalExample(
        (17, 5),
        added("222 W900+10-B600+10"),
    ),
    "match-games-missing": PortalExample(
        tournament={"is_match": True},
    ),
    "event-dates-others": PortalExample(
        (10, 5),
        without("042", "052").replace("26/01/", "25/12/"),
    ),
    "participants-unknown": PortalExample(
        file=BASE.replace("13000", "     "),
    ),
    "report-again": PortalExample(
        elsewhere=Elsewhere(date(2025, 6, 1), [], file=BASE),
    ),
    "event-before-lists": PortalExample(
        file=BASE.replace("2026/01/1", "2025/01/1").replace("26/01/1", "25/01/1"),
        tournament={"start": date(2025, 1, 10), "end": date(2025, 1, 11)},
    ),
    "president-average-0.2": PortalExample(
        (1, 5),
        tournament={"decided_by": "president"},
    ),
    "report-of-others": PortalExample(
        file=player_changed(2, ("1300024", "1309998")),
        elsewhere=Elsewhere(date(2026, 1, 10), GAMES[:1], end=date(2026, 1, 11), is_former_version=True),
    ),
    "version-leaves": PortalExample(
        file=player_changed(4, ("Elster, Fritz", "Zeisig, Georg"), ("1300040", " " * 7)),
        elsewhere=Elsewhere(date(2026, 1, 10), GAMES, end=date(2026, 1, 11), is_former_version=True),
    ),
    "version-games-leave": PortalExample(
        elsewhere=Elsewhere(
            date(2026, 1, 10), [*GAMES, (4, 1, 2, "1")], end=date(2026, 1, 11), is_former_version=True
        ),
    ),
    "games-again": PortalExample(
        file=BASE_OF_TEN,
        elsewhere=Elsewhere(date(2025, 3, 1), TEN_GAMES),
    ),
    "first-rounds-again": PortalExample(
        file=without("132"),
        elsewhere=Elsewhere(date(2025, 3, 1), [*GAMES[:4], (3, 1, 3, "1")]),
    ),
    "few-games-again": PortalExample(
        elsewhere=Elsewhere(date(2025, 3, 1), GAMES),
    ),
    "rounds-again": PortalExample(
        elsewhere=Elsewhere(date(2026, 1, 10), GAMES[:4], end=date(2026, 1, 11)),
    ),
    "rounds-of-another-kind": PortalExample(
        (11, 5),
        changed(("15+10", "15+10 (rounds 1-2), 3+2 (round 3)")),
    ),
    "part-rounds-early": PortalExample(
        (12, 5),
        tournament={"start": date(2026, 1, 11)},
        elsewhere=Elsewhere(date(2025, 12, 20), [], end=date(2026, 1, 10), is_part_before=True),
    ),
    "event-again": PortalExample(
        elsewhere=Elsewhere(date(2026, 1, 10), [GAMES[0], GAMES[1], (2, 1, 3, "=")]),
    ),
}

PEOPLE = {
    "id-missing": PortalExample((16, 58), player_changed(4, ("1300040", "       "))),
    "national-number": PortalExample(
        (16, 58),
        player_changed(4, ("1300040", "       "))
        + row("SUI", 4, "", "", "", None, "", "A7", "").dumps()
        + "\n",
        numbers={1300016: "A7"},
    ),
    "id-unknown": PortalExample(
        (16, 58),
        player_changed(4, ("1300040", "1309998")),
    ),
    "id-merged": PortalExample(
        (16, 58),
        player_changed(4, ("1300040", "1300059")),
        players={1300059: {"name": "Elster, F.", "merged_into_id": 1300040}},
    ),
    "id-of-another": PortalExample((16, 15), changed(("Elster, Fritz", "Zeisig, Georg"))),
    "id-name-and-year": PortalExample(
        (14, 15),
        player_changed(2, ("Buchfink, Carl", "Zeisig, Georg "), ("1985/00/00", "1999/00/00")),
    ),
    "id-of-namesake": PortalExample(
        (14, 15),
        player_changed(2, ("1985/00/00", "2012/00/00")),
    ),
    "birth-year-apart": PortalExample(
        (14, 70),
        player_changed(2, ("1985/00/00", "1989/00/00")),
    ),
    "id-of-used-line": PortalExample(
        (17, 58),
        changed(("062 4", "062 5"), ("072 4", "072 5"))
        + "001    5 m    Elster, Fritz                     1600 SUI     1300040             0.0    5\n",
    ),
    "ids-exchanged": PortalExample((15, 58), changed(*EXCHANGED)),
    "player-twice": PortalExample(
        (16, 58),
        player_changed(4, ("1300040", "1300032"), ("Elster, Fritz", "Drossel, E.  ")),
    ),
    "player-deceased": PortalExample(
        (16, 15),
        players={1300040: {"died_on": date(2026, 1, 2)}},
    ),
    "birth-year": PortalExample((13, 70), player_changed(1, ("1990/02/03", "1991/02/03"))),
    "sex": PortalExample((14, 10), player_changed(2, ("2 m", "2 w"))),
    "player-federation": PortalExample(
        (16, 54),
        player_changed(4, ("SUI", "FRA")),
    ),
    "title-differs": PortalExample((14, 11), player_changed(2, ("m    Buch", "m FM Buch"))),
    "rating-differs": PortalExample((15, 49), player_changed(3, ("1700", "1750"))),
    "rating-missing": PortalExample((15, 49), player_changed(3, ("1700", "    "))),
    "rating-unlisted": PortalExample(
        (16, 49),
        listed={1300040: {"absent": True}},
    ),
    "performance-outlier": PortalExample(
        (12, 81),
        FIVE_WINS,
        listed={1300016: {"rating": 1400}},
    ),
    "player-elsewhere": PortalExample(
        (13, 15),
        ON_ONE_DAY,
        tournament=ONE_DAY,
        elsewhere=Elsewhere(date(2026, 1, 10), [(1, 1, 2, "1"), (2, 2, 1, "0")]),
    ),
    "player-rounds-a-day": PortalExample(
        (13, 15),
        ON_ONE_DAY,
        tournament=ONE_DAY,
        elsewhere=Elsewhere(date(2026, 1, 10), [(number, 1, 2, "1") for number in range(1, 15)]),
    ),
}

PGN = {
    "pgn-unreadable": PortalExample(
        tournament=HYBRID,
        pgn=b"\n\n",
    ),
    "pgn-too-large": PortalExample(
        tournament=HYBRID,
        pgn=b"{" + b"a" * 20_000 + b"}",
    ),
    "pgn-game-missing": PortalExample(
        (14, 112),
        tournament=HYBRID,
        pgn=pgn_of(GAMES[:-1]),
    ),
    "pgn-result-differs": PortalExample(
        (13, 92),
        tournament=HYBRID,
        pgn=pgn_of([(1, 1, 2, "0"), *GAMES[1:]]),
    ),
    "pgn-colours-differ": PortalExample(
        (13, 92),
        tournament=HYBRID,
        pgn=pgn_of([(1, 2, 1, "0"), *GAMES[1:]]),
    ),
    "pgn-id-differs": PortalExample(
        (13, 58),
        tournament=HYBRID,
        pgn=pgn_of().replace(b"1300016", b"1300059"),
    ),
    "pgn-round-differs": PortalExample(
        tournament=HYBRID,
        pgn=pgn_of().replace(b'"1.1"', b'"2.1"', 1),
    ),
    "pgn-result-contradicts": PortalExample(
        tournament=HYBRID,
        pgn=pgn_of(moves={1: "1. f3 e5 2. g4 Qh4#"}),
    ),
    "pgn-illegal-move": PortalExample(
        tournament=HYBRID,
        pgn=pgn_of(moves={1: "1. e4 e5 2. Ke3"}),
    ),
    "pgn-moves-missing": PortalExample(
        tournament=HYBRID,
        pgn=pgn_of(moves={1: "1. e4"}),
    ),
    "pgn-player-unknown": PortalExample(
        tournament=HYBRID,
        pgn=pgn_of([*GAMES, (3, 5, 1, "1")], names={5: "Zeisig, Georg"}),
    ),
    "pgn-name-differs": PortalExample(
        (16, 15),
        tournament=HYBRID,
        pgn=pgn_of(names={4: "Zeisig, Georg"}),
    ),
    "pgn-game-extra": PortalExample(
        tournament=HYBRID,
        pgn=pgn_of([*GAMES, GAMES[0]]),
    ),
}

PORTAL_EXAMPLES = {**REGISTRATION, **PEOPLE, **PGN}
