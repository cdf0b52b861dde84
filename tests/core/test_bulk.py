"""Rows written by the thousand: made while the database takes them in, and JSON that it keeps as it came."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from fractions import Fraction

import pytest
from django.db import IntegrityError, transaction

from core.bulk import gc_disabled, stream_rows, update_rows
from core.models import as_json
from players.models import Federation
from ratings.models import RatingList
from tests import make

pytestmark = pytest.mark.database

FIELDS = ("code", "name", "continent", "is_member", "listing_reference", "note", "officer_name")
FIELDS = (*FIELDS, "officer_details", "hides_birth_years_of_minors", "affiliation_reference")


def rows(*codes: str) -> Iterator[tuple[object, ...]]:
    for code in codes:
        yield (code, f"Land {code}", "", True, "", "", "", "", False, "")


@pytest.mark.django_db
def test_streamed_rows_are_all_there_and_counted() -> None:
    assert stream_rows(Federation, FIELDS, rows("QQA", "QQB", "QQC")) == 3
    assert set(Federation.objects.filter(code__startswith="QQ").values_list("code", "name")) == {
        (code, f"Land {code}") for code in ("QQA", "QQB", "QQC")
    }
    assert stream_rows(Federation, FIELDS, rows()) == 0


@pytest.mark.django_db
def test_streamed_rows_that_fail_are_told_as_django_tells_and_leave_nothing() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        stream_rows(Federation, FIELDS, rows("QQA", "QQA"))
    assert not Federation.objects.filter(code="QQA").exists()


@pytest.mark.django_db
def test_what_the_making_of_streamed_rows_raises_comes_through() -> None:
    def broken() -> Iterator[tuple[object, ...]]:
        yield from rows("QQA")
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"), transaction.atomic():
        stream_rows(Federation, FIELDS, broken())
    assert not Federation.objects.filter(code="QQA").exists()


def test_json_has_no_blanks_and_tuples_are_arrays() -> None:
    assert as_json({"a": (1, None, True), "b": ["é", "½"]}) == '{"a":[1,null,true],"b":["é","½"]}'


def test_json_takes_plain_values_only() -> None:
    with pytest.raises(TypeError):
        as_json([Fraction(1, 2)])


@pytest.mark.django_db
def test_updated_rows_take_json_as_values_and_leave_the_others() -> None:
    row, other = make.rating_list(kind="rapid"), make.rating_list(kind="blitz")
    before = (other.listed, other.manifest)
    assert update_rows(RatingList, ("id", "listed", "manifest"), [(row.pk, 3, {"names": ["Źdź, O."]})]) == 1
    row.refresh_from_db()
    other.refresh_from_db()
    assert (row.listed, row.manifest) == (3, {"names": ["Źdź, O."]})
    assert (other.listed, other.manifest) == before


def test_cycles_are_looked_for_again_after_work_of_any_end() -> None:
    def work() -> None:
        with gc_disabled():
            with gc_disabled():
                assert not gc.isenabled()
            assert not gc.isenabled()
            raise LookupError

    with pytest.raises(LookupError):
        work()
    assert gc.isenabled()
