"""The officer whose people are shown."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories import AppointmentFactory, FederationFactory


@pytest.fixture
def officer(db: None, client: Client) -> Client:
    client.force_login(AppointmentFactory(role="officer", federation=FederationFactory(code="SUI")).user)
    return client
