"""The field that asks for a player: by FIDE ID, by name, by a national number."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from players.models import Membership
from ratings.player_field import FormWithPlayer, PlayerField
from tests import make
from tests.codes import codes_of_form

pytestmark = [pytest.mark.django_db, pytest.mark.page]
SWISS, SECOND, AUSTRIAN, NUMBERED_AS_FIRST = 1001, 1002, 1003, 1004


class Asking(FormWithPlayer):
    player = PlayerField()


@pytest.fixture
def _numbered() -> None:
    for fide_id, code, number in (
        (SWISS, "SUI", "A7"),
        (SECOND, "SUI", "555"),
        (AUSTRIAN, "AUT", "A7"),
        (NUMBERED_AS_FIRST, "SUI", str(SWISS)),
    ):
        federation = make.federation(code=code)
        player = make.player(fide_id=fide_id, name="Alder, Ada", federation=federation)
        Membership.objects.create(player=player, federation=federation, number=number, since=date(2026, 1, 1))


@pytest.mark.usefixtures("_numbered")
@pytest.mark.parametrize(
    ("role", "code", "typed", "expected"),
    [
        ("officer", "SUI", " a7", SWISS),
        ("deputy", "SUI", "555", SECOND),
        # A FIDE ID is never taken for a number.
        ("officer", "SUI", str(SWISS), SWISS),
        ("officer", "AUT", "A7", AUSTRIAN),
        ("officer", "AUT", "555", None),
        ("arbiter", "SUI", "555", None),
        ("staff", None, "555", SECOND),
        # The number of two federations.
        ("staff", None, "A7", None),
        ("", None, "A7", None),
    ],
)
def test_players_are_found_by_numbers_that_the_user_may_look_up(
    role: str, code: str | None, typed: str, expected: int | None
) -> None:
    user: Any = make.person(role, *filter(None, [code])) if role else AnonymousUser()

    form = Asking({"player": typed}, user=user)

    assert codes_of_form(form) == ({} if expected else {"player": ["unknown"]})
    assert expected is None or form.cleaned_data["player"].pk == expected


@pytest.mark.usefixtures("_numbered")
def test_players_of_one_name_are_offered_and_the_chosen_one_counts() -> None:
    form = Asking(QueryDict("player=Alder"), user=None)
    chosen = Asking(QueryDict(f"player=Alder&player={SECOND}"), user=None)

    assert codes_of_form(form) == {"player": ["several"]}
    offered = form.fields["player"].widget.candidates
    assert {player.pk for player, _birth, _ratings in offered} == {SWISS, SECOND, AUSTRIAN, NUMBERED_AS_FIRST}
    assert chosen.is_valid()
    assert chosen.cleaned_data["player"].pk == SECOND
