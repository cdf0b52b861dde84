"""Mistakes of a player: who gets the report of each, and the way to an objection, a claim or the officer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from urllib.parse import quote, urlencode

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from players.models import Federation
from tests import make
from tests.public.pages import page
from tournaments.models import Objection, Tournament

pytestmark = pytest.mark.django_db
ASKED, ENDED = make.noon(date(2026, 2, 2)), make.noon(date(2026, 6, 1))


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """Set the clock to a day on which the results of the month can be objected to."""
    with time_machine.travel(ASKED, tick=False) as travelled:
        yield travelled


def confirm(client: Client, month: make.Month) -> None:
    client.force_login(make.claim(player=month.hero).asked_by)


def test_player_is_led_to_claim_and_officer_and_after_that_to_objection(
    client: Client, month: make.Month, clock: time_machine.Traveller
) -> None:
    event = month.tournaments[0]
    Federation.objects.filter(pk=event.federation_id).update(
        officer_name="Olsen, Ole", officer_details="ole@x.org"
    )
    address = f"/players/{month.hero.pk}/mistake/?tournament={event.event_id}"
    answer = client.get(address)
    assert answer["Cache-Control"] == "public, no-cache"
    markup = answer.content.decode()
    form = reverse("chess:result", args=[event.event_id])
    wanted = urlencode({"next": f"{form}?player={month.hero.pk}"})
    assert f'href="{reverse("sign-up")}?{wanted}"' in markup
    # The sign-in leads to the form, and an account without the player to the claim.
    assert f"next={quote(form)}" in client.get(f"{reverse('sign-up')}?{wanted}").content.decode()
    assert ("Olsen, Ole" in answer.context["officer"].name, "ole@x.org" in markup) == (True, True)
    # Who reports a mistake in the data gets an email with the player filled in.
    filled = rf'href="mailto:ole@x\.org\?subject=[^"]*{month.hero.pk}"'
    own_officer = month.hero.federation_id == event.federation_id
    assert bool(re.search(filled, markup)) == own_officer
    client.force_login(make.user())
    assert client.get(f"{form}?player={month.hero.pk}")["Location"].endswith(f"/claim?player={month.hero.pk}")
    confirm(client, month)
    places = (address, f"/players/{month.hero.pk}/mistake/")
    assert [f'href="{form}"' in page(client, place) for place in places] == [True, True]
    # After the last day nothing leads to the form, and the officer is still named.
    clock.move_to(ENDED)
    assert [f'href="{form}"' in page(client, place) for place in places] == [False, False]
    assert ('data-ended="' in page(client, address), "ole@x.org" in page(client, address)) == (True, True)


def test_mistakes_are_reported_from_player_calculation_and_tournament(
    client: Client, month: make.Month
) -> None:
    event, player = month.tournaments[0], f"/players/{month.hero.pk}/"
    markup = page(client, player)
    for anchor in ("result", "tournament", "data", "duplicate"):
        assert f'href="{player}mistake/#{anchor}"' in markup
        assert f'id="{anchor}"' in page(client, f"{player}mistake/")
    assert f'{player}mistake/?tournament={event.event_id}"' in page(client, f"{player}rapid/2026-02-01/")
    assert f'data-contact="{event.federation_id}"' in page(client, f"/tournaments/{event.event_id}/")


def test_claim_is_offered_to_who_has_none(client: Client, month: make.Month) -> None:
    pages = [f"/players/{player.pk}/" for player in (month.hero, month.others[0])]
    offered = f'href="{reverse("sign-up")}?player='
    assert [offered in page(client, address) for address in pages] == [True, True]
    confirm(client, month)
    assert [offered in page(client, address) for address in pages] == [False, False]


def test_unknown_tournament_is_no_page(client: Client, month: make.Month) -> None:
    address = f"/players/{month.hero.pk}/mistake/"
    found = [client.get(address, {"tournament": name}).status_code for name in ("NONE-1", "\x00", "")]
    assert found == [404, 200, 200]


def test_events_that_are_held_back_are_named_to_the_player_alone(client: Client, month: make.Month) -> None:
    address, event = f"/players/{month.hero.pk}/mistake/", month.tournaments[0]
    make.put_on_hold(Tournament.objects.filter(pk=event.pk))

    def played() -> dict[Tournament, bool]:
        return {one: is_sent for one, _last_day, is_sent in client.get(address).context["played"]}

    for_all = played()
    confirm(client, month)
    own = played()
    Objection.objects.create(tournament=event, player=month.hero, asked_by=make.user(), asked_at=ASKED)

    assert (event in for_all, own[event], played()[event]) == (False, False, True)
