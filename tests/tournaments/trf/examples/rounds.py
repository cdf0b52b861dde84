"""Rounds."""

from __future__ import annotations

from tests.tournaments.trf.examples.example import WHOLE, Example
from tests.tournaments.trf.reports import changed, player_changed

# Round 3 as 1-2 and 3-4, who met in round 1.
AGAIN = (
    ("3 b 1     4 b =", "3 b 1     2 b ="),
    ("4 w 1     3 w =", "4 w 1     1 w ="),
    ("1 w 0     2 b =", "1 w 0     4 b ="),
    ("2 b 0     1 w =", "2 b 0     3 w ="),
)
ROUNDS = {
    "round-unreadable": Example(
        "What stands there is in no column of the round.", player_changed(4, ("3 b =", "3xb =")), (16, 92)
    ),
    "opponent-unreadable": Example(
        "It is not known who the opponent is.", player_changed(4, ("    3 b =", "   3x b =")), (16, 92)
    ),
    "colour-unreadable": Example(
        "Only games with w and b on the two lines are rated.", player_changed(4, ("3 b =", "3 s =")), (16, 97)
    ),
    "result-unreadable": Example(
        "It is not known whether and how the game was played.",
        player_changed(4, ("3 b =", "3 b 5")),
        (16, 99),
    ),
    "result-unknown": Example(
        "An adjourned game, or one not entered.",
        changed(("3 b =", "3 b ?"), ("4 w =     1", "4 w ?     1")),
        (15, 99),
    ),
    "result-missing": Example(
        "A pairing that was not played or not entered.",
        changed(("3 b =", "3 b  "), ("4 w =     1", "4 w       1")),
        (15, 99),
    ),
    "result-penalty": Example(
        "The arbiter took points from a player, or an entry is wrong.",
        player_changed(4, ("3 b =", "3 b 0"), ("1.0    4", "0.5    4")),
        (15, 99),
    ),
    "result-spelling": Example(
        "The sign can mean nothing else.", player_changed(4, ("3 b =", "3 b ½")), (16, 99)
    ),
    "bye-as-draw": Example(
        "An old way of writing a half-point bye.",
        changed(("3 b =", "0 - ="), ("4 w =     1", "0 - =     1")),
        (15, 99),
    ),
    "bye-as-result": Example(
        "A result over the board needs an opponent.",
        changed(("3 b =", "0 - 0"), ("4 w =     1", "0 - 1     1")),
        (15, 99),
    ),
    "bye-with-opponent": Example(
        "Either a bye or a game, not both.", player_changed(4, ("3 b =", "3 b H")), (16, 99)
    ),
    "opponent-missing": Example(
        "A game over the board has an opponent.", player_changed(4, ("   3 b =", "0000 b =")), (16, 92)
    ),
    "opponent-unknown": Example(
        "The game would not be rated.", player_changed(4, ("3 b =", "9 b =")), (16, 92)
    ),
    "opponent-self": Example("The game would not be rated.", player_changed(4, ("3 b =", "4 b =")), (16, 92)),
    "pairing-asymmetric": Example(
        "A game is rated when both lines name each other.", player_changed(4, ("3 b =", "2 b =")), (16, 92)
    ),
    "forfeit-asymmetric": Example(
        "Not rated either way.", changed(("3 b =", "3 - -"), ("4 w =     1", "0 - +     1")), (16, 92)
    ),
    "colours-same": Example(
        "One player has White, the other Black.", player_changed(4, ("3 b =", "3 w =")), (15, 97)
    ),
    "colour-missing": Example(
        "A game over the board has colours; without them it is not rated.",
        player_changed(4, ("3 b =", "3 - =")),
        (16, 97),
    ),
    "forfeit-colours": Example(
        "Not rated either way.", changed(("3 b =", "3 w -"), ("4 w =     1", "4 w +     1")), (15, 97)
    ),
    "results-contradict": Example(
        "One of the two lines is wrong; the game would not be rated.",
        player_changed(4, ("3 b =", "3 b 1")),
        (15, 99),
    ),
    "played-twice": Example("In a Swiss system two players meet once.", changed(*AGAIN), (13, 112)),
    "played-again": Example(
        "The report does not say which system was played.",
        changed(("092 Individual: Swiss-System", "092 Individual"), *AGAIN),
        (13, 112),
    ),
    "byes-in-round": Example(
        "Usually one player at most is left without an opponent.",
        changed(("3 b =", "0 - U"), ("4 w =     1", "0 - U     1")),
        WHOLE,
    ),
}
