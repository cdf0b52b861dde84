"""Takes the pictures of docs/tour.md from a demonstration that it makes and runs: `python -m tests.e2e.tour`.

The portal stands in a temporary folder and is gone afterwards. A picture that is larger than LARGEST ends the run
with an error.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FloatRect, Page, sync_playwright

from tests.e2e.browser import CHROMIUM_ARGUMENTS, find_chromium
from tests.processes import kill_at_once, wait_until

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
LARGEST = 350_000
DESKTOP, PHONE = 1440, 390
HEIGHTS = {DESKTOP: 1250, PHONE: 1500}


@dataclass(frozen=True, slots=True)
class Picture:
    """A page to take: its file, address, who is signed in (nobody: empty), width, and whether it is dark."""

    name: str
    address: str
    account: str = ""
    width: int = DESKTOP
    is_dark: bool = False


def main() -> None:
    """Make the demonstration, run it, and write all pictures."""
    chromium = find_chromium()
    if chromium is None:
        sys.exit("There is no Chromium; name one by CHROMIUM.")
    with tempfile.TemporaryDirectory(prefix="tour-") as folder:
        environment = _environment(Path(folder))
        passwords = _made(environment)
        pictures = _pictures(environment)
        with _portal(environment, Path(folder) / "log"), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_ARGUMENTS))
            for picture in pictures:
                _take(browser, picture, base=environment["SITE_URL"], passwords=passwords)
            browser.close()


def _environment(folder: Path) -> dict[str, str]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port = str(server.getsockname()[1])
    own = {"PORTAL_VAR_DIR": str(folder), "PORTAL_DEMO": "1", "PORT": port, "LOG_LEVEL": "WARNING"}
    own["SITE_URL"] = f"http://127.0.0.1:{port}"
    return {**os.environ, "DATABASE_URL": "", "REDIS_URL": "", **own}


def _manage(environment: Mapping[str, str], *arguments: str) -> str:
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def _made(environment: Mapping[str, str]) -> dict[str, str]:
    """Make the demonstration and return the passwords by e-mail address."""
    _manage(environment, "migrate", "--verbosity", "0")
    made = json.loads(_manage(environment, "demo", "--json"))
    return {account["email"]: account["password"] for account in made["accounts"]}


SUBJECTS = """
import json
from ratings.models import Calculation, CorrectionLine
from ratings.lists import read_lists
from tournaments.models import Report, Tournament
newest = read_lists().newest("rapid")
corrected = CorrectionLine.objects.order_by("-difference_hundredths").first()
of_newest = Calculation.objects.filter(rating_list=newest, player__federation="LUX").order_by("player")
busy = of_newest.filter(result="change-7.3.4", games__in=(6, 7), previous_rating__gt=1900).first()
first = of_newest.filter(result="initial-7.2.4", games__lte=8).order_by("-new_rating").first()
faulty = Report.objects.get(tournament__name="Red Rocks Blitz")
print(json.dumps({
    "day": newest.date.isoformat(),
    "player": busy.player_id,
    "newcomer": first.player_id,
    "corrected": corrected.player_id,
    "correction_day": corrected.taken_by.date.isoformat(),
    "published": Tournament.objects.get(name="Ardennes Rapid").event_id,
    "faulty": faulty.tournament.event_id,
    "waiting": Tournament.objects.get(name="Market Square Blitz").event_id,
    "due": Tournament.objects.get(name="Forge Rapid").event_id,
}))
"""


def _pictures(environment: Mapping[str, str]) -> list[Picture]:
    told = _manage(environment, "shell", "--verbosity", "0", "--command", SUBJECTS)
    of: dict[str, Any] = json.loads(told.strip().splitlines()[-1])
    rating_list = f"/lists/rapid/{of['day']}/"
    calculation = f"/players/{of['player']}/rapid/{of['day']}/"
    findings = f"/desk/tournaments/{of['faulty']}/reports/1/"
    officer = "officer@demo.example"
    return [
        Picture("home", "/"),
        Picture("list", rating_list),
        Picture("list-phone", rating_list, width=PHONE),
        Picture("list-dark", rating_list, is_dark=True),
        Picture("player", f"/players/{of['player']}/"),
        Picture("player-phone", f"/players/{of['player']}/", width=PHONE),
        Picture("calculation", calculation),
        Picture("calculation-phone", calculation, width=PHONE),
        Picture("first-rating", f"/players/{of['newcomer']}/rapid/{of['day']}/"),
        Picture("correction", f"/players/{of['corrected']}/rapid/{of['correction_day']}/"),
        Picture("tournament", f"/tournaments/{of['published']}/"),
        Picture("desk", "/desk/", officer),
        Picture("desk-phone", "/desk/", officer, width=PHONE),
        Picture("findings", findings, officer),
        Picture("decision", f"/desk/qc/{of['waiting']}/", "qc@demo.example"),
        Picture("admin", "/admin/", "staff@demo.example"),
    ]


@contextlib.contextmanager
def _portal(environment: dict[str, str], log: Path) -> Iterator[None]:
    command = [sys.executable, str(ROOT / "manage.py"), "run_portal"]
    with log.open("wb") as output:
        portal = subprocess.Popen(
            command, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        wait_until(lambda: _answers(environment["SITE_URL"]), what="the start")
        yield
    finally:
        portal.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            portal.wait(20)
        kill_at_once(portal)


def _answers(site: str) -> bool:
    try:
        with urllib.request.urlopen(f"{site}/health/ready", timeout=5):  # noqa: S310
            return True
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def _take(browser: Browser, picture: Picture, *, base: str, passwords: Mapping[str, str]) -> None:
    context = browser.new_context(
        base_url=base,
        locale="en-GB",
        timezone_id="UTC",
        viewport={"width": picture.width, "height": 900},
        color_scheme="dark" if picture.is_dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    if picture.account:
        _sign_in(page, picture.account, passwords[picture.account])
    answer = page.goto(picture.address, wait_until="networkidle")
    if answer is None or not answer.ok:
        raise AssertionError(f"{picture.name}: {picture.address} answers {answer and answer.status}")
    path = IMAGES / f"{picture.name}.png"
    page.screenshot(path=path, full_page=True, clip=_clip(page, picture.width))
    context.close()
    sys.stdout.write(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1000} KB\n")
    if path.stat().st_size > LARGEST:
        raise AssertionError(f"{path.name} is larger than {LARGEST} bytes")


def _sign_in(page: Page, email: str, password: str) -> None:
    page.goto("/accounts/login/?next=/health/live")
    page.locator("input[name=login]").fill(email)
    page.locator("input[name=password]").fill(password)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url("**/health/live")
    # The next page says that this has worked; the picture shall not.
    page.goto("/desk/")


def _clip(page: Page, width: int) -> FloatRect:
    """Return the upper part of the page, as much as is worth a picture."""
    height = page.evaluate("document.documentElement.scrollHeight")
    return {"x": 0, "y": 0, "width": width, "height": min(height, HEIGHTS[width])}


if __name__ == "__main__":
    main()
