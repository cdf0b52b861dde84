"""Two workers at one month: each takes a list, and neither makes one that the other is at."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from django.db import connection, transaction

from ratings.lists import lock_kind, lock_lists
from ratings.models import RatingList
from ratings.publish.publish import publish_lists
from tests import make

ON = date(2026, 2, 1)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("several_writers")]


def elsewhere(kind: str) -> bool:
    """Whether a list of the kind could be taken by another process now."""

    def try_it() -> bool:
        try:
            with transaction.atomic():
                return lock_kind(kind, waits=False)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(try_it).result()


def test_kind_is_taken_by_one_and_the_other_is_free() -> None:
    with transaction.atomic():
        assert lock_kind("rapid", waits=True)
        assert (elsewhere("rapid"), elsewhere("blitz")) == (False, True)
    assert elsewhere("rapid")


def test_import_keeps_publications_of_all_kinds_out() -> None:
    with transaction.atomic():
        lock_lists()
        assert (elsewhere("rapid"), elsewhere("blitz")) == (False, False)


def test_two_at_one_month_both_return_both_lists_made_once() -> None:
    make.first_list({1001: 2000, 1002: 1900})
    make.first_list({1001: 2000}, kind="blitz")

    def publish() -> list[tuple[str, bool]]:
        try:
            done = publish_lists(ON, by=None, at=make.noon(ON))
            return [(item.rating_list.kind, item.is_new) for item in done]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        one, other = (future.result() for future in [pool.submit(publish), pool.submit(publish)])
    assert [kind for kind, _ in one] == [kind for kind, _ in other] == ["rapid", "blitz"]
    made = [sorted([first, second]) for (_, first), (_, second) in zip(one, other, strict=True)]
    assert made == [[False, True], [False, True]]
    assert RatingList.objects.filter(date=ON).count() == 2
