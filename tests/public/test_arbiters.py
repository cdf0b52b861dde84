"""Arbiters: the list, the page of an arbiter, suggestions, and licences entered by FIDE staff."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client

from core.errors import RefusedError
from players.arbiters import arbiters_with, enter_licence, fide_id_in, find_arbiters
from players.models import ArbiterLicence, Player
from tests import make
from tournaments.models import TournamentArbiter

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def arbiter(fide_id: int, titles: str = "FA", **values: Any) -> Player:
    return make.player(fide_id=fide_id, other_titles=titles, **values)


@pytest.mark.parametrize(
    ("titles", "entered", "title"),
    [("IA,FT", "", "IA"), ("FST,NA", "", "NA"), ("FT", "NA", "NA"), ("FA", "NA", "FA")],
)
def test_title_of_fides_list_precedes_that_entered_by_staff(titles: str, entered: str, title: str) -> None:
    player = arbiter(1_300_001, titles)
    if entered:
        ArbiterLicence.objects.create(player=player, title=entered, category="B", entered_at=NOW)

    assert arbiters_with([1_300_001])[1_300_001].title == title


def test_players_without_a_title_or_licence_are_not_on_the_list() -> None:
    for fide_id, titles in ((1_300_001, ""), (1_300_002, "FST"), (1_300_003, "IO")):
        arbiter(fide_id, titles, name="Alder, Ada")
    listed = arbiter(1_300_004, "IA", name="Alder, Bea")

    assert find_arbiters("alder", shown=8) == [listed]
    assert find_arbiters("1300004", shown=8) == [listed]


@pytest.mark.parametrize(
    ("text", "fide_id"),
    [
        ("1300001", 1_300_001),
        (" Alder, Ada (1300001) ", 1_300_001),
        ("Alder, Ada", None),
        ("Alder, Ada (junior)", None),
        ("99999999999", None),
        ("9999999999", None),
    ],
)
def test_an_arbiter_is_named_by_fide_id_or_by_name_with_it(text: str, fide_id: int | None) -> None:
    assert fide_id_in(text) == fide_id


def test_arbiter_page_lists_only_registered_and_published_tournaments(client: Client) -> None:
    player = arbiter(1_300_001, "IA", name="Alder, Ada")
    ArbiterLicence.objects.create(
        player=player, category="A", licensed_until=date(2027, 12, 31), entered_at=NOW
    )
    shown = [("registered", "planned"), ("approved", "planned"), ("withdrawn", "published")]
    hidden = [("waiting", "planned"), ("refused", "planned"), ("withdrawn", "planned")]
    for number, (registration, stage) in enumerate(shown + hidden):
        made = make.tournament(name=f"Open {number}", registration=registration, stage=stage)
        TournamentArbiter.objects.create(tournament=made, player=player, is_chief=number == 0, place=number)

    page = client.get("/arbiters/1300001/").content.decode()

    assert [f"Open {number}" in page for number in range(6)] == [True] * 3 + [False] * 3
    assert "International Arbiter" in page
    assert 'datetime="2027-12-31"' in page
    assert page.count("chief arbiter") == 1


def test_other_players_have_no_arbiter_page(client: Client) -> None:
    make.player(fide_id=1_300_001)
    successor = arbiter(1_300_002)
    make.player(fide_id=1_300_003, merged_into=successor)

    statuses = [client.get(f"/arbiters/{fide_id}/").status_code for fide_id in (1_300_001, 1_300_009)]

    assert statuses == [404, 404]
    assert client.get("/arbiters/1300003/")["Location"] == "/arbiters/1300002/"


def test_a_tournament_links_its_arbiters(client: Client) -> None:
    chief, deputy = arbiter(1_300_001, name="Alder, Ada"), arbiter(1_300_002, name="Birch, Ben")
    made = make.tournament(event_id="SUI-1", chief_arbiter="Alder, Ada")
    for place, player in enumerate((chief, deputy)):
        TournamentArbiter.objects.create(tournament=made, player=player, is_chief=not place, place=place)

    page = client.get("/tournaments/SUI-1/").content.decode()

    assert ['href="/arbiters/1300001/"' in page, 'href="/arbiters/1300002/"' in page] == [True, True]


def test_suggestions_name_only_arbiters(client: Client) -> None:
    arbiter(1_300_001, name="Alder, Ada")
    make.player(fide_id=1_300_002, name="Alder, Bea")

    part = client.get("/search/arbiters", {"q": "alder"}).content.decode()

    assert part.count('role="option"') == 1
    assert '="Alder, Ada (1300001)"' in part


def test_only_staff_enter_a_licence() -> None:
    player = arbiter(1_300_001)
    officer = make.person("officer", "SUI")

    with pytest.raises(RefusedError):
        enter_licence(player, title="IA", category="A", licensed_until=None, by=officer, at=NOW)
    assert not ArbiterLicence.objects.exists()
