"""Texts of the regulations that staff try on a published month."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client

from ratings.models import RatingList, TextTrial
from tests import make

AMENDED = "fide-rapid-blitz-2024-12"


FEBRUARY = date(2026, 2, 1)


@pytest.fixture
def staff(signed_in: Callable[[str], Client]) -> Client:
    return signed_in("staff")


@pytest.fixture
def february(db: None) -> RatingList:
    first = make.rating_list()
    players = [
        make.entry(rating_list=first, rating=rating, k_factor=k, player__name=f"Of {rating}").player
        for rating, k in ((2700, 10), (1500, 20))
    ]
    make.play_and_rate(make.tournament(event_id="SUI-FAR"), players, [(1, 1, 2, "1/2")])
    return make.publish("rapid", FEBRUARY)


def tried(staff: Client) -> TextTrial:
    """Try the amended text on February from the page, and run the worker's job."""
    answer = staff.post("/desk/texts/", {"text": AMENDED, "months": ["2026-02-01"]})
    made = TextTrial.objects.latest("pk")
    assert answer["Location"] == f"/desk/texts/trials/{made.pk}/"
    return made
