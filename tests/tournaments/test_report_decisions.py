"""Decisions D-75, D-83 to D-86, D-121 and D-122 at the service that checks reports.

tests/test_report_doors.py has the doors.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.errors import RefusedError
from players.models import Federation, Player
from ratings.rate import rate_report
from tests import make
from tests.codes import refusal
from tests.shared import SharedRows
from tests.trf_files import Event
from tournaments.amendments import Condition, Identity, Result
from tournaments.checking import CheckedReport, check_contents
from tournaments.corrected_versions import apply_changes
from tournaments.crosstables import trf_of_table
from tournaments.drafts import answers_in_log, choose, chosen_changes, left_out_rounds, line_items
from tournaments.holds import release_hold
from tournaments.indicators import indicators_of
from tournaments.lookups import Lookups
from tournaments.models import Flags, Report, Tournament
from tournaments.report_barriers import acknowledgement_of
from tournaments.reports import accept_report, upload_report
from tournaments.trf import read_report

pytestmark = pytest.mark.page

ON = date(2026, 1, 20)
PLAYERS = [(1001, "Alpha, Anna"), (1002, "Beta, Boris"), (1003, "Gamma, Greta"), (1004, "Delta, Dora")]
GAMES = [[(1, 2, "1-0")], [(2, 3, "1/2")]]


@pytest.fixture(scope="module")
def listed(rows_of_module: SharedRows) -> Federation:
    with rows_of_module():
        federation = make.federation(code="SUI")
        first = make.rating_list(date=date(2026, 1, 1))
        for fide_id, name in PLAYERS:
            player = make.player(fide_id=fide_id, name=name, federation=federation)
            make.entry(rating_list=first, player=player, rating=1800)
        return federation


@pytest.fixture
def swiss(listed: Federation, db: None) -> Federation:
    return listed


def registered(event_id: str = "SUI-1", **facts: Any) -> Tournament:
    usual = {"name": "Open of Alphaville", "federation_id": "SUI", "federation": Federation(code="SUI")}
    return make.tournament(**{"event_id": event_id, **usual, **facts})


def report(*changes: tuple[str, str], **facts: Any) -> bytes:
    text = Event(**({"players": PLAYERS, "rounds": GAMES} | facts)).text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text.encode()


def check(content: bytes, tournament: Tournament, **more: Any) -> CheckedReport:
    return check_contents(read_report(content), tournament, on=ON, lookups=Lookups(), **more)


def codes(checked: CheckedReport, *wanted: str) -> list[tuple[str, str]]:
    return [(item.code, str(item.severity)) for item in checked.findings if item.code in wanted]


def accept(content: bytes, tournament: Tournament, words: str = "Checked.") -> Report:
    kept = upload_report(tournament, content, file_name="o.trf", by=None, on=ON, at=make.noon(ON))
    return accept_report(kept, acknowledgement=words, by=None, on=ON, at=make.noon(ON))


def test_d_75_event_before_the_first_list_of_its_kind_is_an_error(swiss: Federation) -> None:
    make.rating_list(kind="standard", date=date(2025, 1, 1))
    days = {"start": "2025/12/30", "end": "2026/01/02"}
    tournament = registered(start=date(2025, 12, 30), end=date(2026, 1, 2))

    (found,) = check(report(**days), tournament).errors

    assert found.code == "event-before-lists"
    assert dict(found.params) == {"start": "2025-12-30", "kind": "rapid", "first": "2026-01-01"}


@pytest.mark.parametrize(
    "change",
    [
        ("132 ", "222 W900+10-B600+10\r\n132 "),
        ("15 minutes plus 10 sec per move", "White 15+10, Black 10+10"),
        ("15 minutes plus 10 sec per move", "W900+10-B600+10"),
    ],
)
@pytest.mark.parametrize(
    ("is_registered", "expected"),
    [(False, ("unequal-times-1.2", "error")), (True, ("time-control-unequal", "warning"))],
)
def test_d_83_unequal_times_must_be_registered(
    swiss: Federation, change: tuple[str, str], is_registered: bool, expected: tuple[str, str]
) -> None:
    checked = check(report(change), registered(has_unequal_times=is_registered))

    assert codes(checked, "unequal-times-1.2", "time-control-unequal") == [expected]


def test_d_83_equal_times_in_both_forms_are_no_error(swiss: Federation) -> None:
    content = report(("15 minutes plus 10 sec per move", "White 15+10, Black 15+10"))

    assert codes(check(content, registered()), "unequal-times-1.2", "time-control-unequal") == []


@pytest.mark.parametrize("day", ["11.01.26", "01/11/2026", "2026-01-11T00:00:00", "11 janvier 2026"])
def test_d_121_days_are_read_in_the_way_that_agrees_with_the_registration(
    swiss: Federation, day: str
) -> None:
    days = {"start": date(2026, 1, 11), "end": date(2026, 1, 11)}

    checked = check(report(start=day, end=day, round_dates=["11.01.26"] * 2), registered(**days))

    assert (checked.report.start, checked.report.end) == (days["start"], days["end"])
    assert (
        codes(checked, "event-days", "event-dates-others", "round-date-outside", "event-days-missing") == []
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("15+10", []),
        ("15 minutes + 10 secondes par coup", []),
        ("25 min + 5 s por jugada", [("event-time-control", "warning")]),
        ("3 minutes + 2 secondes par coup", [("event-kind", "warning")]),
        ("15/10", [("event-time-control-unread", "notice")]),
        ("15+10 and 3+2", [("event-time-control-unread", "notice")]),
        ("0:15:00+0:00:10", [("event-time-control-unread", "notice")]),
        ("", []),
    ],
)
def test_d_122_time_control_is_compared_or_a_note_says_that_it_is_not(
    swiss: Federation, text: str, found: list[tuple[str, str]]
) -> None:
    checked = check(report(("15 minutes plus 10 sec per move", text)), registered())

    assert codes(checked, "event-time-control", "event-kind", "event-time-control-unread") == found


def test_d_84_several_matches_need_the_games_of_each(swiss: Federation) -> None:
    several = report(rounds=[[(1, 2, "1-0"), (3, 4, "1-0")]])
    one = report(rounds=[[(1, 2, "1-0")]], players=PLAYERS[:2])
    tournament = registered(is_match=True)

    assert codes(check(several, tournament), "match-games-missing") == [("match-games-missing", "error")]
    assert codes(check(one, tournament), "match-games-missing") == []
    tournament.games_per_match = 4
    assert codes(check(several, tournament), "match-games-missing") == []


def test_d_84_games_after_a_match_of_several_is_decided_are_not_rated(swiss: Federation) -> None:
    """Best of four: the game after 3-0 does not count; the other match of the report goes on."""
    rounds = [[(1, 2, "1-0"), (3, 4, "1/2")], [(2, 1, "0-1"), (4, 3, "1/2")]] * 2 + [[(3, 4, "1-0")]]
    accepted = accept(report(rounds=rounds), registered(is_match=True, games_per_match=4))

    rating = rate_report(accepted, at=make.noon(ON))

    assert rating is not None
    reasons = {
        part.number: [outcome.reasons[0] for outcome in part.outcomes] for part in rating.participants.all()
    }
    assert reasons[1][3:4] == reasons[2][3:4] == ["match-decided-5.2"]
    assert "match-decided-5.2" not in reasons[3] + reasons[4] + reasons[1][:3]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ((), []),
        ((("042 2026/01/10", "042 2025/01/10"), ("052 2026/01/11\r\n", "")), ["event-days"]),
        ((("042 2026/01/10\r\n", ""), ("052 2026/01/11", "052 2026/02/11")), ["event-days"]),
        ((("042 2026/01/10\r\n", ""),), []),
        ((("042 2026/01/10\r\n", ""), ("052 2026/01/11\r\n", "")), []),
        (
            (("042 2026/01/10\r\n", ""), ("052 2026/01/11\r\n", ""), ("26/01/10", "08/01/10")),
            ["event-dates-others"],
        ),
    ],
)
def test_d_85_each_day_that_is_there_agrees_with_the_registration(
    swiss: Federation, changes: tuple[tuple[str, str], ...], expected: list[str]
) -> None:
    assert [item.code for item in check(report(*changes), registered()).errors] == expected


@pytest.mark.parametrize(
    ("start", "end", "rounds", "expected"),
    [
        # All moved by a day, or 042 and 052 alone wrong: one cause, with its fix.
        (9, 10, (9, 10), [(4, "042 2026/01/10"), (5, "052 2026/01/11"), (10, "26/01/10  26/01/11")]),
        (12, 13, (10, 11), [(4, "042 2026/01/10"), (5, "052 2026/01/11")]),
        (10, 15, (10, 11), [(5, "052 2026/01/11")]),
        # The registration may be wrong: too far away, other days in a row, rounds that say the same.
        (20, 21, (20, 21), [(4, None), (5, None)]),
        (12, 14, (12, 14), [(4, None), (5, None)]),
        (10, 12, (10, 12), [(5, None)]),
    ],
)
def test_wrong_days_are_one_problem_with_a_fix_where_the_registered_ones_are_plausible(
    swiss: Federation, start: int, end: int, rounds: tuple[int, ...], expected: list[tuple[int, str | None]]
) -> None:
    days = {"start": f"2026/01/{start:02}", "end": f"2026/01/{end:02}"}
    content = report(**days, round_dates=[f"26/01/{day:02}" for day in rounds])
    found = [one for one in check(content, registered()).findings if "date" in one.code or "days" in one.code]

    assert [(one.code, one.line) for one in found] == [("event-days", line) for line, _fix in expected]
    assert [one.fix and one.fix.replace("132", "").strip() for one in found] == [
        fix for _line, fix in expected
    ]


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (["042 2026/01/10\r\n"], []),
        (["052 2026/01/11\r\n"], []),
        (["042 2026/01/10\r\n", "052 2026/01/11\r\n"], ["event-days-missing"]),
    ],
)
def test_report_with_one_of_its_dates_is_not_said_to_have_none(
    swiss: Federation, missing: list[str], expected: list[str]
) -> None:
    checked = check(report(*((line, "") for line in missing)), registered())

    assert [item.code for item in checked.findings if item.code == "event-days-missing"] == expected


def test_d_85_report_in_which_nobody_is_known_is_an_error(swiss: Federation) -> None:
    nobody = report(players=[(0, name) for _, name in PLAYERS])
    one = report(players=[PLAYERS[0], *((0, name) for _, name in PLAYERS[1:])])

    assert [item.code for item in check(nobody, registered()).errors] == ["participants-unknown"]
    assert check(one, registered("SUI-2")).errors == ()


GROUP_B = [PLAYERS[3], (1005, "Erle, Eva"), (1006, "Fichte, Fred")]


def test_d_135_another_groups_report_replaces_none_without_a_reason_of_its_own(swiss: Federation) -> None:
    accept(report(), tournament := registered())
    content = report(players=GROUP_B)
    tournament.refresh_from_db()

    checked = check(content, tournament)
    with refusal() as refused:
        accept(content, tournament)
    made = accept(content, tournament, acknowledgement_of({"report-of-others": "The groups were swapped."}))

    wanted = [item for item in checked.findings if item.code in ("report-of-others", "version-leaves")]
    assert [(item.code, str(item.severity), dict(item.params)) for item in wanted] == [
        ("report-of-others", "error", {"common": 1, "players": 3, "version": 1}),
        (
            "version-leaves",
            "warning",
            {"players": 3, "games": 2, "names": "Alpha, Anna; Beta, Boris; Gamma, Greta", "version": 1},
        ),
    ]
    assert refused.found == ["report-of-others"]
    assert (made.state, "The groups were swapped." in made.acknowledgement) == ("accepted", True)
    assert Flags.objects.get().tournament == tournament


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"rounds": GAMES[:1]}, {"version": 1, "games": 1}),
        ({"rounds": [*GAMES, [(4, 1, "1-0")]]}, None),
        ({"rounds": [[(1, 2, "0-1")], GAMES[1]]}, None),
        (
            {"players": [PLAYERS[2], PLAYERS[1], PLAYERS[0]], "rounds": [[(3, 2, "1-0")], [(2, 1, "1/2")]]},
            {"players": 1},
        ),
        ({"players": [(0, PLAYERS[0][1]), *PLAYERS[1:]]}, None),
        ({"players": [(1001, "Alpha, A."), *PLAYERS[1:]]}, None),
    ],
    ids=["a-round", "a-round-more", "a-result", "other-numbers", "without-id", "other-spelling"],
)
def test_d_135_what_leaves_is_said(swiss: Federation, changes: Any, expected: Any) -> None:
    accept(report(), tournament := registered())
    tournament.refresh_from_db()

    checked = check(report(**changes), tournament)

    codes = ("version-leaves", "version-games-leave", "report-of-others")
    found = [dict(item.params) for item in checked.findings if item.code in codes]
    assert len(found) == (expected is not None)
    assert expected is None or found[0] | expected == found[0]


def test_d_128_version_that_a_newer_one_followed_is_not_accepted(swiss: Federation) -> None:
    tournament = registered()
    values: dict[str, Any] = {"by": None, "on": ON, "at": make.noon(ON)}
    old = upload_report(tournament, report(), file_name="o.trf", **values)
    newer = upload_report(tournament, report(rounds=GAMES[:1]), file_name="n.trf", **values)

    with refusal() as refused:
        accept_report(old, acknowledgement="Checked.", **values)

    assert refused.found == ["replaced"]
    assert accept_report(newer, acknowledgement="Checked.", **values).state == "accepted"


def test_d_86_the_same_bytes_under_another_event_are_an_error(swiss: Federation) -> None:
    content = report()
    accept(content, registered("SUI-OTHER"))
    tournament = registered()

    with refusal() as refused:
        accept(content, tournament)

    assert "report-again" in refused.found
    assert codes(check(content, tournament, is_arbiters=True), "report-again") == [("report-again", "error")]


def test_d_86_a_file_that_was_not_accepted_elsewhere_is_taken(swiss: Federation) -> None:
    other = registered("SUI-OTHER")
    upload_report(other, report(), file_name="o.trf", by=None, on=ON, at=make.noon(ON))

    assert accept(report(), registered()).state == "accepted"


THREE_GAMES = [[*GAMES[0], (3, 4, "0-1")], [(1, 3, "1-0"), (4, 2, "1-0")]]
OTHER_RESULT = [GAMES[0], [(2, 3, "1-0")]]


@pytest.mark.parametrize(
    ("elsewhere", "here", "start", "expected"),
    [
        (GAMES, GAMES, date(2026, 1, 10), [("rounds-again", "error")]),
        (
            THREE_GAMES,
            [*GAMES[:1], [(3, 2, "1/2")], [(1, 3, "1-0")]],
            date(2026, 1, 10),
            [("event-again", "warning")],
        ),
        (GAMES[:1], GAMES[:1], date(2026, 1, 10), []),
        (OTHER_RESULT, GAMES, date(2026, 1, 10), []),
        (GAMES, GAMES, date(2026, 1, 11), [("rounds-again", "error")]),
        (GAMES, GAMES, date(2026, 1, 12), []),
    ],
    ids=["same", "two-games", "one-game", "other-result", "one-day-of-two", "other-days"],
)
def test_d_117_the_same_games_of_the_same_days_are_named(
    swiss: Federation, elsewhere: Any, here: Any, start: date, expected: list[tuple[str, str]]
) -> None:
    accept(report(rounds=elsewhere), registered("SUI-OTHER"))
    content = report(
        ("022 Alphaville", "022 Betaville"),
        rounds=here,
        start=f"{start:%Y/%m/%d}",
        end=f"{max(start, date(2026, 1, 11)):%Y/%m/%d}",
    )

    checked = check(content, registered(start=start, end=max(start, date(2026, 1, 11))))

    assert codes(checked, "event-again", "rounds-again") == expected


ALL_DAYS = ["26/01/10"] * 4


@pytest.mark.parametrize(
    ("rounds", "registered_rounds", "expected"),
    [
        (GAMES, 4, {"reported": 2, "registered": 4, "rounds": "3–4"}),
        ([GAMES[0], [], GAMES[1]], 3, {"reported": 2, "registered": 3, "rounds": "2"}),
        ([*GAMES, [(1, 3, "+-")]], 2, {"reported": 3, "registered": 2, "rounds": "3"}),
        (GAMES, 2, None),
        (GAMES, 0, None),
    ],
    ids=["last-rounds-missing", "one-between", "a-round-more", "as-registered", "nothing-registered"],
)
def test_d_138_rounds_played_are_compared_whatever_132_says(
    swiss: Federation, rounds: Any, registered_rounds: int, expected: Any
) -> None:
    schedule = ["2026-01-10"] * registered_rounds
    content = report(rounds=rounds, round_dates=ALL_DAYS[:registered_rounds] or ALL_DAYS[:2])

    checked = check(content, registered(schedule=schedule))

    found = [
        (str(item.severity), dict(item.params)) for item in checked.findings if item.code == "event-rounds"
    ]
    assert found == ([("warning", expected)] if expected else [])


def test_d_138_rounds_of_a_crosstable_are_compared(swiss: Federation) -> None:
    tournament = registered(schedule=["2026-01-10"] * 3)
    table = b"No;Name;ID;1;2\n1;Alpha, Anna;1001;2w1;3b1\n2;Beta, Boris;1002;1b0;bye\n3;Gamma, Greta;1003;bye;1w0\n"

    checked = check(trf_of_table(tournament, table).encode(), tournament)

    assert [item.params["rounds"] for item in checked.findings if item.code == "event-rounds"] == ["3"]


TIMES = "15 minutes plus 10 sec per move"


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("15+10 (round 1), 3+2 (round 2)", {}, [("2", "blitz")]),
        ("15+10 (round 1), 3+2 (round 2)", {"time_control_text": "3+2 (round 1)"}, [("2", "blitz")]),
        ("15+10 (rounds 1-2), 3+2 (rounds 3-5)", {}, []),
        ("15+10 (rounds 1-2), 25+10 (round 3)", {}, []),
        (TIMES, {"time_control_text": "15+10 (round 1), 3+2 (round 2)"}, [("2", "blitz")]),
    ],
    ids=["by-122", "122-first", "not-played", "one-kind", "by-the-registration"],
)
def test_d_138_rounds_of_another_kind_are_an_error(
    swiss: Federation, text: str, facts: Any, expected: Any
) -> None:
    checked = check(report((TIMES, text)), registered(**facts))

    found = [item for item in checked.errors if item.code == "rounds-of-another-kind"]
    assert [(item.params["rounds"], item.params["reported_kind"]) for item in found] == expected


def test_d_138_the_rounds_of_another_kind_are_left_out_by_a_choice(swiss: Federation) -> None:
    values: dict[str, Any] = {"by": None, "on": ON, "at": make.noon(ON)}
    content = report((TIMES, "3+2 (round 1), 15+10 (round 2)"), round_dates=ALL_DAYS[:2])
    kept = upload_report(registered(), content, file_name="o.trf", **values)
    read = read_report(content)

    choose(kept, read, left_out_rounds(kept, read, "rounds-of-another-kind"), on=ON)
    made, _is_new = apply_changes(kept, read, chosen_changes(kept, read, on=ON).lines, **values)

    left = read_report(bytes(made.content))
    assert "rounds-of-another-kind" not in {item["code"] for item in made.findings}
    assert [game.round for game in left.games] == [2]
    assert [record.points for record in left.players] == [0, 1, 1, 0]
    with pytest.raises(RefusedError):
        left_out_rounds(kept, read, "event-rounds")


FIVE = [PLAYERS[0], PLAYERS[1], PLAYERS[2], PLAYERS[3], (1005, "Erle, Eva")]
ROUND_ROBIN = [
    [(1, 2, "1-0"), (3, 4, "1/2")],
    [(2, 3, "0-1"), (4, 5, "1-0")],
    [(5, 1, "1/2"), (2, 4, "1-0")],
    [(1, 3, "0-1"), (5, 2, "1-0")],
    [(4, 1, "1-0"), (3, 5, "0-1")],
]
SHUFFLED = [ROUND_ROBIN[place] for place in (3, 1, 4, 0, 2)]
LATER = {"start": "2026/01/12", "end": "2026/01/12"}
OWN_DAYS, NO_DAYS = ["26/01/12"] * 5, ["        "] * 5
AGAIN = ("games-again", "first-rounds-again", "few-games-again", "rounds-again", "event-again")


def twice(
    here: Any, days: Any, players: Any = FIVE, kind: str = "rapid", elsewhere: Any = ROUND_ROBIN
) -> Any:
    """Return what is found of games that were accepted two days or twenty months before, on other days."""
    make.player(fide_id=1005, name="Erle, Eva", federation=Federation.objects.get(code="SUI"))
    ended = {"start": date(2024, 6, 1), "end": date(2024, 6, 2)}
    stored = registered("SUI-OTHER", **ended)
    make.play(
        stored,
        [Player.objects.get(pk=fide_id) for fide_id, _ in players],
        [(number, *game) for number, games in enumerate(elsewhere, 1) for game in games],
    )
    base = {"base_seconds": 180, "increment_seconds": 2} if kind == "blitz" else {}
    content = report(players=players, rounds=here, round_dates=days[: len(here)], **LATER)
    tournament = registered(start=date(2026, 1, 12), end=date(2026, 1, 12), kind=kind, **base)
    return content, tournament


@pytest.mark.parametrize(
    ("here", "days", "kind", "expected"),
    [
        (ROUND_ROBIN, OWN_DAYS, "rapid", [("games-again", "error")]),
        (SHUFFLED, OWN_DAYS, "rapid", [("games-again", "error")]),
        (ROUND_ROBIN, OWN_DAYS, "blitz", []),
        ([*ROUND_ROBIN[:4], [(4, 1, "1/2"), (3, 5, "0-1")]], OWN_DAYS, "rapid", []),
        (
            [*ROUND_ROBIN[:4], [(4, 1, "1/2"), (3, 5, "0-1")]],
            NO_DAYS,
            "rapid",
            [("first-rounds-again", "error")],
        ),
        (
            [ROUND_ROBIN[0], ROUND_ROBIN[2], SHUFFLED[4][::-1]],
            NO_DAYS,
            "rapid",
            [("first-rounds-again", "error")],
        ),
        ([ROUND_ROBIN[1], ROUND_ROBIN[0], [(1, 2, "0-1")]], NO_DAYS, "rapid", []),
        (ROUND_ROBIN[:3], OWN_DAYS, "rapid", [("few-games-again", "warning")]),
    ],
    ids=[
        "all",
        "other-order",
        "other-kind",
        "one-other-result",
        "first-rounds",
        "round-twice",
        "turned",
        "few",
    ],
)
def test_d_129_games_come_once_within_two_years(
    swiss: Federation, here: Any, days: Any, kind: str, expected: list[tuple[str, str]]
) -> None:
    content, tournament = twice(here, days, kind=kind)
    assert codes(check(content, tournament), *AGAIN) == expected


def test_d_129_only_the_release_by_the_qc_allows_the_games(swiss: Federation) -> None:
    content, tournament = twice(ROUND_ROBIN, OWN_DAYS)
    chair, general = make.person("qc"), acknowledgement_of(dict.fromkeys(AGAIN, "ok"), "ok")

    with refusal() as refused:
        accept(content, tournament, general)
    flag = Flags.objects.get()
    release_hold(tournament, reason="A second league of the same five.", by=chair, at=make.noon(ON))

    assert refused.found == ["games-again"]
    assert flag.stated[0]["events"] == "SUI-OTHER"
    assert not Report.objects.get(tournament=tournament).has_errors
    assert accept(content, tournament).state == "accepted"


def test_d_129_what_the_qc_allowed_is_previewed_and_corrected_as_any_report(swiss: Federation) -> None:
    content, tournament = twice(ROUND_ROBIN, OWN_DAYS)
    page = f"/desk/tournaments/{tournament.event_id}/reports/1/preview"
    officer = make.browser(make.person("officer", swiss))
    with refusal():
        accept(content, tournament)
    previews = [officer.get(page).context["preview"]]
    release_hold(tournament, reason="A second league.", by=make.person("qc"), at=make.noon(ON))
    previews.append(officer.get(page).context["preview"])
    accept(content, tournament)

    effect = make.correct_game(tournament, Result(1, 1, result="0-1"), on=ON, is_dry_run=True)
    make.correct(tournament, [Condition("increment_seconds", after=5)], on=ON)

    tournament.refresh_from_db()
    assert [bool(one) for one in previews] == [False, True]
    assert [(one.player_id, one.after.change) for one in effect.players] == [(1001, -3000), (1002, 1000)]
    assert tournament.increment_seconds == 5


def test_d_129_the_release_allows_the_games_that_it_was_about(swiss: Federation) -> None:
    begun_alike = [*ROUND_ROBIN[:4], [(4, 1, "1/2"), (3, 5, "0-1")]]
    content, tournament = twice(begun_alike, NO_DAYS)
    with refusal() as refused:
        accept(content, tournament, acknowledgement_of(dict.fromkeys(AGAIN, "ok"), "ok"))
    release_hold(tournament, reason="They begin alike.", by=make.person("qc"), at=make.noon(ON))

    with refusal() as again:
        accept(report(players=FIVE, rounds=ROUND_ROBIN, round_dates=NO_DAYS, **LATER), tournament, "ok")

    assert (refused.found, again.found) == (["first-rounds-again"], ["games-again"])
    assert Flags.objects.filter(state="waiting").count() == 1
    assert accept(content, tournament).state == "accepted"


def test_d_129_games_come_once_under_a_merged_id_too(swiss: Federation) -> None:
    content, tournament = twice(ROUND_ROBIN, OWN_DAYS)
    former = Player.objects.get(pk=1005)
    stays = make.player(fide_id=1006, name=former.name, federation=former.federation)
    Player.objects.filter(pk=1005).update(merged_into=stays)

    now = report(players=[*FIVE[:4], (1006, former.name)], rounds=ROUND_ROBIN, round_dates=OWN_DAYS, **LATER)

    for sent in (content, now):
        assert codes(check(sent, tournament), *AGAIN) == [("games-again", "error")]


def test_d_129_few_games_are_answered_by_themselves(swiss: Federation) -> None:
    content, tournament = twice(ROUND_ROBIN[:3], OWN_DAYS)

    with refusal() as refused:
        accept(content, tournament, "ok")
    accept(content, tournament, acknowledgement_of({"few-games-again": "A rematch."}, "ok"))

    assert refused.found == ["reason-missing"]
    assert Flags.objects.exists()


def of_others(count: int) -> bytes:
    """Return a report in which so many lines have a FIDE ID of a person of another name."""
    names = ["Zander, Zoe", "Yak, Yves", "Xaver, Xenia", "Wal, Willi"]
    return report(
        players=[(fide_id, names[at] if at < count else name) for at, (fide_id, name) in enumerate(PLAYERS)]
    )


def refusals_with(content: bytes, tournament: Tournament, words: str) -> list[str]:
    try:
        accept(content, tournament, words)
    except RefusedError as error:
        return [item.code for item in error.refusals]
    return []


def test_d_130_lines_of_other_names_are_answered_one_by_one(swiss: Federation) -> None:
    content, tournament = of_others(3), registered()
    kept = upload_report(tournament, content, file_name="o.trf", by=None, on=ON, at=make.noon(ON))
    lines = [str(item["line"]) for item in kept.findings if item["code"] == "id-of-another"]

    def answered(*answers: str) -> str:
        given = dict(zip(lines, answers, strict=False))
        return acknowledgement_of({}, "ok", lines=line_items(kept.findings, given))

    assert refusals_with(content, tournament, "ok") == ["lines-unanswered-D-130"]
    assert refusals_with(content, tournament, acknowledgement_of({"id-of-another": "ok"}, "ok")) == [
        "lines-unanswered-D-130"
    ]
    assert refusals_with(content, tournament, answered("same", "same")) == ["lines-unanswered-D-130"]
    assert refusals_with(content, tournament, answered("same", "other", "same")) == ["lines-of-others-D-130"]
    assert refusals_with(content, tournament, answered("same", "same", "same")) == []
    step = tournament.log_entries.get(action="accept")
    assert [item["fide_id"] for item in step.stated or () if "fide_id" in item] == [
        1001,
        1002,
        1003,
    ]
    assert Flags.objects.get().tournament == tournament


def test_d_130_two_lines_of_other_names_are_answered_by_one_reason(swiss: Federation) -> None:
    assert refusals_with(of_others(2), registered(), "ok") == []


def test_d_130_answers_that_mend_lines_stay_in_the_log_and_what_is_left_is_answered_too(
    swiss: Federation,
) -> None:
    values: dict[str, Any] = {"by": None, "on": ON, "at": make.noon(ON)}
    content, tournament = of_others(4), registered()
    kept = upload_report(tournament, content, file_name="o.trf", **values)
    read = read_report(content)
    same = [Identity(record.line, record.fide_id, is_whole=True) for record in read.players[:2]]
    choose(kept, read, same, on=ON)

    made, _is_new = apply_changes(kept, read, chosen_changes(kept, read, on=ON).lines, **values)

    assert [item["answer"] for item in answers_in_log(tournament)] == ["same", "same"]
    assert [item["code"] for item in made.findings].count("id-of-another") == 2
    assert refusals_with(bytes(made.content), tournament, "ok") == ["lines-unanswered-D-130"]
    lines = [str(item["line"]) for item in made.findings if item["code"] == "id-of-another"]
    given = line_items(made.findings, dict.fromkeys(lines, "same"))
    assert refusals_with(bytes(made.content), tournament, acknowledgement_of({}, "ok", lines=given)) == []
    assert [item.code for item in indicators_of(tournament)].count("line-answer") == 4
