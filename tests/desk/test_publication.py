"""D-134: the page of the lists of a month before they are published; `tests/ratings` has the rest."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from ratings.models import Judgement, ProvisionalCalculation
from ratings.next_list import update_next_lists
from ratings.publish.checklist import figures_out_of_bounds
from ratings.systems.judgement import ListFigures, Moved, Stop, Unit
from tests import make

pytestmark = pytest.mark.django_db

FEBRUARY = date(2026, 2, 1)


def test_d_134_page_shows_the_figures_so_far_from_the_closing_date_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make.play_month(is_published=False)
    make.rating_list(kind="blitz")
    staff = make.browser("staff")
    monkeypatch.setattr(timezone, "now", lambda: make.noon(date(2026, 1, 30)))
    update_next_lists(at=make.noon(date(2026, 1, 30)))
    lists = staff.get("/desk/lists/2026-02-01/").context["lists"]
    assert [one["updated_at"] for one in lists] == [make.noon(date(2026, 1, 30))] * 2
    rows = {one["kind"]: one["rows"] for one in lists}
    shown = {row.label: row.value for row in rows["rapid"]}
    assert (shown["New players"], shown["Rated games"], shown["Players with a rating change"]) == (
        "0",
        "2",
        "2",
    )
    assert figures_out_of_bounds(FEBRUARY, date(2026, 1, 30)) == 0
    ProvisionalCalculation.objects.update(new_rating=F("previous_rating") + 500)
    assert figures_out_of_bounds(FEBRUARY, date(2026, 1, 30)) == 1
    monkeypatch.setattr(timezone, "now", lambda: make.noon(date(2026, 1, 20)))
    context = staff.get("/desk/lists/2026-02-01/").context
    assert (context["is_closed"], [one["rows"] for one in context["lists"]]) == (False, [[], []])
    assert staff.get("/desk/lists/2025-02-01/").status_code == 404


def test_d_134_first_address_leads_to_the_month_that_is_next(monkeypatch: pytest.MonkeyPatch) -> None:
    make.rating_list(kind="rapid")
    make.rating_list(kind="blitz")
    monkeypatch.setattr(timezone, "now", lambda: make.noon(date(2026, 1, 30)))
    assert make.browser("qc").get("/desk/lists/")["Location"] == "/desk/lists/2026-02-01/"


@pytest.mark.parametrize("number", [1, 3])
def test_d_134_page_needs_as_many_queries_for_three_stops_as_for_one(
    django_assert_max_num_queries: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    for kind in ("rapid", "blitz"):
        make.rating_list(kind=kind)
        stops = [
            Stop(
                f"federation-newcomers:F{one}", 60, Unit.NUMBER, 0, 50, players=(Moved(1, "SUI", None, 1600),)
            )
            for one in range(number)
        ]
        Judgement.objects.create(
            kind=kind, date=FEBRUARY, figures=ListFigures(), stops=stops, judged_at=timezone.now()
        )
    staff = make.browser("staff")
    monkeypatch.setattr(timezone, "now", lambda: make.noon(FEBRUARY))
    staff.get("/desk/lists/2026-02-01/")
    with django_assert_max_num_queries(12):
        shown = staff.get("/desk/lists/2026-02-01/").content.decode()
    assert shown.count('data-state="out"') == 2 * number
