"""The next list so far: the last provisional figures are those of the list, whatever came before them."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from players.models import Claim, Notice, Player
from players.notices import save_wanted_kinds
from ratings.adoptions import adopt
from ratings.models import Calculation, NextList, ProvisionalCalculation
from ratings.next_list import tell_players, update_next_list, update_next_lists
from tests import make
from tests.ratings.list_files import Listed, text_list, written
from tests.ratings.stored_federation import store
from tests.ratings.systems.federations import federation_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
MARCH = date(2026, 3, 1)
# `ORACLE_FEDERATIONS=5000 pytest ...` for a long run.
SEEDS = range(20_000, 20_000 + max(1, int(os.environ.get("ORACLE_FEDERATIONS", "0")) // 60))
FIELDS = (
    "player_id", "previous_rating", "base_rating", "games", "change_hundredths", "correction_hundredths",
    "rounded_change", "new_rating", "result", "found", "value",
)  # fmt: skip


def figures(rows: Any) -> dict[int, tuple[Any, ...]]:
    """Return rows by player without the games that only a provisional row needs."""
    return {row[0]: (*row[:-1], row[-1].to_keep()) for row in rows.values_list(*FIELDS)}


def provisional(day: date) -> dict[int, tuple[Any, ...]]:
    return figures(ProvisionalCalculation.objects.filter(kind="rapid", list_date=day))


def published(day: date) -> dict[int, tuple[Any, ...]]:
    return figures(Calculation.objects.filter(rating_list__kind="rapid", rating_list__date=day))


@pytest.mark.page
@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_last_provisional_figures_are_those_of_the_list(seed: int) -> None:
    federation = federation_of(seed)
    store(federation)
    for day in federation.list_dates:
        every = Tournament.objects.order_by("pk")
        held = list(every.values_list("pk", flat=True))[::2]
        make.put_on_hold(every.filter(pk__in=held))
        update_next_list("rapid", at=make.noon(day))
        make.put_on_hold(every.filter(pk__in=held[:1]))
        update_next_list("rapid", at=make.noon(day))
        make.put_on_hold(every.filter(pk__in=held[-1:]))
        update_next_list("rapid", at=make.noon(day))
        make.put_on_hold(every.none())
        update_next_list("rapid", at=make.noon(day))
        expected = provisional(day)
        make.publish_explained("rapid", day)
        assert published(day) == expected, f"federation of seed {seed}, list of {day}"


def test_update_without_anything_new_writes_nothing() -> None:
    make.play_month(2, is_published=False)
    assert update_next_list("rapid", at=make.noon(make.NEXT_LIST))
    assert not update_next_list("rapid", at=make.noon(make.NEXT_LIST))


def test_kind_without_a_list_has_no_provisional_figures() -> None:
    assert not update_next_list("blitz", at=make.noon(make.NEXT_LIST))
    assert NextList.objects.get(kind="blitz").date is None


def test_held_tournament_is_left_out_until_it_is_released() -> None:
    month = make.play_month(2, is_published=False)
    update_next_list("rapid", at=make.noon(make.NEXT_LIST))
    both = provisional(make.NEXT_LIST)
    held = month.tournaments[0]
    make.put_on_hold(Tournament.objects.filter(pk=held.pk))
    update_next_list("rapid", at=make.noon(make.NEXT_LIST))
    events = {item.event.event_id for row in provisional(make.NEXT_LIST).values() for item in row[-1].events}
    assert events == {month.tournaments[1].event_id}
    make.put_on_hold(Tournament.objects.none())
    update_next_list("rapid", at=make.noon(make.NEXT_LIST))
    assert provisional(make.NEXT_LIST) == both


def test_d_11_correction_on_its_way_is_in_the_figures() -> None:
    month = make.play_month(2)
    update_next_list("rapid", at=make.noon(make.NEXT_LIST))
    assert provisional(MARCH) == {}
    make.correct_report(month.tournaments[0], None, reason="It was no tournament.", on=date(2026, 2, 10))  # fmt: skip
    update_next_list("rapid", at=make.noon(date(2026, 2, 10)))
    expected = provisional(MARCH)
    assert expected[month.hero.pk][FIELDS.index("correction_hundredths")] < 0
    make.publish("rapid", MARCH)
    assert published(MARCH) == expected


def test_second_file_of_the_list_before_is_in_the_figures(tmp_path: Path) -> None:
    def bring(on: str, rating: int) -> None:
        content = text_list(*(Listed(key, f"Player, P{key}", rapid=(rating, 0, 20)) for key in (1001, 1002)))
        make.run("import_fide_list", written(tmp_path / "list.txt", content), "--date", on)

    bring("2026-01-01", 1700)
    bring("2026-02-01", 1800)
    make.play_and_rate(
        make.tournament(start=date(2026, 1, 10)), list(Player.objects.order_by("pk")), [(1, 1, 2, "1-0")]
    )
    update_next_list("rapid", at=make.noon(date(2026, 2, 2)))
    bring("2026-02-01", 1850)
    update_next_list("rapid", at=make.noon(date(2026, 2, 3)))
    expected = provisional(MARCH)
    assert {row[FIELDS.index("previous_rating")] for row in expected.values()} == {1850}
    make.publish("rapid", MARCH)
    assert published(MARCH) == expected


def test_text_adopted_for_the_next_list_is_in_the_figures() -> None:
    first = make.rating_list()
    pair = [make.entry(rating_list=first, rating=1401).player for _ in range(2)]
    make.play_and_rate(make.tournament(), pair, [(1, 1, 2, "1-0")])
    day = date(2026, 1, 20)
    update_next_list("rapid", at=make.noon(day))
    # By the text of 2022 the floor is 1000.
    adopt(
        "fide-rapid-blitz-2022",
        first_day=date(2026, 1, 25),
        reason="Congress",
        by=None,
        at=make.noon(day),
        reference="GA 1",
    )
    update_next_list("rapid", at=make.noon(day))
    expected = provisional(make.NEXT_LIST)
    assert {row[FIELDS.index("new_rating")] for row in expected.values()} == {1391, 1411}
    make.publish("rapid", make.NEXT_LIST)
    assert published(make.NEXT_LIST) == expected


def test_death_leaves_the_figures_of_the_player_out() -> None:
    month = make.play_month(2, is_published=False)
    update_next_list("rapid", at=make.noon(make.NEXT_LIST))
    for died_on in (date(2026, 1, 20), None):
        Player.objects.filter(pk=month.hero.pk).update(died_on=died_on)
        assert update_next_list("rapid", at=make.noon(make.NEXT_LIST))
        result = provisional(make.NEXT_LIST)[month.hero.pk][FIELDS.index("result")]
        assert (result == "deceased-9.2") is bool(died_on)


CLOSING = make.noon(date(2026, 1, 29))


def rated_player() -> Claim:
    """Return a confirmed claim of a player with a rated tournament for the list of February."""
    players = [make.player() for _number in range(4)]
    for player in players:
        make.entry(player=player)
    make.play_and_rate(make.tournament(), players, make.round_robin(4))
    update_next_lists(at=CLOSING)
    return make.claim(player=players[0])


def test_a_player_is_told_once_from_the_closing_date_on() -> None:
    rated_player()

    early = tell_players(at=make.noon(date(2026, 1, 28)))
    told = tell_players(at=CLOSING)
    tell_players(at=make.noon(date(2026, 1, 30)))

    notice = Notice.objects.get(kind="next-list")
    assert (early, told) == (0, 1)
    assert "rapid: 1 tournament, 1800 → 1800 (0.00)" in notice.text


def test_a_player_turns_the_emails_off() -> None:
    claim = rated_player()
    save_wanted_kinds(claim.asked_by, wanted=[])

    assert tell_players(at=CLOSING) == 0
