"""The modules that everyday actions run through: `python -m supply.journeys` prints them as JSON.

The demonstration is made in a temporary database and driven by addresses and commands, which stay what they are
when the code is laid out anew. A module counts where one of its functions ran; its body at import does not.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import time_machine

from supply.structure import ROOT, module_name, sources


@contextlib.contextmanager
def traced() -> Iterator[list[str]]:
    """Collect the project's modules of which a function runs in the block, in the order in which they begin."""
    ran: dict[CodeType, None] = {}
    found: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        # Bodies of modules and classes run at import: only functions have optimised locals.
        if event == "call" and frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            ran[frame.f_code] = None

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        names = {str(path): module_name(path) for path in sources()}
        files = dict.fromkeys(str(Path(code.co_filename).absolute()) for code in ran)
        found += [names[file] for file in files if file in names and names[file] != "supply.journeys"]


def journeys() -> dict[str, list[str]]:
    """Return the modules of an upload, an acceptance, a player page and the publishing of both lists."""
    from django.core.management import call_command

    event = _checked_event()
    _warm_up(event.client)
    found: dict[str, list[str]] = {}
    with _measured(found, "an upload"):
        uploaded = event.client.post(f"{event.address}report", {"report": event.file()})
    _expect(uploaded.status_code == 302, f"the upload was answered with {uploaded.status_code}")
    seen = re.search(rb'name="seen" value="([^"]*)"', event.client.get(uploaded["Location"]).content)
    typed = {"acknowledgement": "Checked with the arbiter.", "seen": seen[1].decode() if seen else ""}
    with _measured(found, "an acceptance"):
        accepted = event.client.post(f"{uploaded['Location']}accept", typed)
    _expect(accepted.status_code == 302, f"the acceptance was answered with {accepted.status_code}")
    with _measured(found, "a player page"):
        page = event.client.__class__().get(_player_address())
    _expect(page.status_code == 200, f"the player page was answered with {page.status_code}")
    month = _next_month()
    # No list is published ahead of the clock (D-70).
    with (
        time_machine.travel(datetime(month.year, month.month, 1, 12, tzinfo=UTC)),
        _measured(found, "the publishing of a list"),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        call_command("publish_lists", month.isoformat())
    return found


class _Event:
    """A tournament of the demonstration whose report is checked and can be accepted, and its officer's browser."""

    def __init__(self, report: Any) -> None:
        from django.contrib.auth import get_user_model
        from django.test import Client

        officer = {
            "appointments__role": "officer",
            "appointments__federation": report.tournament.federation_id,
        }
        self.client = Client()
        self.client.force_login(get_user_model().objects.filter(**officer)[0])
        self.address = f"/desk/tournaments/{report.tournament.event_id}/"
        self.content = bytes(report.content)

    def file(self) -> Any:
        """Return the report again as a new version: another name of the deputy arbiter."""
        from django.core.files.uploadedfile import SimpleUploadedFile

        return SimpleUploadedFile("report.trf", self.content + b"112 Deputy, Dora\r\n")


def _checked_event() -> _Event:
    from django.apps import apps

    reports = apps.get_model("tournaments", "Report")._default_manager.filter(state="checked").order_by("pk")
    for report in reports.select_related("tournament"):
        if all(finding["severity"] != "error" for finding in report.findings):
            return _Event(report)
    raise LookupError("The demonstration has no report that could be accepted.")


def _player_address() -> str:
    """Return the page of the player with the most tournaments."""
    from django.apps import apps
    from django.db.models import Count

    participants = apps.get_model("tournaments", "Participant")._default_manager.exclude(player=None)
    found = participants.values("player").annotate(events=Count("pk")).order_by("-events", "player")[0]
    player = apps.get_model("players", "Player")._default_manager.get(pk=found["player"])
    return f"/players/{player.fide_id}/"


def _next_month() -> date:
    from django.apps import apps

    newest = apps.get_model("ratings", "RatingList")._default_manager.latest("date").date
    return (newest + timedelta(days=31)).replace(day=1)


def _warm_up(client: Any) -> None:
    """Load the addresses and templates, so that no journey counts what the first request of a process does."""
    for address in ("/", "/desk/"):
        client.get(address)


@contextlib.contextmanager
def _measured(found: dict[str, list[str]], name: str) -> Iterator[None]:
    from django.core.cache import cache

    cache.clear()
    with traced() as modules:
        yield
    found[name] = modules


def _expect(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise RuntimeError(otherwise)


@contextlib.contextmanager
def demonstration() -> Iterator[None]:
    """Make the demonstration in a temporary folder; only a process that has not set Django up can do so."""
    import django
    from django.core.management import call_command

    with tempfile.TemporaryDirectory(prefix="rating-portal-") as folder:
        for name in ("DATABASE_URL", "REDIS_URL", "LIST_STORAGE", "ALLOWED_HOSTS", "REQUIRE_MFA"):
            os.environ.pop(name, None)
        os.environ |= {
            "PORTAL_VAR_DIR": folder,
            "PORTAL_DEMO": "1",
            "EMAIL_URL": "dummy:",
            "LOG_LEVEL": "ERROR",
            "ALLOWED_HOSTS": "testserver",
            "DJANGO_SETTINGS_MODULE": "portal.settings",
        }
        django.setup()
        with contextlib.redirect_stdout(io.StringIO()):
            call_command("migrate", verbosity=0)
            call_command("demo")
        yield


def run(journey: Callable[[], dict[str, list[str]]] = journeys) -> None:
    """Print the journeys of a new demonstration as JSON."""
    os.chdir(ROOT)
    with demonstration():
        sys.stdout.write(json.dumps(journey()))


if __name__ == "__main__":
    run()
