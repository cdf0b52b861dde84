"""Those who act in the tests about players."""

from __future__ import annotations

import pytest

from players.models import Federation
from portal.models import User
from tests import make


@pytest.fixture
def officer(swiss: Federation) -> User:
    return make.person("officer", swiss)


@pytest.fixture
def staff(db: None) -> User:
    return make.person("staff")
