"""The queue of suspected duplicates in the desk of staff."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from players.models import Federation
from tests import make


@pytest.fixture
def staff(db: None) -> Any:
    return make.person("staff")


@pytest.fixture(autouse=True)
def _pair(swiss: Federation) -> None:
    """Make players 1 and 2, of the same name and year of birth."""
    for fide_id in (1, 2):
        make.player(
            fide_id=fide_id, name="Alder, Ada", federation=swiss, sex="F", birth_year=1990, birth_date=None
        )


def test_other_person_is_remembered_and_undone(client: Client, staff: Any) -> None:
    client.force_login(staff)
    address, form = "/desk/players/duplicates", {"federation": "SUI", "player": "1", "other": "2"}

    before = client.get(address, {"federation": "SUI"}).context["rows"]
    answer = client.post(f"{address}/decide", form)
    after = client.get(answer["Location"]).context
    client.post(f"{address}/decide", form | {"step": "again"})
    again = client.get(answer["Location"]).context

    assert [row.why for row in before] == ["name"]
    assert (after["rows"], [one.player_id for one in after["apart"]]) == ([], [1])
    assert (len(again["rows"]), list(again["apart"])) == (1, [])


@pytest.mark.parametrize("form", [{"player": "1", "other": "7"}, {"player": "1"}, {}])
def test_pair_without_two_players_is_not_found(client: Client, staff: Any, form: dict[str, str]) -> None:
    client.force_login(staff)

    assert client.post("/desk/players/duplicates/decide", form).status_code == 404
