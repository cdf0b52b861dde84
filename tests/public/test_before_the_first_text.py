"""Pages of lists before the first adopted text omit what depends on regulations (D-92)."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from tests import make
from tests.public.pages import lines, page, text_of

pytestmark = pytest.mark.django_db
OLD = date(2015, 3, 1)
ADDRESSES = (
    "/players/{rated}/",
    "/players/{unrated}/",
    "/players/{rated}/on/2015-03-01/",
    "/players/{rated}/rapid/2015-03-01/",
    "/players/{rated}/rapid/2015-04-01/",
    "/lists/rapid/2015-03-01/",
    "/lists/rapid/2015-04-01/changes/",
    "/federations/SUI/",
    "/calculators/?player={unrated}&opponent=1900&score=1",
    "/calculators/?player={standard}&opponent=1900&score=1",
    "/api/v1/players/{rated}",
    "/api/v1/players/{unrated}",
    "/api/v1/calculators/change?fide_id={unrated}&games=1900:1",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_d92_page_of_an_old_list_exists(client: Client, address: str) -> None:
    old, next_one = make.rating_list(date=OLD), make.rating_list(date=date(2015, 4, 1))
    rated = make.entry(rating_list=old, rating=2001, player__name="Rated, Rita").player
    make.entry(rating_list=next_one, rating=1999, player=rated)
    standard = make.entry(rating_list=make.rating_list(kind="standard", date=OLD), rating=1800).player
    unrated = make.player(name="Unrated, Una")
    ids = {"rated": rated.pk, "unrated": unrated.pk, "standard": standard.pk}
    assert client.get(address.format(**ids)).status_code == 200


def test_d92_calculation_of_an_old_list_omits_rule_details(client: Client) -> None:
    old = make.rating_list(date=OLD)
    entry = make.entry(rating_list=old, rating=900, is_inactive=True)
    markup = page(client, f"/players/{entry.player_id}/rapid/{OLD}/")
    assert "900" in text_of(markup)
    # Only the K-factor as imported (D-12, D-4).
    assert [articles for articles, _amount in lines(markup)] == [""] * 2
