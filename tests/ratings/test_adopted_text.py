"""A new text of the regulations is one module and one adoption: everything follows it (D-90)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from datetime import date
from pathlib import Path

import pytest
import time_machine
from django.test import Client

from players.models import Player
from ratings import systems
from ratings.adoptions import adopt
from ratings.models import Calculation, ListEntry, RatingList
from ratings.publish import publish as publish_module
from ratings.publish.files import file_bytes
from ratings.systems import registry
from ratings.verify.lists import list_differences
from tests import make
from tests.public.pages import page, text_of
from tests.ratings.invented.fide_rapid_blitz_invented import CAPPED, FORMULA, K16, RULES
from tests.shared import SharedRows

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
SLUG = "fide-rapid-blitz-invented"
FIRST_DAY, MARCH = date(2026, 2, 10), date(2026, 3, 1)
MODULES = Path(__file__).parent / "invented"


@pytest.fixture(scope="module", autouse=True)
def _invented_text() -> Iterator[None]:
    registry.texts.cache_clear()
    with (
        pytest.MonkeyPatch.context() as changed,
        time_machine.travel(make.noon(date(2026, 3, 2)), tick=False),
    ):
        changed.setattr(systems, "__path__", [*systems.__path__, str(MODULES)])
        # The second engine knows the texts that were approved, and would stop these lists (D-134).
        changed.setattr(publish_module, "second_engine_differences", lambda rating_list: [])
        yield
    registry.texts.cache_clear()


@pytest.fixture(scope="module")
def published(rows_of_module: SharedRows, _invented_text: None) -> RatingList:
    with rows_of_module():
        return publish_by_the_text()


@pytest.fixture
def march(published: RatingList, db: None) -> RatingList:
    return deepcopy(published)


def publish_by_the_text() -> RatingList:
    """Return a list by the invented text: 1900 beats 1600 and draws with 1750; 1450 does not play.

    The newcomer draws with 1900 and 1750 and beats 1600.
    """
    adopt(
        SLUG, first_day=FIRST_DAY, reason="Tried", by=None, at=make.noon(date(2026, 1, 20)), reference="T 1"
    )
    first = make.rating_list()
    names = {1900: "Hero, Hanna", 1600: "Weak, Will", 1750: "Other, Otto", 1450: "Low, Lou"}
    by_rating = {
        rating: make.entry(rating_list=first, rating=rating, player__name=name).player
        for rating, name in names.items()
    }
    newcomer = make.player(name="Newcomer, Nora")
    make.publish("rapid", date(2026, 2, 1))
    event = make.tournament(start=date(2026, 2, 12), name="Open by the new text")
    make.play_and_rate(
        event,
        [by_rating[1900], by_rating[1600], by_rating[1750], newcomer],
        [
            (1, 1, 2, "1-0"),
            (2, 1, 3, "1/2"),
            (3, 4, 1, "1/2"),
            (4, 4, 2, "1-0"),
            (5, 4, 3, "1/2"),
        ],
    )
    return make.publish("rapid", MARCH)


def named(name: str) -> Player:
    return Player.objects.get(name__startswith=name)


def entry_of(name: str, rating_list: RatingList) -> ListEntry | None:
    return ListEntry.objects.filter(player=named(name), rating_list=rating_list).first()


def test_rating_follows_an_adopted_text(march: RatingList) -> None:
    """D 300 counts as 200: PD .76 and .70 for D 150, so 1.5 - 1.46 = .04, times 16. Newcomer: 1750 + 1 x 10."""
    hero = Calculation.objects.get(player=named("Hero"), rating_list=march)
    assert (hero.change_hundredths, hero.rounded_change, hero.result) == (64, 1, "change-4.5")
    newcomer = Calculation.objects.get(player=named("Newcomer"), rating_list=march)
    assert (newcomer.new_rating, newcomer.result) == (1760, "initial-3.4")
    assert newcomer.value.initial_rules == SLUG


def test_list_follows_an_adopted_text(march: RatingList) -> None:
    hero = entry_of("Hero", march)
    assert hero is not None
    assert (hero.rating, hero.k_factor) == (1901, 16)
    before = entry_of("Low", RatingList.objects.get(date=date(2026, 2, 1)))
    assert before is not None
    assert (before.rating, before.k_factor) == (1450, 20)
    assert entry_of("Low", march) is None
    exported = json.loads(b"".join(file_bytes(march, "json")))
    assert exported["rules"] == march.rules == SLUG


def test_manifest_names_the_adoptions_and_verification_uses_them(march: RatingList) -> None:
    assert march.manifest["adoptions"] == [
        {"text": "fide-rapid-blitz-2022", "from": "2022-01-01"},
        {"text": "fide-rapid-blitz-2024", "from": "2024-01-01"},
        {"text": SLUG, "from": "2026-02-10"},
    ]
    for rating_list in RatingList.objects.filter(origin="published"):
        assert list(list_differences(rating_list)) == []


def test_calculation_page_follows_an_adopted_text(march: RatingList, client: Client) -> None:
    shown = page(client, f"/players/{named('Hero').pk}/rapid/{MARCH}/?articles=1")
    text = text_of(shown)
    assert RULES.title in text
    assert f"{K16.text} 4.4" in text
    assert f'title="{RULES.articles["4.2"]}"' in shown
    assert ("more than 200 " in text, " 4.5" in text, "7.3" in text) == (True, True, False)
    first = text_of(page(client, f"/players/{named('Newcomer').pk}/rapid/{MARCH}/?articles=1"))
    assert f"Ru = 5250 ÷ 3 + 10: {FORMULA} 3.4 1760" in first


def test_calculators_follow_an_adopted_text(march: RatingList, client: Client) -> None:
    query = "rating=1900&k=20&opponent=1600&score=1&articles=1"
    change = text_of(page(client, f"/calculators/?{query}"))
    assert "300 200" in change
    assert "K 16 × +0.24 4.4" in change
    assert f"{CAPPED.text} 4.3" in change
    first = text_of(page(client, "/calculators/first-rating/?opponent=1600&score=1&articles=1"))
    assert f"Ru = 1600 ÷ 1 + 10: {FORMULA} 3.4 1610" in first


def test_rules_and_reasons_pages_follow_an_adopted_text(march: RatingList, client: Client) -> None:
    rules = text_of(page(client, "/rules/?articles=1"))
    assert re.search(f" 10 February 2026 .* 1500 1.2 .* {RULES.title} ", rules)
    assert all(part in rules for part in ("16 for everybody 4.4", "A matter of its own", "invented 4.1"))
    reasons = page(client, "/rules/reasons/")
    assert K16.text in text_of(reasons)
    assert f'id="rule-{SLUG}-4.1"' in reasons


def test_api_follows_an_adopted_text(march: RatingList, client: Client) -> None:
    rules = client.get("/api/v1/rules").json()["results"]
    assert rules[-2]["last_day"] == "2026-02-09"
    assert rules[-1] == {
        "slug": SLUG,
        "title": "Invented Rating Regulations",
        "first_day": "2026-02-10",
        "last_day": None,
        "floor": 1500,
    }
    reasons = {row["key"]: row for row in client.get("/api/v1/reasons").json()["results"]}
    assert (reasons["k16-4.4"]["article"], reasons["k16-4.4"]["meaning"]) == (
        "4.4",
        RULES.articles["4.4"],
    )
    asked = client.get("/api/v1/calculators/change?rating=1900&games=1600:1").json()
    assert (asked["rules"], asked["k"], asked["games"][0]["counted_difference"]) == (SLUG, 16, 200)


def test_player_page_follows_an_adopted_text(march: RatingList, client: Client) -> None:
    event = make.tournament(start=date(2026, 3, 5))
    make.play_and_rate(
        event, [named("Low"), named("Weak"), named("Other")], [(1, 1, 2, "1-0"), (2, 1, 3, "1/2")]
    )
    make.publish("rapid", date(2026, 4, 1))
    low = text_of(page(client, f"/players/{named('Low').pk}/?articles=1"))
    assert re.search(r"\b2 of 3 games[^0-9]*1 more game[^0-9]*12 months[^0-9]*3\.1", low)


def test_tournament_before_the_first_day_is_rated_by_the_text_before(march: RatingList) -> None:
    early = make.tournament(start=date(2026, 2, 7))
    report = make.play_and_rate(early, [named("Hero"), named("Weak")], [(1, 1, 2, "1-0")])
    assert report.rating.rules == "fide-rapid-blitz-2024"
