"""A month with one accepted report, which tests begin with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ratings.alphaville import play_open


@pytest.fixture
def month(db: None) -> Any:
    return play_open()
