"""Every door says the same of a tournament: its next step, whose turn it is, until when, and the list expected."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from http import HTTPStatus
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from core.html.dates import day_text, list_month
from players.models import Notice
from portal.models import User
from tests import make
from tests.shared import SharedRows
from tests.tournaments.cast import CAST, FIRST_LIST, NEWEST_LIST, NOW, TODAY, Part
from tournaments.action_mails import tell
from tournaments.choices import Action, Verb
from tournaments.models import Appeal, Tournament
from tournaments.progress import public_state, shown_state
from tournaments.reminders import send_digests
from tournaments.steps import REPORT_STEPS
from tournaments.tokens import issue_feed, issue_token

pytestmark = pytest.mark.slow

PUBLIC_STATES = {
    "coming": "registered",
    "running": "playing",
    "waiting": "unapproved",
    "over": "played",
    "change asked": "played",
    "sent to the rating officer": "checking",
    "with errors": "checking",
    "not reported yet": "late",
    "missed": "missed",
    "upheld": "upheld",
    "held": "reported",
    "withdrawn": "withdrawn",
}
APPEALS = {"appealed": "waiting for FIDE Council", "dismissed": "dismissed", "upheld": "upheld"}
# One of each next step, and those of which doors know more: the rules of all are tested with the progress.
STEPS = {part.code: part.name for part in reversed(CAST)}
AT_DOORS = {*STEPS.values(), *PUBLIC_STATES, *APPEALS, "official", "held asked"}
PARTS = [part for part in CAST if part.name in AT_DOORS]
EVENTS = {part.name: f"SUI-{number}" for number, part in enumerate(PARTS)}
# In lists the name links to the tournament and its state follows; in a digest a report that is due ends a paragraph.
ROW = re.compile(r'/tournaments/(SUI-\d+)/">(?:(?!/SUI-\d+/">).)*?class="state state-([a-z-]+)"', re.DOTALL)
DUE = re.compile(r"\* Rapid (SUI-\d+) \(SUI-\d+\), (.*?)\n\n", re.DOTALL)
STATE = re.compile(r'class="state state-([a-z-]+)"')
# The parts that are the first with their step: the case at the QC and the administration are asked for these alone.
FIRST_OF_STEP = {part.code: part for part in reversed(CAST)}.values()
IN_A_CALENDAR = ("decide", "answer", "question", "request", "appeal", *REPORT_STEPS)


class Told(NamedTuple):
    """Who reports all tournaments of the cast, and what doors that tell of all of them tell of each."""

    officer: User
    rows: Mapping[str, Mapping[str, str]]
    due: Mapping[str, str]
    days: Mapping[str, set[date]]


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture(scope="module")
def told(rows_of_module: SharedRows) -> Told:
    """Make these tournaments, and the list published since, for who reports them as federation and FIDE staff."""
    with rows_of_module(), patch.object(timezone, "now", lambda: NOW):
        make.rating_list(kind="rapid", date=FIRST_LIST)
        for part in PARTS:
            part.make(EVENTS[part.name])
        make.rating_list(kind="rapid", date=NEWEST_LIST)
        user = make.person("officer", "SUI")
        make.appointment(role="staff", user=user)
        user.is_staff = user.is_superuser = True
        user.save()
        lists = {
            "desk, list": "/desk/tournaments/",
            "federation": "/federations/SUI/",
            "list": "/tournaments/?view=all",
            "upcoming": "/tournaments/",
            "calendar": "/tournaments/calendar/month?month=2026-03",
        }
        rows = {
            name: dict(ROW.findall(main_of(make.browser(user).get(path)))) for name, path in lists.items()
        }
        feed = Client().get(f"/accounts/deadlines/{issue_feed(user, at=NOW)}.ics").content
        days: dict[str, set[date]] = defaultdict(set)
        entries: Any = Calendar.from_ical(feed).walk("VEVENT")
        for entry in entries:
            days[entry["URL"].split("/")[-2]].add(entry["DTSTART"].dt)
        with transaction.atomic():
            send_digests(at=NOW)
            text = "".join(notice.text for notice in Notice.objects.all())
            due = dict(DUE.findall(text.partition("Reports due")[2].partition("Waiting for QC")[0]))
            transaction.set_rollback(True)
        return Told(user, rows, due, days)


@pytest.fixture
def browser(told: Told, db: None) -> Client:
    return make.browser(told.officer)


def main_of(answer: Any) -> str:
    return str(answer.content.decode().partition("<main")[2])


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


def faults_of_page(answer: Any, part: Part, *, names_expected: bool) -> list[Any]:
    text = text_of(answer.content.decode())
    faults: list[Any] = [
        *missing(part, text, day=lambda day: spaced(day_text(day)), month=lambda day: spaced(list_month(day)))
    ]
    if (found := facts_of(answer.context["progress"])) != facts_of_part(part):
        faults.append(found)
    # A list that is there is linked.
    is_expected = part.expected is not None and part.code != "published"
    if names_expected and ("Expected list" in text) != is_expected:
        faults.append("expected list")
    # After an upheld appeal nothing is blocked; what was missed is over without a decision.
    against = [one for one in answer.context.get("events", ()) if one.state == "over"]
    if against and not answer.context["progress"].is_barred:
        faults.append(against)
    return faults


def facts_of_part(part: Part) -> tuple[Any, ...]:
    return part.code, part.owner, part.deadline, part.expected


def faults_of_mail(tournament: Tournament, part: Part) -> list[str]:
    with transaction.atomic():
        entry = make.step(tournament, Action.ALLOW, tournament.registration, at=NOW)
        tell(entry)
        text = Notice.objects.get(key=f"step:{entry.pk}").text
        transaction.set_rollback(True)
    return missing(part, text, day=long_day, month=long_month)


def faults_of_digest(text: str | None, part: Part, *, is_due: bool) -> list[str]:
    if (text is not None) != is_due:
        return ["due" if is_due else "not due"]
    # Beside a request at the QC the line has the days of the report.
    return missing(part, text, day=long_day, month=long_month) if text and part.code != "request" else []


def faults_of_calendar(days: set[date], part: Part) -> list[set[date]]:
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


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_door_says_the_same(told: Told, browser: Client, part: Part) -> None:
    tournament = cast(part.name)
    event = tournament.event_id
    desk, public = map(browser.get, pages_of(event))
    pages = {"desk": desk, "public": public}
    if part in FIRST_OF_STEP:
        pages["desk, case"] = browser.get(f"/desk/qc/{event}/")
    # The page of the federation has the newest tournaments; two others have those ahead, and those of the month.
    states = {
        name: rows.get(event, "")
        for name, rows in told.rows.items()
        if name in ("desk, list", "list") or event in rows
    }
    for name, answer in pages.items():
        states[name] = next(iter(STATE.findall(main_of(answer))), "")
    entries = browser.get(f"/tournaments/{event}/entries/")
    if entries.status_code == HTTPStatus.OK:
        states["entries"] = STATE.findall(main_of(entries))[0]
    shown = {
        True: shown_state(tournament, desk.context["progress"]),
        False: public_state(tournament, desk.context["progress"], today=TODAY),
    }

    faults = {
        "desk": faults_of_page(desk, part, names_expected=True),
        # The page of a rated or published tournament shows its figures in place of the steps.
        # Readers have nothing to do, so that it names nobody whose turn it is.
        "public": part.code not in ("publish", "published")
        and faults_of_page(public, replace(part, owner=None), names_expected=True),
        "admin": part in FIRST_OF_STEP
        and faults_of_page(
            browser.get(f"/admin/tournaments/tournament/{tournament.pk}/change/"), part, names_expected=False
        ),
        "mail": faults_of_mail(tournament, part),
        "digest": faults_of_digest(told.due.get(event), part, is_due=desk.context["progress"].is_report_open),
        "calendar": faults_of_calendar(told.days.get(event, set()), part),
        "API": faults_of_api(told.officer, tournament, part),
        "state": [name for name, state in states.items() if state != shown["desk" in name]],
    }

    assert {door: found for door, found in faults.items() if found} == {}


def test_public_reads_one_state(told: Told) -> None:
    assert {name: told.rows["list"][EVENTS[name]] for name in PUBLIC_STATES} == PUBLIC_STATES
    assert EVENTS["running"] in told.rows["upcoming"]
    # The calendar has what the list has of its days, with the same state.
    in_calendar = told.rows["calendar"]
    assert {EVENTS["running"], EVENTS["waiting"], EVENTS["withdrawn"]} <= in_calendar.keys()
    assert in_calendar.items() <= told.rows["list"].items()


def progress_by_api(officer: User, tournament: Tournament) -> Mapping[str, Any]:
    token = issue_token(officer, tournament.federation, name="tool", verbs=[Verb.READ], at=NOW)
    headers = {"authorization": f"Bearer {token}"}
    path = f"/api/v1/tournaments/{tournament.event_id}/progress"
    answer: Mapping[str, Any] = Client().get(path, headers=headers).json()
    return answer


def pages_of(event: str) -> tuple[str, str]:
    return f"/desk/tournaments/{event}/", f"/tournaments/{event}/"


def cast(name: str) -> Tournament:
    return Tournament.objects.get(event_id=EVENTS[name])


@pytest.mark.database
def test_handed_over_report_is_to_be_taken_at_every_door(told: Told, browser: Client) -> None:
    tournament = cast("sent to the rating officer")

    codes = [browser.get(path).context["progress"].step.code for path in pages_of(tournament.event_id)]
    due = browser.get("/desk/").context["desk"].reports_due
    codes += [row.progress.step.code for row in due if row.tournament == tournament]

    assert codes == ["take"] * 3
    assert progress_by_api(told.officer, tournament)["step"] == "take"


@pytest.mark.parametrize(("name", "word"), APPEALS.items())
def test_every_page_says_the_same_of_an_appeal(told: Told, browser: Client, name: str, word: str) -> None:
    event = EVENTS[name]
    rows = main_of(browser.get("/desk/cases/?kind=appeal")).split("<tr ")
    pages = (pages_of(event)[0], f"/desk/cases/{Appeal.objects.get(tournament__event_id=event).number}/")

    texts = [text_of(main_of(browser.get(page))) for page in pages]
    texts += [text_of(row) for row in rows if re.search(rf"Rapid {event}\b", row)]

    assert [{one for one in APPEALS.values() if one in text} for text in texts] == [{word}] * 3


def test_0_4_upheld_appeal_opens_the_time_at_every_door(told: Told, browser: Client) -> None:
    tournament = cast("upheld")

    days = [browser.get(path).context["progress"].days.last_day for path in pages_of(tournament.event_id)]

    assert days == [date(2026, 6, 1)] * 2
    assert progress_by_api(told.officer, tournament)["last_day"] == "2026-06-01"
