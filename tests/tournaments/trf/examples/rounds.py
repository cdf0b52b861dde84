"""Rounds."""

from __future__ import annotations

from tests.tournaments.trf.reports import WHOLE, changed, player_changed

# Round 3 as 1-2 and 3-4, who met in round 1.
AGAIN = (
    ("3 b 1     4 b =", "3 b 1     2 b ="),
    ("4 w 1     3 w =", "4 w 1     1 w ="),
    ("1 w 0     2 b =", "1 w 0     4 b ="),
    ("2 b 0     1 w =", "2 b 0     3 w ="),
)
ROUNDS = {
    "round-unreadable": (player_changed(4, ("3 b =", "3xb =")), (16, 92)),
    "opponent-unreadable": (player_changed(4, ("    3 b =", "   3x b =")), (16, 92)),
    "colour-unreadable": (player_changed(4, ("3 b =", "3 s =")), (16, 97)),
    "result-unreadable": (
        player_changed(4, ("3 b =", "3 b 5")),
        (16, 99),
    ),
    "result-unknown": (
        changed(("3 b =", "0 - ?"), ("4 w =     1", "0 - Z     1")),
        (16, 99),
    ),
    "result-missing": (
        changed(("3 b =", "3 b  "), ("4 w =     1", "4 w       1")),
        (15, 99),
    ),
    "result-penalty": (
        player_changed(4, ("3 b =", "3 b 0"), ("1.0    4", "0.5    4")),
        (15, 99),
    ),
    "result-spelling": (player_changed(4, ("3 b =", "3 b ½")), (16, 99)),
    "bye-as-draw": (
        changed(("3 b =", "0 - ="), ("4 w =     1", "0 - =     1")),
        (15, 99),
    ),
    "bye-as-result": (
        changed(("3 b =", "0 - 0"), ("4 w =     1", "0 - 1     1")),
        (15, 99),
    ),
    "bye-with-opponent": (player_changed(4, ("3 b =", "3 b H")), (16, 99)),
    "opponent-missing": (player_changed(4, ("   3 b =", "0000 b =")), (16, 92)),
    "opponent-unknown": (player_changed(4, ("3 b =", "9 b =")), (16, 92)),
    "opponent-self": (player_changed(4, ("3 b =", "4 b =")), (16, 92)),
    "pairing-asymmetric": (player_changed(4, ("3 b =", "2 b =")), (16, 92)),
    "forfeit-asymmetric": (changed(("3 b =", "3 - -"), ("4 w =     1", "0 - +     1")), (16, 92)),
    "colours-same": (player_changed(4, ("3 b =", "3 w =")), (15, 97)),
    "colour-missing": (
        player_changed(4, ("3 b =", "3 - =")),
        (16, 97),
    ),
    "forfeit-colours": (changed(("3 b =", "3 w -"), ("4 w =     1", "4 w +     1")), (15, 97)),
    "results-contradict": (
        player_changed(4, ("3 b =", "3 b 1")),
        (15, 99),
    ),
    "played-twice": (changed(*AGAIN), (13, 112)),
    "played-again": (
        changed(("092 Individual: Swiss-System", "092 Individual"), *AGAIN),
        (13, 112),
    ),
    "byes-in-round": (
        changed(("3 b =", "0 - U"), ("4 w =     1", "0 - U     1")),
        WHOLE,
    ),
}
