"""A fresh database is made by a few migrations at once; one that is upgraded goes on by steps."""

from __future__ import annotations

from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader


def test_tables_made_at_once_are_those_of_the_steps() -> None:
    stepwise = MigrationLoader(None, replace_migrations=False)
    last = [node for node in stepwise.graph.leaf_nodes() if not stepwise.graph.nodes[node].replaces]
    at_once = MigrationLoader(None)

    changes = MigrationAutodetector(stepwise.project_state(last), at_once.project_state()).changes(
        graph=at_once.graph
    )

    assert set(stepwise.graph.nodes) - set(at_once.graph.nodes)
    assert changes == {}
