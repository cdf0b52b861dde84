from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.choices import Area
from players.models import Federation, FederationExclusion
from portal.models import User
from ratings.choices import ListKind, RunState, Work
from ratings.models import FeeRate, ListEntry, Run, TournamentRating
from tests import make

pytestmark = [pytest.mark.page, pytest.mark.slow]

NOW = datetime(2026, 2, 4, 9, 30, tzinfo=UTC)
PUBLISH = "/admin/ratings/ratinglist/publish/"


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def staff(db: None) -> Client:
    return make.browser("staff")


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


def test_the_lists_lead_to_their_publication(staff: Client) -> None:
    assert f'href="{PUBLISH}"' in staff.get("/admin/ratings/ratinglist/").content.decode()


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


def test_history_of_an_impossible_key_is_not_found(staff: Client) -> None:
    pages = [
        f"{model}/{key}" for model in ("ratings/feerate", "players/player") for key in ("%25F8%2588", "1.5")
    ]
    assert {staff.get(f"/admin/{page}/history/").status_code for page in pages} == {404}


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
