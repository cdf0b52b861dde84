"""The meaning of reason keys, articles and decisions."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from ratings.systems.registry import all_decisions, all_reasons

pytestmark = pytest.mark.django_db


def test_every_key_and_decision_is_explained_at_one_anchor(client: Client) -> None:
    anchors = re.findall(r'\bid="([^"]+)"', client.get("/rules/reasons/").content.decode())

    expected = {*all_reasons(), *(f"rule-{number}" for number in all_decisions())}
    assert expected <= set(anchors)
    assert len(anchors) == len(set(anchors))
