"""The factories make what the services take: a small tournament is played, rated and published."""

from __future__ import annotations

from datetime import date

import pytest

from players.models import NameWord
from ratings.models import Calculation
from tests.factories import (
    AppointmentFactory,
    ListEntryFactory,
    PlayerFactory,
    TournamentFactory,
    play_and_rate,
    publish_after,
    round_robin,
)

pytestmark = pytest.mark.page


@pytest.mark.django_db
def test_tournament_is_played_rated_and_published() -> None:
    players = [ListEntryFactory(rating=rating).player for rating in (1900, 1800, 1700)]
    newcomer = PlayerFactory(name="Newcomer, Nora")
    tournament = TournamentFactory()
    play_and_rate(tournament, [*players, newcomer], round_robin(4, "1-0"))
    rating_list = publish_after(tournament)
    assert (rating_list.date, rating_list.listed, tournament.stage) == (date(2026, 2, 1), 3, "published")
    results = dict(Calculation.objects.values_list("player", "result"))
    assert results[players[0].pk] == "change-7.3.4"
    assert results[newcomer.pk] == "disregarded-7.2.2"
    assert sorted(newcomer.name_words.values_list("word", flat=True)) == ["newcomer", "nora"]
    assert NameWord.objects.filter(word__startswith="player").count() == 3


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "federation"), [("officer", "SUI"), ("qc", None)])
def test_appointment_has_a_federation_where_the_role_has_one(role: str, federation: str | None) -> None:
    assert AppointmentFactory(role=role).federation_id == federation
