from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
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
from players.choices import Area
from players.models import Federation, FederationExclusion
from portal.models import User
from ratings.choices import ListKind, RunState, Work
from ratings.models import Calculation, FeeRate, ListEntry, RatingList, Run, TournamentRating
from tests import make

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


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def staff(db: None) -> Client:
    return make.browser("staff")


@pytest.fixture
def published(db: None) -> RatingList:
    """Return a published list that took one tournament."""
    players = [make.entry(rating=rating).player for rating in (2000, 1900, 1800)]
    make.play_and_rate(make.tournament(), players, make.round_robin(3))
    make.rating_list(kind="blitz")
    return make.publish("rapid", date(2026, 2, 1))


def test_an_appointment_opens_the_admin_and_its_end_closes_it(db: None, client: Client) -> None:
    user = make.user()
    appointment = make.appointment(user=user, role="staff")
    client.force_login(user)
    assert client.get("/admin/").status_code == 200

    appointment.delete()

    assert not User.objects.get().is_staff
    assert client.get("/admin/").status_code == 302


def test_a_superuser_stays_in_the_admin_without_the_appointment(db: None) -> None:
    user = User.objects.create_superuser(email="root@portal.example")
    make.appointment(user=user, role="staff").delete()

    user.refresh_from_db()
    assert user.is_staff


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


@pytest.mark.parametrize("words", ["zoe odeg", "1234567"])
def test_players_are_found_by_words_of_the_name_in_any_order_and_by_fide_id(
    staff: Client, words: str
) -> None:
    wanted = make.player(name="Ødegård, Zoë Ann", fide_id=1_234_567)
    make.player(name="Odessa, Ann", fide_id=12_345)

    page = staff.get("/admin/players/player/", {"q": words})

    assert list(page.context["cl"].result_list) == [wanted]


def test_what_lists_publish_of_a_player_is_not_simply_overwritten(staff: Client) -> None:
    player = make.player(name="Alder, Ada")
    values = {"name": "Birch, Ada", "federation": player.federation_id, "sex": "F", "title": "WFM"}

    staff.post(f"/admin/players/player/{player.fide_id}/change/", values)

    player.refresh_from_db()
    assert (player.name, player.sex, player.title) == ("Alder, Ada", "M", "WFM")


def test_history_of_a_row_is_the_log_of_it(staff: Client) -> None:
    player, other = make.player(name="Alder, Ada"), make.player()
    appointment = make.appointment(role="qc")
    rate = FeeRate.objects.create(
        valid_from=date(2026, 1, 1), currency="EUR", per_tournament=Decimal(50), per_player=Decimal(1)
    )
    exclusion = FederationExclusion.objects.create(
        federation=other.federation, excluded_from=date(2026, 3, 1), recorded_at=timezone.now()
    )
    other.federation.note = "Seen"
    other.federation.save()
    rows = [player, other.federation, exclusion, appointment, rate]

    logs = [
        staff.get(f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/history/", follow=True)
        for row in rows
    ]

    found = [[(one.kind, one.what) for one in log.context["page"].rows] for log in logs]
    assert found == [[(row.area, "changed" if row.area == Area.FEDERATION else "added")] for row in rows]


def test_staff_change_no_appointment_in_the_admin(staff: Client) -> None:
    appointment = make.appointment(role="qc")

    assert staff.post(f"/admin/players/appointment/{appointment.pk}/change/", {}).status_code == 403


def test_staff_cannot_make_themselves_superusers(staff: Client) -> None:
    officer = make.user()
    other = make.person("staff")

    staff.post(
        f"/admin/portal/user/{officer.pk}/change/",
        {"email": officer.email, "is_active": "on", "is_staff": "on", "is_superuser": "on"},
    )

    officer.refresh_from_db()
    assert (officer.is_staff, officer.is_superuser) == (False, False)
    assert staff.post(f"/admin/portal/user/{other.pk}/change/", {}).status_code == 403
    assert staff.post(f"/admin/portal/user/{other.pk}/password/", {}).status_code == 403


def test_publishing_shows_what_is_due_and_waits_for_the_word(staff: Client) -> None:
    players = [make.entry(rating=rating).player for rating in (2000, 1900, 1800)]
    make.play_and_rate(make.tournament(name="Winter Rapid"), players, make.round_robin(3))

    page = staff.get(PUBLISH)

    assert page.context["months"] == [date(2026, 2, 1)]
    rapid = page.context["prospect"].kinds[0]
    assert [report.tournament.name for report in rapid.reports] == ["Winter Rapid"]
    assert "Winter Rapid" in page.content.decode()
    assert not Run.objects.filter(work=Work.PUBLISH).exists()


def test_a_confirmed_publication_is_due_work(staff: Client, published: RatingList) -> None:
    answer = staff.post(PUBLISH, {"month": "2026-02-01"})

    jobs = Run.objects.filter(work=Work.PUBLISH).order_by("subject").values_list("subject", "state")
    assert list(jobs) == [("blitz 2026-02-01", RunState.DUE), ("rapid 2026-02-01", RunState.DUE)]
    assert answer["Location"] == f"{PUBLISH}?month=2026-02-01"


def publication(**values: Any) -> Run:
    return Run.objects.create(
        work=Work.PUBLISH, subject="rapid 2026-02-01", created_at=NOW, claimed_at=NOW, **values
    )


BUTTON = "Publish the lists of February 2026"


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


@pytest.mark.parametrize("month", ["2026-03-01", "2025-12-01", "2026-02-02", "soon"])
def test_a_month_that_cannot_be_published_is_not_taken(
    staff: Client, published: RatingList, month: str
) -> None:
    answer = staff.post(PUBLISH, {"month": month})

    assert answer.status_code == 200
    assert not Run.objects.filter(work=Work.PUBLISH).exists()


def test_failed_runs_are_tried_again_after_a_question(staff: Client) -> None:
    report = make.report(make.tournament(), at=NOW)
    failed = Run.objects.create(
        work=Work.RATE, subject="700", state=RunState.FAILED, attempts=5, error="KeyError", created_at=NOW
    )
    done = Run.objects.create(work=Work.RATE, subject=str(report.pk), state=RunState.DONE, created_at=NOW)
    chosen = {"action": "retry", "_selected_action": [failed.pk, done.pk]}

    page = staff.get("/admin/ratings/run/?state__exact=done").content.decode()
    nothing = staff.post("/admin/ratings/run/", {"action": "retry", "index": "0"})
    question = staff.post("/admin/ratings/run/", chosen)
    states_before = set(Run.objects.values_list("subject", "state"))
    staff.post("/admin/ratings/run/", chosen | {"confirmed": "1"})

    assert f'<a href="/desk/tournaments/{report.tournament.event_id}/">{report.tournament.name}</a>' in page
    assert list(question.context["failed"]) == [failed]
    assert states_before == {("700", "failed"), (done.subject, "done")}
    assert set(Run.objects.values_list("pk", "state")) == {(failed.pk, "due"), (done.pk, "done")}
    assert (nothing.status_code, 'value="retry"' in page) == (302, True)
    assert 'value="retry"' not in staff.get("/admin/ratings/run/").content.decode()


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


def test_the_lists_lead_to_their_publication(staff: Client) -> None:
    assert f'href="{PUBLISH}"' in staff.get("/admin/ratings/ratinglist/").content.decode()


def test_a_published_list_is_verified_on_demand(staff: Client, published: RatingList) -> None:
    chosen = {"action": "verify", "_selected_action": [item.pk for item in RatingList.objects.all()]}

    answer = staff.post("/admin/ratings/ratinglist/", chosen)

    # The first list was imported: there is nothing to compute again.
    assert [(run.work, run.subject) for run in Run.objects.exclude(work=Work.ARCHIVE)] == [
        (Work.VERIFY, "rapid 2026-02-01")
    ]
    assert answer["Location"] == "/admin/ratings/run/?work__exact=verify"


def test_only_what_no_list_has_taken_is_rated_again(staff: Client) -> None:
    players = [make.entry(rating=rating).player for rating in (2000, 1900, 1800)]
    taken = make.play_and_rate(make.tournament(), players, make.round_robin(3))
    make.publish("rapid", date(2026, 2, 1))
    open_report = make.play_and_rate(make.tournament(start=date(2026, 2, 7)), players, make.round_robin(3))
    ratings = TournamentRating.objects.filter(report__in=[taken, open_report])

    staff.post(
        "/admin/ratings/tournamentrating/",
        {"action": "rate_again", "_selected_action": [rating.pk for rating in ratings]},
    )

    assert [(run.work, run.subject) for run in Run.objects.exclude(work=Work.ARCHIVE)] == [
        (Work.RATE, str(open_report.pk))
    ]


def test_d_77_publishing_warns_of_a_missing_standard_list(staff: Client) -> None:
    make.entry()
    make.rating_list(kind="blitz")

    page = staff.get(PUBLISH)
    make.rating_list(kind="standard", date=date(2026, 2, 1))

    (warning,) = page.context["prospect"].warnings
    assert warning in unescape(page.content.decode())
    assert staff.get(PUBLISH).context["prospect"].warnings == []


def players_of(answer: Any) -> tuple[int, int]:
    """Return how many players of the federation the newest rapid list has, listed and not."""
    rapid = answer.context["effect"][ListKind.RAPID]
    return rapid.listed, rapid.withheld


def test_9_1_exclusion_is_saved_after_its_effect_is_shown(staff: Client) -> None:
    entry = make.entry(rating_list=make.rating_list(kind="rapid", date=date(2026, 2, 1)))
    typed = {
        "federation": entry.federation_id,
        "excluded_from": "2026-03-01",
        "until": "",
        "reference": "C 1",
    }
    add = "/admin/players/federationexclusion/add/"

    shown = staff.post(add, typed)
    before = FederationExclusion.objects.count()
    staff.post(add, typed | {"confirm": "Save exclusion"})
    exclusion = FederationExclusion.objects.get()
    change = f"/admin/players/federationexclusion/{exclusion.pk}/change/"
    ListEntry.objects.update(status="withheld")
    ended = staff.post(change, {"until": "2026-04-01", "reference": "C 2"})
    staff.post(change, {"until": "2026-04-01", "reference": "C 2", "confirm": "Save exclusion"})

    assert shown.context["exclusion"].excluded_from == date(2026, 3, 1)
    assert (players_of(shown), before, players_of(ended)) == ((1, 0), 0, (0, 1))
    exclusion.refresh_from_db()
    assert (exclusion.until, exclusion.reference) == (date(2026, 4, 1), "C 2")


def test_9_1_federation_leaves_the_lists_after_the_effect_is_shown(staff: Client) -> None:
    entry = make.entry(rating_list=make.rating_list(kind="rapid", date=date(2026, 2, 1)))
    address = f"/admin/players/federation/{entry.federation_id}/change/"
    typed = {"name": "Switzerland", "continent": "Europe"}

    shown = staff.post(address, typed)
    before = Federation.objects.get(pk=entry.federation_id).is_member
    staff.post(address, typed | {"confirm": "Save federation"})
    renamed = staff.post(address, typed | {"name": "Swiss"})
    back = staff.post(address, typed | {"is_member": "on"})

    assert (shown.context["is_listed"], players_of(shown)) == (False, (1, 0))
    assert (before, renamed.status_code) == (True, 302)
    assert Federation.objects.values_list("name", "is_member").get(pk=entry.federation_id) == ("Swiss", False)
    assert back.context["is_listed"] is True


@pytest.mark.parametrize("model", ["player", "federationexclusion"])
def test_required_select_without_a_choice_has_an_empty_option(staff: Client, model: str) -> None:
    page = staff.get(f"/admin/players/{model}/add/").content.decode()

    (select,) = re.findall(r'<select name="federation"[^>]*>(.*?)</select>', page, re.DOTALL)
    assert re.findall(r'<option value="([^"]*)"( selected)?', select)[0] == ("", " selected")


@pytest.mark.parametrize("key", ["%25F8%2588", "x", "1.5"])
@pytest.mark.parametrize("model", ["ratings/feerate", "players/player"])
def test_history_of_an_impossible_key_is_not_found(staff: Client, model: str, key: str) -> None:
    assert staff.get(f"/admin/{model}/{key}/history/").status_code == 404


def test_empty_history_says_what_will_be_there(staff: Client, published: RatingList) -> None:
    shown = staff.get(f"/admin/ratings/ratinglist/{published.pk}/history/").content.decode()
    assert ('class="empty' in shown, 'id="change-history"' in shown) == (True, False)


@pytest.mark.parametrize(
    ("work", "subject", "shown"),
    [
        (Work.VERIFY, "rapid 2026-02-01", "rapid, February 2026"),
        (Work.PUBLISH, "rapid 2026-02-01", "rapid, February 2026"),
        (Work.RATE, "24", "24"),
        (Work.STORE, "store", ""),
    ],
)
def test_subject_of_a_job_is_in_words(work: str, subject: str, shown: str) -> None:
    assert Run(work=work, subject=subject).subject_in_words == shown


def test_a_list_of_the_admin_that_is_asked_for_a_year_out_of_range_says_so(client: Client, db: None) -> None:
    client.force_login(User.objects.create_superuser("root@fide.example", "a long enough word"))

    answer = client.get("/admin/ratings/ratinglist/?date__year=99999")

    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/ratings/ratinglist/?e=1")
    assert client.get(answer.headers["Location"]).status_code == 200
