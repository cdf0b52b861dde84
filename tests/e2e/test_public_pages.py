"""The public pages in a real browser: accessible at every width, by keyboard alone, and without JavaScript."""

from __future__ import annotations

import re
from datetime import date

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.next_list import update_next_list
from tests import make
from tests.e2e.browser import SCHEMES, axe_violations, context_to_examine
from tests.e2e.reflow import NARROWEST, scrolls_when_spaced

PHONE = 390
LANGUAGES = ("", "/fr", "/es", "/de")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ADDRESSES = (
    "/",
    "/search?q=o",
    "/lists/",
    "/lists/rapid/2026-02-01/",
    "/lists/rapid/2026-02-01/?born_from=x",
    "/lists/rapid/2026-02-01/?sort=-change&active=on",
    "/lists/rapid/2026-02-01/players.csv?born_from=x",
    "/lists/rapid/2026-02-01/statistics/",
    "/players/?q=othr",
    "/federations/SUI/on/2026-02-01/",
    "/lists/rapid/2026-02-01/changes/",
    "/players/",
    "/players/?q=other",
    "/federations/SUI/",
    "/federations/SUI/history/",
    "/players/compare/?player=other",
    "/tournaments/",
    "/federations/?q=sw",
    "/tools/",
    "/data/",
    "/tools/worked-cases/",
    "/search",
    "/rules/",
    "/rules/reasons/",
    "/check/",
    "/lists/rapid/2026-02-01/federations/",
    "/lists/rapid/2026-02-01/federations/SUI/",
)


@pytest.fixture
def month(transactional_db: None, django_db_serialized_rollback: None) -> make.Month:
    make.tournament(name="Open to Come", registration="waiting")
    return make.play_month(3)


def addresses(month: make.Month) -> list[str]:
    event = f"/tournaments/{month.tournaments[0].event_id}/"
    return [
        *ADDRESSES,
        f"/players/{month.hero.pk}/on/2026-01-01/",
        *(f"/players/{player.pk}/" for player in (month.hero, month.newcomer)),
        f"/players/{month.hero.pk}/record/",
        f"/players/compare/?player={month.hero.pk}&player={month.others[0].pk}",
        *(f"/players/{player.pk}/rapid/2026-02-01/" for player in (month.hero, month.newcomer)),
        event,
        *(f"{event}{view}/" for view in ("crosstable", "rounds", "report")),
        "/calculators/?rating=2000&opponent=1900&score=1&opponent=none&score=0&opponent=2100&score=0.5",
        *(
            f"/calculators/{name}?opponent=1900&score=1&opponent=2100&score=0.5"
            for name in ("", "first-rating/", "performance/")
        ),
    ]


def test_every_page_is_accessible_and_never_scrolls_sideways(
    browser: Browser, live_server: LiveServer, month: make.Month
) -> None:
    context = context_to_examine(browser, live_server.url)
    page = context.new_page()
    page.set_viewport_size({"width": NARROWEST, "height": 900})
    faults: list[tuple[str, str]] = []
    for number, address in enumerate(addresses(month)):
        # Each page in one of the languages and of the schemes of colours.
        path = LANGUAGES[number % len(LANGUAGES)] + address
        page.emulate_media(color_scheme=SCHEMES[number // len(LANGUAGES) % 2])
        page.goto(path)
        found = axe_violations(page, in_colours=True, runOnly=RULES)
        faults += [(path, f"{fault['id']}: {fault['nodes'][0]['html']}") for fault in found]
        # Wider screens: test_widths.
        if scrolls_when_spaced(page):
            faults.append((path, "scrolls sideways with letters apart"))
    context.close()
    assert faults == []


def test_calculation_is_found_by_keyboard_alone(page: Page, month: make.Month) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_label("Search by name, FIDE ID or tournament")).to_be_focused()
    page.keyboard.type("hanna he")
    page.keyboard.press("Enter")
    _follow(page, "Hero, Hanna")
    expect(page.get_by_role("heading", level=1)).to_have_text("Hero, Hanna")
    _follow(page, "View calculation: 1943, rapid")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile("Rapid rating calculation, February 2026")
    )
    expect(page.get_by_text("Rating on the January 2026 list").first).to_be_visible()


def test_first_row_is_on_the_first_screen_of_a_phone_and_controls_are_not_printed(
    page: Page, month: make.Month
) -> None:
    page.set_viewport_size({"width": PHONE, "height": 844})
    page.goto("/lists/rapid/2026-02-01/?federation=SUI&active=on")
    box = page.locator("tbody tr").first.bounding_box()
    assert box is not None
    assert box["y"] < 420
    page.goto(f"/tournaments/{month.tournaments[0].event_id}/")
    box = page.locator("tbody tr").first.bounding_box()
    assert box is not None
    assert box["y"] < 420
    page.goto("/lists/rapid/2026-02-01/")
    page.emulate_media(media="print")
    for control in (".site-folded", ".list-filters", ".tabs", ".downloads-menu"):
        expect(page.locator(control).first).to_be_hidden()
    expect(page.get_by_text("Hero, Hanna").first).to_be_visible()
    page.goto(f"/players/{month.hero.pk}/")
    links = (".not-printed", ".site-foot ul", "nav", "summary")
    for control in (".switch", "#mistake", ".band .actions", "button", "select", "textarea", *links):
        assert page.locator(f"{control}:visible").count() == 0, control


def _follow(page: Page, name: str) -> None:
    """Go to a link with the tabulator and open it."""
    link = page.get_by_role("link", name=name, exact=True).first
    for _ in range(80):
        if link.evaluate("element => element === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_load_state()


def test_suggestions_of_the_home_page_open_over_the_lists_below_them(page: Page, month: make.Month) -> None:
    page.set_viewport_size({"width": PHONE, "height": 844})
    page.goto("/")
    page.locator("main input[name=q]").press_sequentially("other")
    box = page.get_by_role("listbox").bounding_box()
    assert box is not None
    page.get_by_role("listbox").evaluate("list => { list.style.height = '500px' }")
    at = "point => document.elementFromPoint(...point).closest('[role=listbox]') !== null"

    assert page.evaluate(at, [box["x"] + 20, box["y"] + 480])


def test_names_of_compared_players_stay_in_the_sheet(page: Page, month: make.Month) -> None:
    page.set_viewport_size({"width": 1920, "height": 900})
    page.goto(f"/players/compare/?player={month.hero.pk}&player={month.others[0].pk}")
    label = page.locator(".chart-label").first
    label.evaluate("label => { label.textContent = 'Ouschterhol… 2428' }")
    right = "element => element.getBoundingClientRect().right"

    assert label.evaluate(right) <= page.locator(".chart").evaluate(right)


def test_copied_id_is_read_out(page: Page, month: make.Month) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/players/{month.hero.pk}/")

    page.get_by_role("button", name="Copy FIDE ID").click()

    expect(page.locator("[role=status]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == str(month.hero.pk)


def test_rating_chart_is_on_the_first_screen_of_a_phone_and_is_read_by_keys(
    page: Page, month: make.Month
) -> None:
    page.set_viewport_size({"width": PHONE, "height": 844})
    page.goto(f"/players/{month.hero.pk}/")
    box = page.locator(".chart > svg").bounding_box()
    assert box is not None
    assert box["y"] < 620
    size = "selector => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)"
    assert page.evaluate(size, ".rating-cards .rating") >= 1.3 * page.evaluate(size, "h1")
    reader = page.get_by_role("slider")
    reader.focus()
    expect(page.locator(".chart-values")).to_have_text("February 2026Rapid1943+43")
    page.keyboard.press("ArrowLeft")
    expect(reader).to_have_attribute("aria-valuetext", "January 2026, Rapid 1900")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile("Rapid rating calculation, February 2026")
    )


def test_rating_chart_is_on_the_first_screen_of_a_phone_in_each_language_when_a_correction_follows(
    page: Page, month: make.Month
) -> None:
    on = date(2026, 2, 10)
    _correct_all(month, on)
    page.set_viewport_size({"width": PHONE, "height": 844})
    for prefix in LANGUAGES:
        page.goto(f"{prefix}/players/{month.hero.pk}/")
        expect(page.locator(".so-far details")).to_be_visible()
        assert page.locator(".sheet-head .switch").count() == 3
        box = page.locator("#history svg").first.bounding_box()
        assert box is not None
        assert box["y"] < 620, prefix
        labels = page.locator(".chart-legend > span").evaluate_all(
            "labels => labels.map(label => label.getBoundingClientRect().right)"
        )
        sheet = page.locator("#history").evaluate("sheet => sheet.getBoundingClientRect().right")
        assert max(labels) <= sheet, prefix
    page.goto(f"/players/{month.hero.pk}/")
    page.locator(".so-far summary").click()
    expect(page.locator(".so-far details").get_by_text("Played with other rules.").first).to_be_visible()


def _correct_all(month: make.Month, on: date) -> None:
    """Give the hero three ratings, and withdraw all reports so that a correction follows."""
    month.hero.title = "FM"
    month.hero.name = "Wellensteinmeister, Hanna-Maria"
    month.hero.save()
    for kind in ("blitz", "standard"):
        listed = make.rating_list(kind=kind, date=date(2026, 2, 1))
        make.entry(rating_list=listed, player=month.hero, rating=1950)
    for event in month.tournaments:
        make.correct_report(
            event, None, file_name="", reason="Played with other rules.", by=None, on=on, at=make.noon(on)
        )
    update_next_list("rapid", at=make.noon(on))


def test_field_of_a_player_is_filled_by_a_suggestion(page: Page, month: make.Month) -> None:
    page.goto(f"/players/compare/?player={month.hero.pk}")
    field = page.get_by_label("Second player")
    field.press_sequentially("otto 1")
    expect(page.get_by_role("option")).to_have_count(1)
    field.press("ArrowDown")
    field.press("Enter")
    expect(field).to_have_value(str(month.others[1].pk))
    page.get_by_role("button", name="Compare players").click()
    expect(page.get_by_role("heading", name="Games against each other")).to_be_visible()


def test_fields_of_a_search_have_room_for_a_name_and_a_message_moves_none_of_them(
    page: Page, month: make.Month
) -> None:
    page.set_viewport_size({"width": 768, "height": 900})
    for address in ("/search", "/players/", "/federations/"):
        page.goto(address)
        field = page.locator("main form.filters input:not([type=hidden])")
        assert _width(field) > 400, address
    for width in (PHONE, 768):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto("/players/compare/?player=nobody")
        widths = {_width(page.get_by_label(name)) for name in ("First player", "Second player")}
        assert len(widths) == 1
        assert widths.pop() > 200


def _width(field: Locator) -> float:
    box = field.bounding_box()
    assert box is not None
    return box["width"]


def test_seven_rounds_of_a_crosstable_are_in_sight_on_a_tablet(page: Page, month: make.Month) -> None:
    page.set_viewport_size({"width": 768, "height": 900})
    page.goto(f"/tournaments/{month.tournaments[0].event_id}/crosstable/")
    page.locator(".crosstable tr").evaluate_all(
        """rows => rows.forEach(row => {
            const games = [...row.cells].slice(4, -2);
            for (let more = games.length; more < 7; more++)
                games[0].after(games[0].cloneNode(true));
        })"""
    )
    is_in_sight = """part => part.querySelector("thead tr").cells[10].getBoundingClientRect().right
        <= part.getBoundingClientRect().right"""
    assert page.locator(".scroll").first.evaluate(is_in_sight)


def test_anchors_show_nothing_half_before_them_and_heads_hide_no_row(page: Page, month: make.Month) -> None:
    page.set_viewport_size({"width": 390, "height": 400})
    page.goto("/rules/terms/#k-factor")
    assert page.locator("#k-factor").evaluate("one => one.getBoundingClientRect().top") < 9
    page.goto("/rules/terms/#main")
    assert page.evaluate("scrollY") == 0

    page.set_viewport_size({"width": 1440, "height": 150})
    page.goto("/lists/rapid/2026-02-01/")
    table = page.locator("table:has(thead):has(tbody a)").first
    table.locator("tr").last.scroll_into_view_if_needed()
    is_below = """table => {
        const link = table.querySelector("tbody a");
        link.focus();
        return link.getBoundingClientRect().top >= table.querySelector("thead th").getBoundingClientRect().bottom;
    }"""
    assert table.evaluate(is_below)


def test_list_is_filtered_without_javascript(
    browser: Browser, live_server: LiveServer, month: make.Month
) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/lists/rapid/2026-02-01/")
    page.get_by_label("Name or FIDE ID", exact=True).fill("otto 1")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("tbody .name")).to_have_text(["Other, Otto 1"])
    page.get_by_role("link", name="Clear all").click()
    expect(page.locator("tbody .name")).to_have_count(4)
    context.close()


def test_search_goes_on_without_suggestions_where_the_network_fails(page: Page) -> None:
    page.route("**/search/suggestions*", lambda asked: asked.abort())
    page.goto("/search")
    field = page.get_by_role("combobox").last
    field.click()

    with page.expect_event("requestfailed"):
        field.press_sequentially("Wellen")

    field.press("Enter")
    expect(page).to_have_url(re.compile("q=Wellen"))
