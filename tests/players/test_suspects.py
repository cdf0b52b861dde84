"""Suspected duplicates of a federation: who is suspected, who is not any more, and how staff decide on a pair."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from players.duplicates import suspect_again, suspected_duplicates, tell_apart
from players.merging import merge_players
from players.models import DistinctPlayers, Federation, Transfer
from tests import make
from tests.codes import refusal
from tests.conftest import NOW
from tests.log import acts

pytestmark = pytest.mark.database

BORN = date(1990, 5, 4)


def pair(swiss: Federation, one: dict[str, Any], other: dict[str, Any]) -> list[tuple[int, int, str]]:
    """Make players 1 and 2 of a federation with other data, and return who is suspected and why."""
    base = {"name": "Alder, Ada", "federation": swiss, "sex": "F", "birth_year": 1990, "birth_date": None}
    make.player(fide_id=1, **base | one)
    make.player(fide_id=2, **base | other)
    return [(row.player.pk, row.other.pk, row.why) for row in suspected_duplicates("SUI")]


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ({}, {}, "name"),
        ({}, {"name": "Ada ÁLDER"}, "name"),
        ({}, {"birth_year": None}, "name"),
        ({}, {"birth_year": 1991}, None),
        ({}, {"sex": "M"}, None),
        ({}, {"name": "Alder, Anna"}, None),
        ({"name": "Alder"}, {"name": "Alder"}, None),
        ({}, {"died_on": BORN}, None),
        ({"birth_date": BORN}, {"birth_date": BORN, "name": "Alder, Adda"}, "birthday"),
        ({"birth_date": BORN}, {"birth_date": BORN, "name": "Birch, Ben", "sex": ""}, None),
        ({"birth_date": BORN}, {"birth_date": date(1990, 5, 5), "name": "Alder, Adda"}, None),
    ],
)
def test_players_are_suspected_for_a_reason(
    swiss: Federation, one: dict[str, Any], other: dict[str, Any], why: str | None
) -> None:
    assert pair(swiss, one, other) == ([(1, 2, why)] if why else [])


@pytest.mark.parametrize(
    ("state", "found"), [("approved", [(1, 2, "transfer")]), ("waiting", []), ("refused", [])]
)
def test_player_who_left_the_federation_is_compared_with_those_who_are_there(
    swiss: Federation, state: str, found: list[tuple[int, int, str]]
) -> None:
    austrian = make.federation(code="AUT")
    make.player(fide_id=1, name="Alder, Ada", federation=austrian, birth_year=1990)
    make.player(fide_id=2, name="Alder, Ada", federation=swiss, birth_year=1990)
    Transfer.objects.create(
        player_id=1,
        from_federation=swiss,
        to_federation=austrian,
        federation=austrian,
        state=state,
        asked_by=make.person("officer", swiss),
        asked_at=NOW,
        decided_at=None if state == "waiting" else NOW,
    )

    rows = [(row.player.pk, row.other.pk, row.why) for row in suspected_duplicates("SUI")]

    assert rows == found
    assert suspected_duplicates("AUT") == []


def test_pair_told_apart_is_suspected_no_more_until_that_is_undone(swiss: Federation, staff: Any) -> None:
    pair(swiss, {}, {})
    found = suspected_duplicates("SUI")[0]
    one, other = found.player, found.other

    done = [tell_apart(other, one, by=staff, at=NOW), tell_apart(one, other, by=staff, at=NOW)]
    apart = suspected_duplicates("SUI")
    undone = [suspect_again(one, other, by=staff, at=NOW), suspect_again(one, other, by=staff, at=NOW)]

    assert (done, apart, undone) == ([True, False], [], [True, False])
    assert len(suspected_duplicates("SUI")) == 1
    assert list(acts().values_list("action", "subject", "after")) == [
        ("apart", "FIDE ID 1", "FIDE ID 2"),
        ("suspect", "FIDE ID 1", "FIDE ID 2"),
    ]


def test_merged_player_is_suspected_no_more(swiss: Federation, staff: Any) -> None:
    pair(swiss, {}, {})
    found = suspected_duplicates("SUI")[0]

    merge_players(found.other, into=found.player, reason="Same person.", by=staff, at=NOW)

    assert suspected_duplicates("SUI") == []


def test_only_staff_tell_players_apart(swiss: Federation) -> None:
    pair(swiss, {}, {})
    found, officer = suspected_duplicates("SUI")[0], make.person("officer", swiss)

    with refusal() as codes:
        tell_apart(found.player, found.other, by=officer, at=NOW)

    assert codes.found == ["staff-only"]
    assert not DistinctPlayers.objects.exists()
