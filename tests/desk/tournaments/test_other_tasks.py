"""Tasks of users: information requests, appeals with their deadlines, transfers, new players, decisions."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from django.test import Client
from django.utils import timezone as clock

from players.models import Federation, LogEntry, Transfer
from tests import make
from tests.desk.conftest import NOW
from tests.growth import find_growing
from tournaments.models import Appeal, InformationRequest, RequestedChange, Tournament

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def needs(client: Client) -> list[tuple[str, str, date | None]]:
    desk = client.get("/desk/").context["desk"]
    return [(need.code, str(need.page), need.deadline) for need in desk.other_tasks]


def decide(tournament: Tournament, action: str, *, at: datetime, registration: str = "") -> LogEntry:
    after = registration or tournament.registration
    Tournament.objects.filter(pk=tournament.pk).update(registration=after)
    return make.step(tournament, action, after, reason="By the minutes.", at=at)


def appealed(entry: LogEntry) -> None:
    make.appeal(entry, at=NOW)


def test_information_request_is_shown_with_its_deadline(officer: Client, played: Tournament) -> None:
    asked = InformationRequest.objects.create(
        tournament=played, reason="Which hall?", due_on=date(2026, 3, 6), asked_at=NOW
    )

    assert needs(officer) == [("information", f"/desk/cases/{asked.number}/", date(2026, 3, 6))]
    assert "2 days left" in officer.get("/desk/").content.decode()


@pytest.mark.parametrize(("days_ago", "stands"), [(0, True), (7, True), (8, False)])
def test_0_4_days_left_for_an_appeal(
    officer: Client, played: Tournament, days_ago: int, stands: bool
) -> None:
    at = NOW - timedelta(days=days_ago)
    decide(played, "not-rate", at=at, registration="not-rated")

    page = "/desk/tournaments/SUI-PLAYED/appeal/new"
    expected = [("lodge", page, at.date() + timedelta(days=7))] if stands else []
    assert needs(officer) == expected


@pytest.mark.database
def test_submitted_appeal_is_a_task_of_council_not_of_the_officer(
    officer: Client, played: Tournament
) -> None:
    appealed(decide(played, "not-rate", at=NOW, registration="not-rated"))

    assert needs(officer) == []
    appeal = Appeal.objects.get()
    assert needs(make.browser("council")) == [("appeal", f"/desk/cases/{appeal.number}/", None)]


def test_transfer_is_a_task_of_the_other_federation(swiss: Federation, austrian: Federation) -> None:
    asked = Transfer.objects.create(
        player=make.player(federation=swiss),
        from_federation=swiss,
        to_federation=austrian,
        federation=austrian,
        asked_by=make.user(),
        asked_at=NOW,
    )

    waiting = ("transfer", f"/desk/cases/{asked.number}/", None)
    assert [needs(make.browser(role)) for role in ("officer", "officer AUT")] == [[waiting], []]


def test_possible_duplicate_is_a_task_of_staff(officer: Client, swiss: Federation) -> None:
    asked = make.application(swiss, at=NOW, likeness=make.player(), asked_by=make.user())

    assert needs(officer) == []
    assert needs(make.browser("staff")) == [("application", f"/desk/cases/{asked.number}/", None)]


@pytest.mark.parametrize(("days_ago", "shown"), [(0, 1), (14, 1), (15, 0)])
def test_decisions_are_shown_for_14_days(
    officer: Client, played: Tournament, days_ago: int, shown: int
) -> None:
    decide(played, "allow", at=NOW - timedelta(days=days_ago))

    decisions = [
        browser.get("/desk/").context["desk"].decisions for browser in (officer, make.browser("officer AUT"))
    ]
    assert [len(rows) for rows in decisions] == [shown, 0]


@pytest.mark.parametrize(
    ("end", "is_last"), [(date(2026, 1, 31), False), (date(2025, 12, 31), True), (date(2025, 12, 1), True)]
)
def test_8_1_last_list_for_a_report_is_shown(
    officer: Client, swiss: Federation, monkeypatch: pytest.MonkeyPatch, end: date, is_last: bool
) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 2, 2, 9, tzinfo=UTC))
    make.tournament(event_id="SUI-LAST", federation=swiss, start=end, end=end)

    due = officer.get("/desk/").context["desk"].reports_due

    assert [row.progress.is_last_list for row in due] == [is_last]


def test_0_4_upheld_appeal_restarts_the_time_to_report(officer: Client, swiss: Federation) -> None:
    old = make.tournament(
        event_id="SUI-OLD", federation=swiss, start=date(2025, 10, 4), upheld_on=date(2026, 3, 1)
    )
    # What the officer asks of the QC stops no upload.
    RequestedChange.objects.create(tournament=old, sort="change", reason="x", asked_at=make.noon(old.end))

    desk = officer.get("/desk/").context["desk"]

    assert [row.progress.days.last_day for row in desk.reports_due] == [date(2026, 6, 1)]
    assert list(desk.missed) == []


# A user's local time, and the UTC date that applies at that moment.
CLOCKS = [
    pytest.param(datetime(2026, 3, 1, 8, tzinfo=timezone(timedelta(hours=13))), "Sat 28 Feb", id="Tonga"),
    pytest.param(datetime(2026, 2, 28, 20, tzinfo=timezone(-timedelta(hours=10))), "Sun 1 Mar", id="Hawaii"),
    pytest.param(datetime(2024, 3, 1, 5, tzinfo=timezone(timedelta(hours=9))), "Thu 29 Feb", id="leap day"),
    pytest.param(datetime(2027, 1, 1, 2, tzinfo=timezone(timedelta(hours=5))), "Thu 31 Dec", id="new year"),
]


@pytest.mark.parametrize(("now", "day"), CLOCKS)
def test_day_is_in_utc_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch, now: datetime, day: str) -> None:
    monkeypatch.setattr(clock, "now", lambda: now.astimezone(UTC))

    page = make.browser("officer").get("/desk/")

    assert page.context["today"] == now.astimezone(UTC).date()
    text = page.content.decode().replace("\u00a0", " ")
    assert ("Today is <time" in text, day in text, "(UTC)" in text) == (True, True, True)


def rows_of(swiss: Federation, number: int) -> None:
    for place in range(number):
        event = make.tournament(event_id=f"SUI-Q{place}", federation=swiss, start=date(2026, 3, 20))
        InformationRequest.objects.create(tournament=event, reason="?", due_on=NOW.date(), asked_at=NOW)
        decide(event, "allow", at=NOW)
        refused = make.tournament(event_id=f"SUI-N{place}", federation=swiss, start=date(2026, 2, 20))
        decide(refused, "not-rate", at=NOW, registration="not-rated")


def test_dashboard_makes_no_more_queries_for_any_tasks(swiss: Federation) -> None:
    client = make.browser(make.person("officer", swiss))

    def shown(number: int) -> None:
        desk = client.get("/desk/").context["desk"]
        assert (len(desk.other_tasks), len(desk.decisions)) == (2 * number, number)

    def fill(number: int) -> int:
        rows_of(swiss, number)
        return number

    assert find_growing(fill, [("/desk/", shown)]) == {}
