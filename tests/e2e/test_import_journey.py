"""Staff import a list of FIDE from the first page of the admin: its progress, its differences, and then the import."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from playwright.sync_api import FilePayload, Page, Route, expect

from players.models import Player
from ratings.models import ListEntry
from tests import make
from tests.e2e.browser import follow, sign_in
from tests.e2e.journeys import clock, work_off

__all__ = ["clock"]

LINES = 200


def test_staff_import_a_part_of_a_real_list_after_its_differences(
    page: Page, clock: list[datetime], real_data: Path
) -> None:
    """The worker that is killed in the middle of it is in `tests/faults/test_importing.py`."""
    path = real_data / "lists" / "players_list_foa_2018-12_first1000.txt"
    lines = path.read_bytes().splitlines(keepends=True)
    make.player(
        fide_id=10207538, name="A E M, Doshtagir", federation=make.federation(code="IND"), birth_year=1974
    )
    file: FilePayload = {
        "name": "december.txt",
        "mimeType": "text/plain",
        "buffer": b"".join(lines[: LINES + 1]),
    }
    staff = make.person("staff")
    sign_in(page, staff.email, "/admin/")
    follow(page.get_by_role("link", name="Import a FIDE list"))
    page.get_by_label("File from your computer").set_input_files(files=[file])
    page.get_by_label("Date of the list").fill("2018-12-01")
    shown_while_it_waits(page, "Read file")
    expect(
        page.get_by_text(f"Players read: {LINES}. New players: {LINES - 1}. Changed players: 1.")
    ).to_be_visible()
    changed = (
        page.get_by_role("table", name="Changed players")
        .get_by_role("row")
        .filter(has_text="A E M, Doshtagir")
    )
    expect(changed).to_contain_text("Federation: IND → BAN")
    assert Player.objects.filter(federation_id="BAN").count() == 0

    shown_while_it_waits(page, "Import list")
    expect(page.locator("#import .state")).to_contain_text("imported")
    assert Player.objects.get(pk=10207538).federation_id == "BAN"
    standard = ListEntry.objects.get(player_id=10207538, rating_list__kind="standard")
    assert (standard.rating, standard.k_factor) == (1840, 40)


def shown_while_it_waits(page: Page, button: str) -> None:
    """Press a button that makes work, look at its progress, and do it as the worker would.

    The page's own requests wait meanwhile: the test works in the thread that the browser speaks with.
    """
    page.route("**/progress/", hold_back)
    follow(page.get_by_role("button", name=button))
    expect(page.get_by_role("progressbar")).to_be_visible()
    work_off()
    page.unroute("**/progress/")
    expect(page.get_by_role("progressbar")).to_have_count(0)


def hold_back(route: Route) -> None:
    if route.request.headers.get("hx-request"):
        route.abort()
    else:
        route.continue_()
