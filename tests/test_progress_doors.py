"""Every door says the same of a tournament: its next step, whose turn it is, until when, and the list expected."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from core.html.figures import day_text, list_month
from players.models import Notice
from portal.models import User
from tests.factories import AppointmentFactory, FederationFactory, RatingListFactory
from tests.tournaments.cast import CAST, FIRST_LIST, NEWEST_LIST, NOW, TODAY, Part
from tournaments.choices import Action, Verb
from tournaments.models import Tournament, TrailEntry
from tournaments.queries.progress import progress_of
from tournaments.services.reminders import send_digests
from tournaments.services.tokens import issue_feed, issue_token
from tournaments.services.trail import tell
from tournaments.steps import REPORT_STEPS

EVENT = "SUI-1"
PAGES = {
    "desk": f"/desk/tournaments/{EVENT}/",
    "desk, why": f"/desk/tournaments/{EVENT}/why",
    "public": f"/tournaments/{EVENT}/",
    "public, why": f"/tournaments/{EVENT}/why",
}
IN_A_CALENDAR = ("decide", "answer", "question", "request", "appeal", *REPORT_STEPS)
every_part = pytest.mark.parametrize("part", CAST, ids=lambda part: part.name)


@dataclass(frozen=True, slots=True)
class Told:
    """What a door has to say, in its words: the task, the owner, the deadline, the expected list."""

    task: str
    owner: str
    deadline: str
    expected: str

    def missing(self, text: str) -> list[str]:
        """Return what a text leaves out."""
        return [words for words in (self.task, self.owner, self.deadline, self.expected) if words not in text]


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def officer(db: None) -> User:
    """Return somebody who reports all tournaments of the cast: the federation's officer, and FIDE staff."""
    user: User = AppointmentFactory(role="officer", federation=FederationFactory(code="SUI")).user
    AppointmentFactory(role="staff", user=user)
    user.is_staff = user.is_superuser = True
    user.save()
    return user


@pytest.fixture
def browser(officer: User) -> Client:
    client = Client()
    client.force_login(officer)
    return client


def made(part: Part) -> Tournament:
    """Return the tournament of a part, as the newest list was published since."""
    RatingListFactory(kind="rapid", date=FIRST_LIST)
    tournament = part.make(EVENT)
    RatingListFactory(kind="rapid", date=NEWEST_LIST)
    return tournament


def told(part: Part, *, day: Callable[[date], str], month: Callable[[date], str]) -> Told:
    step = progress_of(Tournament.objects.get(event_id=EVENT), today=TODAY).step
    return Told(
        task=step.task,
        owner=f"Responsible: {part.owner.label}" if part.owner else "",
        deadline=day(part.deadline) if part.deadline else "",
        expected=f"Expected list: {month(part.expected)}" if part.expected else "",
    )


def text_of(content: str) -> str:
    words = html.unescape(re.sub(r"<[^>]*>", " ", content)).replace("\u00a0", " ")
    return re.sub(r"\s+", " ", words).replace(" .", ".")


def long_day(day: date) -> str:
    return f"{day:%A}, {day.day} {day:%B %Y}"


def long_month(day: date) -> str:
    return f"{day:%B %Y}"


def spaced(words: Any) -> str:
    return str(words).replace("\u00a0", " ")


@every_part
def test_every_page_says_the_same(browser: Client, part: Part) -> None:
    made(part)
    expected = told(part, day=lambda day: spaced(day_text(day)), month=lambda day: spaced(list_month(day)))

    pages = {name: text_of(browser.get(path).content.decode()) for name, path in PAGES.items()}

    if part.code == "published":
        assert list_month(NEWEST_LIST) in pages.pop("public")
    assert {name: expected.missing(text) for name, text in pages.items()} == {name: [] for name in pages}
    is_told = {name: "Expected list" in text for name, text in pages.items()}
    assert is_told == dict.fromkeys(pages, part.expected is not None)


@every_part
def test_admin_says_the_same(browser: Client, part: Part) -> None:
    tournament = made(part)
    expected = told(part, day=lambda day: spaced(day_text(day)), month=lambda day: spaced(list_month(day)))

    page = browser.get(f"/admin/tournaments/tournament/{tournament.pk}/change/")

    assert expected.missing(text_of(page.content.decode())) == []


@every_part
def test_mail_says_the_same(officer: User, part: Part) -> None:
    tournament = made(part)
    entry = TrailEntry.objects.create(
        tournament=tournament, action=Action.ALLOW, registration=tournament.registration, at=NOW
    )

    tell(entry)

    expected = told(part, day=long_day, month=long_month)
    assert expected.missing(Notice.objects.get(key=f"step:{entry.pk}").text) == []


@every_part
def test_digest_says_the_same(officer: User, part: Part) -> None:
    made(part)

    send_digests(at=NOW)

    text = "".join(notice.text for notice in Notice.objects.all())
    is_due = part.code in REPORT_STEPS
    assert (f"Rapid {EVENT} ({EVENT})\n  For the list of" in text) == is_due
    assert not is_due or told(part, day=long_day, month=long_month).missing(text) == []


@every_part
def test_calendar_says_the_same(officer: User, part: Part) -> None:
    made(part)
    path = f"/accounts/deadlines/{issue_feed(officer, at=NOW)}.ics"

    entries: Any = Calendar.from_ical(Client().get(path).content).walk("VEVENT")

    days = {event["DTSTART"].dt for event in entries}
    if part.code == "play":
        # The tournament is in the public calendar; this one has the days of its report.
        assert days == {date(2026, 3, 31), date(2026, 6, 1)}
    elif part.code in IN_A_CALENDAR and part.deadline:
        assert part.deadline in days
    else:
        assert days == set()


@every_part
def test_program_reads_the_same(officer: User, part: Part) -> None:
    answer = progress_by_api(officer, made(part))

    assert (answer["step"], answer["owner"], answer["until"], answer["expected_list"]) == (
        part.code,
        str(part.owner.label) if part.owner else "",
        part.deadline.isoformat() if part.deadline else None,
        part.expected.isoformat() if part.expected else None,
    )


def progress_by_api(officer: User, tournament: Tournament) -> Mapping[str, Any]:
    token = issue_token(officer, tournament.federation, name="tool", verbs=[Verb.READ], at=NOW)
    headers = {"authorization": f"Bearer {token}"}
    answer: Mapping[str, Any] = Client().get(f"/api/v1/tournaments/{EVENT}/progress", headers=headers).json()
    return answer


def part_named(name: str) -> Part:
    return next(part for part in CAST if part.name == name)


def test_handed_over_report_is_to_be_taken_at_every_door(officer: User, browser: Client) -> None:
    tournament = made(part_named("sent to the rating officer"))

    codes = [browser.get(path).context["progress"].step.code for path in PAGES.values()]
    row = browser.get("/desk/").context["desk"].reports_due[0]

    assert [*codes, row.progress.step.code] == ["take"] * 5
    assert progress_by_api(officer, tournament)["step"] == "take"


def test_0_4_upheld_appeal_opens_the_time_at_every_door(officer: User, browser: Client) -> None:
    tournament = made(part_named("upheld"))

    days = [browser.get(path).context["progress"].days.last_day for path in PAGES.values()]

    assert days == [date(2026, 6, 1)] * 4
    assert progress_by_api(officer, tournament)["last_day"] == "2026-06-01"
