"""Whether pages keep within a narrow screen: with fonts of any width (WCAG 2.2, 1.4.10 and 1.4.12)."""

from __future__ import annotations

from playwright.sync_api import Page

NARROWEST = 320
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
