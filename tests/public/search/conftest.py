"""A player who is searched."""

from __future__ import annotations

import pytest

from players.models import Player
from tests import make


@pytest.fixture
def wellenstein() -> Player:
    make.player(fide_id=4_100_001, name="Im, Gyeong-su")
    make.player(fide_id=4_100_002, name="Sample, Anna")
    return make.player(fide_id=4_090_519, name="Wellenstein, Marc", title="GM")
