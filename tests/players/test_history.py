"""The histories of players, federations, exclusions, appointments and fees are written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model

from core.append_only import AppendOnly, AppendOnlyError
from players.models import Player
from tests.factories import PlayerFactory, UserFactory

pytestmark = pytest.mark.page

HISTORIES = [model for model in apps.get_models() if hasattr(model, "history_object")]
CHANGES: dict[str, Callable[[Player], object]] = {
    "save": lambda player: player.history.first().save(),
    "delete": lambda player: player.history.first().delete(),
    "update of the player's": lambda player: player.history.update(name="X"),
    "delete of the player's": lambda player: player.history.all().delete(),
    "update of all": lambda player: Player.history.update(name="X"),
    "update of the model's": lambda player: Player.history.model.objects.update(name="X"),
    "delete of the model's": lambda player: Player.history.model.objects.all().delete(),
    "in bulk": lambda player: Player.history.model.objects.bulk_update([player.history.first()], ["name"]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_row_of_a_history_is_never_changed(db: None, change: str) -> None:
    player = PlayerFactory(name="Alder, Ada")
    player.name = "Alder-Birch, Ada"
    player.save()

    with pytest.raises(AppendOnlyError):
        CHANGES[change](player)

    names = list(player.history.order_by("history_id").values_list("name", flat=True))
    assert names == ["Alder, Ada", "Alder-Birch, Ada"]


@pytest.mark.parametrize("history", HISTORIES, ids=lambda model: model.__name__)
def test_every_history_is_written_once(history: type[Model]) -> None:
    assert issubclass(history, AppendOnly)


def test_the_history_stays_when_the_account_goes(db: None) -> None:
    who = UserFactory()
    player: Any = PlayerFactory.build(name="Alder, Ada", federation=None)
    player.federation_id = PlayerFactory().federation_id
    player._history_user = who
    player.save()

    who.delete()

    assert player.history.values_list("name", "history_user").get() == ("Alder, Ada", None)
