"""The portal against the oracle over random worlds: no fact is lost, whatever the day on which it is entered.

`LEDGER_WORLDS=200 pytest ...` for a long run, `LEDGER_SEED=17` for the world of a seed; `LEDGER_SHRINK=1` makes a world
that differs as small as it gets, and prints it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.db import transaction

from core.errors import RefusedError
from ratings.models import Calculation, RatingList
from ratings.services.corrections.reports import Effect
from tests.ratings.ledger.compare import compare
from tests.ratings.ledger.portal import KIND, Portal
from tests.ratings.ledger.shrink import shrunk
from tests.ratings.ledger.worlds import (
    Correct,
    Decide,
    Die,
    Exclude,
    ImportStandard,
    Merge,
    Publish,
    World,
    world_of,
)
from tests.ratings.services.alphaville import RefusedCommandError
from tests.tools.verifier import download, run
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
FIRST = int(os.environ.get("LEDGER_SEED", "0"))
SEEDS = range(FIRST, FIRST + int(os.environ.get("LEDGER_WORLDS", "2")))


@pytest.mark.parametrize("seed", SEEDS)
def test_d_110_every_list_line_is_that_of_the_oracle(seed: int, tmp_path: Path) -> None:
    """The verifier in one file agrees with each list, too, from its evidence and the list before."""
    world = world_of(seed)
    found = differences(world, tmp_path)
    if found and "LEDGER_SHRINK" in os.environ:
        world = shrunk(world, lambda smaller: bool(differences(smaller, tmp_path)))
        found = [*map(str, (*world.people, *world.acts)), *differences(world, tmp_path)]
    assert found == []


@pytest.mark.parametrize("seed", SEEDS)
def test_d145_what_a_correction_shows_is_what_is_done_and_what_the_next_list_takes(
    seed: int, tmp_path: Path
) -> None:
    portal, alone = Portal(world_of(seed), tmp_path), list[Effect]()
    portal.begin()
    found, expected = [], []
    for act in portal.world.acts:
        match act:
            case Correct() | Decide():
                shown, done = portal.do(act, is_dry_run=True), portal.do(act)
                assert shown is not None
                assert done is not None
                assert [shown.taken, figures_of(shown)] == [done.taken, figures_of(done)]
                alone.append(done)
            case Publish():
                portal.do(act)
                # Of several corrections each shows what it does after those before it.
                taken = {one.player_id: one.difference for effect in alone[-1:] for one in effect.taken}
                if len(alone) == 1:
                    rows = Calculation.objects.filter(rating_list__date=act.on, rating_list__kind=KIND)
                    of_list = dict(rows.values_list("player", "correction_hundredths"))
                    found += [(act.on, fide_id, of_list.get(fide_id, 0)) for fide_id in taken]
                    expected += [(act.on, fide_id, difference) for fide_id, difference in taken.items()]
                alone.clear()
            case Die() | Exclude() | Merge() | ImportStandard():
                # They correct lists, too: the next one takes both.
                portal.do(act)
                alone += [Effect(Tournament())] * 2
            case _:
                portal.do(act)
    assert found == expected


def figures_of(effect: Effect) -> list[tuple[int, str, int]]:
    return [(line.player_id, str(line.corrected_list), line.difference_hundredths) for line in effect.lines]


def differences(world: World, folder: Path) -> list[str]:
    """Return what differs on the first list that does; nothing is left of the world. None in one that is refused."""
    found: list[str] = []
    with transaction.atomic():
        try:
            for compared in compare(world, folder):
                rating_list = RatingList.objects.get(kind=KIND, date=compared.list_date)
                found += map(str, compared.differences)
                if run(download(rating_list, folder)):
                    found.append(f"{rating_list} is not verified")
        except (RefusedCommandError, RefusedError):
            if "LEDGER_SHRINK" not in os.environ:
                raise
        transaction.set_rollback(True)
    return found
