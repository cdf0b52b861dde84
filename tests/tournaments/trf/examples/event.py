"""The event, teams and records beside the players."""

from __future__ import annotations

from tests.tournaments.trf.examples.example import WHOLE, Example
from tests.tournaments.trf.reports import BASE, added, changed

TEAM_LISTS = (
    "013 Finches                         " + "   1    2",
    "013 Thrushes                        " + "   3    4",
)
TEAMS_310 = (
    "310   1 Finches                          FIN     1850    2.0    4.0   1    1    2",
    "310   2 Thrushes                         THR     1650    0.0    2.0   2    3    4",
)
DATES = "26/01/10  26/01/10  26/01/11"
EVENT = {
    "event-federation-code": Example(
        "The event cannot be compared with its registration.", changed(("032 SUI", "032 Switzerland")), (3, 5)
    ),
    "event-federation-unknown": Example(
        "The event cannot be compared with its registration.", changed(("032 SUI", "032 SUX")), (3, 5)
    ),
    "record-field-unused": Example(
        "The record is not used for rating.", added("172 FIDE-FIDON", of=BASE), (17, 8)
    ),
    "rounds-begin-late": Example(
        "The first day may be another one.", changed(("042 2026/01/10", "042 2026/01/09")), (12, 5)
    ),
    "rounds-end-early": Example(
        "A round may be missing.", changed(("052 2026/01/11", "052 2026/01/12")), (12, 5)
    ),
    "event-date-unreadable": Example(
        "The first and last day decide which list and which rules hold.",
        changed(("042 2026/01/10", "042 some day")),
        (4, 5),
    ),
    "event-date-ambiguous": Example(
        "Day and month might be exchanged.",
        changed(("042 2026/01/10", "042 10/01/2026"), ("052 2026/01/11", "052 11/01/2026")),
        (4, 5),
    ),
    "event-dates-reversed": Example(
        "No event ends before it starts.", changed(("052 2026/01/11", "052 2026/01/09")), (5, 5)
    ),
    "count-unreadable": Example("The count cannot be compared.", changed(("062 4", "062 four")), (6, 5)),
    "player-count": Example("Players may be missing from the file.", changed(("062 4", "062 5")), (6, 5)),
    "rated-count": Example("Programs count this differently.", changed(("072 4", "072 3")), (7, 5)),
    "team-count": Example(
        "Team lists may be missing; rating does not need them.", changed(("082 0", "082 2")), (8, 5)
    ),
    "rounds-unplayed": Example(
        "A report before the end, or a last round not entered.", added("XXR 5"), (17, 5)
    ),
    "rounds-surplus": Example("Either the number or a round is wrong.", added("XXR 2"), (17, 5)),
    "round-date-unreadable": Example(
        "The rounds of that day cannot be counted.",
        changed((DATES, "26/01/10  26/01/10  26/01/99")),
        (12, 112),
    ),
    "round-date-outside": Example(
        "The event's days or the round's are wrong.",
        changed((DATES, "26/01/10  26/01/10  26/01/12")),
        (12, 112),
    ),
    "round-date-order": Example(
        "Rounds are played one after the other.", changed((DATES, "26/01/10  26/01/11  26/01/10")), (12, 112)
    ),
    "round-dates-count": Example(
        "A date too few or too many.", changed((DATES, "26/01/10  26/01/11")), (12, None)
    ),
    "rounds-a-day": Example(
        "3.1 allows 15 rounds a day in rapid and 30 in blitz (D-16).",
        changed((DATES, "  ".join(["26/01/10"] * 31))),
        (12, None),
        "31 dates 26/01/10 in record 132",
    ),
    "time-control-unreadable": Example(
        "Rapid or blitz cannot be told from it.", added("222 15 min"), (17, 5)
    ),
    "time-control-unequal": Example("1.2: both players have the same time.", added("222 W900-B600"), (17, 5)),
    "time-controls-differ": Example(
        "They may even mean different kinds of rating.", added("222 180+2"), (17, 5)
    ),
    "games-missing": Example(
        "There is nothing to rate.",
        "\n".join(
            line[:90].replace("2.5", "0.0").replace("1.5", "0.0").replace("1.0", "0.0")
            if line.startswith("001")
            else line
            for line in BASE.splitlines()
        ),
        WHOLE,
        "the players without their rounds",
    ),
}
RECORDS = {
    "team-player-unknown": Example(
        "The team list is not used for rating.", added(TEAM_LISTS[0].replace("   2", "   9")), (17, None)
    ),
    "team-player-twice": Example(
        "The team list is not used for rating.",
        added(TEAM_LISTS[0], TEAM_LISTS[1].replace("   3", "   2")),
        (18, None),
    ),
    "team-mates-paired": Example(
        "Members of a team do not meet; one of the lines is wrong.", added(*TEAM_LISTS), (13, 92)
    ),
    "player-without-team": Example("The team list is not complete.", added(TEAM_LISTS[0]), (15, 5)),
    "team-empty": Example("The team list is not used for rating.", added("013 Finches"), (17, None)),
    "rating-correction": Example(
        "The game is rated as the players' lines say; their points need not add up.",
        added("### Rating correction @ Round 1: 1-2: 0-1 => 1-0 (pairings and standings used 0-1)"),
        (17, None),
    ),
    "rating-correction-differs": Example(
        "It is not certain which result is right.",
        added("### Rating correction @ Round 1: 1-2 recorded as 0-1 for rating"),
        (17, None),
    ),
    "record-player-unknown": Example("The record is not used for rating.", added("240 H   1    9"), (17, 1)),
    "record-team-unknown": Example(
        "The record is not used for rating.", added(*TEAMS_310, "330 +-   1   1   9"), (19, 1)
    ),
    "record-round-unknown": Example(
        "A bye asked for in a round to come, or a wrong number.", added("240 H   4    1"), (17, 1)
    ),
}
