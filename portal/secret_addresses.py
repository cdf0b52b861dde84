"""Addresses that give access, masked wherever a text of them leaves the portal."""

from __future__ import annotations

import re
from urllib.parse import unquote

# Addresses that give access: the end of each is the secret. A proxy may join slashes and dots only on its side.
_SLASH = r"/[/.]*+"
_PLACES = (
    r"accounts/(?:deadlines|confirm-email|password/reset/key|notifications/off|signup)|invitations"
    r"|follows/(?:confirm|own)"
)
# From the last slash before the place: a search that could begin at each of many slashes would not end.
SECRET_ADDRESS = re.compile(
    rf"(/(?:{_PLACES.replace('/', _SLASH)}){_SLASH})[^\s\"'?]*[^\s\"'?/]", re.IGNORECASE
)
# The page after the sign-in is a part of its address, which may be the page after the proof.
MOST_QUOTED = 3
# A longer text, as a traceback with the text of a report, keeps its beginning and its end.
MAX_TEXT = 32 * 1024


def mask_addresses(text: str, *, mark: str = "...") -> str:
    """Return a text with addresses whose secrets are left out, also those with percent-encoded letters."""
    text = plain = shorten(text)
    for _ in range(MOST_QUOTED):
        plain = unquote(plain)
    return SECRET_ADDRESS.sub(rf"\1{mark}", plain if SECRET_ADDRESS.search(plain) else text)


def shorten(text: str) -> str:
    """Return the beginning and the end of a long text, where no word lacks its beginning: it may be a secret."""
    if len(text) <= MAX_TEXT:
        return text
    end = text[-MAX_TEXT // 2 :].split(maxsplit=1)
    return f"{text[: MAX_TEXT // 2]} ... {end[1] if len(end) > 1 else ''}"
