from __future__ import annotations

from pathlib import Path

import pytest

from ratings.publish.publish import publish_lists
from tests import make
from tests.faults.world import MONTH, play_a_month
from tests.snapshots import Worlds


@pytest.fixture
def published_month(transactional_db: None, worlds: Worlds, tmp_path: Path) -> None:
    """A small month whose reports are rated and whose lists are published."""

    def publish() -> None:
        worlds.stand("month", lambda: play_a_month(tmp_path))
        publish_lists(MONTH, by=None, at=make.noon(MONTH))

    worlds.stand("published month", publish)
