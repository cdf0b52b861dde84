"""Reading pages as a user does: the text without markup, and the rows of tables."""

from __future__ import annotations

import re
from html import unescape

from django.test import Client

TAG = re.compile(r"<[^>]+>")
ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL)
CODE = re.compile(r'data-code="([^"]*)"')
LINE = re.compile(r'<p class="line[^>]*>(.*?)</p>', re.DOTALL)
ARTICLE = re.compile(r'class="article"[^>]*>([^<]*)<')
CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)


def text_of(markup: str) -> str:
    """Return the text of a page: no tags, single spaces."""
    main = markup.partition("<main")[2] or markup
    return " ".join(unescape(TAG.sub(" ", main)).split())


def page(client: Client, address: str) -> str:
    """Return the markup of an existing page."""
    response = client.get(address)
    assert response.status_code == 200, address
    return str(response.content.decode())


def rows(markup: str, *, table: int = 0) -> list[list[str]]:
    """Return the cells of a table's rows, headings included."""
    part = markup.split("<table")[table + 1].partition("</table>")[0]
    return [[text_of(cell) for cell in CELL.findall(row)] for row in ROW.findall(part)]


def codes(markup: str) -> list[str]:
    """Return the codes of the notes of a page and of what it says in place of rows, in order."""
    return CODE.findall(markup)


def lines(markup: str) -> list[tuple[str, str]]:
    """Return the lines of a calculation: the articles and decisions of each, and its amount."""
    return [
        (" ".join(ARTICLE.findall(line)), text_of(line.partition('class="amount')[2].partition(">")[2]))
        for line in LINE.findall(markup)
    ]


def articles(markup: str) -> set[str]:
    """Return the articles and decisions that a page refers to."""
    return set(ARTICLE.findall(markup))
