"""Titles and descriptions of the public pages, for browsers, search engines and link previews."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import pytest
from django.test import Client

from arenas.models import Arena
from core.templatetags.ui import MAX_TITLE, page_title
from players.models import Federation, Player
from tests import make
from tests.public.pages import page
from tests.walk.heads import head_of
from tests.walk.worlds import COUNTRY, EVENT, PERSON
from tournaments.models import Tournament

pytestmark = pytest.mark.slow

YEAR = re.compile(r"\b\d{4}$")
PATHS = (
    "/",
    "/lists/",
    "/lists/rapid/2026-02-01/",
    "/lists/rapid/2026-02-01/changes/",
    "/lists/rapid/2026-02-01/statistics/",
    "/lists/corrections/",
    "/federations/",
    "/federations/SUI/",
    "/federations/SUI/history/",
    "/rules/",
    "/rules/reasons/",
    "/about/",
    "/rules/terms/",
    "/calculators/",
    "/calculators/first-rating/",
    "/calculators/performance/",
    "/check/",
    "/tools/",
    "/data/",
    "/tools/worked-cases/",
    "/search?q=hero",
    "/players/",
    "/players/compare/",
    "/tournaments/",
    "/tournaments/calendar/month?month=2026-01",
    "/arenas/",
    "/arenas/foa-rbb/",
    "/arenas/foa-rbb/rules/",
    "/arenas/foa-rbb/lists/",
)


def lengthen_names(month: make.Month) -> None:
    Player.objects.filter(pk=month.hero.pk).update(name=PERSON)
    Tournament.objects.update(name=EVENT)
    Federation.objects.update(name=COUNTRY)
    Arena.objects.update(name=f"Arena of the {COUNTRY}")


@pytest.mark.django_db
def test_each_page_has_its_own_short_title_and_description(client: Client) -> None:
    month = make.play_month()
    hero, event = month.hero.pk, month.tournaments[0].event_id
    more = [
        *(f"/players/{hero}/{path}" for path in ("", "tournaments/", "record/", "rapid/2026-02-01/")),
        *(f"/tournaments/{event}/{path}" for path in ("", "crosstable/", "rounds/1/", "report/")),
    ]
    heads = {path: head_of(page(client, path)) for path in (*PATHS, *more)}

    assert {path: title for path, (title, _) in heads.items() if not 5 < len(title) <= MAX_TITLE} == {}
    assert {path: text for path, (_, text) in heads.items() if not 20 < len(text) <= 180} == {}
    for column in zip(*heads.values(), strict=True):
        assert [text for text, number in Counter(column).items() if number > 1] == []


def test_long_title_is_cut_and_the_portal_left_out() -> None:
    short, long = "x" * 44, "Chess &amp; Draughts " * 5

    assert "<title>xxx" in page_title(short)
    assert "· Rating Portal</title>" in page_title(short)
    title = head_of(page_title(long))[0]
    assert (title.endswith("Chess & …"), len(title) <= MAX_TITLE) == (True, True)


@pytest.mark.django_db
def test_name_of_a_list_has_one_capital_in_every_language(client: Client) -> None:
    make.play_month()
    titles = {
        language: head_of(page(client, f"{language}/lists/rapid/2026-02-01/"))[0].partition(",")[0]
        for language in ("", "/fr", "/es")
    }

    assert len(set(titles.values())) == 3
    assert [title for title in titles.values() if title != title.capitalize().replace("elo", "Elo")] == []


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["", "fr", "es", "de"])
def test_long_title_of_a_list_keeps_its_year(client: Client, language: str) -> None:
    month = make.play_month()
    lengthen_names(month)
    hero, event = month.hero.pk, month.tournaments[0].event_id
    places = (
        *(f"/players/{hero}/{path}" for path in ("", "tournaments/", "record/", "rapid/2026-02-01/")),
        *(f"/tournaments/{event}/{path}" for path in ("", "crosstable/", "rounds/1/", "report/")),
        *("/arenas/foa-rbb/", "/federations/SUI/"),
    )
    heads = {place: page(client, f"/{language}{place}" if language else place) for place in places}

    for place, markup in heads.items():
        whole = unescape(re.findall(r'<meta property="og:title" content="(.*?)">', markup)[0])
        title = head_of(markup)[0]
        assert len(title) <= MAX_TITLE, place
        assert YEAR.findall(title.partition(" · ")[0]) == YEAR.findall(whole), place
