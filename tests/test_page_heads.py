"""Titles, descriptions, links and buttons of every page, as each role that sees other ones gets it, with long names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arenas.models import Arena
from core.templatetags.ui import MAX_TITLE
from players.models import Federation, Player
from tests.public.pages import page
from tests.public.test_titles import head_of
from tests.ratings.played import play_month
from tests.test_access_matrix import pages
from tests.test_route_matrix import OWN, Values, address, browser_of, is_public, worlds
from tournaments.models import HandedReport, Tournament

__all__ = ["worlds"]
pytestmark = pytest.mark.django_db
GUIDE: dict[str, Any] = json.loads((Path(__file__).parent / "words.json").read_text())
ROLES = ("officer", "arbiter", "qc", "staff", "council", "auditor", "player", "")
TAGS = re.compile(r"<(?:svg|script|style)\b.*?</(?:svg|script|style)>|<[^>]+>", re.DOTALL)
LINK = re.compile(r"<a\b(?=[^>]*\bhref=)([^>]*)>(.*?)</a>", re.DOTALL)
BUTTON = re.compile(r"<button\b([^>]*)>(.*?)</button>", re.DOTALL)
YEAR = re.compile(r"\b\d{4}$")
PERSON = "Papadopoulou-Konstantinidis, Alexandra Maria Theodora"
EVENT = "Twenty-Third International Open Championship of the Republic, Section A"
COUNTRY = "United Provinces of the Northern and the Southern Archipelago"


def lengthen_names() -> None:
    for number, player in enumerate(Player.objects.all()):
        Player.objects.filter(pk=player.pk).update(name=f"{PERSON} {number}")
    Tournament.objects.update(name=EVENT)
    HandedReport.objects.update(file_name="results.trf")
    Federation.objects.update(name=COUNTRY)
    Arena.objects.update(name=f"Arena of the {COUNTRY}")


def name_of(found: re.Match[str]) -> str:
    """Return what a screen reader says of a link or a button."""
    label = re.search(r'aria-label="([^"]*)"', found[1])
    return " ".join(unescape(label[1] if label else TAGS.sub(" ", found[2])).split())


def wrong_names(markup: str) -> Iterator[str]:
    """Yield the links that do not say where they lead, and the buttons that do not begin with a verb.

    The buttons of the language menu are the names of the languages.
    """
    for link in map(name_of, LINK.finditer(markup)):
        if link.casefold() in GUIDE["empty links"]:
            yield f"link “{link}”"
    buttons = (found for found in BUTTON.finditer(markup) if 'name="language"' not in found[1])
    for button in map(name_of, buttons):
        if button.partition(" ")[0] not in GUIDE["verbs"]:
            yield f"button “{button}”"


def markup_of(client: Client, place: str) -> str:
    answer = client.get(place)
    is_page = answer.status_code == 200 and answer["Content-Type"].startswith("text/html")
    markup = "" if answer.streaming or not is_page else answer.content.decode()
    return markup if "</head>" in markup else ""


def routes(worlds: dict[str, Values], role: str) -> Iterator[str]:
    """Yield the addresses of the pages: those of everybody once, without a role."""
    for pattern in sorted({pattern for pattern, _view in pages()}):
        if role and is_public(pattern):
            continue
        if not pattern.startswith(("admin/", "api/")) or pattern == "api/v1/docs":
            yield address(pattern, worlds[OWN])


@pytest.mark.parametrize("role", ROLES)
def test_every_page_says_what_it_is_and_where_it_leads(worlds: dict[str, Values], role: str) -> None:
    lengthen_names()
    client, wrong, found = browser_of(role), [], 0
    for place in routes(worlds, role):
        if markup := markup_of(client, place):
            found += 1
            title, description = head_of(markup)
            if not 2 < len(title) <= MAX_TITLE or not 20 < len(description) <= 250:
                wrong.append(f"{place}: {title} | {description}")
            wrong += [f"{place}: {fault}" for fault in wrong_names(markup)]

    assert not wrong, "\n".join(sorted(set(wrong)))
    assert found > 10


@pytest.mark.parametrize("language", ["", "fr", "es", "de"])
def test_long_title_of_a_list_keeps_its_year(client: Client, language: str) -> None:
    month = play_month()
    lengthen_names()
    hero, event = month.hero.pk, month.tournaments[0].event_id
    places = (
        *(f"/players/{hero}/{path}" for path in ("", "tournaments/", "record/", "rapid/2026-02-01/")),
        *(f"/tournaments/{event}/{path}" for path in ("", "crosstable/", "rounds/1/", "report/", "why")),
        *("/arenas/foa-rbb/", "/federations/SUI/", "/lists/rapid/2026-02-01/health/"),
    )
    heads = {place: page(client, f"/{language}{place}" if language else place) for place in places}

    for place, markup in heads.items():
        whole = unescape(re.findall(r'<meta property="og:title" content="(.*?)">', markup)[0])
        title = head_of(markup)[0]
        assert len(title) <= MAX_TITLE, place
        assert YEAR.findall(title.partition(" · ")[0]) == YEAR.findall(whole), place


def test_names_without_a_verb_or_a_target_are_found() -> None:
    markup = '<a href="/x">Here</a><a href="/y"><svg><path/></svg></a><button type="submit">OK</button>'

    assert list(wrong_names(markup)) == ["link “Here”", "link “”", "button “OK”"]
    assert list(wrong_names('<a href="/x">Rating lists</a><button aria-label="Show list">Go</button>')) == []
