"""The list of tournaments with its filters."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import make
from tests.public.pages import codes, page
from tournaments.models import Participant

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("view=all", ["Winter Blitz", "Spring Rapid", "Harbour Rapid"]),
        ("view=all&kind=blitz", ["Winter Blitz"]),
        ("view=all&federation=FRA", ["Spring Rapid"]),
        ("state=waiting", ["Winter Blitz"]),
        ("state=registered", ["Spring Rapid", "Harbour Rapid"]),
        ("month=2026-03", ["Spring Rapid"]),
        ("q=rapid+har", ["Harbour Rapid"]),
        ("q=basel+rapid", ["Spring Rapid"]),
        ("q=%25", []),
        ("state=waiting&kind=rapid", []),
    ],
)
def test_calendar_shows_matching_tournaments(client: Client, query: str, expected: list[str]) -> None:
    make.tournament(name="Harbour Rapid", start=date(2026, 1, 5))
    france = make.federation(code="FRA")
    make.tournament(name="Spring Rapid", city="Basel", start=date(2026, 3, 5), federation=france)
    make.tournament(name="Winter Blitz", kind="blitz", start=date(2026, 12, 5), registration="waiting")
    response = client.get(f"/tournaments/?{query}")
    assert [row.tournament.name for row in response.context["rows"]] == expected


def test_calendar_begins_with_what_can_be_played_and_results_run_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 4, 9, 30, tzinfo=UTC))
    for name, day, more in [
        ("Past", date(2026, 1, 5), {}),
        ("Rated", date(2026, 2, 5), {"stage": "rated"}),
        ("Published", date(2026, 1, 7), {"stage": "published"}),
        ("Today", date(2026, 3, 4), {}),
        ("Sunday", date(2026, 3, 8), {"registration": "waiting"}),
        ("Refused", date(2026, 3, 8), {"registration": "refused"}),
        ("Monday", date(2026, 3, 9), {}),
        ("Late", date(2026, 3, 28), {}),
        ("April", date(2026, 4, 9), {}),
    ]:
        make.tournament(name=name, start=day, end=day, **more)

    upcoming, month, results = (
        client.get(f"/tournaments/{query}").context for query in ("", "?view=month", "?view=results")
    )

    assert [(head, [row.tournament.name for row in rows]) for head, rows in upcoming["weeks"]] == [
        ("This week", ["Today", "Sunday"]),
        ("Next week", ["Monday"]),
        ("Later in March", ["Late"]),
        ("April 2026", ["April"]),
    ]
    assert [*upcoming["days_of_weeks"].values()] == [
        (date(2026, 3, 4), date(2026, 3, 8)),
        (date(2026, 3, 9), date(2026, 3, 15)),
    ]
    assert {row.tournament.name for row in month["rows"]} == {"Today", "Sunday", "Refused", "Monday", "Late"}
    assert [row.tournament.name for row in results["rows"]] == ["Rated", "Published"]
    assert [number for _label, number, _address, _is_current in upcoming["tabs"]] == [5, 5, 2, 9]


def test_an_upcoming_tournament_has_the_rounds_of_its_schedule(client: Client) -> None:
    make.tournament(schedule=[])
    assert 'class="rounds' not in page(client, "/tournaments/?view=all")
    make.tournament(schedule=["2026-12-05"] * 7)
    markup = page(client, "/tournaments/?view=all")
    assert sorted(re.findall(r'<td class="rounds[^>]*>(\d*)</td>', markup)) == ["", "7"]


def test_a_rated_tournament_has_its_players_and_winner(client: Client) -> None:
    played = make.play_month(2).tournaments[0]

    rows = client.get("/tournaments/?view=results").context["rows"]

    found = next(row for row in rows if row.tournament.pk == played.pk)
    names = [row.name for row in Participant.objects.filter(report__tournament=played, rank=1)]
    assert found.field.players == Participant.objects.filter(report__tournament=played).count() > 0
    assert found.field.winners == names


def test_upcoming_tournaments_have_the_players_of_their_entry_lists(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 4, 9, 30, tzinfo=UTC))
    now, soon, _later, refused = (
        make.tournament(event_id=f"SUI-{day}", start=date(2026, 3, day), end=date(2026, 3, day), **more)
        for day, more in [(4, {}), (8, {}), (9, {}), (10, {"registration": "refused"})]
    )
    for event, number in [(now, 1), (soon, 2), (refused, 3)]:
        for player in make.PlayerFactory.create_batch(number):
            event.entries.create(player=player)

    answer = client.get("/tournaments/?view=month")

    assert [row.players for row in answer.context["rows"]] == [1, 2, 0, 0]
    cells = re.findall(r'<td class="entries[^>]*>(.*?)</td>', answer.content.decode(), re.DOTALL)
    assert ["/tournaments/SUI-8/entries/" in cell for cell in cells] == [False, True, False, False]
    assert [bool(cell.strip()) for cell in cells] == [True, True, True, False]


def test_a_rated_tournament_has_its_players_not_those_entered(client: Client) -> None:
    played = make.play_month(2).tournaments[0]
    played.entries.create(player=make.player())
    rows = client.get("/tournaments/?view=all").context["rows"]
    found = next(row for row in rows if row.tournament.pk == played.pk)
    assert (found.players, found.entered) == (found.field.players, 0)


@pytest.mark.parametrize("query", ["month=2026", "kind=bullet", "state=x", "federation=XYZ", "q=%00"])
def test_invalid_filter_of_the_calendar_is_shown(client: Client, query: str) -> None:
    assert codes(page(client, f"/tournaments/?{query}")) == ["filters"]


@pytest.mark.parametrize("view", ["", "calendar/month"])
def test_subscription_is_that_of_the_chosen_federation(client: Client, view: str) -> None:
    make.federation("SUI")
    own, all_of_them = reverse("tournaments:federation-feed", args=["SUI"]), reverse("tournaments:feed")

    pages = [page(client, f"/tournaments/{view}{query}") for query in ("?federation=SUI", "")]

    assert [f'href="{own}"' in one for one in pages] == [True, False]
    assert [f'href="{all_of_them}"' in one for one in pages] == [False, True]
