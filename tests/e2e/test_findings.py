"""A report with faults in a real browser: dropped, read by keys, put right, accepted."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from players.models import Federation
from tests import make
from tests.e2e.browser import axe_violations, follow, sign_in
from tests.e2e.journeys import PASSWORD, PLAYERS, ROUNDS, federation, give_reasons
from tests.e2e.reflow import faults_at_widths
from tests.trf_files import Event
from tournaments.models import Report, Tournament
from tournaments.reports import upload_report

__all__ = ["federation"]

EVENT = Event(
    [(0, "Alder, Ada"), *PLAYERS[1:]],
    ROUNDS,
    start="2026/02/27",
    end="2026/02/28",
    round_dates=["26/02/27"] * 3,
)
DROP = """(form, [text, name]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name));
  const field = form.querySelector("input[type=file]");
  for (const type of ["dragover", "drop"])
    field.dispatchEvent(new DragEvent(type, {dataTransfer: files, bubbles: true, cancelable: true}));
}"""


@pytest.fixture
def over(federation: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a tournament be over and have no report."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 2, 9, tzinfo=UTC))
    make.tournament(event_id="SUI-OVER", start=date(2026, 2, 27), end=date(2026, 2, 28))


def drop(page: Page, text: str) -> Locator:
    """Drop an officer's report on the form of its tournament, and return the button that sends it."""
    sign_in(page, "officer@portal.example", "/desk/tournaments/SUI-OVER/report")
    page.locator("form[data-upload]").evaluate(DROP, [text, "over.trf"])
    return page.get_by_role("button", name="Upload and check")


def test_officer_drops_a_report_fixes_it_and_accepts_it(page: Page, over: None) -> None:
    drop(page, EVENT.text()).click()
    expect(page.get_by_role("heading", level=1, name="report version 1")).to_be_visible()
    # What is to be solved has more room than the file beside it.
    widths = [page.locator(place).first.evaluate("it => it.offsetWidth") for place in ("#F1", ".report")]
    assert widths[0] > widths[1]

    # The heading is there before the scripts that listen for clicks.
    page.wait_for_load_state()
    page.locator("#F2 .place").click()
    expect(page.locator(".finding.is-current")).to_have_id("F2")
    # The column of the issue is in sight beside the name.
    assert page.locator(".report li.is-current code:not(.head) mark").evaluate(
        """mark => {
          const [own, around] = [mark, mark.closest(".report")].map(it => it.getBoundingClientRect());
          const head = mark.closest("li").querySelector(".head").getBoundingClientRect();
          return head.right <= own.left + 1 && own.right <= around.right + 1;
        }"""
    )

    barriers = axe_violations(page)
    page.get_by_role("button", name="Find another").first.click()
    page.get_by_label("Name or FIDE ID of the player").fill("Alder")
    follow(page.get_by_role("button", name="Search").last)
    barriers += axe_violations(page)

    page.get_by_role("button", name="Use 1300001").first.click()
    expect(page.get_by_text("Used").first).to_be_visible()
    page.get_by_role("button", name="Show the differences").click()
    expect(page.locator(".diff ins")).to_contain_text("1300001")
    barriers += axe_violations(page)
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in barriers] == []
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 2 was created and checked.").first).to_be_visible()
    assert Report.objects.count() == 2

    give_reasons(page, "Compared with the arbiter's papers.")
    page.get_by_role("button", name="Accept report").click()
    expect(page.get_by_text("The report is accepted.").first).to_be_visible()
    assert Report.objects.get(state="accepted").version == 2


def test_a_shifted_line_with_a_long_name_stays_in_its_column(page: Page, over: None) -> None:
    long = "Wolfeschlegelsteinhausenbergerdorff"[:33]
    event = replace(EVENT, players=[(0, f"{number}{long}"[:33]) for number in range(1, 5)])
    lines = event.text().split("\r\n")
    lines = [line[:57] + line[58:] if line.startswith("001 ") else line for line in lines]
    content, now = "\r\n".join(lines).encode(), timezone.now()
    made = Tournament.objects.get(event_id="SUI-OVER")
    upload_report(made, content, file_name="over.trf", by=None, on=now.date(), at=now)
    sign_in(page, "officer@portal.example", "/desk/tournaments/SUI-OVER/reports/1/")
    found = faults_at_widths(page)
    page.get_by_role("button", name="Edit the line").first.click()
    expect(page.get_by_label("Starting rank")).to_be_visible()
    page.get_by_text("Show the line", exact=True).click()
    barriers = axe_violations(page)

    assert (found, faults_at_widths(page), barriers) == ([], [], [])


FAMILIES = [
    f"{first}{last}"
    for first in ("Al", "Bor", "Cas", "Dun", "El")
    for last in ("berg", "dale", "ford", "ton")
]
GIVEN = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gwen")
# As the real event of Crete: 129 players, of whom 107 are not known by their FIDE ID.
MANY, UNKNOWN, CERTAIN = 129, 107, 95


@pytest.fixture
def crowd(over: None) -> Event:
    """Return an event of many players of whom most have no FIDE ID: most of these can be found by name and year."""
    swiss = Federation.objects.get(code="SUI")
    names = [f"{family}, {given}" for family in FAMILIES for given in GIVEN][:MANY]
    years = {number: 1950 + number % 60 for number in range(1, MANY + 1)}
    known = {}
    for number, name in enumerate(names, 1):
        if number <= CERTAIN or number > UNKNOWN:
            made = make.player(
                fide_id=1_400_000 + number, name=name, federation=swiss, birth_year=years[number]
            )
            known[number] = made.fide_id
    players = [(known[number] if number > UNKNOWN else 0, name) for number, name in enumerate(names, 1)]
    first = [(number, number + 64, "1-0") for number in range(1, 65)]
    second = [(number, number + 63, "1/2") for number in range(2, 65)]
    return Event(
        players,
        [first, second],
        start="2026/02/27",
        end="2026/02/28",
        round_dates=["26/02/27"] * 2,
        birth_years=years,
    )


COUNT_CLICKS = (
    "addEventListener('click', (e) => e.isTrusted && (sessionStorage.clicks = +sessionStorage.clicks + 1))"
)


def test_107_players_without_a_fide_id_take_nine_interactions(own_page: Page, crowd: Event) -> None:
    """Count clicks, the choice of the file and the typed reason: from the tournament's page to the acceptance."""
    page = own_page
    page.add_init_script(COUNT_CLICKS)
    sign_in(page, "officer@portal.example", "/desk/tournaments/SUI-OVER/")
    page.evaluate("sessionStorage.setItem('clicks', 0)")
    contradicting = crowd.text().replace("  65 w 1", "  65 w 0", 1)

    page.get_by_role("link", name="Upload report").click()
    page.get_by_label("Report (TRF)").set_input_files(
        {"name": "crowd.trf", "mimeType": "text/plain", "buffer": contradicting.encode()}
    )
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("heading", name="107 players have no FIDE ID")).to_be_visible()
    page.get_by_role("button", name="1–0 White won").click()
    page.get_by_role("button", name="Use all 95 certain matches").click()
    page.get_by_role("button", name="Save 96 fixes as a new version").click()
    expect(page.get_by_role("heading", name="12 players have no FIDE ID")).to_be_visible()
    reason = "They will be registered next month."
    give_reasons(page, reason)
    page.get_by_role("button", name="Accept report").click()

    expect(page.get_by_text("The report is accepted.").first).to_be_visible()
    accepted = Report.objects.get(state="accepted")
    assert (accepted.version, reason in accepted.acknowledgement) == (2, True)
    typed = 2
    assert page.evaluate("+sessionStorage.clicks") + typed == 9
    assert accepted.participants.exclude(player=None).count() == MANY - UNKNOWN + CERTAIN


def press_without_session(page: Page, button: Locator) -> None:
    """Press a button after the session has ended, and sign in again."""
    page.context.clear_cookies(name="sessionid")
    button.dblclick()
    expect(page.get_by_text("What you entered is saved").first).to_be_visible()
    page.locator("input[name=login]").fill("officer@portal.example")
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Your session had ended, so nothing was sent.").first).to_be_visible()


def test_a_session_that_ends_on_the_check_results_loses_nothing(page: Page, over: None) -> None:
    drop(page, EVENT.text().replace("  15+10", "  10+5")).click()
    reason = page.locator("[data-reason]").first
    page.locator("details:has([data-reason]) > summary").first.click()
    reason.fill("The time control was changed.")
    page.get_by_role("button", name="Find another").first.click()
    page.get_by_label("Name or FIDE ID of the player").first.fill("Alder")
    press_without_session(page, page.locator("main").get_by_role("button", name="Search").first)
    expect(reason).to_have_value("The time control was changed.")
    expect(page.get_by_label("Name or FIDE ID of the player").first).to_have_value("Alder")

    press_without_session(page, page.get_by_role("button", name="Use 1300001").first)
    expect(reason).to_have_value("The time control was changed.")
    assert Report.objects.get().amendments == []
    page.get_by_role("button", name="Use 1300001").first.click()
    expect(page.get_by_text("Used").first).to_be_visible()
    words = "Changed on the day."
    reason.fill(words)
    press_without_session(page, page.get_by_role("button", name="Save 1 fix as a new version"))
    expect(reason).to_have_value(words)
    assert Report.objects.count() == 1
    page.get_by_role("button", name="Save 1 fix as a new version").dblclick()
    expect(page.get_by_role("heading", level=1, name="report version 2")).to_be_visible()
    expect(reason).to_have_value(words)

    press_without_session(page, page.get_by_role("button", name="Accept report"))
    assert not Report.objects.filter(state="accepted").exists()
    page.get_by_role("button", name="Accept report").dblclick()
    expect(page.get_by_text("The report is accepted.").first).to_be_visible()
    accepted = Report.objects.get(state="accepted")
    assert (accepted.version, words in accepted.acknowledgement) == (2, True)
    assert Report.objects.count() == 2


def test_a_large_file_is_sent_once_with_its_progress(page: Page, over: None) -> None:
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    button = drop(page, EVENT.text() + "### a remark\r\n" * 20_000)
    button.evaluate("button => { button.click(); button.click(); }")

    expect(page.get_by_role("heading", level=1, name="report version 1")).to_be_visible()
    assert len(sent) == 1


def test_a_large_file_that_is_not_taken_says_why_in_place(page: Page, over: None) -> None:
    drop(page, " " * (5 * 1024 * 1024)).click()

    expect(page.locator("main .errorlist").first).to_contain_text("The file must be 4 MiB or smaller.")
    assert not Report.objects.exists()


def test_large_report_is_checked_without_an_account(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "large.trf"
    event = Event([(1_300_001, "Alder, Ada"), (1_300_002, "Birch, Ben")], [[(1, 2, "1-0")]])
    path.write_bytes(event.content() + b"### a comment of the program\r\n" * 5_000)
    page.goto("/check/")
    page.get_by_label("Report (TRF)").set_input_files(path)
    page.get_by_role("button", name="Check report", exact=True).click()
    expect(page.locator(".finding").first).to_be_visible()
    page.wait_for_load_state()
    page.locator(".finding .place").first.click()
    expect(page.locator(".finding.is-current")).to_have_count(1)
