"""Values of a report, its games and its bounds."""

from __future__ import annotations

from datetime import date

import pytest

from tests.tournaments.trf.reports import BASE, added, changed, corrected, player, player_changed, without
from tournaments.trf import (
    Pairing,
    PlayerRecord,
    Report,
    RoundResult,
    Unplayed,
    check_report,
    read_report,
    rounds_per_day,
    write_report,
)
from tournaments.trf.checks.players import has_right_check_digit
from tournaments.trf.findings import in_order
from tournaments.trf.limits import MAX_BYTES, MAX_FINDINGS

FORFEITS = changed(("3 b =", "3 - -"), ("4 w =     1", "4 - +     1"))


def test_the_header_is_read() -> None:
    report = read_report(added("112 FA Second"))
    assert report == Report(
        name="Winter Rapid",
        city="Exampletown",
        federation="SUI",
        start=date(2026, 1, 10),
        end=date(2026, 1, 11),
        number_of_players=4,
        number_of_rated_players=4,
        number_of_teams=0,
        tournament_type="Individual: Swiss-System",
        chief_arbiter="Arbiter, Anna",
        deputy_arbiters=("FA Second",),
        time_control="15+10",
        round_dates=(date(2026, 1, 10), date(2026, 1, 10), date(2026, 1, 11)),
        rounds=3,
        players=report.players,
    )


def test_a_player_is_read() -> None:
    assert read_report(BASE).players[0] == PlayerRecord(
        number=1,
        name="Amsel, Berta",
        sex="F",
        title="WFM",
        rating=1900,
        federation="SUI",
        fide_id=1300016,
        birth_date=date(1990, 2, 3),
        birth_year=1990,
        points=5,
        rank=1,
        results=(RoundResult(1, 2, "w", "1"), RoundResult(2, 3, "b", "1"), RoundResult(3, 4, "b", "=")),
    )


def test_the_year_alone_is_no_date_of_birth() -> None:
    second = read_report(BASE).players[1]
    assert (second.birth_date, second.birth_year) == (None, 1985)


def test_lines_are_kept_as_they_were() -> None:
    assert read_report(BASE + "999 x \r\n\t\r\n").lines == (*BASE.splitlines(), "999 x ", "\t")


def test_games_are_the_pairs_of_lines_that_name_each_other() -> None:
    assert list(read_report(BASE).games) == [
        Pairing(1, 1, 2, "1", "0", True),
        Pairing(1, 3, 4, "=", "=", True),
        Pairing(2, 3, 1, "0", "1", True),
        Pairing(2, 2, 4, "1", "0", True),
        Pairing(3, 4, 1, "=", "=", True),
        Pairing(3, 2, 3, "=", "=", True),
    ]


def test_a_forfeit_is_a_pairing_but_no_game() -> None:
    games = [game for game in read_report(FORFEITS).games if game.round == 1]
    assert games == [Pairing(1, 1, 2, "1", "0", True), Pairing(1, 3, 4, "+", "-", False)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3 w =", "4 w ="),
        ("3 b 1", "4 w ="),
        ("3 b W", "4 w L"),
        ("3 - =", "4 w ="),
        ("3 b +", "4 w -"),
        ("3 b  ", "4 w  "),
    ],
)
def test_what_the_lines_do_not_agree_on_is_no_game(one: str, other: str) -> None:
    report = read_report(changed(("3 b =", one), ("4 w =     1", f"{other}     1")))
    assert [game.played for game in report.games] == [True, False, True, True, True, True]


def test_every_round_without_a_pairing_is_unplayed() -> None:
    report = read_report(changed(("3 b =", "2 b ="), ("   4 w =     1", "0000 - H     1")))
    assert list(report.unplayed()) == [Unplayed(1, 3, None, "", "H"), Unplayed(1, 4, 2, "b", "=")]


def test_a_player_listed_twice_is_no_game_twice() -> None:
    report = read_report(added(player(4)))
    assert (len(list(report.games)), [alone.player for alone in report.unplayed()]) == (6, [4, 4, 4])


def test_rounds_that_nobody_has_are_cut_and_short_lines_filled() -> None:
    report = read_report(player_changed(1, ("     4 b =", "")))
    blank = RoundResult(3, None, "", "")
    assert (report.rounds, report.players[0].results[2]) == (3, blank)


def test_more_rounds_may_be_announced_than_played() -> None:
    report = read_report(added("142 9"))
    assert (report.rounds, report.rounds_played) == (9, 3)


def test_rounds_a_day_are_counted_3_1() -> None:
    assert rounds_per_day(read_report(BASE)) == {date(2026, 1, 10): 2, date(2026, 1, 11): 1}


def test_rounds_without_dates_are_on_the_only_day() -> None:
    one_day = changed(("052 2026/01/11", "052 2026/01/10"), of=without("132"))
    assert rounds_per_day(read_report(one_day)) == {date(2026, 1, 10): 3}


def test_rounds_without_dates_are_on_no_day_of_several() -> None:
    assert rounds_per_day(read_report(without("132"))) == {}


def test_the_written_report_has_the_columns_of_trf() -> None:
    written = write_report(read_report(BASE)).split("\r\n")
    assert [line for line in written if line.startswith("001")] == BASE.splitlines()[12:]


def test_a_value_that_does_not_fit_is_refused_by_the_writer() -> None:
    with pytest.raises(ValueError, match="reaches into column 49"):
        write_report(Report(players=(PlayerRecord(1, "x" * 40),)))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty-file"),
        (b"\xef\xbb\xbf \r\n", "empty-file"),
        (b"<html><head></head></html>", "html-page"),
        (b"  <!DOCTYPE html>", "html-page"),
        (b"%PDF-1.7 001 ", "pdf-file"),
        (b"PK\x03\x04001 ", "archive-file"),
        (b"\x1f\x8b\x08" + bytes(30), "archive-file"),
        (
            b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
            "office-file",
        ),
        (b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml", "office-file"),
        (b"\xd0\xcf\x11\xe0" + bytes(60), "office-file"),
        (b"{\\rtf1\\ansi 001 ", "office-file"),
        (b"\x89PNG" + bytes(60), "binary-file"),
        (bytes(range(256)) * 8, "binary-file"),
        (BASE.encode("utf-16-le"), "binary-file"),
        (b"x" * (50 * 1024 * 1024), "file-too-large"),
        (b"001 " * (MAX_BYTES // 4 + 1), "file-too-large"),
        (b"hello\n" * 1000, "not-a-report"),
    ],
)
def test_what_is_no_report_has_one_error(content: bytes, code: str) -> None:
    report = read_report(content)
    assert ([item.code for item in check_report(report)], report.players) == ([code], ())


def test_of_too_many_findings_the_gravest_and_every_code_are_kept() -> None:
    findings = check_report(read_report(BASE.replace("3 b =", "3 b 1") + "998 x\n" * MAX_FINDINGS))
    counts = {code: sum(item.code == code for item in findings) for code in {item.code for item in findings}}
    assert counts == {
        "findings-left-off": 1,
        "record-unknown": MAX_FINDINGS - 3,
        "results-contradict": 2,
    }
    assert in_order(findings) == findings


@pytest.mark.parametrize("fide_id", [1503014, 2016192, 4100018, 5000017, 123456789, 12])
def test_check_digits_fit(fide_id: int) -> None:
    assert has_right_check_digit(fide_id)


@pytest.mark.parametrize("fide_id", [1503015, 2016129, 41000182])
def test_check_digits_do_not_fit(fide_id: int) -> None:
    assert not has_right_check_digit(fide_id)


@pytest.mark.parametrize(
    ("white", "black", "codes", "is_played"),
    [
        ("0", "0", ["result-penalty"], True),
        ("=", "0", ["result-penalty"], True),
        ("0", "=", ["result-penalty"], True),
        ("1", "0", [], True),
        ("1", "1", ["results-contradict"] * 2, False),
        ("1", "=", ["results-contradict"] * 2, False),
        ("L", "L", [], False),
        ("D", "L", [], False),
        ("0", "L", ["results-contradict"] * 2, False),
        ("-", "-", [], False),
        ("+", "0", ["results-contradict"] * 2, False),
    ],
)
def test_d_120_penalties_are_rated_and_impossible_pairs_are_not(
    white: str, black: str, codes: list[str], *, is_played: bool
) -> None:
    report = read_report(changed(("4 w =     1", f"4 w {white}     1"), ("3 b =", f"3 b {black}")))
    found = [item.code for item in check_report(report) if item.code.startswith("result")]
    (game,) = (game for game in report.games if (game.round, game.white) == (1, 3))
    assert (found, game.played, game.white_code, game.black_code) == (codes, is_played, white, black)


def test_the_fix_of_a_wrong_opponent_is_the_one_who_names_the_player() -> None:
    spoiled = player_changed(4, ("3 b =", "2 b ="))
    fixes = [item.fix for item in check_report(read_report(spoiled)) if item.line == 16]
    assert fixes == [player(4)]


def test_the_fix_of_a_contradiction_is_where_the_points_do_not_add_up() -> None:
    spoiled = player_changed(4, ("3 b =", "3 b 1"))
    fixes = {item.line: item.fix for item in check_report(read_report(spoiled)) if item.fix}
    assert fixes == {16: player(4)}


def test_a_contradiction_without_evidence_has_no_fix() -> None:
    spoiled = player_changed(4, ("3 b =", "3 b 1"), ("1.0", "1.5"))
    assert [item.fix for item in check_report(read_report(spoiled)) if item.fix] == []


@pytest.mark.parametrize(
    "spoiled",
    [
        player_changed(4, ("3 b =", "3 b 1")),
        player_changed(4, ("3 b =", "2 b =")),
        player_changed(4, ("Elster, Fritz  ", "Elster, Fritz\t ")),
        player_changed(4, ("Elster, Fritz  ", "Elster, Fritz ")),
        player_changed(4, ("001    4", " 001    4")),
        player_changed(4, ("=     2 b", "=    2 b")),
    ],
)
def test_a_report_with_its_fixes_is_the_good_one(spoiled: str) -> None:
    report = read_report(spoiled)
    text = corrected(report, check_report(report))
    assert text == BASE.replace("\n", "\r\n")
