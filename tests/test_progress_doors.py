"""Every door says the same of a tournament: its next step, whose turn it is, until when, and the list expected."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from core.html.dates import day_text, list_month
from players.models import Notice
from portal.models import User
from tests import make
from tests.tournaments.cast import CAST, FIRST_LIST, NEWEST_LIST, NOW, Part
from tournaments.action_mails import tell
from tournaments.choices import Action, Verb
from tournaments.models import Appeal, Tournament
from tournaments.progress import shown_state
from tournaments.reminders import send_digests
from tournaments.steps import REPORT_STEPS
from tournaments.tokens import issue_feed, issue_token

pytestmark = pytest.mark.slow

EVENT = "SUI-1"
PAGES = {
    "desk": f"/desk/tournaments/{EVENT}/",
    "public": f"/tournaments/{EVENT}/",
}
# Where else the state of the tournament stands.
LISTS = {
    "desk, list": "/desk/tournaments/",
    "desk, case": f"/desk/qc/{EVENT}/",
    "federation": "/federations/SUI/",
}
STATE = re.compile(r'class="state state-([a-z-]+)"')
IN_A_CALENDAR = ("decide", "answer", "question", "request", "appeal", *REPORT_STEPS)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def officer(db: None) -> User:
    """Return somebody who reports all tournaments of the cast: the federation's officer, and FIDE staff."""
    user = make.person("officer", "SUI")
    make.appointment(role="staff", user=user)
    user.is_staff = user.is_superuser = True
    user.save()
    return user


@pytest.fixture
def browser(officer: User) -> Client:
    return make.browser(officer)


def made(part: Part) -> Tournament:
    """Return the tournament of a part, as the newest list was published since."""
    make.rating_list(kind="rapid", date=FIRST_LIST)
    tournament = part.make(EVENT)
    make.rating_list(kind="rapid", date=NEWEST_LIST)
    return tournament


def facts_of(progress: Any) -> tuple[Any, ...]:
    """Return what a door says of the next step: its code, its owner, its deadline and the expected list."""
    return progress.step.code, progress.step.owner, progress.step.deadline, progress.expected_list


def missing(part: Part, text: str, *, day: Callable[[date], str], month: Callable[[date], str]) -> list[str]:
    """Return what a text leaves out of a part: its owner, its deadline, the expected list."""
    words = [
        str(part.owner.label) if part.owner else "",
        day(part.deadline) if part.deadline else "",
        month(part.expected) if part.expected else "",
    ]
    return [word for word in words if word not in text]


def text_of(content: str) -> str:
    words = html.unescape(re.sub(r"<[^>]*>", " ", content)).replace("\u00a0", " ")
    return re.sub(r"\s+", " ", words).replace(" .", ".")


def long_day(day: date) -> str:
    return f"{day:%A}, {day.day} {day:%B %Y}"


def long_month(day: date) -> str:
    return f"{day:%B %Y}"


def spaced(words: Any) -> str:
    return str(words).replace("\u00a0", " ")


def faults_of_page(browser: Client, path: str, part: Part, *, names_expected: bool) -> list[Any]:
    answer = browser.get(path)
    text = text_of(answer.content.decode())
    faults: list[Any] = [
        *missing(part, text, day=lambda day: spaced(day_text(day)), month=lambda day: spaced(list_month(day)))
    ]
    if (found := facts_of(answer.context["progress"])) != facts_of_part(part):
        faults.append(found)
    if names_expected and ("Expected list" in text) != (part.expected is not None):
        faults.append("expected list")
    # After an upheld appeal nothing is blocked; what was missed is over without a decision.
    against = [one for one in answer.context.get("events", ()) if one.state == "over"]
    if against and not answer.context["progress"].is_barred:
        faults.append(against)
    return faults


def faults_of_state(browser: Client, tournament: Tournament) -> list[str]:
    """Return the pages whose first state, which is the tournament's, is another one."""
    tournament.refresh_from_db()
    mains = {
        name: browser.get(path).content.decode().partition("<main")[2]
        for name, path in (PAGES | LISTS).items()
    }
    return [name for name, main in mains.items() if STATE.findall(main)[:1] != [shown_state(tournament)]]


def facts_of_part(part: Part) -> tuple[Any, ...]:
    return part.code, part.owner, part.deadline, part.expected


def faults_of_mail(tournament: Tournament, part: Part) -> list[str]:
    with transaction.atomic():
        entry = make.step(tournament, Action.ALLOW, tournament.registration, at=NOW)
        tell(entry)
        text = Notice.objects.get(key=f"step:{entry.pk}").text
        transaction.set_rollback(True)
    return missing(part, text, day=long_day, month=long_month)


def faults_of_digest(part: Part) -> list[str]:
    with transaction.atomic():
        send_digests(at=NOW)
        text = "".join(notice.text for notice in Notice.objects.all())
        transaction.set_rollback(True)
    is_due = part.code in REPORT_STEPS
    if ("Reports due" in text) != is_due:
        return ["due" if is_due else "not due"]
    return missing(part, text, day=long_day, month=long_month) if is_due else []


def faults_of_calendar(officer: User, part: Part) -> list[set[date]]:
    path = f"/accounts/deadlines/{issue_feed(officer, at=NOW)}.ics"
    entries: Any = Calendar.from_ical(Client().get(path).content).walk("VEVENT")
    days = {event["DTSTART"].dt for event in entries}
    if part.code == "play":
        # The tournament is in the public calendar; this one has the days of its report.
        is_right = days == {date(2026, 3, 31), date(2026, 6, 1)}
    elif part.code in IN_A_CALENDAR and part.deadline:
        is_right = part.deadline in days
    else:
        is_right = days == set()
    return [] if is_right else [days]


def faults_of_api(officer: User, tournament: Tournament, part: Part) -> list[Any]:
    answer = progress_by_api(officer, tournament)
    found = (answer["step"], answer["owner"], answer["until"], answer["expected_list"])
    expected = (
        part.code,
        str(part.owner.label) if part.owner else "",
        part.deadline.isoformat() if part.deadline else None,
        part.expected.isoformat() if part.expected else None,
    )
    return [] if found == expected else [found]


@pytest.mark.parametrize("part", CAST, ids=lambda part: part.name)
def test_every_door_says_the_same(officer: User, browser: Client, part: Part) -> None:
    tournament = made(part)
    admin = f"/admin/tournaments/tournament/{tournament.pk}/change/"
    # The page of a published tournament shows its figures in place of the steps.
    shown = {name: path for name, path in PAGES.items() if (name, part.code) != ("public", "published")}

    faults = {
        **{name: faults_of_page(browser, path, part, names_expected=True) for name, path in shown.items()},
        "admin": faults_of_page(browser, admin, part, names_expected=False),
        "mail": faults_of_mail(tournament, part),
        "digest": faults_of_digest(part),
        "calendar": faults_of_calendar(officer, part),
        "API": faults_of_api(officer, tournament, part),
        "state": faults_of_state(browser, tournament),
    }

    assert {door: found for door, found in faults.items() if found} == {}


def progress_by_api(officer: User, tournament: Tournament) -> Mapping[str, Any]:
    token = issue_token(officer, tournament.federation, name="tool", verbs=[Verb.READ], at=NOW)
    headers = {"authorization": f"Bearer {token}"}
    answer: Mapping[str, Any] = Client().get(f"/api/v1/tournaments/{EVENT}/progress", headers=headers).json()
    return answer


def part_named(name: str) -> Part:
    return next(part for part in CAST if part.name == name)


@pytest.mark.database
def test_handed_over_report_is_to_be_taken_at_every_door(officer: User, browser: Client) -> None:
    tournament = made(part_named("sent to the rating officer"))

    codes = [browser.get(path).context["progress"].step.code for path in PAGES.values()]
    row = browser.get("/desk/").context["desk"].reports_due[0]

    assert [*codes, row.progress.step.code] == ["take"] * 3
    assert progress_by_api(officer, tournament)["step"] == "take"


APPEALS = {"appealed": "waiting for FIDE Council", "dismissed": "dismissed", "upheld": "upheld"}


@pytest.mark.parametrize(("name", "word"), APPEALS.items())
def test_every_page_says_the_same_of_an_appeal(officer: User, browser: Client, name: str, word: str) -> None:
    made(part_named(name))
    pages = (PAGES["desk"], "/desk/cases/?kind=appeal", f"/desk/cases/{Appeal.objects.get().number}/")

    texts = [text_of(browser.get(page).content.decode().partition("<main")[2]) for page in pages]

    assert [{one for one in APPEALS.values() if one in text} for text in texts] == [{word}] * 3


def test_0_4_upheld_appeal_opens_the_time_at_every_door(officer: User, browser: Client) -> None:
    tournament = made(part_named("upheld"))

    days = [browser.get(path).context["progress"].days.last_day for path in PAGES.values()]

    assert days == [date(2026, 6, 1)] * 2
    assert progress_by_api(officer, tournament)["last_day"] == "2026-06-01"
