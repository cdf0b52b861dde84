"""Pages that show what something would do ask no more often for rows that are unusual."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from players.models import ChangeRequest, Player
from ratings.amend.players import player_seen
from tests import make
from tests.trf_files import Event
from tests.walk.looks import Statements, unchanged
from tests.walk.roles import OWN, browser_of
from tests.walk.worlds import MOST_QUERIES, MOST_QUERIES_OF_PREVIEW, Values
from tournaments.models import HandedReport, Report, Tournament

pytestmark = pytest.mark.slow


def queries_of(client: Client, method: str, place: str, data: Any = None) -> int:
    """Return how often a page that opens asks the database, at the second look: the first one fills caches."""
    for _ in range(2):
        with unchanged(client), connection.execute_wrapper(statements := Statements()):
            is_open = getattr(client, method)(place, data).status_code == 200
    return statements.reads if is_open else 0


@pytest.mark.parametrize(
    ("role", "page"), [("officer", "reports/1/preview"), ("arbiter", "handed/1/preview")]
)
def test_preview_with_a_merged_and_an_unrated_player_asks_once_more(
    worlds: dict[str, Values], role: str, page: str
) -> None:
    """Ratings of a standard list as well are looked up, and which ID the list in force had, for all merged ones."""
    event = Tournament.objects.get(event_id=f"{OWN}-1")
    kept, new = make.player(federation=event.federation), make.player(federation=event.federation)
    old = make.player(federation=event.federation, merged_into=kept)
    day = date(2025, 12, 1)
    for kind in ("rapid", "standard"):
        make.entry(rating_list=make.rating_list(kind=kind, date=day), player=kept)
    content = Event([(old.pk, old.name), (new.pk, new.name)], [[(1, 2, "1-0")]]).content()
    Report.objects.update(content=content)
    HandedReport.objects.update(content=content)

    client, place = browser_of(role), f"/desk/tournaments/{event.event_id}/{page}"

    assert [row.player for row in client.get(place).context["preview"].rows] == [kept, new]
    assert 0 < queries_of(client, "get", place) <= MOST_QUERIES_OF_PREVIEW + 1


@pytest.fixture
def listed(db: None) -> Player:
    """Return a player with games on two lists of the portal."""
    swiss = make.federation(code=OWN)
    players = [make.player(federation=swiss, birth_year=1980) for _ in range(2)]
    first = make.rating_list(kind="rapid", date=date(2026, 1, 1))
    for player in players:
        make.entry(rating_list=first, player=player, rating=1800)
    for month in (1, 2):
        event = make.tournament(federation=swiss, start=date(2026, month, 10))
        make.play_and_rate(event, players, [(1, 1, 2, "1-0")])
        make.publish_after(event)
    return players[0]


@pytest.mark.page
@pytest.mark.parametrize(
    ("field", "value", "differing"),
    [
        ("birth_date", date(2012, 5, 6), [("2026-03-01", 940)]),
        ("died_on", date(2026, 2, 5), []),
        ("name", "Other, Olga", []),
    ],
    ids=["born", "died", "named"],
)
def test_effect_of_other_data_of_a_player_is_shown_before_it_is_decided(
    listed: Player, field: str, value: Any, differing: list[tuple[str, int]]
) -> None:
    player = listed
    staff = browser_of("staff")
    year = value.year if field == "birth_date" else player.birth_year
    request = ChangeRequest.objects.create(
        player=player, federation=player.federation, reason="r", evidence="e", asked_by=make.user(),
        asked_at=timezone.now(), **{field: value},
    )  # fmt: skip
    asked = f"/desk/cases/{request.number}/"
    surname, given_names = (str(value) if field == "name" else player.name).split(", ")
    typed = {name: getattr(player, name) or "" for name in ("federation_id", "sex", "birth_date")}
    typed |= {"surname": surname, "given_names": given_names}
    typed |= {"birth_year": year, "reason": "r", "seen": player_seen(player), field: str(value)}
    form = f"/admin/ratings/correction/player/?fide_id={player.pk}"
    pages_of_effect = {"get": (asked, None), "post": (form, typed)}

    asked_for = [queries_of(staff, method, *page) for method, page in pages_of_effect.items()]
    shown = [getattr(staff, method)(*page).context["effect"] for method, page in pages_of_effect.items()]

    assert [
        [(line.corrected_list.date.isoformat(), line.difference_hundredths) for line in effect.lines]
        for effect in shown
    ] == [differing, differing]
    # Lists are calculated again only for data that decide what they show.
    assert field != "name" or max(asked_for) <= MOST_QUERIES
