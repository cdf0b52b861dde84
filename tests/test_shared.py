"""Tests that share rows: each begins with what the module built, whatever another has written."""

from __future__ import annotations

from copy import deepcopy

import pytest
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import IntegrityError, transaction

from players.models import Player
from tests.ratings.played import Month, play_month
from tests.shared import SharedRows

CACHED = "shared-rows"


@pytest.fixture(scope="module")
def played(rows_of_module: SharedRows) -> Month:
    with rows_of_module():
        month = play_month()
        cache.set(CACHED, "while it was built")
    return month


@pytest.fixture
def month(played: Month, db: None) -> Month:
    return deepcopy(played)


def change_everything(month: Month) -> None:
    """Leave a row, a file, an object and a cached value, after an error of the database."""
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(fide_id=month.hero.pk, name="Twice", federation=month.hero.federation)
    assert month.published is not None
    for item in month.published.files.all():
        storages["lists"].delete(item.path)
    storages["lists"].save("left", ContentFile(b"x"))
    cache.set(CACHED, "left")
    month.hero.name = "Left, Lena"
    month.hero.save()


@pytest.mark.parametrize("turn", ["first", "second"])
def test_each_test_begins_with_what_the_module_built(month: Month, turn: str) -> None:
    assert month.published is not None
    paths = [item.path for item in month.published.files.all()]

    assert paths
    assert [path for path in (*paths, "left") if storages["lists"].exists(path)] == paths
    assert (month.hero.name, Player.objects.get(pk=month.hero.pk).name) == ("Hero, Hanna", "Hero, Hanna")
    assert cache.get(CACHED) is None

    change_everything(month)


def test_without_the_database_the_rows_are_out_of_reach(played: Month) -> None:
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        Player.objects.count()
