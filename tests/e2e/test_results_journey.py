"""A wrong result is put right before acceptance, after it and after publication, in at most five clicks each."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from playwright.sync_api import Locator, Page, expect

from ratings.models import CorrectionLine
from tests import make
from tests.e2e.browser import follow, sign_in
from tests.e2e.journeys import PLAYERS, ROUNDS, clock, federation
from tests.trf_files import Event
from tournaments.amendments import Opponent
from tournaments.models import Game, Report, ResultCorrection
from tournaments.reports import accept_report, upload_report

__all__ = ["clock", "federation"]

MOST_CLICKS = 5
DAY = date(2026, 2, 28)
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
EVENT = "/desk/tournaments/SUI-1/"


class Clicks:
    """A hand that clicks and counts."""

    def __init__(self) -> None:
        self.number = 0

    def on(self, control: Locator) -> None:
        self.number += 1
        follow(control)


@pytest.fixture
def report(federation: None, clock: list[datetime]) -> Report:
    """Return a checked report of four players; the first game was a win of Alder against Birch."""
    tournament = make.tournament(
        event_id="SUI-1", name="Open", federation_id="SUI", start=DAY, end=DAY, registered_on=date(2026, 2, 1)
    )
    days = {"start": "2026/02/28", "end": "2026/02/28", "round_dates": ["26/02/28"] * 3}
    content = Event(PLAYERS, ROUNDS, name="Open", **days).content()  # type: ignore[arg-type]
    return upload_report(tournament, content, file_name="a.trf", by=None, on=NOW.date(), at=NOW)


def accept(report: Report) -> None:
    accept_report(report, acknowledgement="Checked.", by=None, on=NOW.date(), at=NOW)


def correct(page: Page, clicks: Clicks, *, opponent: str, result: str, button: str) -> None:
    """Select the game of Alder against an opponent's starting rank, then its result, give a reason and confirm."""
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Alder, Ada"))
    clicks.on(row.get_by_role("link", name=f"opponent {opponent}"))
    clicks.on(page.get_by_role("button", name=result))
    expect(page.locator("table.effect")).to_be_visible()
    page.get_by_label("Reason").fill("Both players confirm it.")
    box = page.get_by_role("button", name=button, exact=True).bounding_box()
    assert box
    assert box["y"] + box["height"] <= 900
    clicks.on(page.get_by_role("button", name=button, exact=True))


def test_result_is_corrected_before_acceptance(page: Page, report: Report) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    clicks = Clicks()
    sign_in(page, "officer@portal.example")
    clicks.on(page.locator("table.work a[href$='/reports/1/']").first)
    clicks.on(page.locator(f"a[href='{EVENT}results/']").first)
    correct(page, clicks, opponent="2", result="Black won", button="Save result")

    expect(page.get_by_role("heading", level=1)).to_contain_text("version 2")
    assert Report.objects.get(version=2).corrected_from == report
    assert clicks.number <= MOST_CLICKS


def test_result_is_corrected_after_acceptance(page: Page, report: Report) -> None:
    accept(report)
    page.set_viewport_size({"width": 1440, "height": 900})
    clicks = Clicks()
    sign_in(page, "officer@portal.example", EVENT)
    clicks.on(page.locator(f"a[href='{EVENT}results/']").first)
    correct(page, clicks, opponent="2", result="Black won", button="Correct result")

    game = Game.objects.get(report__state="accepted", round=1, white=1)
    assert (game.report.version, game.white_code, game.black_code) == (2, "0", "1")
    assert clicks.number <= MOST_CLICKS


def test_result_is_corrected_after_publication(page: Page, report: Report, clock: list[datetime]) -> None:
    make.publish("rapid", date(2026, 3, 1))
    accept(report)
    make.publish("rapid", date(2026, 4, 1))
    clock[0] = datetime(2026, 4, 2, 9, tzinfo=UTC)
    page.set_viewport_size({"width": 1440, "height": 900})
    clicks, decider = Clicks(), Clicks()
    sign_in(page, "officer@portal.example", EVENT)
    clicks.on(page.locator(f"a[href='{EVENT}results/']").first)
    correct(page, clicks, opponent="2", result="Black won", button="Request correction")
    page.context.clear_cookies()
    sign_in(page, "staff@portal.example")
    decider.on(page.locator("table.work a[href^='/desk/cases/']").first)
    page.get_by_label("Correct result").check()
    decider.on(page.get_by_role("button", name="Apply decision", exact=True))

    assert (Report.objects.get(state="accepted").version, CorrectionLine.objects.count()) == (2, 2)
    # With choosing the decision.
    assert (clicks.number <= MOST_CLICKS, decider.number + 1) == (True, 3)


def test_wrong_opponent_is_corrected_without_a_file(page: Page, report: Report) -> None:
    accept(report)
    page.set_viewport_size({"width": 390, "height": 844})
    clicks = Clicks()
    sign_in(page, "officer@portal.example", f"{EVENT}results/?view=rounds&round=1")
    clicks.on(page.locator("a[href^='?game=1-1&']"))
    page.get_by_text("Another mistake").click()
    page.get_by_label("Wrong opponent in this round").select_option("3")
    clicks.on(page.locator("button[value='swap-black']"))
    expect(page.locator("table.effect tbody tr")).to_have_count(3)
    page.get_by_label("Reason").fill("Wrong number on the slip.")
    clicks.on(page.get_by_role("button", name="Correct result", exact=True))

    games = Game.objects.filter(report__state="accepted", round=1).order_by("white")
    assert list(games.values_list("white", "black")) == [(1, 3), (2, 4)]
    # With opening the other mistakes and choosing the player.
    assert clicks.number + 2 <= MOST_CLICKS
    assert ResultCorrection.objects.get().amendments == [Opponent(1, 1, seat="b", other=3)]
