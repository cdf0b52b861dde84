"""An officer registers many tournaments from a CSV and the next edition of one, and sees what is due."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import Membership
from tests import make
from tests.desk.tournaments.test_bulk import FAULTS, fifty_rows
from tests.e2e.browser import sign_in
from tests.e2e.journeys import work_off
from tournaments.models import Tournament

SHEET = (
    "name,federation,kind,time_control,start,end,chief_arbiter,is_stated_rated,schedule\n"
    "Spring Rapid,SUI,rapid,15+10,2026-03-21,2026-03-22,Anna Arbiter,yes,2026-03-21 5;2026-03-22 4\n"
    "Late Blitz,SUI,blitz,3+2,2026-03-04,2026-03-04,Anna Arbiter,yes,2026-03-04 9\n"
)


@pytest.fixture
def officer(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of an officer whose federation has held an event; it is 2 March 2026."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 2, 9, tzinfo=UTC))
    swiss = make.federation(code="SUI")
    user = make.appointment(user__email="officer@portal.example", role="officer", federation=swiss).user
    winter = date(2026, 2, 21)
    make.tournament(
        event_id="SUI-WINTER",
        name="Winter Rapid",
        federation=swiss,
        start=winter,
        schedule=[winter.isoformat()] * 5,
    )
    return str(user.email)


def test_what_the_rules_say_never_moves_the_button_that_is_being_pressed(officer: str, page: Page) -> None:
    sign_in(page, officer, "/desk/tournaments/new?like=SUI-WINTER")
    page.locator("input[name=time_control]").fill("")
    page.locator("input[name=start]").fill("2027-02-20")
    expect(page.locator("#outcome")).to_contain_text("Registered immediately")
    page.locator("input[name=time_control]").fill("15+10")
    button = page.get_by_role("button", name="Register tournament", exact=True)
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    # Pressing leaves the field, and the rules come before the finger is lifted.
    page.mouse.down()
    expect(page.locator("#typed-rules")).to_contain_text("25 minutes for 60 moves")
    page.mouse.up()

    expect(page.get_by_role("heading", name="Winter Rapid")).to_be_visible()
    assert Tournament.objects.count() == 2


def test_registering_by_csv_and_by_copy(officer: str, page: Page) -> None:
    sign_in(page, officer, "/desk/tournaments/bulk")
    page.locator("input[name=rows_file]").set_input_files(
        files={"name": "a.csv", "mimeType": "text/csv", "buffer": SHEET.encode()}
    )
    page.get_by_role("button", name="Check file").click()
    # The file has no such column, as only a late registration needs it (0.2).
    page.get_by_role("group", name="Row 3:").get_by_label("late_reason").fill("The hall was free late.")
    page.get_by_role("button", name="Check the corrected rows").click()
    page.get_by_role("button", name="Register 2 tournaments").dblclick()
    expect(page.get_by_role("heading", name="Tournaments", exact=True, level=1)).to_be_visible()

    page.goto("/desk/tournaments/new?like=SUI-WINTER")
    expect(page.locator("#outcome")).to_contain_text("Registered immediately")
    page.locator("input[name=start]").fill("2026-03-03")
    page.locator("input[name=start]").blur()
    expect(page.locator("#outcome")).to_contain_text("Goes to the QC: 2 days late")
    page.locator("input[name=start]").fill("2027-02-20")
    page.get_by_role("button", name="Register tournament", exact=True).click()
    expect(page.get_by_role("heading", name="Winter Rapid")).to_be_visible()

    made = Tournament.objects.order_by("start").values_list("name", "registration")
    assert list(made) == [
        ("Winter Rapid", "registered"),
        ("Late Blitz", "waiting"),
        ("Spring Rapid", "registered"),
        ("Winter Rapid", "registered"),
    ]
    page.goto("/desk/")
    expect(page.get_by_role("heading", name="Tasks by deadline")).to_be_visible()
    expect(page.get_by_role("link", name="Winter Rapid").first).to_be_visible()


def test_fifty_rows_with_ten_kinds_of_faults_are_corrected_in_the_page(officer: str, page: Page) -> None:
    right, file = fifty_rows()
    sign_in(page, officer, "/desk/tournaments/bulk")
    page.locator("input[name=rows_file]").set_input_files(
        files={"name": "fifty.csv", "mimeType": "text/csv", "buffer": file}
    )
    page.get_by_role("button", name="Check file").click()
    expect(page.get_by_role("heading", name=f"{len(FAULTS)} problems to correct")).to_be_focused()
    for line, (column, _value, message) in FAULTS.items():
        row = page.get_by_role("group", name=re.compile(rf"^Row {line}\b"))
        expect(row).to_contain_text(message)
        row.get_by_label(column, exact=True).fill(right[line][column])
    assert Tournament.objects.count() == 1

    page.get_by_role("button", name="Check the corrected rows").click()
    page.get_by_role("button", name="Register 50 tournaments").click()

    expect(page.get_by_text("50 registered, 0 already registered.").first).to_be_visible()
    assert Tournament.objects.count() == 51


def test_a_register_is_imported_after_its_columns_and_its_effect(officer: str, page: Page) -> None:
    sign_in(page, officer, "/desk/players/bulk")
    register = b"No;Name;Sex;Born;Our club\n1;Alder, Ada;F;2011-05-30;SC Alpha\n"
    page.locator("input[name=rows_file]").set_input_files(
        files={"name": "a.csv", "mimeType": "text/csv", "buffer": register}
    )
    page.get_by_role("button", name="Upload file").click()
    page.get_by_label("No", exact=True).select_option("number")
    page.get_by_label("Our club", exact=True).select_option("club")
    page.get_by_role("button", name="Show effect").click()
    work_off()
    page.get_by_role("button", name="Import register").click()
    work_off()

    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    assert [*Membership.objects.values_list("player__name", "number", "club")] == [
        ("Alder, Ada", "1", "SC Alpha")
    ]
