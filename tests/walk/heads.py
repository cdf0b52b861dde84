"""What a page says of itself and of where it leads: its title and description, its links and buttons."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from django.conf import settings

GUIDE: dict[str, Any] = json.loads((Path(settings.BASE_DIR) / "tests" / "words.json").read_text())
TAGS = re.compile(r"<(?:svg|script|style)\b.*?</(?:svg|script|style)>|<[^>]+>", re.DOTALL)
LINK = re.compile(r"<a\b(?=[^>]*\bhref=)([^>]*)>(.*?)</a>", re.DOTALL)
BUTTON = re.compile(r"<button\b([^>]*)>(.*?)</button>", re.DOTALL)
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
DESCRIPTION = re.compile(r'<meta name="description" content="(.*?)">', re.DOTALL)


def head_of(markup: str) -> tuple[str, str]:
    """Return the title and the description of a page; what is missing, or there twice, is empty."""
    head = markup.partition("</head>")[0]
    found = (TITLE.findall(head), DESCRIPTION.findall(head))
    title, description = (unescape(texts[0]) if len(texts) == 1 else "" for texts in found)
    return title, description


def name_of(found: re.Match[str]) -> str:
    """Return what a screen reader says of a link or a button."""
    label = re.search(r'aria-label="([^"]*)"', found[1])
    return " ".join(unescape(label[1] if label else TAGS.sub(" ", found[2])).split())


def wrong_names(markup: str) -> Iterator[str]:
    """Yield the links that do not say where they lead, and the buttons that do not begin with a verb.

    The buttons of the language menu are the names of the languages. What is hidden from readers has no name.
    """
    for link in map(name_of, LINK.finditer(markup)):
        if link.casefold() in GUIDE["empty links"]:
            yield f"link “{link}”"
    apart = ('name="language"', 'aria-hidden="true"')
    buttons = (found for found in BUTTON.finditer(markup) if not any(sign in found[1] for sign in apart))
    for button in map(name_of, buttons):
        if button.partition(" ")[0] not in GUIDE["verbs"]:
            yield f"button “{button}”"
