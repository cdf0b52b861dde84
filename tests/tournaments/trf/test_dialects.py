"""What programs write differently and mean the same: at most a notice, and the same players and games."""

from __future__ import annotations

from datetime import date

import pytest

from tests.tournaments.trf.reports import BASE, added, changed, player_changed
from tournaments.trf import Severity, check_report, read_report
from tournaments.trf.comments import CorrectionRecord, OtherRecord
from tournaments.trf.tables import loads

PLAYERS = read_report(BASE).players
GAMES = tuple(read_report(BASE).games)
RULERS = """
         1         2         3         4         5         6         7         8         9
123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890
DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR  1111 1 1  2222 2 2
### SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR  1111 1 1  2222 2 2
----+----1----+----2----+----3

# a comment of some programs
### a comment of TRF26
"""
LINE_SEPARATORS = ("\r", "\n", "\r\n")


def gravest(report: str | bytes) -> set[str]:
    """Return the codes of findings that are more than a notice."""
    return {item.code for item in check_report(read_report(report)) if item.severity != Severity.NOTICE}


SAME: dict[str, str | bytes] = {
    "sex M and W": changed(("1 wWFM", "1 WWFM"), ("2 m", "2 M")),
    "sex f": changed(("1 wWFM", "1 fWFM")),
    "sex F": changed(("1 wWFM", "1 FWFM")),
    "title in small letters": changed(("wWFM", "wwfm")),
    "title of two letters": changed(("wWFM", "w wf")),
    "French title": changed(("wWFM", "w ff")),
    "title at the left": changed(("wWFM", "wWF ")),
    "codes in small letters": BASE.replace("w 1", "W 1").replace("b 0", "B 0"),
    "opponents with zeros": player_changed(1, ("   2 w 1", "0002 w 1"), ("   3 b 1", "0003 b 1")),
    "opponents at the left": player_changed(1, ("   2 w 1", "2    w 1"), ("   3 b 1", "3    b 1")),
    "birth with points": changed(("1990/02/03", "1990.02.03"), ("1985/00/00", "1985.  .  ")),
    "birth with hyphens": changed(("1990/02/03", "1990-02-03"), ("1985/00/00", "1985      ")),
    "birth not given": changed(
        ("1.0    4", "1.0    4"), ("1300040           ", "1300040 0000/00/00".ljust(18))
    ),
    "blanks at line ends": BASE.replace("\n", "   \n"),
    "no end of the last line": BASE.rstrip("\n"),
    "end of text of DOS": BASE + "\x1a",
    "byte order mark": "\ufeff" + BASE,
    "hard blanks": BASE.replace("     ", "\xa0\xa0\xa0\xa0\xa0"),
    "UTF-8": BASE.encode(),
    "UTF-8 with a mark": BASE.encode("utf-8-sig"),
    "UTF-16": BASE.encode("utf-16"),
    "CR": BASE.replace("\n", "\r"),
    "CR LF": BASE.replace("\n", "\r\n"),
    "mixed line ends": "".join(
        line + LINE_SEPARATORS[index % 3] for index, line in enumerate(BASE.splitlines())
    ),
    "rulers and comments": changed(("001    1", RULERS + "001    1")),
    "ruler that looks like 012": changed(("001    1", "01234567890123456789012345678901\n001    1")),
    "players in any order": "\n".join(
        [*BASE.splitlines()[:12], *sorted(BASE.splitlines()[12:], reverse=True)]
    ),
    "points with a comma": changed(("2.5    1", "2,5    1")),
    "counts of registered and present": changed(("062 4", "062 4 (3)")),
    "several deputies": added("112 FA Second", "112 NA Third, NA Fourth"),
    "registration in 142": added("142 3"),
    "extensions": added(
        "XXR 3", "XXC white1", "XXZ 1 2", "XXP 1 2", "XXS WW=1.0 BD=.5", "XXA    1  0.5  1.0", "BBW  1.0"
    ),
    "TRFX": added("DAT    1 ONLINE something"),
}


@pytest.mark.parametrize("name", SAME)
def test_a_harmless_variant_is_the_same_report(name: str) -> None:
    report = read_report(SAME[name])
    players = sorted(report.players, key=lambda player: player.number)
    assert (gravest(SAME[name]), tuple(players), tuple(sorted(report.games))) == (
        set(),
        PLAYERS,
        tuple(sorted(GAMES)),
    )


ALMOST_SAME = {
    "unrated as 0000": changed(("1600 SUI", "0000 SUI"), ("072 4", "072 3")),
    "unrated as 0": changed(("1600 SUI", "   0 SUI"), ("072 4", "072 3")),
    "unrated as blank": changed(("1600 SUI", "     SUI"), ("072 4", "072 3")),
    "no FIDE ID as 0": player_changed(4, ("1300040", "      0")),
    "no FIDE ID as 0000": player_changed(4, ("1300040", "   0000")),
    "no FIDE ID as blank": player_changed(4, ("1300040", "       ")),
    "sex u": player_changed(2, ("2 m", "2 u")),
    "sex blank": player_changed(2, ("2 m", "2  ")),
    "title g": player_changed(2, ("2 m    ", "2 m  g ")),
    "year of birth alone": player_changed(1, ("1990/02/03", "1990      ")),
    "birth with blank parts": player_changed(1, ("1990/02/03", "1990/  /  ")),
    "name without comma": player_changed(1, ("Amsel, Berta", "Amsel Berta ")),
    "gaps in numbers": BASE.replace("    4 ", "   40 ").replace("062   40", "062 4"),
    "half-point bye as a draw": changed(("3 b =", "0   ="), ("4 w =     1", "0 - H     1")),
    "byes without colour": changed(("    3 b =", "      - H"), ("     4 w =     1", "         H     1")),
    "a round not played yet": changed(
        *((f"     {cell}\n", "\n") for cell in ("4 b =", "3 w =", "2 b =", "1 w =")),
        ("2.5", "2.0"),
        ("1.5", "1.0"),
        ("1.0    3", "0.5    3"),
        ("1.0    4", "0.5    4"),
    ),
}


@pytest.mark.parametrize("name", ALMOST_SAME)
def test_a_usual_way_of_leaving_something_out_is_at_most_a_notice(name: str) -> None:
    assert gravest(ALMOST_SAME[name]) == set()


DAYS = {
    "2026/01/10": ("2026/01/10", "2026/01/11"),
    "10/01/2026": ("10/01/2026", "11/01/2026"),
    "10.01.2026": ("10.01.2026", "11.01.2026"),
    "10. 01. 2026": ("10. 01. 2026", "11. 01. 2026"),
    "2026-01-10": ("2026-01-10", "2026-01-11"),
    "26.01.10": ("26.01.10", "26.01.11"),
    "January 10, 2026": ("January 10, 2026", "Jan 11, 2026"),
    "10 January 2026": ("10 January 2026", "11th January 2026"),
    "20260110": ("20260110", "20260111"),
}


@pytest.mark.parametrize("spelling", DAYS)
def test_days_are_read_in_every_spelling(spelling: str) -> None:
    start, end = DAYS[spelling]
    text = changed(("042 2026/01/10", f"042 {start}"), ("052 2026/01/11", f"052 {end}"))
    report = read_report(text)
    assert (report.start, report.end, gravest(text)) == (date(2026, 1, 10), date(2026, 1, 11), set())


@pytest.mark.parametrize(
    "dates",
    [
        "26/01/10  26/01/10  26/01/11",
        "26.10.01  26.10.01  26.11.01",
        "10/01/26  10/01/26  11/01/26",
        "10.01.26  10.01.26  11.01.26",
    ],
)
def test_round_dates_are_read_in_the_order_that_fits_the_event(dates: str) -> None:
    report = read_report(changed(("26/01/10  26/01/10  26/01/11", dates)))
    assert report.round_dates == (date(2026, 1, 10), date(2026, 1, 10), date(2026, 1, 11))


@pytest.mark.parametrize(
    ("days", "rounds", "expected"),
    [
        # A real league season, written year first.
        (("10.09.13", "11.03.13"), "10.09.13  10.12.10  11.03.13", ((2010, 9, 13), (2010, 12, 10), (2011, 3, 13))),
        (("13.09.10", "13.03.11"), "13.09.10  10.12.10  13.03.11", ((2010, 9, 13), (2010, 12, 10), (2011, 3, 13))),
        (("2013/05/04", "2013/05/05"), "04/05/13  04/05/13  05/05/13", ((2013, 5, 4), (2013, 5, 4), (2013, 5, 5))),
    ],
)  # fmt: skip
def test_d_85_one_reading_of_days_puts_the_rounds_into_the_event(
    days: tuple[str, str], rounds: str, expected: tuple[tuple[int, int, int], ...]
) -> None:
    dates = ("26/01/10  26/01/10  26/01/11", rounds)
    report = read_report(
        changed(("042 2026/01/10", f"042 {days[0]}"), ("052 2026/01/11", f"052 {days[1]}"), dates)
    )
    played = tuple(date(*day) for day in expected)
    assert (report.start, report.end, report.round_dates) == (played[0], played[-1], played)


@pytest.mark.parametrize(
    "report",
    [
        player_changed(2, ("    1300024", "-----------")),
        added("172 FIDON"),
        added("172 NIDOF"),
        added("362 TW2.0 TD1.0 TL0.0"),
        added("299 -        -1.0    1    1"),
        added("260   1   3    1    9"),
        changed(("042 2026/01/10", "042 2026/01/09")),
    ],
    ids=["dashes as FIDE ID", "172 FIDON", "172 NIDOF", "362", "299", "260", "first round late"],
)
def test_what_does_not_matter_for_rating_is_at_most_a_notice(report: str) -> None:
    assert gravest(report) == set()


def test_missing_first_day_is_a_warning_without_a_database() -> None:
    assert gravest(changed(("042 2026/01/10\n", ""))) == {"record-missing"}


@pytest.mark.parametrize(("points", "text"), [(-2, "-1.0"), (-1, "-0.5"), (3, " 1.5")])
def test_points_of_299_may_be_taken_off(points: int, text: str) -> None:
    line = f"299 -        {text}    1    1"
    record = loads(line)
    assert (record["points"], record["round"], record["numbers"]) == (points, 1, (1,))
    assert loads(record.dumps()) == record


def test_names_may_be_in_any_letters_and_columns_are_characters() -> None:
    text = changed(("Amsel, Berta", "Άμσελ, Μπέρτ"))
    assert (read_report(text.encode()).players[0].name, gravest(text)) == ("Άμσελ, Μπέρτ", set())


def test_a_line_padded_by_bytes_is_put_right() -> None:
    padded = changed(("Amsel, Berta          ", "Ämsel, Bertä        "))
    (finding,) = check_report(read_report(padded.encode()))
    assert (finding.code, finding.line, finding.fix) == (
        "shifted-columns",
        13,
        padded.splitlines()[12].replace("Bertä", "Bertä  "),
    )
    assert tuple(read_report(padded).games) == GAMES


def test_latin_letters_of_one_byte_are_read() -> None:
    content = changed(("Amsel", "Ämsel")).encode("latin-1")
    report = read_report(content)
    assert (report.players[0].name, [item.code for item in report.findings]) == (
        "Ämsel, Berta",
        ["encoding-guessed"],
    )


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("### Rating correction @ Round 1: 1-2: 0-1 => 1-0 (pairings and standings used 0-1)", ("1", "0")),
        ("### Rating correction @ Round 1: 1-2 recorded as 1-0 for rating", ("1", "0")),
        (
            "### Rating correction @ Round 1: 1-2 1-0 recorded for rating, 2-1 0-1 used for pairings",
            ("1", "0"),
        ),
        (
            "### Rating correction @ Round 1: 1-2 recorded as 1/2-1/2 for rating, 1-0 used for pairings",
            ("=", "="),
        ),
        ("### Rating correction @ Round 1: 1-2: 1-0 => +/-", ("+", "-")),
        ("### Rating correction @ Round 1: 1-2: 1-0 => +--", ("+", "-")),
    ],
)
def test_a_correction_for_rating_is_read_from_the_comments_of_programs(
    comment: str, codes: tuple[str, str]
) -> None:
    (record,) = read_report(added(comment)).records
    assert record == CorrectionRecord(comment, 1, 1, 2, codes)


@pytest.mark.parametrize(
    "comment", ["### Rating correction @ Round 1: all => 1-0", "### rating corrections: none"]
)
def test_another_comment_is_kept_as_it_is(comment: str) -> None:
    assert read_report(added(comment)).records == (OtherRecord(comment),)


def test_points_need_not_follow_a_result_that_was_corrected_for_rating() -> None:
    comment = "### Rating correction @ Round 1: 1-2: 1/2-1/2 => 1-0 (pairings and standings used 1/2-1/2)"
    used = changed(("2.5    1", "2.0    1"), ("1.5    2", "2.0    2"))
    assert (gravest(used), gravest(added(comment, of=used))) == ({"points-mismatch"}, set())
