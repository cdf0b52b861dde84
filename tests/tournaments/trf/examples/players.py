"""Players."""

from __future__ import annotations

from tests.tournaments.trf.reports import RETURNED, WHOLE, added, changed, player_changed

RANKS = (("2.5", 1), ("1.5", 2), ("1.0", 3), ("1.0", 4))

PLAYERS = {
    "player-number": (player_changed(4, ("001    4", "001    x")), (16, 5)),
    "player-number-duplicate": (
        added(
            "001    4 m    Falke, Gabi                      1500 SUI             1991/00/00  0.0       0000 - Z"
        ),
        (17, 5),
    ),
    "player-number-wrong": (
        player_changed(4, ("001    4", "001    3")),
        (16, 5),
    ),
    "player-number-gap": (
        changed(
            ("   4     3 b =", "   4     3 b ="),
            ("001    4 m", "001    5 m"),
            ("     4 b =", "     5 b ="),
            ("     4 w 1", "     5 w 1"),
            ("     4 w =", "     5 w ="),
        ),
        WHOLE,
    ),
    "sex-unknown": (player_changed(2, ("2 m", "2 x")), (14, 10)),
    "title-unknown": (player_changed(1, ("WFM", "WXM")), (13, 11)),
    "name-missing": (player_changed(2, ("Buchfink, Carl", "              ")), (14, 15)),
    "rating-unreadable": (
        player_changed(2, ("1800", "18OO")),
        (14, 49),
    ),
    "rating-out-of-range": (
        player_changed(2, ("1800", " 180")),
        (14, 49),
    ),
    "federation-code": (player_changed(2, ("SUI", "C.C")), (14, 54)),
    "federation-unknown": (player_changed(2, ("SUI", "SUX")), (14, 54)),
    "federation-lower-case": (player_changed(2, ("SUI", "sui")), (14, 54)),
    "fide-id-unreadable": (player_changed(2, ("1300024", "13OOO24")), (14, 58)),
    "fide-id-duplicate": (player_changed(2, ("1300024", "1300016")), (14, 58)),
    "lines-of-one-person": (
        RETURNED,
        (17, 58),
    ),
    "fide-id-again": (
        added(
            "001    5 m    Buchfink, Karl                   1800 SUI     1300024 1985/00/00  0.0    5  0000 - -"
        ),
        (17, 58),
    ),
    "fide-id-check-digit": (
        player_changed(2, ("1300024", "1300025")),
        (14, 58),
    ),
    "birth-unreadable": (player_changed(1, ("1990/02/03", "1990/02/31")), (13, 70)),
    "birth-impossible": (player_changed(1, ("1990/02/03", "2025/02/03")), (13, 70)),
    "event-year-impossible": (
        changed(("042 2026", "042 2126"), ("052 2026", "052 2126")),
        (4, 5),
    ),
    "points-unreadable": (player_changed(1, ("2.5", "2.x")), (13, 81)),
    "points-mismatch": (
        player_changed(1, ("2.5", "3.0")),
        (13, 81),
    ),
    "rank-unreadable": (player_changed(1, ("2.5    1", "2.5    x")), (13, 86)),
    "ranks-missing": (
        changed(*((f"{points}    {rank} ", f"{points}      ") for points, rank in RANKS)),
        WHOLE,
    ),
    "player-is-bye": (
        player_changed(4, ("Elster, Fritz", "BYE          "), ("1300040", "       ")),
        (16, 15),
    ),
    "rank-duplicate": (player_changed(2, ("1.5    2", "1.5    1")), (14, 86)),
    "rank-order": (
        changed(("1.5    2", "1.5    3"), ("1.0    3", "1.0    2")),
        (15, 86),
    ),
}
