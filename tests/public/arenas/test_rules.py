"""The rules of an arena."""

from __future__ import annotations

import pytest
from django.test import Client

from arenas.models import Arena
from arenas.systems import SYSTEMS, clause_of, clauses_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_every_reason_links_to_a_rule() -> None:
    for slug, system in SYSTEMS.items():
        held = {clause.name for clause in clauses_of(slug, {})}
        assert {
            key: clause_of(slug, key) for key in system.messages if clause_of(slug, key) not in held
        } == {}


def test_rules_name_the_arenas_own_parameters(flyordie: Arena, client: Client) -> None:
    flyordie.parameters = {"series_window_hours": 6, "time_controls": {"blitz": ["3+2", "5+0"]}}
    flyordie.save()

    answer = client.get("/arenas/flyordie/rules/")

    assert answer.context["hours"] == 6
    assert "3+2, 5+0" in answer.content.decode()
