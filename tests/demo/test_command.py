"""`manage.py demo`: only on an empty portal, and only if the installation allows it."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command

from demo.world import is_empty, make_world
from players.models import Player
from ratings.models import RatingList
from tests import make
from tests.demo.conftest import NOW, TODAY


def _demo(**options: object) -> str:
    output = StringIO()
    call_command("demo", stdout=output, **options)
    return output.getvalue()


@pytest.mark.django_db
def test_portal_with_data_is_not_changed() -> None:
    make.player()

    told = _demo(if_empty=True)

    assert told == "Demo data was not created: the portal already has data.\n"
    assert (Player.objects.count(), get_user_model().objects.count()) == (1, 0)


@pytest.mark.django_db
def test_a_portal_with_data_is_refused_without_if_empty(settings: Any) -> None:
    settings.DEMO = True
    make.player()

    with pytest.raises(SystemExit) as stopped:
        _demo()

    assert (stopped.value.code, Player.objects.count()) == (1, 1)


@pytest.mark.django_db
def test_demo_is_refused_on_other_installations(settings: Any) -> None:
    settings.DEMO = False

    with pytest.raises(SystemExit) as stopped:
        _demo(if_empty=True)

    assert (stopped.value.code, Player.objects.count()) == (1, 0)


@pytest.mark.slow
@pytest.mark.django_db
def test_an_interrupted_start_leaves_the_portal_empty() -> None:
    def interrupt(step: str) -> None:
        if "lists published" in step:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_world(today=TODAY, at=NOW, tell=interrupt)

    assert is_empty()
    assert (get_user_model().objects.count(), RatingList.objects.count()) == (0, 0)
