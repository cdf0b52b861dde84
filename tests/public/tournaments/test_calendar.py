"""The filters of the public calendar."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from tests.factories import FederationFactory, TournamentFactory
from tests.public.pages import codes, page

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["Winter Blitz", "Spring Rapid", "Harbour Rapid"]),
        ("kind=blitz", ["Winter Blitz"]),
        ("federation=FRA", ["Spring Rapid"]),
        ("state=waiting", ["Winter Blitz"]),
        ("state=registered", ["Spring Rapid", "Harbour Rapid"]),
        ("month=2026-03", ["Spring Rapid"]),
        ("q=rapid+har", ["Harbour Rapid"]),
        ("q=%25", []),
        ("state=waiting&kind=rapid", []),
    ],
)
def test_calendar_shows_matching_tournaments(client: Client, query: str, expected: list[str]) -> None:
    TournamentFactory(name="Harbour Rapid", start=date(2026, 1, 5))
    france = FederationFactory(code="FRA")
    TournamentFactory(name="Spring Rapid", start=date(2026, 3, 5), federation=france)
    TournamentFactory(name="Winter Blitz", kind="blitz", start=date(2026, 12, 5), registration="waiting")
    response = client.get(f"/tournaments/?{query}")
    assert [row["tournament"].name for row in response.context["rows"]] == expected


@pytest.mark.parametrize("query", ["month=2026", "kind=bullet", "state=x", "federation=XYZ", "q=%00"])
def test_invalid_filter_of_the_calendar_is_shown(client: Client, query: str) -> None:
    assert codes(page(client, f"/tournaments/?{query}")) == ["filters"]
