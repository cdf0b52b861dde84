"""A published month, which the tests of a module share."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.ratings.played import Month, play_month
from tests.shared import SharedRows


@pytest.fixture(scope="module")
def month_of_module(rows_of_module: SharedRows) -> Month:
    with rows_of_module():
        return play_month()


@pytest.fixture
def month(month_of_module: Month, db: None) -> Month:
    """Return a month of one tournament with its published list."""
    return deepcopy(month_of_module)
