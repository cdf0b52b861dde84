"""What nobody sends who means well: for paths, queries and forms."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote, quote_from_bytes

TEXTS = (
    "",
    " ",
    "\x00",
    "a\x00b",
    "../../etc/passwd",
    "..\\..\\x",
    "=1+1",
    "'\"><script>alert(1)</script>",
    "%",
    "%00",
    "%s%n",
    "{{7*7}}",
    "' OR 1=1 --",
    "\u202e\ufeff",
    "\ud7ff",
    "\ufffe",
    "e\u0301" * 40,
    "x" * 3000,
    "\U0001f600" * 300,
    "0",
    "-1",
    "1e999",
    "NaN",
    "Infinity",
    "99999999999999999999",
    "9" * 5000,
    "-9223372036854775809",
    "٣",
    "2026-13-45",
    "0000-00-00",
    "9999-12-31",
    "0001-01-01",
    "2026-02",
    "latest",
    "rapid",
    "SUI",
    "AUT",
    "on",
    "true",
    "[]",
    "{}",
    "null",
    '{"a": 1}',
    "1,2,3",
    "a\r\nSet-Cookie: injected=1",
    "\r\nX-Injected: 1\r\n\r\n<p>",
    "//elsewhere.example/",
    "javascript:1",
)
# Bytes that are no UTF-8, cut short or too long.
BYTES = (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"a\xffb")
NUMBERS = ("0", "1", "2147483647", "2147483648", "9223372036854775807", "9223372036854775808", "9" * 40)
NAMES = (
    "q",
    "page",
    "after",
    "before",
    "last",
    "mark",
    "cursor",
    "sort",
    "order",
    "limit",
    "format",
    "view",
    "kind",
    "date",
    "month",
    "list",
    "state",
    "stage",
    "federation",
    "continent",
    "sex",
    "title",
    "compare",
    "born_from",
    "born_to",
    "rating_from",
    "rating_to",
    "active",
    "from",
    "to",
    "at",
    "as-of",
    "next",
    "fide_id",
    "player",
    "against",
    "games",
    "name",
    "category",
    "handle",
    "member",
    "id",
    "all",
    "code",
    "rating",
    "k",
    "score",
    "action",
    "by",
    "fields",
    "e",
    "o",
    "p",
    "_popup",
    "_changelist_filters",
)
_PLACE = re.compile(r"<(?:(\w+):)?(\w+)>")
_FIELD = re.compile(r'<(?:input|select|textarea|button)[^>]* name="([^"]+)"')


def quoted(chance: random.Random) -> str:
    """Return a hostile value as an address takes it."""
    if chance.random() < 0.15:
        return quote_from_bytes(chance.choice(BYTES))
    return quote(chance.choice(TEXTS), safe="")


def address(pattern: str, known: Mapping[str, str], chance: random.Random, *, is_aimed: bool) -> str:
    """Return an address of a pattern: aimed at what is there, or with hostile values."""

    def value(place: re.Match[str]) -> str:
        converter, name = place[1] or "str", place[2]
        if is_aimed and name in known:
            return known[name]
        if converter == "int":
            return chance.choice(NUMBERS)
        if chance.random() < 0.4:
            return known.get(name, "1")
        return quoted(chance).replace("%2F", "") or "x"

    return "/" + _PLACE.sub(value, pattern)


def query(chance: random.Random) -> str:
    """Return a query string: some names, some of them twice, with hostile values."""
    names = chance.sample(NAMES, chance.randint(1, 8))
    return "&".join(f"{name}={quoted(chance)}" for name in names for _ in range(chance.choice((1, 1, 2))))


def form(page: str, chance: random.Random) -> dict[str, list[str]]:
    """Return the fields of a page's forms and some more, filled with hostile values, missing or repeated."""
    found = dict.fromkeys(_FIELD.findall(page))
    found.pop("csrfmiddlewaretoken", None)
    return dict(_fields([*found, *chance.sample(NAMES, 5)], chance))


def _fields(names: list[str], chance: random.Random) -> Iterator[tuple[str, list[str]]]:
    for name in names:
        if chance.random() < 0.8:
            yield name, [chance.choice(TEXTS) for _ in range(chance.choice((1, 1, 2)))]
