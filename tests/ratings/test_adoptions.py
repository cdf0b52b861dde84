"""Adopting a text of the regulations, and revoking an adoption that nothing has used (D-90)."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.adoptions import adopt, load_shipped, revoke
from ratings.in_force import adoptions_named, load_adoptions
from ratings.models import Adoption
from ratings.systems.registry import SHIPPED, Adoptions, NoRulesError, rules_named
from tests import make
from tests.codes import refusal
from tests.log import acts

pytestmark = [pytest.mark.django_db, pytest.mark.page]
TEXT = "fide-rapid-blitz-2022"
TODAY, LATER = date(2026, 3, 1), date(2026, 6, 1)


def adopted(first_day: date = LATER, *, text: str = TEXT, reason: str = "Congress") -> Adoption:
    return adopt(text, first_day=first_day, reason=reason, by=None, at=make.noon(TODAY), reference="GA 1")


def test_d90_portal_comes_with_the_texts_of_2022_and_2024() -> None:
    rows = [(row.text, row.first_day) for row in Adoption.objects.all()]
    assert rows == [
        ("fide-rapid-blitz-2022", date(2022, 1, 1)),
        ("fide-rapid-blitz-2024", date(2024, 1, 1)),
    ]
    assert load_adoptions() == SHIPPED


def test_d90_shipped_texts_are_written_once() -> None:
    load_shipped(at=make.noon(TODAY))
    assert Adoption.objects.count() == 2


def test_d90_adopted_text_is_in_force_from_its_first_day() -> None:
    adopted()
    found = load_adoptions()
    assert found.text_on(date(2026, 5, 31)).slug == "fide-rapid-blitz-2024"
    assert found.text_on(LATER).slug == TEXT
    assert [row.last_day for row in found.rows] == [date(2023, 12, 31), date(2026, 5, 31), None]


@pytest.mark.parametrize(
    ("text", "first_day", "reason", "code"),
    [
        ("fide-rapid-blitz-1999", LATER, "Congress", "text-unknown"),
        (TEXT, TODAY, "Congress", "day-not-in-future"),
        (TEXT, LATER, " ", "reason-missing"),
    ],
)
def test_d90_adoption_is_refused(text: str, first_day: date, reason: str, code: str) -> None:
    with refusal() as refused:
        adopted(first_day, text=text, reason=reason)
    assert refused.found == [code]
    assert Adoption.objects.count() == 2


def test_d90_two_texts_are_not_adopted_from_one_day() -> None:
    adopted()
    with refusal() as refused:
        adopted(text="fide-rapid-blitz-2024")
    assert refused.found == ["day-taken"]


@pytest.mark.parametrize("on", [TODAY, LATER, date(2099, 1, 1)])
def test_d90_the_same_text_again_from_the_same_day_changes_nothing(on: date) -> None:
    first = adopted()
    count = acts().count()
    again = adopt(TEXT, first_day=LATER, reason="", by=None, at=make.noon(on))
    assert (again.pk, again.reason) == (first.pk, first.reason)
    assert acts().count() == count


def test_d90_unused_adoption_is_revoked_and_kept() -> None:
    adoption = adopted()
    revoke(adoption, reason="Too early", by=None, at=make.noon(TODAY))
    assert load_adoptions() == SHIPPED
    assert (adoption.revoked_at, adoption.revoked_reason) == (make.noon(TODAY), "Too early")
    with refusal() as refused:
        revoke(adoption, reason="Again", by=None, at=make.noon(TODAY))
    assert refused.found == ["revoked"]
    assert adopted().pk != adoption.pk


def test_d90_used_adoption_is_not_revoked() -> None:
    adoption = adopted()
    make.rating_list(date=LATER)
    with refusal() as refused:
        revoke(adoption, reason="Too late", by=None, at=make.noon(LATER))
    assert refused.found == ["adoption-used"]
    assert load_adoptions() != SHIPPED


def test_d13_no_text_is_in_force_before_the_first_adoption() -> None:
    assert SHIPPED.first_day == date(2022, 1, 1)
    with pytest.raises(NoRulesError):
        SHIPPED.text_on(date(2021, 12, 31))


def test_adoptions_are_those_that_the_manifest_names() -> None:
    named = adoptions_named({"adoptions": [{"text": TEXT, "from": "2022-01-01"}]})
    assert named == Adoptions.of([(rules_named(TEXT), date(2022, 1, 1))])
