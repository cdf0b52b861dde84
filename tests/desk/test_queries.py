"""Pages of cases, appeals and the audit log make the same queries with many rows as with one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import Federation
from portal.models import User
from tests.desk.conftest import NOW, TODAY
from tests.factories import ListEntryFactory, PlayerFactory, TournamentFactory, UserFactory, play, round_robin
from tournaments.choices import Action
from tournaments.models import InternalNote, Tournament
from tournaments.services.appeals import AppealRequest, lodge_appeal
from tournaments.services.qc import answer_request, ask_for_information, decide


def told(swiss: Federation, place: int, rows: int) -> Tournament:
    """Return a reported tournament with information request and note, not rated, with an appeal."""
    made = TournamentFactory(event_id=f"SUI-{place}", federation=swiss, start=date(2026, 2, 20))
    players = [PlayerFactory(federation=swiss) for _ in range(3)]
    for player in players:
        ListEntryFactory(player=player)
    play(made, players, round_robin(3))
    made.refresh_from_db()
    who: User = UserFactory()
    for number in range(rows):
        asked = ask_for_information(made, f"Why {number}?", due_on=TODAY, by=who, on=TODAY, at=NOW)
        answer_request(asked, "So.", by=who, at=NOW)
        InternalNote.objects.create(tournament=made, text=f"Note {number}", by=who, at=NOW)
    decide(made, Action.NOT_RATE, reason="Two minutes.", by=who, at=NOW)
    files = [(f"clock{number}.pdf", b"%PDF-1.7") for number in range(rows)]
    lodge_appeal(made, AppealRequest("facts", "It was 15+10.", "Club", files), by=who, at=NOW)
    return made


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize(
    ("role", "path", "queries"),
    [
        ("auditor", "/desk/trail/", 9),
        ("auditor", "/desk/appeals/", 5),
        ("council", "/desk/tournaments/SUI-0/appeal", 8),
        ("qc", "/desk/qc/SUI-0/", 11),
        ("qc", "/desk/qc/SUI-0/indicators", 11),
        ("officer", "/desk/tournaments/SUI-0/why", 7),
        ("officer", "/desk/tournaments/SUI-0/answer", 5),
        ("officer", "/desk/tournaments/SUI-0/appeal/new", 7),
    ],
)
def test_pages_make_the_same_queries_with_many_rows(
    signed_in: Callable[[str], Client],
    swiss: Federation,
    django_assert_num_queries: Callable[..., Any],
    rows: int,
    role: str,
    path: str,
    queries: int,
) -> None:
    for place in range(rows):
        told(swiss, place, rows)
    client = signed_in(role)

    with django_assert_num_queries(queries):
        assert client.get(path).status_code == 200
