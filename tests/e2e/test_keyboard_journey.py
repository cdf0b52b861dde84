"""An officer registers a tournament, and uploads, corrects and accepts a report, all by keyboard."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.e2e.journeys import PASSWORD, federation
from tests.e2e.test_findings import EVENT, over
from tournaments.models import Report, Tournament

__all__ = ["federation", "over"]

# More stops than any page of the journey has.
MOST_STOPS = 120
IS_IN_SIGHT = """it => {
  const box = it.getBoundingClientRect();
  const found = document.elementFromPoint(box.x + Math.min(box.width / 2, 20), box.y + box.height / 2);
  return it.contains(found) || found.contains(it) || it.labels?.[0]?.contains(found);
}"""


def reach(page: Page, wanted: Locator) -> None:
    """Press the tabulator until the control has the focus; it is in sight then, and nothing covers it."""
    for _stop in range(MOST_STOPS):
        if wanted.evaluate("it => it === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(wanted).to_be_focused()
    assert wanted.evaluate(IS_IN_SIGHT)


def press(page: Page, role: str, name: str, *, exact: bool = False) -> None:
    """Reach a link or a button, and press Enter."""
    reach(page, page.get_by_role(role, name=name, exact=exact).first)  # type: ignore[arg-type]
    page.keyboard.press("Enter")


def enter(page: Page, label: str, text: str) -> None:
    """Reach a field and type into it; a date by its parts, in whichever order."""
    reach(page, page.get_by_label(label, exact=True))
    page.keyboard.type(text)


def test_registration_and_report_by_keyboard_alone(page: Page, over: None) -> None:
    page.goto("/accounts/login/?next=/desk/")
    reach(page, page.locator("input[name=login]"))
    page.keyboard.type("officer@portal.example")
    reach(page, page.locator("input[name=password]"))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Tasks by deadline")).to_be_visible()

    register(page)
    press(page, "link", "Dashboard")
    expect(page.get_by_role("heading", name="Tasks by deadline")).to_be_visible()
    press(page, "link", "Upload")
    upload(page)
    correct_and_accept(page)


def register(page: Page) -> None:
    press(page, "link", "Register tournament")
    expect(page.get_by_role("heading", level=1, name="Register tournament")).to_be_visible()
    enter(page, "Name", "Harbour Rapid")
    enter(page, "Chief arbiter", "Arbiter, Anna")
    enter(page, "Time control", "15+10")
    enter(page, "First day", "04042026")
    enter(page, "Last day", "04042026")
    enter(page, "Rounds required to fill in the schedule", "5")
    press(page, "button", "Register tournament", exact=True)
    expect(page.get_by_role("heading", level=1, name="Harbour Rapid")).to_be_visible()
    made = Tournament.objects.get(name="Harbour Rapid")
    assert (made.registration, made.start.isoformat(), made.end.isoformat()) == (
        "registered", "2026-04-04", "2026-04-04",
    )  # fmt: skip


def upload(page: Page) -> None:
    reach(page, page.get_by_label("Report (TRF)"))
    # The dialog in which a file is selected is not the page's.
    page.get_by_label("Report (TRF)").set_input_files(
        {"name": "over.trf", "mimeType": "text/plain", "buffer": EVENT.text().encode()}
    )
    press(page, "button", "Upload and check")
    expect(page.get_by_role("heading", level=1, name="report version 1")).to_be_visible()
    page.wait_for_load_state()


def correct_and_accept(page: Page) -> None:
    press(page, "button", "Use 1300001")
    expect(page.get_by_text("Used").first).to_be_visible()
    press(page, "button", "Save")
    expect(page.get_by_text("Version 2 was created and checked.").first).to_be_visible()
    folds = page.locator("details:not([open]):has([data-reason]) > summary")
    while folds.count():
        reach(page, folds.first)
        page.keyboard.press("Enter")
    for reason in page.locator("[data-reason]").all():
        reach(page, reason)
        page.keyboard.type("Compared with the papers of the arbiter.")
    press(page, "button", "Accept report")
    expect(page.get_by_text("The report is accepted.").first).to_be_visible()
    assert Report.objects.get(state="accepted").version == 2
