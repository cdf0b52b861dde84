"""Transfers and applications of a filled portal are cases, with what was asked, decided and answered."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from players.models import Application, MergeProposal, Transfer
from tests.conftest import NOW
from tests.factories import FederationFactory, PlayerFactory, UserFactory

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
STEPS = ("0024_fence_due_work", "0025_cases_about_players", "0026_tell_players_apart")


@pytest.fixture
def loader() -> MigrationLoader:
    """Return the migrations one by one, not those that replace them in a fresh database."""
    return MigrationLoader(connection, replace_migrations=False)


def undo(loader: MigrationLoader) -> Any:
    """Bring the database to the first of the steps, and return the apps as they are there."""
    for before, name in reversed([*pairwise(STEPS)]):
        with connection.schema_editor() as editor:
            loader.get_migration("players", name).unapply(loader.project_state(("players", before)), editor)
    return loader.project_state(("players", STEPS[0])).apps


def do(loader: MigrationLoader) -> None:
    """Bring the database from the first of the steps to the last."""
    state = loader.project_state(("players", STEPS[0]))
    for name in STEPS[1:]:
        with connection.schema_editor() as editor:
            state = loader.get_migration("players", name).apply(state, editor)


@pytest.mark.slow
def test_decided_and_waiting_requests_keep_their_data(loader: MigrationLoader) -> None:
    asker, decider = UserFactory(), UserFactory()
    home, away = FederationFactory(code="SUI"), FederationFactory(code="AUT")
    one, two = PlayerFactory(federation=home), PlayerFactory(federation=home)
    old = undo(loader)
    transfer = {"from_federation_id": "SUI", "to_federation_id": "AUT", "asked_for_id": "SUI"}
    asked = {"asked_by_id": asker.pk, "asked_at": NOW}
    decided = {"decided_by_id": decider.pk, "decided_at": NOW}
    try:
        transfers = old.get_model("players", "Transfer").objects
        for player, values in (
            (one.pk, {"state": "asked"}),
            (one.pk, {"state": "agreed", **decided}),
            (two.pk, {"state": "refused", "reason": "Under contract.", **decided}),
        ):
            transfers.create(player_id=player, **transfer, **asked, **values)
        applications = old.get_model("players", "Application").objects
        person = {"federation_id": away.pk, "sex": "F", "score": 80, "likeness_id": two.pk}
        applied = {"applied_by_id": asker.pk, "applied_at": NOW}
        applications.create(name="Berg, Ada", birth_date=NOW.date(), **person, **applied)
        applications.create(
            name="Berg, Eva", state="approved", player_id=one.pk, **person, **applied, **decided
        )
        applications.create(
            name="Berg, Ida", state="refused", reason="Known.", **person, **applied, **decided
        )
        merges = old.get_model("players", "MergeProposal").objects
        pair = {"into_id": two.pk, "reason": "One person."}
        merges.create(player_id=one.pk, **pair, **asked)
        merges.create(player_id=one.pk, state="granted", **pair, **asked, **decided)
    finally:
        do(loader)

    assert [*Transfer.objects.order_by("pk").values_list("state", "answer", "asked_by", "decided_by")] == [
        ("waiting", "", asker.pk, None),
        ("approved", "", asker.pk, decider.pk),
        ("refused", "Under contract.", asker.pk, decider.pk),
    ]
    assert [*Application.objects.order_by("pk").values_list("state", "answer", "asked_by", "player")] == [
        ("waiting", "", asker.pk, None),
        ("approved", "", asker.pk, one.pk),
        ("refused", "Known.", asker.pk, None),
    ]
    merged = MergeProposal.objects.order_by("pk").values_list("state", "answer", "asked_at")
    assert [*merged] == [("waiting", "", NOW), ("approved", "", NOW)]
