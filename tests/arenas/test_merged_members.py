"""Members of an arena belong to the person, not to the FIDE ID (D-126)."""

from __future__ import annotations

from datetime import date

import pytest

from arenas.models import Arena, Member
from players.models import Player
from tests import make
from tests.arenas.played import enrol, ratings
from tests.trf_files import Event

OLD, OPPONENTS = 1100, range(1001, 1004)
pytestmark = pytest.mark.page
FEBRUARY, MARCH, APRIL = (date(2026, month, 1) for month in (2, 3, 4))


@pytest.fixture(autouse=True)
def _first_list(db: None) -> None:
    make.first_list({**dict.fromkeys(OPPONENTS, 1800), OLD: 1800})


def play(fide_id: int, month: int) -> None:
    """A player of 1800 beats one of 1800 in a month: 10 points."""
    people = [(fide_id, f"Player, P{fide_id}"), (1000 + month, f"Player, P{1000 + month}")]
    day = f"2026-{month:02}-10"
    text = day.replace("-", "/")
    event = Event(people, [[(1, 2, "1-0")]], name=f"Match {month}", start=text, end=text)
    make.submit(event, registered=day[:8] + "01", submitted=day)


def merge(new: int) -> None:
    staff = make.person("staff")
    players = Player.objects.in_bulk([OLD, new])
    make.merge_by_two(
        players[OLD], into=players[new], reason="One person.", by=staff, at=make.noon(date(2026, 2, 10))
    )


def new_id() -> int:
    return int(make.player(fide_id=2100, name=f"Player, P{OLD}", federation_id="SUI").pk)


@pytest.mark.database
def test_d_126_adjustments_follow_the_id_that_stays(foa: Arena) -> None:
    enrol(foa, "hero", fide_id=OLD)
    play(OLD, 1)
    make.publish("rapid", FEBRUARY)
    assert ratings(foa, "rapid")["hero"] == "1810.00"
    new = new_id()
    merge(new)
    assert Member.objects.get().player_id == new
    assert ratings(foa, "rapid")["hero"] == "1810.00"
    play(OLD, 2)
    make.publish("rapid", MARCH)
    # 1810 beats 1800: PD .51, K 20.
    assert ratings(foa, "rapid")["hero"] == "1819.80"


@pytest.mark.slow
def test_d_126_what_was_missed_under_the_old_id_is_added_once(foa: Arena) -> None:
    enrol(foa, "hero", fide_id=OLD)
    play(OLD, 1)
    make.publish("rapid", FEBRUARY)
    new = new_id()
    merge(new)
    # As a portal left it that did not follow.
    Member.objects.update(player=OLD)
    play(OLD, 2)
    make.publish("rapid", MARCH)
    assert ratings(foa, "rapid")["hero"] == "1819.80"
    make.publish("rapid", APRIL)
    assert ratings(foa, "rapid")["hero"] == "1819.80"


def test_d_126_who_joins_with_either_id_has_the_rating_of_the_person(foa: Arena) -> None:
    play(OLD, 1)
    make.publish("rapid", FEBRUARY)
    new = new_id()
    merge(new)
    for handle, fide_id in (("old", OLD), ("new", new)):
        enrol(foa, handle, fide_id=fide_id, joined="2026-01-05")
        enrol(foa, f"{handle} later", fide_id=fide_id, joined="2026-02-05")
    assert set(Member.objects.values_list("player", flat=True)) == {new}
    assert set(ratings(foa, "rapid").values()) == {"1810.00"}
    assert enrol(foa, "old", fide_id=OLD)[0].status == "known"
