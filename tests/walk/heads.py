"""What a page says of itself and of where it leads: its title and description, its links and buttons."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

GUIDE: dict[str, Any] = json.loads((Path(settings.BASE_DIR) / "tests" / "words.json").read_text())
TAGS = re.compile(r"<(?:svg|script|style)\b.*?</(?:svg|script|style)>|<[^>]+>", re.DOTALL)
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
DESCRIPTION = re.compile(r'<meta name="description" content="(.*?)">', re.DOTALL)
# Links and buttons, and what they belong to.
PARTS = re.compile(
    r"<(?P<tag>a|button)\b(?P<attributes>[^>]*)>(?P<content>.*?)</(?P=tag)>"
    r"|<(?P<field>input|/?form|/?tbody)\b(?P<more>[^>]*)>",
    re.DOTALL,
)
ATTRIBUTE = re.compile(r'([a-z][a-z-]*)="([^"]*)"')
# Two people may have one name.
PERSON = re.compile(r"(?:/\w\w)?/(?:players|arbiters)/\d+/")
NUMBER = re.compile(r"[\d\s.,%+−±=–½-]*")
# The row that a page marks makes no other page of it.
MARKED = re.compile(r"[?&]mark=[^&#]*")


class Control(NamedTuple):
    """A link or a button: what a screen reader says of it, what it does, and whether it is in a row of a table."""

    tag: str
    name: str
    does: Sequence[Any]
    is_in_row: bool


def head_of(markup: str) -> tuple[str, str]:
    """Return the title and the description of a page; what is missing, or there twice, is empty."""
    head = markup.partition("</head>")[0]
    found = (TITLE.findall(head), DESCRIPTION.findall(head))
    title, description = (unescape(texts[0]) if len(texts) == 1 else "" for texts in found)
    return title, description


def controls_of(markup: str) -> Iterator[Control]:
    """Yield the links and buttons of a page. What is hidden from readers has no name, languages name themselves.

    Those of the frame around the page are in landmarks, which tell them from those of the page.
    """
    markup = markup.partition("<main")[2].partition("</main>")[0]
    form: list[Any] = []
    is_in_row = False
    for part in PARTS.finditer(markup):
        attributes = dict(ATTRIBUTE.findall(part["attributes"] or part["more"] or ""))
        match part["field"]:
            case "form":
                form = [attributes.get("action", "")]
            case "/form":
                form = []
            case "tbody" | "/tbody":
                is_in_row = part["field"] == "tbody"
            case "input":
                if attributes.get("type") == "hidden" and attributes.get("name") != "csrfmiddlewaretoken":
                    form = [*form, (attributes.get("name"), attributes.get("value"))]
            case _:
                if attributes.get("aria-hidden") == "true" or attributes.get("name") == "language":
                    continue
                if part["tag"] == "a" and "href" not in attributes:
                    continue
                name = unescape(attributes.get("aria-label") or TAGS.sub(" ", part["content"]))
                does: Sequence[Any] = (MARKED.sub("", unescape(attributes.get("href", ""))),)
                if part["tag"] == "button":
                    own = [(key, attributes[key]) for key in sorted(attributes) if key not in ("class", "id")]
                    does = (form, own)
                yield Control(part["tag"], " ".join(name.split()), does, is_in_row)


def wrong_names(markup: str) -> Iterator[str]:
    """Yield links that do not say where they lead, buttons without a verb, and those that do not name their object.

    One name is one thing on a page, and a number is no name. In a row of a table a verb does not say which row it is
    about.
    """
    does: dict[tuple[str, str], list[Sequence[Any]]] = defaultdict(list)
    for control in controls_of(markup):
        kind = {"a": "link", "button": "button"}[control.tag]
        text = f"{kind} “{control.name}”"
        if control.tag == "a" and control.name.casefold() in GUIDE["empty links"]:
            yield text
        if control.tag == "button" and control.name.partition(" ")[0] not in GUIDE["verbs"]:
            yield text
        if NUMBER.fullmatch(control.name):
            yield f"{text} is a number"
        elif control.is_in_row and control.name in GUIDE["verbs"]:
            yield f"{text} in a row"
        if control.does not in does[kind, control.name.casefold()]:
            does[kind, control.name.casefold()].append(control.does)
    for (kind, name), different in does.items():
        are_people = all(PERSON.fullmatch(str(one[0])) for one in different)
        if len(different) > 1 and not are_people:
            yield f"{kind}s “{name}” are {len(different)} things: {different[:3]}"


def crooked_tables(markup: str) -> Iterator[str]:
    """Yield the tables with a row that has other columns than their head; cells that go on in the next row are left."""
    for table in re.findall(r"<table\b.*?</table>", markup, re.DOTALL):
        head, _, body = table.partition("</thead>")
        rows = [_columns(row) for row in re.findall(r"<tr\b.*?</tr>", body, re.DOTALL)]
        is_plain = head != table and "rowspan" not in table and len(re.findall(r"<tr\b", head)) == 1
        if is_plain and (others := {*rows} - {_columns(head)}):
            yield f"{_columns(head)} heads, {sorted(others)} cells: {table[:60]}"


def _columns(row: str) -> int:
    cells = re.findall(r"<t[dh]\b([^>]*)>", row)
    return sum(int(dict(ATTRIBUTE.findall(cell)).get("colspan", 1)) for cell in cells)
