"""The calendar by month, and the feeds for calendar programs: public, and deadlines at a secret address."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from players.models import Appointment, Federation
from tests import make
from tests.desk.conftest import NOW, TODAY
from tests.downloads import media_type
from tests.growth import find_growing, pages_of
from tournaments.calendar import MAX_A_DAY, CalendarEntry, month_named
from tournaments.feeds import calendar_bytes
from tournaments.models import DeadlineFeed, InformationRequest, Tournament

FEED = "/desk/calendar/feed"


def entries(content: bytes) -> list[tuple[str, date, date]]:
    found = Calendar.from_ical(content).walk("VEVENT")
    return [(str(event["SUMMARY"]), event["DTSTART"].dt, event["DTEND"].dt) for event in found]


def titles(content: bytes) -> dict[str, str]:
    """Return the titles of the entries by what each is about: an event and a sort of deadline."""
    found = Calendar.from_ical(content).walk("VEVENT")
    return {str(event["UID"]).partition("@")[0]: str(event["SUMMARY"]) for event in found}


def address_of(client: Client) -> str:
    """Return the path of a new secret address."""
    return str(client.post(FEED).context["address"]).removeprefix("http://localhost:8000")


@pytest.mark.parametrize(
    ("first", "last", "weeks"),
    [
        pytest.param("2026-02", (date(2026, 1, 26), date(2026, 3, 1)), 5, id="ends on a Sunday"),
        pytest.param("2024-02", (date(2024, 1, 29), date(2024, 3, 3)), 5, id="29 February"),
        pytest.param("2026-12", (date(2026, 11, 30), date(2027, 1, 3)), 5, id="31 December"),
    ],
)
def test_month_is_shown_in_whole_weeks(
    client: Client, db: None, first: str, last: tuple[date, date], weeks: int
) -> None:
    month = client.get("/tournaments/calendar/month", {"month": first}).context["month"]

    assert (month.weeks[0][0].day, month.weeks[-1][-1].day) == last
    assert [len(week) for week in month.weeks] == [7] * weeks
    assert (month.previous < month.first < month.following, month.following.day) == (True, 1)


def test_desk_shows_the_coming_weeks_with_the_dates_of_lists(officer: Client) -> None:
    shown = officer.get("/desk/calendar/").context

    days = [day.day for week in shown["month"].weeks for day in week]
    assert (days[0], len(days), TODAY in days[:7]) == (date(2026, 3, 2), 42, True)
    assert [day for day in days if shown["marks"].get(day)] == [
        date(2026, 3, 29),
        date(2026, 3, 31),
        date(2026, 4, 1),
    ]


@pytest.mark.parametrize("month", ["2026-13", "x", "2026-1", "0001-01", "9999-12", "2026-03-01", "\x00"])
def test_invalid_month_is_not_found(client: Client, officer: Client, month: str) -> None:
    answers = [
        browser.get(page, {"month": month}).status_code
        for browser, page in ((client, "/tournaments/calendar/month"), (officer, "/desk/calendar/"))
    ]

    assert answers == [404, 404]


@given(st.text(max_size=10))
def test_any_text_is_a_month_or_none(text: str) -> None:
    month = month_named(text, today=TODAY)

    assert month is None or month.day == 1


def test_day_shows_some_tournaments_and_counts_the_others(client: Client, swiss: Federation) -> None:
    for _ in range(MAX_A_DAY + 2):
        make.tournament(federation=swiss, start=date(2026, 3, 7))
    make.tournament(federation=swiss, start=date(2026, 3, 8), kind="blitz")

    days = client.get("/tournaments/calendar/month", {"month": "2026-03"}).context["month"].days
    blitz = client.get("/tournaments/calendar/month", {"month": "2026-03", "kind": "blitz"}).context["month"]

    assert [(day.day.day, len(day.tournaments), day.more) for day in days] == [
        (7, MAX_A_DAY, 2),
        (8, MAX_A_DAY, 3),
        (9, 1, 0),
    ]
    assert [day.day.day for day in blitz.days] == [8, 9]


def test_month_makes_no_more_queries_whatever_it_shows(client: Client, swiss: Federation) -> None:
    def fill(rows: int) -> None:
        for place in range(rows):
            make.tournament(federation=swiss, start=date(2026, 3, 7 + place))

    shown = pages_of(client, "/tournaments/calendar/month?month=2026-03", "/tournaments/calendar/all.ics")
    assert find_growing(fill, shown) == {}


def test_calendar_of_the_desk_shows_own_tournaments(
    officer: Client, swiss: Federation, austrian: Federation
) -> None:
    make.tournament(federation=swiss, name="Own", start=date(2026, 3, 7))
    make.tournament(federation=austrian, name="Theirs", start=date(2026, 3, 7))

    days = officer.get("/desk/calendar/").context["month"].days

    assert [[event.name for event in day.tournaments] for day in days] == [["Own"], ["Own"]]


def test_calendar_programs_read_registered_tournaments(
    client: Client, swiss: Federation, austrian: Federation
) -> None:
    make.tournament(
        event_id="SUI-1", federation=swiss, name="Öpen; of, A", start=date(2026, 12, 31), end=date(2027, 1, 1)
    )
    make.tournament(event_id="SUI-2", federation=swiss, start=date(2026, 3, 7), registration="waiting")
    make.tournament(event_id="AUT-1", federation=austrian, name="B", start=date(2028, 2, 29))

    own = client.get("/tournaments/calendar/SUI.ics")

    assert media_type(own) == ("text/calendar", "utf-8")
    assert entries(own.content) == [("Öpen; of, A (rapid 15+10)", date(2026, 12, 31), date(2027, 1, 2))]
    assert entries(client.get("/tournaments/calendar/all.ics").content) == entries(own.content)
    assert client.get("/tournaments/calendar/XXX.ics").status_code == 404


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_no_title_breaks_out_of_its_line(title: str) -> None:
    content = calendar_bytes(
        [CalendarEntry("SUI-1", title, TODAY, TODAY, TODAY, "SUI-1")], name="x", page="tournaments:tournament"
    )

    assert len(entries(content)) == 1
    assert max(map(len, content.split(b"\r\n"))) <= 75


def test_deadlines_have_a_secret_address(
    officer: Client, client: Client, played: Tournament, swiss: Federation
) -> None:
    InformationRequest.objects.create(
        tournament=played, reason="Which hall?", due_on=date(2026, 3, 6), asked_at=NOW
    )
    make.tournament(
        event_id="SUI-LATE", federation=swiss, name="Late", start=date(2026, 3, 5), registration="waiting"
    )

    answer = client.get(address_of(officer))

    assert answer["Cache-Control"] == "private, no-store"
    names = {"SUI-LATE": "Late", "SUI-PLAYED": "Open of Alphaville"}
    assert {uid: title.partition(": ")[2] for uid, title in titles(answer.content).items()} == {
        f"{event}-{sort}": names[event]
        for event, sort in (
            ("SUI-LATE", "qc"),
            ("SUI-PLAYED", "answer"),
            ("SUI-PLAYED", "due"),
            ("SUI-PLAYED", "last"),
        )
    }
    assert [days for _title, *days in entries(answer.content)] == [
        [date(2026, 3, 5), date(2026, 3, 6)],
        [date(2026, 3, 6), date(2026, 3, 7)],
        [date(2026, 3, 31), date(2026, 4, 1)],
        [date(2026, 6, 1), date(2026, 6, 2)],
    ]


def test_new_address_replaces_the_old_one_and_can_be_revoked(officer: Client, client: Client) -> None:
    first, second = address_of(officer), address_of(officer)

    assert [client.get(path).status_code for path in (first, second)] == [404, 200]
    assert DeadlineFeed.objects.get().last_used_at == NOW
    assert first.rsplit("/", 1)[1].removesuffix(".ics") not in str(DeadlineFeed.objects.values())
    officer.post(FEED, {"revoke": "1"})
    officer.post(FEED, {"revoke": "1"})
    assert (client.get(second).status_code, DeadlineFeed.objects.count()) == (404, 0)


@pytest.mark.parametrize("change", [{"is_active": False}, None])
def test_address_of_a_former_officer_is_not_found(
    client: Client, swiss: Federation, change: dict[str, bool] | None
) -> None:
    held = make.appointment(role="officer", federation=swiss)
    browser = make.browser(held.user)
    path = address_of(browser)
    if change:
        type(held.user).objects.filter(pk=held.user.pk).update(**change)
    else:
        Appointment.objects.all().delete()

    assert client.get(path).status_code == 404


@pytest.mark.parametrize("token", ["x", "a" * 1500, "%00", "%ff"])
def test_a_guessed_address_is_not_found(client: Client, db: None, token: str) -> None:
    assert client.get(f"/accounts/deadlines/{token}.ics").status_code == 404
