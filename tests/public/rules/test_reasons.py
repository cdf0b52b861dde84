"""The meaning of reason keys, articles and decisions."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from ratings.systems.registry import all_decisions, all_reasons

pytestmark = pytest.mark.django_db


def test_every_key_and_decision_is_explained_at_one_anchor(client: Client) -> None:
    shown = client.get("/rules/reasons/").content.decode()
    anchors = re.findall(r'\bid="([^"]+)"', shown)
    articles = re.findall(r'class="article" href="#([^"]+)"', shown)

    expected = {*all_reasons(), *(f"rule-{number}" for number in all_decisions())}
    assert expected <= set(anchors)
    assert len(anchors) == len(set(anchors))
    # Each reason has the link to its article, whether or not the reader asked for articles.
    assert len(articles) == len(all_reasons())
    assert set(articles) <= set(anchors)
