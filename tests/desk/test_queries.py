"""Pages of cases, appeals and the audit log make no more queries with many rows than with one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client

from players.models import Federation
from portal.models import User
from tests.desk.conftest import NOW, TODAY
from tests.factories import ListEntryFactory, PlayerFactory, TournamentFactory, UserFactory, play, round_robin
from tests.growth import find_growing, pages_of
from tournaments.choices import Action
from tournaments.models import InternalNote, Tournament
from tournaments.services.appeals import AppealRequest, lodge_appeal
from tournaments.services.information_requests import answer_request, ask_for_information
from tournaments.services.qc import decide


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
        answer_request(asked, "So.", by=None, at=NOW)
        InternalNote.objects.create(tournament=made, text=f"Note {number}", by=who, at=NOW)
    decide(made, Action.NOT_RATE, reason="Two minutes.", by=who, at=NOW)
    files = [(f"clock{number}.pdf", b"%PDF-1.7") for number in range(rows)]
    lodge_appeal(made, AppealRequest("facts", "It was 15+10.", "Club", files), by=who, at=NOW)
    return made


@pytest.mark.slow
def test_pages_make_no_more_queries_with_many_rows(
    signed_in: Callable[[str], Client], swiss: Federation
) -> None:
    def fill(rows: int) -> None:
        for place in range(rows):
            told(swiss, place, rows)

    case = "/desk/tournaments/SUI-0"
    shown = {
        "auditor": ("/desk/trail/", "/desk/cases/"),
        "council": (f"{case}/appeal",),
        "qc": ("/desk/qc/SUI-0/", "/desk/qc/SUI-0/indicators"),
        "officer": (f"{case}/answer", f"{case}/appeal/new"),
    }
    pages = [page for role, paths in shown.items() for page in pages_of(signed_in(role), *paths)]
    # Whether the reader may see a case that a role without anybody unconcerned has is one more (D-131).
    assert find_growing(fill, pages, most=13) == {}
