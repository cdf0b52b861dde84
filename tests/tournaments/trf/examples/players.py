"""Players."""

from __future__ import annotations

from tests.tournaments.trf.examples.example import WHOLE, Example
from tests.tournaments.trf.reports import RETURNED, added, changed, player_changed

RANKS = (("2.5", 1), ("1.5", 2), ("1.0", 3), ("1.0", 4))

PLAYERS = {
    "player-number": Example(
        "The line's games cannot be read.", player_changed(4, ("001    4", "001    x")), (16, 5)
    ),
    "player-number-duplicate": Example(
        "It is not known whose games they are.",
        added(
            "001    4 m    Falke, Gabi                      1500 SUI             1991/00/00  0.0       0000 - Z"
        ),
        (17, 5),
    ),
    "player-number-wrong": Example(
        "One slip, and no game of the player can be found.",
        player_changed(4, ("001    4", "001    3")),
        (16, 5),
    ),
    "player-number-gap": Example(
        "A player may be missing; programs leave gaps too.",
        changed(
            ("   4     3 b =", "   4     3 b ="),
            ("001    4 m", "001    5 m"),
            ("     4 b =", "     5 b ="),
            ("     4 w 1", "     5 w 1"),
            ("     4 w =", "     5 w ="),
        ),
        WHOLE,
    ),
    "sex-unknown": Example("It was read as not given.", player_changed(2, ("2 m", "2 x")), (14, 10)),
    "title-unknown": Example("It was read as none.", player_changed(1, ("WFM", "WXM")), (13, 11)),
    "name-missing": Example(
        "Only the FIDE ID tells who it is.", player_changed(2, ("Buchfink, Carl", "              ")), (14, 15)
    ),
    "rating-unreadable": Example(
        "Ratings are taken from the list in force all the same.",
        player_changed(2, ("1800", "18OO")),
        (14, 49),
    ),
    "rating-out-of-range": Example(
        "Ratings are taken from the list in force all the same.",
        player_changed(2, ("1800", " 180")),
        (14, 49),
    ),
    "federation-code": Example("It was kept as it is.", player_changed(2, ("SUI", "C.C")), (14, 54)),
    "federation-unknown": Example("It may be a slip.", player_changed(2, ("SUI", "SUX")), (14, 54)),
    "federation-lower-case": Example("Harmless.", player_changed(2, ("SUI", "sui")), (14, 54)),
    "fide-id-unreadable": Example(
        "The games would be rated for nobody.", player_changed(2, ("1300024", "13OOO24")), (14, 58)
    ),
    "fide-id-duplicate": Example(
        "The games of two would be rated for one.", player_changed(2, ("1300024", "1300016")), (14, 58)
    ),
    "lines-of-one-person": Example(
        "Who withdraws and comes back may get a second number; each game is that person's.",
        RETURNED,
        (17, 58),
    ),
    "fide-id-again": Example(
        "One person was entered twice; nothing is rated twice.",
        added(
            "001    5 m    Buchfink, Karl                   1800 SUI     1300024 1985/00/00  0.0    5  0000 - -"
        ),
        (17, 58),
    ),
    "fide-id-check-digit": Example(
        "Often a slip of the finger; some old ids do not follow the rule.",
        player_changed(2, ("1300024", "1300025")),
        (14, 58),
    ),
    "birth-unreadable": Example(
        "It was read as not given.", player_changed(1, ("1990/02/03", "1990/02/31")), (13, 70)
    ),
    "birth-impossible": Example(
        "Too young or too old for the event.", player_changed(1, ("1990/02/03", "2025/02/03")), (13, 70)
    ),
    "event-year-impossible": Example(
        "A slip in the dates; each year of birth would else be a finding.",
        changed(("042 2026", "042 2126"), ("052 2026", "052 2126")),
        (4, 5),
    ),
    "points-unreadable": Example(
        "The sum of the results cannot be compared.", player_changed(1, ("2.5", "2.x")), (13, 81)
    ),
    "points-mismatch": Example(
        "A result may be wrong; some programs leave out forfeits and byes.",
        player_changed(1, ("2.5", "3.0")),
        (13, 81),
    ),
    "rank-unreadable": Example(
        "Rating does not need it.", player_changed(1, ("2.5    1", "2.5    x")), (13, 86)
    ),
    "ranks-missing": Example(
        "Before the last round there are none; such a report may not be the final one.",
        changed(*((f"{points}    {rank} ", f"{points}      ") for points, rank in RANKS)),
        WHOLE,
    ),
    "player-is-bye": Example(
        "Some programs list a player for whoever has none.",
        player_changed(4, ("Elster, Fritz", "BYE          "), ("1300040", "       ")),
        (16, 15),
    ),
    "rank-duplicate": Example("TRF26 lets ranks tie.", player_changed(2, ("1.5    2", "1.5    1")), (14, 86)),
    "rank-order": Example(
        "Ranks follow something else than points, or points are wrong.",
        changed(("1.5    2", "1.5    3"), ("1.0    3", "1.0    2")),
        (15, 86),
    ),
}
