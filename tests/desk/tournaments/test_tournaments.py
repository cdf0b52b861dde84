"""The tournaments of the desk: those of one's federations, filtered."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from players.models import Federation
from tests import make
from tournaments.models import Tournament


def test_officer_sees_only_tournaments_of_the_own_federation(
    officer: Client, played: Tournament, austrian: Federation
) -> None:
    make.tournament(event_id="AUT-1", federation=austrian)

    own = officer.get("/desk/tournaments/").context["page"].rows
    all_of_them = make.browser("staff").get("/desk/tournaments/").context["page"].rows

    assert [row.event_id for row in own] == ["SUI-PLAYED"]
    assert [row.event_id for row in all_of_them] == ["SUI-PLAYED", "AUT-1"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "alpha open"}, ["SUI-PLAYED"]),
        ({"q": "sui-b"}, ["SUI-B"]),
        ({"kind": "blitz"}, ["SUI-B"]),
        ({"state": "reported"}, ["SUI-R"]),
        ({"state": "registered"}, ["SUI-PLAYED", "SUI-B"]),
        ({"state": "refused"}, []),
        ({"state": "nonsense"}, ["SUI-PLAYED", "SUI-R", "SUI-B"]),
    ],
)
def test_the_list_of_tournaments_is_filtered(
    officer: Client, played: Tournament, swiss: Federation, query: dict[str, str], found: list[str]
) -> None:
    make.tournament(
        event_id="SUI-B",
        name="Blitz Night",
        city="Betaville",
        kind="blitz",
        federation=swiss,
        start=date(2026, 1, 3),
    )
    make.tournament(
        event_id="SUI-R",
        name="Rapid Day",
        city="Betaville",
        stage="reported",
        federation=swiss,
        start=date(2026, 1, 9),
    )

    page = officer.get("/desk/tournaments/", query)

    assert [row.event_id for row in page.context["page"].rows] == found
    assert page.context["number"] == (len(found) if page.context["is_filtered"] else None)
