from __future__ import annotations

import os
import shutil

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A browser under test speaks to the portal alone.
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-default-browser-check",
)


def find_chromium() -> str | None:
    """Return the path of the system's Chromium (or the one that CHROMIUM names), None without any."""
    named = os.environ.get("CHROMIUM")
    candidates = (named,) if named else CHROMIUM_NAMES
    return next((path for path in map(shutil.which, candidates) if path), None)


def browser_is_required() -> bool:
    """Whether a run without a browser must fail (REQUIRE_BROWSER=1)."""
    return os.environ.get("REQUIRE_BROWSER", "0") not in ("", "0")
