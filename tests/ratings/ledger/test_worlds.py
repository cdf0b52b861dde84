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
from ratings.models import RatingList
from tests.ratings.ledger.compare import compare
from tests.ratings.ledger.portal import KIND
from tests.ratings.ledger.shrink import shrunk
from tests.ratings.ledger.worlds import World, world_of
from tests.ratings.services.alphaville import RefusedCommandError
from tests.tools.verifier import download, run

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
