"""What several journeys share: the federation, its people, and the steps from a registration to a published rating."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from ratings.choices import Work
from ratings.models import Calculation, Run
from ratings.runs import perform
from tests import make
from tests.trf_files import Event
from tournaments.models import Tournament

PASSWORD = "a long enough word"
PLAYERS = [
    (1_300_001, "Alder, Ada"),
    (1_300_002, "Birch, Ben"),
    (1_300_003, "Cedar, Cleo"),
    (1_300_004, "Dale, Dan"),
]
ROUNDS = [[(1, 2, "1-0"), (3, 4, "1/2")], [(4, 1, "0-1"), (2, 3, "1-0")], [(1, 3, "1/2"), (4, 2, "1-0")]]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """Return a list whose only element is the portal's present: 2 March 2026 until the test moves on."""
    now = [datetime(2026, 3, 2, 9, tzinfo=UTC)]
    monkeypatch.setattr(timezone, "now", lambda: now[0])
    return now


@pytest.fixture
def federation(transactional_db: None) -> None:
    """Let the federation have an officer, four rated players, and a list in force."""
    swiss = make.federation(code="SUI")
    officer, staff = make.user(email="officer@portal.example"), make.user(email="staff@portal.example")
    for user in (officer, staff):
        user.set_password(PASSWORD)
        user.save()
    make.appointment(user=officer, role="officer", federation=swiss)
    make.appointment(user=staff, role="staff")
    newest = make.rating_list(kind="rapid", date=date(2026, 2, 1))
    make.rating_list(kind="blitz", date=date(2026, 3, 1))
    for (fide_id, name), rating in zip(PLAYERS, (2010, 1905, 1833, 1760), strict=True):
        player = make.player(fide_id=fide_id, name=name, federation=swiss)
        make.entry(rating_list=newest, player=player, rating=rating)


def work_off() -> None:
    """Do what is due, as the worker would."""
    for run in Run.objects.exclude(state="done"):
        perform(run.work, run.subject, at=timezone.now())


def register(page: Page) -> None:
    page.get_by_role("link", name="Register tournament").first.click()
    page.get_by_label("Name", exact=True).fill("Spring Rapid of Alphaville")
    page.get_by_label("rapid", exact=True).check()
    page.get_by_label("Time control").fill("15+10")
    page.get_by_label("First day").fill("2026-03-07")
    page.get_by_label("Last day").fill("2026-03-08")
    page.get_by_label("Rounds required").fill("3")
    page.get_by_role("button", name="Fill in the schedule").click()
    expect(page.get_by_label("Round 3: date")).to_have_value("2026-03-08")
    page.get_by_label("Chief arbiter").fill("Arbiter, Anna")
    page.get_by_label("Chief arbiter").press("Tab")
    expect(page.locator("#outcome")).to_have_text("Registered immediately")
    page.get_by_role("button", name="Register tournament", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Spring Rapid of Alphaville")).to_be_visible()
    expect(page.locator(".page-head .state")).to_contain_text("registered")


def upload_and_accept(page: Page) -> None:
    event = Event(
        PLAYERS,
        ROUNDS,
        name="Spring Rapid of Alphaville",
        start="2026/03/07",
        end="2026/03/08",
        round_dates=["26/03/07", "26/03/07", "26/03/08"],
    )
    page.goto("/desk/")
    page.get_by_role("link", name="Upload Spring Rapid of Alphaville").click()
    page.get_by_label("Report (TRF)").set_input_files(
        {"name": "spring.trf", "mimeType": "text/plain", "buffer": event.content()}
    )
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("heading", level=1, name="report version 1")).to_be_visible()
    give_reasons(page, "Compared with the arbiter's papers.")
    page.get_by_role("button", name="Accept report").click()
    expect(page.get_by_text("The report is accepted.").first).to_be_visible()


def give_reasons(page: Page, text: str) -> None:
    """Enter a reason in the card of each warning, where it is folded too."""
    folds = page.locator("details:not([open]):has([data-reason]) > summary")
    while folds.count():
        folds.first.click()
    for field in page.locator("[data-reason]").all():
        field.fill(text)


def publish_the_due_lists(page: Page) -> None:
    expect(page.get_by_text("It includes 1 accepted report.").first).to_be_visible()
    expect(page.get_by_text("The standard list of April 2026 is missing.").first).to_be_visible()
    widest = "Math.max(...[...document.querySelectorAll('svg')].map((one) => one.clientWidth))"
    assert page.evaluate(widest) <= 40
    page.get_by_role("button", name="Publish the lists of April 2026").click()
    expect(page.get_by_text("The lists of April 2026 are being published.").first).to_be_visible()
    work_off()
    expect(page.locator("#publication .state-published").first).to_be_visible()
    expect(page.get_by_text("The lists of April 2026 are published.").first).to_be_visible()
    jobs = Run.objects.filter(work=Work.PUBLISH)
    assert [run.state for run in jobs] == ["done", "done"]


def the_public_sees_the_rating(page: Page) -> None:
    calculation = Calculation.objects.get(player_id=1_300_001, rating_list__date=date(2026, 4, 1))
    page.goto("/lists/rapid/2026-04-01/")
    row = page.get_by_role("row").filter(has_text="Alder, Ada")
    expect(row.locator(".rating")).to_have_text(str(calculation.new_rating))
    row.locator("a[href='/players/1300001/rapid/2026-04-01/']").click()
    expect(page.get_by_role("heading", name=Tournament.objects.get().name)).to_be_visible()
    expect(page.locator(".calculation .result .amount")).to_have_text(str(calculation.new_rating))
