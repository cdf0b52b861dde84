"""The age band of a minor in place of the year of birth (age-bands.md)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.minors import Minors, minors_on, shown_birth
from players.models import Federation
from tests import make

IN_2026 = Minors(("SUI",), 2026)
YEARS = st.integers(1990, 2030)
FIELD = "hides_birth_years_of_minors"


def asking(code: str, asks: bool = True) -> Federation:
    federation = make.federation(code=code)
    federation.hides_birth_years_of_minors = asks
    federation.save()
    return federation


@pytest.mark.parametrize(
    ("birth_year", "shown"),
    [
        (2007, "2007"),
        (2008, "U18"),
        (2009, "U18"),
        (2010, "U16"),
        (2011, "U16"),
        (2012, "U14"),
        (2014, "U12"),
        (2016, "U10"),
        (2017, "U10"),
        (2018, "U8"),
        (2025, "U8"),
        (2027, "U8"),
        (None, ""),
    ],
)
def test_band_takes_the_place_of_the_year(birth_year: int | None, shown: str) -> None:
    assert str(shown_birth(birth_year, "SUI", IN_2026)) == shown


def test_other_federations_show_the_year() -> None:
    assert str(shown_birth(2012, "AUT", IN_2026)) == "2012"


def test_year_is_shown_from_the_first_day_of_the_year_of_the_19th_birthday(db: None) -> None:
    asking("SUI")
    shown = [str(shown_birth(2008, "SUI", minors_on(day))) for day in (date(2026, 12, 31), date(2027, 1, 1))]
    assert (shown, minors_on(date(2026, 1, 1)).codes) == (["U18", "2008"], ("SUI",))


@pytest.mark.parametrize(
    ("asked", "widened"),
    [
        ((None, None), (None, None)),
        ((1980, 2007), (1980, 2007)),
        ((2008, 2008), (2008, 2009)),
        ((2009, None), (2008, None)),
        ((2012, 2012), (2012, 2013)),
        ((2013, 2013), (2012, 2013)),
        ((2017, 2018), (2016, None)),
        ((2030, 2030), (2018, None)),
        ((None, 2014), (None, 2015)),
    ],
)
def test_years_asked_for_are_widened_to_whole_bands(
    asked: tuple[int | None, int | None], widened: tuple[int | None, int | None]
) -> None:
    assert IN_2026.whole_bands(*asked) == widened


@given(one=YEARS, other=YEARS, first=st.none() | YEARS, last=st.none() | YEARS)
def test_no_filter_tells_two_minors_of_one_band_apart(
    one: int, other: int, first: int | None, last: int | None
) -> None:
    low, high = IN_2026.whole_bands(first, last)
    found = [(low is None or low <= year) and (high is None or year <= high) for year in (one, other)]
    births = {shown_birth(year, "SUI", IN_2026) for year in (one, other)}
    if len(births) == 1:
        assert found[0] == found[1]


def test_staff_set_it_and_the_history_tells_who(db: None) -> None:
    federation = make.federation(code="SUI")
    staff = make.person("staff")
    client = make.browser(staff)
    address = "/admin/players/federation/SUI/change/"
    values = {"name": federation.name, "continent": "Europe", "is_member": "on", FIELD: "on"}
    assert client.post(address, values).status_code == 302
    stored = Federation.objects.get(pk="SUI")
    newest = stored.log_entries.latest("pk")
    assert (stored.hides_birth_years_of_minors, newest.by) == (True, staff)
    assert {"field": FIELD, "before": False, "after": True} in newest.changes


@pytest.mark.parametrize(("asks", "told"), [(True, "show an age band"), (False, "show the year of birth")])
def test_officer_sees_what_is_set_and_cannot_set_it(db: None, asks: bool, told: str) -> None:
    federation = asking("SUI", asks)
    client = make.browser(make.person("officer", federation))
    address = "/desk/people/officers/SUI/"
    assert told in client.get(address).content.decode()
    client.post(address, {"officer_name": "Olga Officer", FIELD: "" if asks else "on"})
    assert Federation.objects.get(pk="SUI").hides_birth_years_of_minors is asks


@pytest.mark.django_db
def test_hidden_years_are_read_without_a_look_at_every_player(django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(1) as captured:
        minors_on(date(2026, 2, 1))
    # PostgreSQL reads the whole table for one condition with OR: 0.6 s at 1.9 million players.
    assert " OR " not in captured[0]["sql"]
