"""Keyboard and screen reader on the pages of signed-in people: where focus goes, what is covered, what is said."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from playwright.sync_api import Page, expect

from ratings.models import TextTrial
from tests import make
from tests.e2e.browser import sign_in
from tests.e2e.journeys import PLAYERS, ROUNDS, clock, federation
from tests.trf_files import Event
from tournaments.models import Report
from tournaments.reports import upload_report

__all__ = ["clock", "federation"]

DAY = date(2026, 2, 28)
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
MOST_STOPS = 150
# How much of what has the focus lies under the fixed bar, and whether it is on the screen at all.
IS_HIDDEN = """() => {
  const one = document.activeElement, bar = document.querySelector(".accept");
  if (one === document.body || bar.contains(one)) return false;
  const box = one.getBoundingClientRect(), top = bar.getBoundingClientRect().top;
  return box.height > 0 && (box.top + Math.min(box.height, 24) > top || box.bottom < 0);
}"""


@pytest.fixture
def report(federation: None, clock: list[datetime]) -> Report:
    """Return a checked report with errors and warnings: two players without a FIDE ID, and a result that differs."""
    tournament = make.tournament(
        event_id="SUI-1", name="Open", federation_id="SUI", start=DAY, end=DAY, registered_on=date(2026, 2, 1)
    )
    days = {"start": "2026/02/28", "end": "2026/02/28", "round_dates": ["26/02/28"] * 3}
    content = Event(PLAYERS, ROUNDS, name="Open", **days).content()  # type: ignore[arg-type]
    text = content.replace(b"1300001", b"       ").replace(b"1300002", b"       ")
    return upload_report(tournament, text, file_name="a.trf", by=None, on=NOW.date(), at=NOW)


def test_fixed_bar_hides_no_focus_of_the_report(page: Page, report: Report) -> None:
    page.set_viewport_size({"width": 800, "height": 700})
    sign_in(page, "officer@portal.example", "/desk/tournaments/SUI-1/reports/1/")
    assert page.locator(".accept").evaluate("one => getComputedStyle(one).position") == "fixed"

    hidden, stops = [], 0
    while stops < MOST_STOPS:
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        stops += 1
        if page.evaluate(IS_HIDDEN):
            hidden.append(page.evaluate("document.activeElement.outerHTML.slice(0, 120)"))

    assert stops > 20
    assert hidden == []


def test_choice_of_a_fix_keeps_its_place_and_the_next_page_says_what_was_done(
    page: Page, report: Report
) -> None:
    page.set_viewport_size({"width": 1440, "height": 700})
    sign_in(page, "officer@portal.example", "/desk/tournaments/SUI-1/reports/1/")
    button = page.locator("[data-findings] button[name=use]").last
    button.scroll_into_view_if_needed()
    row = button.evaluate("one => one.closest('[id]').id")
    before = page.locator(f"#{row}").evaluate("one => one.getBoundingClientRect().top")
    button.click()

    expect(page.locator(f"#{row} [name=undo]")).to_be_visible()
    after = page.locator(f"#{row}").evaluate("one => one.getBoundingClientRect().top")
    assert abs(after - before) < 8
    names = page.locator(".accept .checks a").all_inner_texts()
    assert len(names) == len(set(names))


def test_focus_goes_where_the_work_goes_on(page: Page, federation: None, clock: list[datetime]) -> None:
    page.goto("/accounts/login/")
    page.locator("input[name=login]").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "password"

    sign_in(page, "officer@portal.example", "/desk/tournaments/new")
    page.get_by_role("button", name="Add rows").click()
    expect(page.locator("#id_schedule_day_4")).to_be_focused()


def test_swapped_block_keeps_the_focus_and_is_read_out(
    page: Page, federation: None, clock: list[datetime]
) -> None:
    names = ["rapid 2026-02-01", "blitz 2026-03-01"]
    trial = TextTrial.objects.create(text="fide-rapid-blitz-2024-12", lists=names, at=NOW)
    sign_in(page, "staff@portal.example", f"/desk/texts/trials/{trial.pk}/")
    link = page.get_by_role("link", name="Show progress")
    link.focus()
    page.locator("#trial").evaluate("one => { one.dataset.old = 'yes'; }")

    TextTrial.objects.update(lists=[*names, "rapid 2026-03-01"])

    expect(page.locator("#trial[data-old]")).to_have_count(0)
    expect(link).to_be_focused()
    # The place that is read out holds the new state.
    expect(page.locator("body > [role=status]")).to_contain_text("0/3")


def test_opened_players_of_a_trial_stay_open_while_it_runs(
    page: Page, federation: None, clock: list[datetime]
) -> None:
    first = {
        "kind": "rapid",
        "date": "2026-02-01",
        "players": 1,
        "games": 0,
        "differences": [{"fide_id": 1001, "name": "Hero, Hanna", "before": 1943, "after": 1950}],
        "distribution": [[7, 1]],
        "new": 0,
        "lost": 0,
        "activity": {"active": 0, "inactive": 0},
        "explained": {},
        "k_factors": {"1001": [{"event_id": "SUI-OPEN", "k": [20, 30], "changes": [960, 1440]}]},
    }
    second = first | {"kind": "blitz"}
    trial = TextTrial.objects.create(
        text="fide-rapid-blitz-2024-12",
        lists=["rapid 2026-02-01", "blitz 2026-02-01"],
        results=[first],
        at=NOW,
    )
    sign_in(page, "staff@portal.example", f"/desk/texts/trials/{trial.pk}/")
    page.get_by_text("Most affected players").first.click()
    player = page.get_by_role("rowheader", name="Hero, Hanna")
    expect(player).to_be_visible()

    TextTrial.objects.update(results=[first, second])

    expect(page.get_by_role("rowheader", name="Blitz, February 2026")).to_be_visible(timeout=60_000)
    # That of the rapid list, which was opened; the blitz list comes closed.
    expect(player).to_have_count(1)
    expect(page.get_by_text("K-factor 20 → 30").first).to_be_visible()
