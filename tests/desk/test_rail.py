from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from desk.rail import GROUPS
from players.choices import ClaimState
from players.models import Claim, Federation
from tests.factories import AppointmentFactory, PlayerFactory, TournamentFactory, UserFactory
from tournaments.models import Tournament

PAGES_OF_STAFF = (
    "/desk/",
    "/desk/players/merge",
    "/desk/players/titles",
    "/desk/players/transfers/",
    "/desk/chess/",
    "/admin/",
    "/admin/ratings/run/",
)


def shown(client: Client, address: str) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return the groups of the rail of a page, with addresses and counts."""
    rail = client.get(address).context["rail"]
    return [(str(label), [(one.url, one.count) for one in entries]) for label, entries in rail.groups]


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(AppointmentFactory(role="staff", user__is_staff=True, user__is_superuser=True).user)
    return client


def test_rail_is_the_same_on_every_page_of_the_desk_and_the_admin(staff: Client) -> None:
    TournamentFactory(registration="waiting")

    first, *others = [shown(staff, address) for address in PAGES_OF_STAFF]

    assert all(rail == first for rail in others)
    assert sum(len(entries) for _label, entries in first) == sum(len(pages) for _label, pages in GROUPS)
    assert dict(first[0][1]) == {
        # Its federation has no rating officer.
        "/desk/": 1,
        "/desk/tournaments/": 1,
        "/desk/qc/": 1,
        "/desk/appeals/": 0,
        "/desk/calendar/": 0,
    }
    assert ("/desk/people/", 1) in first[-1][1]


@pytest.mark.parametrize(
    ("address", "current"),
    [
        ("/desk/", [("/desk/", "page")]),
        ("/desk/players/merge", [("/desk/players/merge", "page")]),
        ("/desk/tournaments/{event}/", [("/desk/tournaments/", "true")]),
        ("/admin/ratings/run/", [("/admin/ratings/run/", "page")]),
        ("/admin/players/player/", []),
    ],
)
def test_rail_marks_the_page_and_what_is_below_it(
    staff: Client, address: str, current: list[tuple[str, str]]
) -> None:
    event = TournamentFactory().event_id

    rail = staff.get(address.format(event=event)).context["rail"]

    entries = [entry for _label, entries in rail.groups for entry in entries]
    assert [(entry.url, entry.current) for entry in entries if entry.current] == current


@pytest.mark.slow
def test_each_role_has_the_pages_that_it_may_open(played: Tournament, swiss: Federation) -> None:
    for role in ("officer", "deputy", "arbiter", "qc", "council", "auditor"):
        client = Client()
        of_federation = role in ("officer", "deputy", "arbiter")
        client.force_login(AppointmentFactory(role=role, federation=swiss if of_federation else None).user)

        urls = [url for _label, entries in shown(client, "/desk/") for url, _count in entries]

        assert {client.get(url).status_code for url in urls} == {200}, role


def test_somebody_without_a_role_has_no_rail(client: Client, db: None) -> None:
    client.force_login(UserFactory())

    assert client.get("/desk/chess/").context["rail"] is None


def test_counts_are_kept_until_the_user_sends_a_form(
    swiss: Federation, django_assert_max_num_queries: Any
) -> None:
    client, user = Client(), AppointmentFactory(role="officer", federation=swiss).user
    client.force_login(user)
    player = PlayerFactory(federation=swiss)
    claims = [
        Claim.objects.create(
            player=player, user=UserFactory(), reason="r", state=ClaimState.WAITING, asked_at=timezone.now()
        )
        for _ in range(2)
    ]

    def count() -> int:
        entries = dict(shown(client, "/desk/fees/"))["Players"]
        return dict(entries)["/desk/players/claims/"]

    assert count() == 2
    Claim.objects.filter(pk=claims[0].pk).delete()
    assert count() == 2
    with django_assert_max_num_queries(6):
        client.get("/desk/fees/")
    client.post(
        f"/desk/players/claims/{claims[1].pk}/decide", {"decision": "refuse", "reason": "Someone else."}
    )
    assert count() == 0
