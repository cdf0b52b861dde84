"""The event, teams and records beside the players."""

from __future__ import annotations

from tests.tournaments.trf.reports import BASE, WHOLE, added, changed

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
    "event-federation-code": (changed(("032 SUI", "032 Switzerland")), (3, 5)),
    "event-federation-unknown": (changed(("032 SUI", "032 SUX")), (3, 5)),
    "record-field-unused": (added("172 FIDE-FIDON", of=BASE), (17, 8)),
    "rounds-begin-late": (changed(("042 2026/01/10", "042 2026/01/09")), (12, 5)),
    "rounds-end-early": (changed(("052 2026/01/11", "052 2026/01/12")), (12, 5)),
    "event-date-unreadable": (
        changed(("042 2026/01/10", "042 some day")),
        (4, 5),
    ),
    "event-date-ambiguous": (
        changed(("042 2026/01/10", "042 10/01/2026"), ("052 2026/01/11", "052 11/01/2026")),
        (4, 5),
    ),
    "event-dates-reversed": (changed(("052 2026/01/11", "052 2026/01/09")), (5, 5)),
    "count-unreadable": (changed(("062 4", "062 four")), (6, 5)),
    "player-count": (changed(("062 4", "062 5")), (6, 5)),
    "rated-count": (changed(("072 4", "072 3")), (7, 5)),
    "team-count": (changed(("082 0", "082 2")), (8, 5)),
    "rounds-unplayed": (added("XXR 5"), (17, 5)),
    "rounds-surplus": (added("XXR 2"), (17, 5)),
    "round-date-unreadable": (
        changed((DATES, "26/01/10  26/01/10  26/01/99")),
        (12, 112),
    ),
    "round-date-outside": (
        changed((DATES, "26/01/10  26/01/10  26/01/12")),
        (12, 112),
    ),
    "round-date-order": (changed((DATES, "26/01/10  26/01/11  26/01/10")), (12, 112)),
    "round-dates-count": (changed((DATES, "26/01/10  26/01/11")), (12, None)),
    "rounds-a-day": (
        changed((DATES, "  ".join(["26/01/10"] * 31))),
        (12, None),
    ),
    "time-control-unreadable": (added("222 15 min"), (17, 5)),
    "time-control-unequal": (added("222 W900-B600"), (17, 5)),
    "time-controls-differ": (added("222 180+2"), (17, 5)),
    "games-missing": (
        "\n".join(
            line[:90].replace("2.5", "0.0").replace("1.5", "0.0").replace("1.0", "0.0")
            if line.startswith("001")
            else line
            for line in BASE.splitlines()
        ),
        WHOLE,
    ),
}
RECORDS = {
    "team-player-unknown": (added(TEAM_LISTS[0].replace("   2", "   9")), (17, None)),
    "team-player-twice": (
        added(TEAM_LISTS[0], TEAM_LISTS[1].replace("   3", "   2")),
        (18, None),
    ),
    "team-mates-paired": (added(*TEAM_LISTS), (13, 92)),
    "player-without-team": (added(TEAM_LISTS[0]), (15, 5)),
    "team-empty": (added("013 Finches"), (17, None)),
    "rating-correction": (
        added("### Rating correction @ Round 1: 1-2: 0-1 => 1-0 (pairings and standings used 0-1)"),
        (17, None),
    ),
    "rating-correction-differs": (
        added("### Rating correction @ Round 1: 1-2 recorded as 0-1 for rating"),
        (17, None),
    ),
    "record-player-unknown": (added("240 H   1    9"), (17, 1)),
    "record-team-unknown": (added(*TEAMS_310, "330 +-   1   1   9"), (19, 1)),
    "record-round-unknown": (added("240 H   4    1"), (17, 1)),
}
