"""A month with one accepted report, which tests begin with."""

from __future__ import annotations

from typing import Any

import pytest

from tests import make
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS
from tests.trf_files import Event


@pytest.fixture
def month(db: None) -> Any:
    make.first_list(FIRST)
    make.first_list({}, kind="blitz")
    return make.submit(Event(PLAYERS, ALL_PLAY))
