"""Whether pages keep within a narrow screen: with fonts of any width (WCAG 2.2, 1.4.10 and 1.4.12)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from playwright.sync_api import Page

from tests.e2e.browser import is_firefox

NARROWEST, WIDEST = 320, 1600
# A layout has least room where it begins or ends: at the widths that the stylesheets ask for.
EDGES = {
    16 * int(rem)
    for sheet in (Path(settings.BASE_DIR) / "static" / "css").glob("*.css")
    for asked in re.findall(r"@media \((.*width.*?)\)", sheet.read_text())
    for rem in re.findall(r"(\d+)rem", asked)
}
WIDTHS = sorted({NARROWEST, 560, 900, WIDEST, *EDGES, *(edge - 1 for edge in EDGES)})
# The spacing that readers may set by 1.4.12, which is wider than the widest of usual fonts.
SPACING = (
    "* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important; }"
)

IS_WIDER_WHEN_SPACED = """spacing => {
    const style = document.head.appendChild(document.createElement("style"));
    style.textContent = spacing;
    const root = document.documentElement;
    const isWider = root.scrollWidth > root.clientWidth;
    style.remove();
    return isWider;
}"""


def scrolls_sideways(page: Page, width: int) -> bool:
    """Whether the page is wider than a screen of so many pixels, which it has from then on."""
    page.set_viewport_size({"width": width, "height": 900})
    return bool(page.evaluate("document.documentElement.scrollWidth") > width)


def scrolls_when_spaced(page: Page) -> bool:
    """Whether the page is wider than the screen that it has once its letters and words are set apart.

    The page must be open in a context that bypasses its security policy, which refuses the style.
    """
    return bool(page.evaluate(IS_WIDER_WHEN_SPACED, SPACING))


# What lies on what it must not: the page wider than its screen, an element that leaves its sheet, and two sheets on
# each other.
FAULTS = """() => {
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push("scrolls sideways");
    const isInFlow = (element) => {
        const style = getComputedStyle(element);
        return style.visibility !== "hidden" && style.position !== "absolute" && style.position !== "fixed";
    };
    // What floats takes its parts with it.
    const isShown = (element, sheet) => {
        for (let one = element; one && one !== sheet; one = one.parentElement) if (!isInFlow(one)) return false;
        return true;
    };
    const named = (element) => `${element.tagName.toLowerCase()}.${[...element.classList].join(".")}`;
    const sheets = [...document.querySelectorAll("main .sheet")].filter((sheet) => sheet.getClientRects().length);
    const apart = "svg, .scroll, .hidden, .menu, details:not([open]) > :not(summary), .tabs, .chart, " +
        "pre, .ruled, .report";
    for (const sheet of sheets) {
        const box = sheet.getBoundingClientRect();
        for (const element of sheet.querySelectorAll("*")) {
            const own = element.getBoundingClientRect();
            const isInside = own.right <= box.right + 1 && own.left >= box.left - 1;
            if (isInside || !own.width || own.height <= 1) continue;
            if (element.closest(apart) || !isShown(element, sheet)) continue;
            found.push(`${named(element)} leaves its sheet`);
            break;
        }
        for (const other of sheets) {
            if (other === sheet || other.contains(sheet) || sheet.contains(other)) continue;
            const its = other.getBoundingClientRect();
            const over = Math.min(box.right, its.right) - Math.max(box.left, its.left);
            const under = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
            if (over <= 1 || under <= 1 || !isShown(sheet, null) || !isShown(other, null)) continue;
            found.push(`${named(sheet)} lies on ${named(other)}`);
        }
    }
    return found;
}"""


def faults_at_widths(page: Page) -> list[tuple[int, str]]:
    """Return what does not hold at any width from a small phone to a wide screen, which the open page takes in turn."""
    found: list[tuple[int, str]] = []
    with resizing(page) as resize:
        for width in WIDTHS:
            resize(width)
            found += [(width, fault) for fault in page.evaluate(FAULTS)]
    return found


@contextmanager
def resizing(page: Page) -> Iterator[Callable[[int], object]]:
    """Give what makes the page so many pixels wide: Chromium without Playwright's wait for its window."""
    if is_firefox():
        yield lambda width: page.set_viewport_size({"width": width, "height": 900})
        return
    session = page.context.new_cdp_session(page)
    size = {"height": 900, "deviceScaleFactor": 1, "mobile": False}
    yield lambda width: session.send("Emulation.setDeviceMetricsOverride", {"width": width, **size})
    session.detach()
