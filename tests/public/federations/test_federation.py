"""The page of a federation."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Federation
from tests import make
from tests.public.pages import page, rows, text_of

pytestmark = pytest.mark.django_db


def test_federation_shows_its_top_players_and_tournaments(client: Client) -> None:
    month = make.play_month()
    Federation.objects.filter(code="SUI").update(officer_name="Officer, Olga")
    markup = page(client, "/federations/SUI/")
    assert "Officer, Olga" in text_of(markup)
    assert rows(markup)[1:] == [
        ["Hero, Hanna", "1980", "1905", "▲ +5 gain"],
        ["Other, Otto 0", "1980", "1695", "▼ −5 loss"],
    ]
    [event] = month.tournaments
    [(_, ahead), (_, [shown])] = client.get("/federations/SUI/").context["tournaments"]
    assert (ahead, shown) == ([], (event, "published", ["Hero, Hanna"]))


def test_next_and_latest_tournaments_are_counted_whatever_else_there_is(client: Client) -> None:
    today = timezone.now().date()

    def register(days: int, **more: Any) -> str:
        day = today + timedelta(days=days)
        return make.tournament(event_id=f"SUI{days}", start=day, end=day, **more).event_id

    coming = [register(days) for days in range(6)]
    register(3000, registration="refused")
    ended = [register(-days, registration="not-rated") for days in range(1, 12)]
    groups = client.get("/federations/SUI/").context["tournaments"]
    found = [([row[0].event_id for row in some], some[0][0].total) for _, some in groups]
    assert found == [(coming[:5], 6), (ended[:10], 11)]


def test_federation_without_lists_offers_none(client: Client) -> None:
    make.federation(code="SUI")
    assert "Earlier lists" not in text_of(page(client, "/federations/SUI/"))
    make.rating_list(kind="rapid", date=date(2026, 1, 1))
    assert client.get("/federations/SUI/").context["days"] == [date(2026, 1, 1)]
    assert "Earlier lists" in text_of(page(client, "/federations/SUI/"))


def test_8_3_the_officer_is_shown_with_the_public_details(client: Client) -> None:
    hours = "weekdays 9 to 12"
    details = f"office@sui.example, {hours} <script>"
    make.federation(code="SUI")
    Federation.objects.filter(code="SUI").update(officer_name="Officer, Olga", officer_details=details)
    markup = page(client, "/federations/SUI/")
    assert 'href="mailto:office@sui.example"' in markup
    assert f"{hours} &lt;script&gt;" in markup
    assert "<script>" not in markup.partition("</header>")[0]


def test_average_is_that_of_the_top_ten_active_players_on_every_page(client: Client) -> None:
    first = make.rating_list()
    for rating in range(2000, 2011):
        make.entry(rating_list=first, rating=rating)
    make.entry(rating_list=first, rating=2500, is_inactive=True)
    rapid = "/lists/rapid/2026-01-01/federations/"
    assert all("2005.5" in page(client, path) for path in ("/federations/SUI/", rapid, f"{rapid}SUI/"))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"is_member": False}, "This federation is not a member of FIDE, or is excluded"),
        (
            {"is_member": False, "listing_reference": "Council 7/2025"},
            "Its players are listed by decision of FIDE Council: Council 7/2025 (article 9.1).",
        ),
    ],
)
def test_membership_of_a_federation_is_shown(
    client: Client, values: dict[str, object], sentence: str
) -> None:
    make.federation(code="ZZZ", **values)
    assert sentence in text_of(page(client, "/federations/ZZZ/"))


@pytest.mark.parametrize("code", ["XYZ", "sui", "TOOLONG", "%00"])
def test_unknown_federation_is_a_404(client: Client, code: str) -> None:
    assert client.get(f"/federations/{code}/").status_code == 404


def test_history_shows_the_figures_of_each_list(client: Client) -> None:
    make.federation(code="SUI")
    assert "No figures yet" in text_of(page(client, "/federations/SUI/history/"))
    make.play_month()
    assert "/federations/SUI/history/" in page(client, "/federations/SUI/")
    assert rows(page(client, "/federations/SUI/history/"))[1:] == [
        ["February 2026"],
        ["Rapid", "2", "0", "0", "2", "1.0", "0.00"],
        ["January 2026"],
        ["Rapid imported", "2", "–", "–", "–", "–", "–"],
    ]
    assert client.get("/federations/SUI/history/").context["chart"].count("<circle") == 2
    assert client.get("/federations/ZZZ/history/").status_code == 404
