"""Days as they are written in reports, and the reading that agrees with a registration (D-121)."""

from __future__ import annotations

from datetime import date

import pytest

from tests.tournaments.trf.reports import BASE, changed
from tournaments.trf import check_report, read_report
from tournaments.trf.days import readings
from tournaments.trf.report import read_by_registration

DAY = date(2026, 10, 5)
# Texts that can mean one day only.
CLEAR = [
    "2026/10/05",
    "2026-10-05",
    "2026.10.05",
    "2026-10-05T00:00:00",
    "2026-10-05T00:00:00Z",
    "2026-10-05T00:00:00.000+02:00",
    "2026-10-05 09:30",
    "2026/10/05 14h00",
    "20261005",
    "5 October 2026",
    "October 5, 2026",
    "Oct 5 2026",
    "5th Oct 2026",
    "5th of October 2026",
    "Mon, 5 Oct 2026",
    "Monday 5 October 2026",
    "5-Oct-2026",
    "5 octobre 2026",
    "5 oct. 2026",
    "lundi 5 octobre 2026",
    "5 de octubre de 2026",
    "lunes, 5 de octubre de 2026",
    "5. Oktober 2026",
    "Montag, 5. Oktober 2026",
    "Mo., 5. Okt. 2026",
    "5.Okt.2026",
    "5. Oktober 2026, 10:00 Uhr",
]
# Texts of which one reading is the day.
AMBIGUOUS = [
    "05.10.26",
    "5.10.26",
    "05/10/26",
    "10/05/26",
    "26/10/05",
    "05-10-26",
    "05.10.2026",
    "10/05/2026",
    "05/10/2026",
    "5/10/2026",
    "Mo 05.10.26",
    "05.10.2026 10:00",
]
MONTHS = {
    "1er janvier 2026": 1,
    "1 de enero de 2026": 1,
    "1. Januar 2026": 1,
    "1 février 2026": 2,
    "1. März 2026": 3,
    "1 mars 2026": 3,
    "1 avril 2026": 4,
    "1 de abril de 2026": 4,
    "1 mai 2026": 5,
    "1 de mayo de 2026": 5,
    "1 juin 2026": 6,
    "1 juillet 2026": 7,
    "1 juil. 2026": 7,
    "1. Juli 2026": 7,
    "1 août 2026": 8,
    "1 de agosto de 2026": 8,
    "1 de septiembre de 2026": 9,
    "1 de setiembre de 2026": 9,
    "1 décembre 2026": 12,
    "1. Dezember 2026": 12,
    "1 de diciembre de 2026": 12,
}


def report_on(text: str) -> str:
    """Return the report with a text in 042 and 052, and rounds on no day."""
    lines = changed(("2026/01/10", text), ("2026/01/11", text)).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("132"))


@pytest.mark.parametrize("text", CLEAR)
def test_d_121_a_clear_day_has_one_reading_and_no_finding(text: str) -> None:
    report = read_report(report_on(text))
    codes = {item.code for item in check_report(report)}
    assert (report.start, report.end, readings(text)) == (DAY, DAY, (DAY,))
    assert {"event-date-ambiguous", "event-date-unreadable"} & codes == set()


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_d_121_of_several_readings_that_of_the_registration_is_taken(text: str) -> None:
    report = read_by_registration(read_report(report_on(text)), DAY, DAY)
    assert (report.start, report.end) == (DAY, DAY)


@pytest.mark.parametrize("text", MONTHS)
def test_d_121_months_are_read_in_four_languages(text: str) -> None:
    assert readings(text) == (date(2026, MONTHS[text], 1),)


@pytest.mark.parametrize(
    "text", ["5 foo 2026", "32 octobre 2026", "octobre 2026", "2026-10-05Tx", "05.10.", "2026"]
)
def test_what_is_no_day_has_no_reading(text: str) -> None:
    assert readings(text) == ()


def test_d_121_days_of_rounds_are_read_with_those_of_the_event() -> None:
    lines = [line for line in BASE.splitlines() if line[:3] not in ("042", "052", "132")]
    rounds = "132" + " " * 88 + "05.10.26  05.10.26  06.10.26"
    report = read_report("\n".join(["042 05.10.26", "052 06.10.26", rounds, *lines]))
    agreed = read_by_registration(report, DAY, date(2026, 10, 6))
    assert (agreed.start, agreed.end, agreed.round_dates) == (
        DAY,
        date(2026, 10, 6),
        (DAY, DAY, date(2026, 10, 6)),
    )


def test_d_121_without_a_reading_that_agrees_the_likeliest_stays() -> None:
    report = read_report(report_on("10/05/2026"))
    assert read_by_registration(report, date(2026, 3, 1), date(2026, 3, 2)) == report


@pytest.mark.parametrize("text", ["2026/01/10;2026/01/10;2026/01/11", "10.01.2026; 10.01.2026; 11.01.2026"])
def test_days_of_rounds_may_be_parted_by_semicolons(text: str) -> None:
    lines = [line if not line.startswith("132") else f"132 {text}" for line in BASE.splitlines()]
    report = read_report("\n".join(lines))
    assert report.round_dates == (date(2026, 1, 10), date(2026, 1, 10), date(2026, 1, 11))
    assert check_report(report) == ()


@pytest.mark.parametrize(
    ("text", "on", "day"),
    [
        ("05.10.26", date(2026, 10, 12), DAY),
        ("05/10/26", date(2026, 11, 26), DAY),
        ("05-10-26", date(2027, 1, 1), DAY),
        ("26/10/05", date(2026, 10, 12), DAY),
        ("26.10.05", date(2026, 10, 12), DAY),
        ("12.11.10", date(2010, 11, 20), date(2010, 11, 12)),
        ("12.11.10", date(2012, 11, 20), date(2012, 11, 10)),
        ("2005/10/26", date(2026, 10, 12), date(2005, 10, 26)),
        ("98/10/05", date(2026, 10, 12), date(1998, 10, 5)),
    ],
)
def test_d_121_without_a_registration_a_day_near_the_reading_is_taken(text: str, on: date, day: date) -> None:
    report = read_report(report_on(text), on=on)
    assert (report.start, report.end) == (day, day)


def test_d_121_day_read_in_one_of_several_ways_is_named() -> None:
    findings = check_report(read_report(report_on("05.10.26"), on=DAY))
    assert [(item.code, item.params["day"]) for item in findings if item.code == "event-date-ambiguous"] == [
        ("event-date-ambiguous", "2026-10-05")
    ] * 2


@pytest.mark.parametrize(
    "line",
    [
        "132" + " " * 89 + "26/01/10  26/01/10  26/01/11",
        "132" + " " * 87 + "26/01/10  26/01/10  26/01/11",
        "132" + " " * 88 + "26/01/10 26/01/10  26/01/11",
        "132" + " " * 88 + "26/01/10   26/01/10  26/01/11",
        "132" + " " * 88 + "26/01/10     26/01/10 26/01/11",
        "132" + " " * 60 + "26/01/10  26/01/10  26/01/11",
        "132" + " " * 92 + "26/01/10  26/01/10  26/01/11",
    ],
)
def test_days_of_rounds_are_read_whatever_blanks_are_between_them(line: str) -> None:
    lines = [line if one.startswith("132") else one for one in BASE.splitlines()]
    assert read_report("\n".join(lines)).round_dates == read_report(BASE).round_dates


@pytest.mark.parametrize("text", ["05.10.26", "05/10/26", "5.10.26"])
def test_d_121_days_by_hand_stand_beside_rounds_as_trf_asks(text: str) -> None:
    lines = [line for line in BASE.splitlines() if line[:3] not in ("042", "052", "132")]
    rounds = "132" + " " * 88 + "26/10/05  26/10/05  26/10/05"
    content = "\n".join([f"042 {text}", f"052 {text}", rounds, *lines])
    near, agreed = read_report(content, on=DAY), read_by_registration(read_report(content), DAY, DAY)
    for report in (near, agreed):
        assert (report.start, report.end, report.round_dates) == (DAY, DAY, (DAY, DAY, DAY))
