"""Small lists with invented players, laid out by hand as FIDE's files are."""

from __future__ import annotations

import io

from players.fide_list import LineProblem, ListItem, ListRecord, read_list

COMBINED = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
    "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
LEGACY = COMBINED.replace("FOA ", "")
SINGLE = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
    "FOA FEB26 Gms K  B-day Flag"
)
SINGLE_LEGACY = SINGLE.replace("FOA ", "")

NO_RATING = " " * 13
HEAD = "100013         Zarnik, Olvo                                                 "
PERSON = "ARG M   GM                           "
LINE = HEAD + PERSON + "2353  7   10 " + "2356  0   10 " + NO_RATING + "1957      "
WOMAN = (
    "4100018        Zarnik, Elva                                                 "
    "GRE F   WGM  WGM  FA,FI          AGM "
    "2210  0   20 2190  12  20 2050  3   40 1999  wi  "
)


def text_file(*lines: str, heading: str = COMBINED, end: str = "\r\n") -> bytes:
    """Return a TXT list of those lines."""
    return "".join(line + end for line in (heading, *lines)).encode("utf-8", "surrogateescape")


def read(content: bytes, *, kind: str | None = None) -> list[ListItem]:
    return list(read_list(io.BytesIO(content), kind=kind))


def records(content: bytes, *, kind: str | None = None) -> list[ListRecord]:
    """Return the records of a list in which nothing may be wrong."""
    found = read(content, kind=kind)
    assert [item for item in found if isinstance(item, LineProblem)] == []
    return [item for item in found if isinstance(item, ListRecord)]


def player(**changes: str) -> str:
    """Return a player element of a single XML list, one element a line."""
    elements = {
        "fideid": "100013",
        "name": "Zarnik, Olvo",
        "country": "ARG",
        "sex": "M",
        "title": "GM",
        "w_title": "",
        "o_title": "",
        "foa_title": "",
        "rating": "2356",
        "games": "0",
        "k": "10",
        "birthday": "1957",
        "flag": "",
    } | changes
    lines = "".join(f"<{element}>{text}</{element}>\n" for element, text in elements.items())
    return f"<player>\n{lines}</player>\n"


def xml_file(*players: str, before: str = "") -> bytes:
    """Return an XML list of those elements."""
    return f"{before}<playerslist>\n{''.join(players)}</playerslist>\n".encode()
