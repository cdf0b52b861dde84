"""The pages of the admin over a published list, its rows and its jobs."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, date, datetime
from html import unescape
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.template.defaultfilters import filesizeformat
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import override

from core.html.figures import short_hash
from ratings.choices import RunState, Work
from ratings.models import Calculation, RatingList, Run, TournamentRating
from tests import make
from tests.shared import SharedRows

pytestmark = [pytest.mark.page, pytest.mark.slow]

NOW = datetime(2026, 2, 4, 9, 30, tzinfo=UTC)
JSON = re.compile(r"[\[{]['\"]")
PUBLISH = "/admin/ratings/ratinglist/publish/"
OURS = [
    model
    for model in admin.site._registry
    if model._meta.app_label in ("players", "tournaments", "ratings", "arenas", "portal")
]
EVIDENCE = [
    "ratings.RatingList",
    "ratings.ListEntry",
    "ratings.Calculation",
    "ratings.PoolEvent",
    "ratings.TournamentRating",
    "ratings.Correction",
    "ratings.Run",
    "tournaments.Report",
    "tournaments.HandedReport",
    "players.LogEntry",
    "players.ChangeRequest",
    "players.TitleGrant",
]
BUTTON = "Publish the lists of February 2026"


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def staff(db: None) -> Client:
    return make.browser("staff")


@pytest.fixture(scope="module")
def february(rows_of_module: SharedRows) -> RatingList:
    """Publish a list that took one tournament."""
    with rows_of_module():
        players = [make.entry(rating=rating).player for rating in (2000, 1900, 1800)]
        make.play_and_rate(make.tournament(), players, make.round_robin(3))
        make.rating_list(kind="blitz")
        return make.publish("rapid", date(2026, 2, 1))


@pytest.fixture
def published(february: RatingList, db: None) -> RatingList:
    return deepcopy(february)


def test_every_list_and_row_opens_and_is_searched_and_no_page_shows_json(
    staff: Client, published: RatingList
) -> None:
    wrong = []
    for model in OURS:
        base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        asked = [base, f"{base}?q=alder+12"]
        if (row := model._default_manager.first()) is not None:
            asked.append(f"{base}{row.pk}/change/")
        pages = {address: staff.get(address) for address in asked}
        wrong += [address for address, page in pages.items() if page.status_code != 200]
        if row is not None and JSON.search(unescape(strip_tags(pages[asked[-1]].content.decode()))):
            wrong.append(f"{asked[-1]} shows JSON")
    assert wrong == []


def test_figures_of_a_list_have_the_label_that_a_phone_shows(staff: Client, published: RatingList) -> None:
    page = staff.get("/admin/ratings/ratinglist/").content.decode()

    rows = re.findall(r'<tr><td class="action-checkbox">.*?</tr>', page, re.S)
    (row,) = (one for one in rows if "Rapid, February 2026" in one)
    assert re.findall(r'<td data-label="([^"]*)" class="(\w+)', row) == [
        ("Players listed", "num"),
        ("Published at", "field"),
    ]
    assert re.search(r'<th scope="row" class="name [^"]*"><a href="[^"]*">Rapid, February 2026</a>', row)


def test_files_of_a_list_have_sizes_and_checksums_for_people(staff: Client, published: RatingList) -> None:
    file = published.files.all()[0]
    page = staff.get(f"/admin/ratings/ratinglist/{published.pk}/change/").content.decode()

    rows = page[page.index('id="files-group"') : page.index('id="archives-group"')]
    assert [text in rows for text in (short_hash(file.sha256), filesizeformat(file.size), file.path)] == [
        True, True, False
    ]  # fmt: skip


def test_rows_are_named_as_people_name_them(staff: Client, published: RatingList) -> None:
    rating = TournamentRating.objects.get()
    calculation = Calculation.objects.first()
    assert calculation

    assert (str(published), published.stored_name) == ("Rapid, February 2026", "rapid 2026-02")
    assert str(rating) == str(rating.report.tournament)
    assert str(rating.report) == f"{rating.report.tournament} · Version 1"
    assert str(calculation) == f"{calculation.player} · Rapid, February 2026"
    with override("de"):
        assert str(published) == "Schnellschach, Februar 2026"


def test_evidence_is_neither_added_nor_changed_nor_deleted(staff: Client, published: RatingList) -> None:
    open_to_staff = []
    for label in EVIDENCE:
        base = f"/admin/{label.lower().replace('.', '/')}/"
        row = apps.get_model(label)._default_manager.first()
        asked = [(f"{base}add/", {})]
        if row is not None:
            asked += [(f"{base}{row.pk}/change/", {}), (f"{base}{row.pk}/delete/", {"post": "yes"})]
        open_to_staff += [address for address, sent in asked if staff.post(address, sent).status_code != 403]
    assert open_to_staff == []


def test_a_confirmed_publication_is_due_work(staff: Client, published: RatingList) -> None:
    answer = staff.post(PUBLISH, {"month": "2026-02-01"})

    jobs = Run.objects.filter(work=Work.PUBLISH).order_by("subject").values_list("subject", "state")
    assert list(jobs) == [("blitz 2026-02-01", RunState.DUE), ("rapid 2026-02-01", RunState.DUE)]
    assert answer["Location"] == f"{PUBLISH}?month=2026-02-01"


def publication(**values: Any) -> Run:
    return Run.objects.create(
        work=Work.PUBLISH, subject="rapid 2026-02-01", created_at=NOW, claimed_at=NOW, **values
    )


def test_running_publication_is_shown_and_not_started_again(staff: Client, published: RatingList) -> None:
    run = publication(state=RunState.RUNNING, attempts=1)

    page = staff.get(PUBLISH)
    again = staff.post(PUBLISH, {"month": "2026-02-01"})

    assert (page.context["is_moving"], BUTTON in page.content.decode()) == (True, False)
    run.refresh_from_db()
    assert (again.status_code, run.state, run.attempts) == (302, RunState.RUNNING, 1)


@pytest.mark.parametrize(("attempts", "is_tried_again"), [(1, True), (5, False)])
def test_failed_publication_says_why_and_can_be_started_again(
    staff: Client, published: RatingList, attempts: int, is_tried_again: bool
) -> None:
    run = publication(state=RunState.FAILED, attempts=attempts, error="OSError: No space left")

    answer = staff.get(PUBLISH)
    staff.post(PUBLISH, {"month": "2026-02-01"})

    run.refresh_from_db()
    page = answer.content.decode()
    assert [text in page for text in ("2026-02-01", "No space left", BUTTON)] == [True] * 3
    assert (answer.context["has_failed"], answer.context["is_tried_again"]) == (True, is_tried_again)
    assert (run.state, run.attempts, run.error) == (RunState.DUE, 0, "")


def test_published_month_is_shown_after_a_second_click(staff: Client, published: RatingList) -> None:
    make.publish("blitz", date(2026, 2, 1))

    page = staff.post(PUBLISH, {"month": "2026-02-01"})

    assert page.context["is_published"] is True
    assert 'href="/lists/blitz/2026-02-01/">Show list</a>' in page.content.decode()
    assert not Run.objects.filter(work=Work.PUBLISH).exists()
    assert staff.get(PUBLISH).context["check"].month == date(2026, 3, 1)


def test_a_month_that_cannot_be_published_is_not_taken(staff: Client, published: RatingList) -> None:
    months = ("2026-03-01", "2025-12-01", "2026-02-02", "soon")
    assert [staff.post(PUBLISH, {"month": month}).status_code for month in months] == [200] * 4
    assert not Run.objects.filter(work=Work.PUBLISH).exists()


def test_first_page_has_the_jobs_and_leads_to_the_tasks(staff: Client, published: RatingList) -> None:
    Run.objects.create(
        work=Work.RATE,
        subject="7",
        state=RunState.FAILED,
        error="KeyError: 'Elo'",
        created_at=NOW,
        finished_at=NOW,
    )
    Run.objects.create(work=Work.RATE, subject="8", state=RunState.DUE, created_at=NOW)

    page = staff.get("/admin/")

    shown, html = page.context["now"], page.content.decode()
    assert [(run.work, run.subject) for run in shown.failed] == [(Work.RATE, "7")]
    counts = {name: shown.counts[name] for name in ("failed", "running", "due")}
    assert counts == {"failed": 1, "running": 0, "due": 2}
    assert ["KeyError: &#x27;Elo&#x27;" in html, '<a href="/desk/">dashboard</a>' in html] == [True, True]


def test_first_page_has_the_calendar_of_lists_and_those_expected(
    staff: Client, published: RatingList
) -> None:
    Run.objects.create(work=Work.VERIFY, subject="rapid 2026-02-01", state=RunState.DONE, created_at=NOW)
    shown = staff.get("/admin/").context["now"]

    assert shown.month == date(2026, 2, 1)
    assert [(month.day, month.verification) for month in shown.months][:3] == [
        (date(2026, 3, 1), ""),
        (date(2026, 2, 1), "verified"),
        (date(2026, 1, 1), ""),
    ]
    assert [(row.kind, row.expected, row.is_compared) for row in shown.expected] == [
        ("standard", date(2026, 2, 1), False),
        ("rapid", date(2026, 2, 1), True),
        ("blitz", date(2026, 2, 1), False),
    ]


def test_first_page_makes_nine_queries_at_most(
    staff: Client, published: RatingList, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    staff.get("/admin/")
    with django_assert_max_num_queries(9):
        staff.get("/admin/")


def test_a_published_list_is_verified_on_demand(staff: Client, published: RatingList) -> None:
    chosen = {"action": "verify", "_selected_action": [item.pk for item in RatingList.objects.all()]}

    answer = staff.post("/admin/ratings/ratinglist/", chosen)

    # The first list was imported: there is nothing to compute again.
    assert [(run.work, run.subject) for run in Run.objects.exclude(work=Work.ARCHIVE)] == [
        (Work.VERIFY, "rapid 2026-02-01")
    ]
    assert answer["Location"] == "/admin/ratings/run/?work__exact=verify"


def test_empty_history_says_what_will_be_there(staff: Client, published: RatingList) -> None:
    shown = staff.get(f"/admin/ratings/ratinglist/{published.pk}/history/").content.decode()
    assert ('class="empty' in shown, 'id="change-history"' in shown) == (True, False)
