from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from desk.rail import PLACES
from players.models import Claim, Federation
from tests import make
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


def places(client: Client, address: str) -> dict[str, tuple[str, int]]:
    """Return the places of the rail of a page, with addresses and counts."""
    return {str(one.label): (one.url, one.count) for one in client.get(address).context["rail"].places}


def pages_of(answer: Any) -> dict[str, int]:
    """Return the pages of the place of a page with their counts."""
    # The public pages of lists have none.
    rail = answer.context.get("rail")
    found = [place.pages for place in rail.places if place.pages] if rail else []
    return {page.url: page.count for page in (found[0] if found else ())}


@pytest.fixture
def staff(db: None) -> Client:
    return make.browser(make.appointment(role="staff", user__is_staff=True, user__is_superuser=True).user)


def test_rail_is_the_same_on_every_page_of_the_desk_and_the_admin(staff: Client) -> None:
    make.tournament(registration="waiting")

    first, *others = [places(staff, address) for address in PAGES_OF_STAFF]

    assert all(rail == first for rail in others)
    # All but those of an auditor, who has no tasks.
    assert len(first) == len(PLACES) - 2 == 12
    # Its federation has no rating officer.
    assert (first["Tasks"], first["People"]) == (("/desk/", 1), ("/desk/people/", 1))
    assert pages_of(staff.get("/desk/")) == {"/desk/": 1, "/desk/cases/": 0}
    assert pages_of(staff.get("/desk/chess/")) == {}
    assert "/desk/players/merge" in pages_of(staff.get("/desk/players/duplicates"))
    assert pages_of(staff.get("/desk/calendar/")) == {"/desk/tournaments/": 1, "/desk/tournaments/new": 0}


def test_an_officer_has_eight_places_at_most(swiss: Federation) -> None:
    client = make.browser(make.person("officer", swiss))

    assert [*places(client, "/desk/")] == [
        "Tasks",
        "Tournaments",
        "Players",
        "Rating lists",
        "People",
        "Programs",
        "Fees",
    ]


@pytest.mark.parametrize(
    ("address", "current"),
    [
        ("/desk/", [("/desk/", "true"), ("/desk/", "page")]),
        ("/desk/players/merge", [("/admin/players/player/", "true"), ("/desk/players/merge", "page")]),
        ("/desk/tournaments/{event}/", [("/desk/tournaments/", "true"), ("/desk/tournaments/", "true")]),
        ("/desk/calendar/", [("/desk/tournaments/", "true"), ("/desk/tournaments/", "true")]),
        ("/desk/qc/{event}/", [("/desk/", "true"), ("/desk/", "true")]),
        ("/admin/ratings/run/", [("/admin/", "true"), ("/admin/ratings/run/", "page")]),
        ("/desk/fees/", [("/desk/fees/", "page")]),
        ("/admin/players/federation/", [("/admin/", "true"), ("/admin/", "true")]),
    ],
)
def test_rail_marks_the_page_and_what_is_below_it(
    staff: Client, address: str, current: list[tuple[str, str]]
) -> None:
    event = make.tournament().event_id

    rail = staff.get(address.format(event=event)).context["rail"]

    entries = [entry for place in rail.places for entry in (place, *place.pages)]
    assert [(entry.url, entry.current) for entry in entries if entry.current] == current


@pytest.mark.slow
def test_each_role_has_the_pages_that_it_may_open(played: Tournament, swiss: Federation) -> None:
    for role in ("officer", "deputy", "arbiter", "qc", "council", "auditor"):
        client = Client()
        of_federation = role in ("officer", "deputy", "arbiter")
        client.force_login(make.person(role, swiss if of_federation else None))

        answers = {url: client.get(url, follow=True) for url, _count in places(client, "/desk/").values()}
        below = {url for answer in answers.values() for url in pages_of(answer)} - answers.keys()

        assert {answer.status_code for answer in (*answers.values(), *map(client.get, below))} == {200}, role


def test_an_auditor_has_verification_in_place_of_tasks(db: None) -> None:
    assert places(make.browser("auditor"), "/desk/").keys() == {
        "Verification",
        "Requests",
        "Tournaments",
        "Fees",
        "Audit log",
    }


def test_the_only_place_of_an_arbiter_stays_open(swiss: Federation) -> None:
    arbiter = make.browser(make.person("arbiter", swiss))

    assert [[*pages_of(arbiter.get(address))] for address in ("/desk/", "/desk/chess/")] == [
        ["/desk/", "/desk/cases/"]
    ] * 2


def test_somebody_without_a_role_has_no_rail(client: Client, db: None) -> None:
    client.force_login(make.user())

    assert client.get("/desk/chess/").context["frame_rail"] == ""


def test_counts_are_kept_until_the_user_sends_a_form(
    swiss: Federation, django_assert_max_num_queries: Any
) -> None:
    client, user = Client(), make.person("officer", swiss)
    client.force_login(user)
    player = make.player(federation=swiss)
    claims = [make.claim(player=player, state="waiting") for _ in range(2)]

    def count() -> int:
        return places(client, "/desk/fees/")["Tasks"][1]

    assert count() == 2
    Claim.objects.filter(pk=claims[0].pk).delete()
    assert count() == 2
    with django_assert_max_num_queries(6):
        client.get("/desk/fees/")
    client.post(f"/desk/cases/{claims[1].number}/", {"verdict": "refuse", "reason": "Someone else."})
    assert count() == 0
