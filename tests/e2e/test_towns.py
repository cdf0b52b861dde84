"""A reader looks for tournaments near a town with the keyboard, and on a phone."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tests import make
from tests.e2e.browser import axe_violations
from tests.tournaments.towns import import_some_towns

GENEVA_IN_ILLINOIS = "4893591"


@pytest.fixture(autouse=True)
def _tournaments(transactional_db: None, tmp_path: Path) -> None:
    soon = timezone.now().date() + timedelta(days=3)
    for name, city, code in (("Lake Open", "Genève", "SUI"), ("Prairie Open", "Geneva, IL", "USA")):
        federation = make.federation(code=code)
        make.tournament(name=name, city=city, federation=federation, start=soon, end=soon)
    import_some_towns(tmp_path)


def test_a_town_is_chosen_among_those_of_its_name(page: Page) -> None:
    page.goto("/tournaments/")
    field = page.get_by_role("combobox", name="Town")
    field.press_sequentially("gene")
    expect(page.locator(".near .suggestions [role=option]")).to_have_count(2)
    field.press("ArrowDown")
    field.press("ArrowDown")
    field.press("Enter")
    expect(page.locator("#filter-town_id")).to_have_value(GENEVA_IN_ILLINOIS)
    assert axe_violations(page) == []

    field.press("Enter")

    expect(page.locator("td.distance")).to_have_count(1)
    expect(page.locator("tbody .name a")).to_have_text("Prairie Open")
    page.get_by_role("link", name="Remove filter").click()
    expect(page.locator("td.distance")).to_have_count(0)


def test_an_answer_that_comes_after_the_field_was_left_opens_nothing(page: Page) -> None:
    page.goto("/tournaments/")
    field = page.get_by_role("combobox", name="Town")
    waiting: list[Route] = []
    page.route("**/search/towns*", lambda route: waiting.append(route))
    with page.expect_request("**/search/towns*"):
        field.press_sequentially("gene")
    field.press("Tab")

    with page.expect_response("**/search/towns*"):
        waiting[0].continue_()
    page.wait_for_timeout(300)

    expect(field).to_have_attribute("aria-expanded", "false")
    expect(page.locator(".near .suggestions")).to_be_hidden()


def test_on_a_phone_the_town_is_in_the_sheet_and_a_chip(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/tournaments/")
    field = page.locator("#filter-town")
    expect(field).to_be_hidden()
    page.locator(".list-filters .more > summary").click()
    field.fill("Genf")
    page.locator(".list-filters button[type=submit]").click()

    expect(page.get_by_role("link", name="Remove filter")).to_be_visible()
    expect(page.locator("tbody .name a")).to_have_text("Lake Open")
    first = page.locator("tbody tr.leads").first.bounding_box()
    assert first is not None
    assert first["y"] < 310
    assert axe_violations(page) == []
