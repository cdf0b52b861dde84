"""The officer whose people are shown."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import make


@pytest.fixture
def officer(db: None, client: Client) -> Client:
    client.force_login(make.person("officer", "SUI"))
    return client
