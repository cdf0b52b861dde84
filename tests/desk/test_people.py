"""Invitations, appointments and the sessions that they end, in the browser's terms."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from players.models import Appointment, Invitation, Notice, Player
from players.services import notices
from tests.codes import codes_of_answer, codes_of_messages
from tests.factories import AppointmentFactory, FederationFactory, PlayerFactory, UserFactory

PASSWORD = "a long enough word"
ACCOUNT = {"first_name": "Dora", "last_name": "Deputy", "password": PASSWORD}
QUERIES = 8


@pytest.fixture
def officer(db: None, client: Client) -> Client:
    client.force_login(AppointmentFactory(role="officer", federation=FederationFactory(code="SUI")).user)
    return client


@pytest.fixture
def link(
    officer: Client,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> str:
    """Return the address in the mail of an invitation to a deputy."""
    data = {"email": "Dora@Example.org", "role": "deputy", "federation": "SUI"}
    with django_capture_on_commit_callbacks(execute=True):
        assert officer.post("/desk/people/", data).status_code == 302
    notices.send(Notice.objects.latest("pk").pk, at=timezone.now())
    (line,) = [line for line in mail.outbox[-1].body.splitlines() if "/invitations/" in line]
    return str(line[line.index("/invitations/") :])


def test_a_deputy_comes_in_by_the_link_once(link: str) -> None:
    browser = Client()

    assert browser.get(link).status_code == 200
    answer = browser.post(link, ACCOUNT)

    assert (answer.status_code, answer["Location"]) == (302, "/desk/")
    assert browser.get("/desk/").status_code == 200
    held = Appointment.objects.values_list("user__email", "role", "federation_id").latest("pk")
    assert held == ("dora@example.org", "deputy", "SUI")
    assert Client().get(link).status_code == 404


def test_an_account_has_the_language_of_the_page_on_which_the_invitation_was_accepted(link: str) -> None:
    Client().post(f"/de{link}", ACCOUNT)
    assert Appointment.objects.latest("pk").user.language == "de"


def test_invitation_writes_its_last_day_in_words(link: str) -> None:
    until = Invitation.objects.get().expires_at

    assert f"It expires on {until:%A}, {until.day} {until:%B %Y}, {until:%H:%M} UTC." in mail.outbox[-1].body


def test_the_link_stands_nowhere_once_its_mail_is_sent(link: str) -> None:
    sent = Notice.objects.values_list("recipient", "kind", "state", "text").get()

    assert sent == ("dora@example.org", "invitation", "sent", "")
    assert link.split("/")[2] not in {*Invitation.objects.values_list("token_sha256", flat=True)}


def test_a_second_click_sends_no_second_mail(officer: Client) -> None:
    data = {"email": "dora@example.org", "role": "deputy", "federation": "SUI"}

    answers = [officer.post("/desk/people/", data).status_code for _ in range(2)]
    counts = (Invitation.objects.count(), Notice.objects.count())
    Invitation.objects.update(invited_at=timezone.now() - timedelta(minutes=1))
    officer.post("/desk/people/", data)

    assert (answers, counts) == ([302, 302], (1, 1))
    # Later it is meant: the new link takes the place of the former.
    assert (Invitation.objects.filter(revoked_at=None).count(), Notice.objects.count()) == (1, 2)


def test_invitations_are_limited_and_the_limit_is_named(officer: Client) -> None:
    pages = [
        officer.post(
            "/desk/people/", {"email": f"x{number}@example.org", "role": "deputy", "federation": "SUI"}
        )
        for number in range(21)
    ]

    assert [page.status_code for page in pages] == [302] * 20 + [200]
    assert codes_of_answer(pages[-1]) == {"email": ["too-many-invitations"]}
    Invitation.objects.update(invited_at=timezone.now() - timedelta(hours=2))
    later = {"email": "y@example.org", "role": "deputy", "federation": "SUI"}
    assert officer.post("/desk/people/", later).status_code == 302


def test_an_officer_of_one_federation_finds_it_chosen(officer: Client) -> None:
    one = officer.get("/desk/people/").context["form"]["federation"].value()
    Appointment.objects.create(
        user=Appointment.objects.get().user, role="officer", federation=FederationFactory(code="AUT")
    )
    browser = Client()
    browser.force_login(Appointment.objects.earliest("pk").user)

    assert (one, browser.get("/desk/people/").context["form"]["federation"].value()) == ("SUI", None)


@pytest.mark.parametrize("page", ["/desk/", "/desk/people/", "/desk/players/new"])
def test_the_desk_is_marked_where_one_is(officer: Client, page: str) -> None:
    current = b"page" if page == "/desk/" else b"true"
    assert b'href="/desk/" aria-current="%s">' % current in officer.get(page).content


def test_a_weak_password_is_refused_at_its_field(link: str) -> None:
    answer = Client().post(link, {**ACCOUNT, "password": "short"})

    assert answer.status_code == 200
    assert "password" in answer.context["form"].errors
    assert Client().get(link).status_code == 200


def test_who_has_an_account_signs_in_and_accepts(link: str) -> None:
    person = UserFactory(email="dora@example.org")
    stranger, browser = Client(), Client()
    stranger.force_login(UserFactory())
    browser.force_login(person)

    assert stranger.post(link).status_code == 200
    assert Appointment.objects.filter(user=person).count() == 0
    assert browser.post(link)["Location"] == "/desk/"
    assert browser.get("/desk/").status_code == 200


def test_an_invitation_opened_in_the_browser_of_another_gives_them_nothing(link: str) -> None:
    other, browser = UserFactory(), Client()
    browser.force_login(other)

    browser.post(link, ACCOUNT)

    [held] = Appointment.objects.filter(role="deputy")
    assert (held.user.email, browser.session["_auth_user_id"]) == ("dora@example.org", str(held.user_id))
    assert not Appointment.objects.filter(user=other).exists()


def test_withdrawn_and_expired_links_are_closed(officer: Client, link: str) -> None:
    Invitation.objects.update(
        invited_at=timezone.now() - timedelta(days=9), expires_at=timezone.now() - timedelta(days=2)
    )
    expired = Client().get(link).status_code
    Invitation.objects.update(expires_at=timezone.now() + timedelta(days=2))
    officer.post(f"/desk/people/invitations/{Invitation.objects.get().pk}/withdraw")

    assert (expired, Client().get(link).status_code) == (404, 404)


def test_links_are_not_found_by_trying(db: None, settings: Settings) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()

    answers = [Client().get("/invitations/no-such-link/").status_code for _ in range(21)]

    cache.clear()
    assert answers == [404] * 20 + [429]


@pytest.mark.parametrize("role", ["officer", "staff", "qc"])
def test_an_officer_gives_no_higher_role(officer: Client, role: str) -> None:
    data = {"email": "x@example.org", "role": role, "federation": "SUI"}

    assert officer.post("/desk/people/", data).status_code == 200
    assert Invitation.objects.count() == 0


def test_another_federation_has_other_people(officer: Client) -> None:
    other = AppointmentFactory(role="deputy", federation=FederationFactory(code="AUT"))

    officer.post(f"/desk/people/appointments/{other.pk}/end")

    assert Appointment.objects.filter(pk=other.pk).exists()
    assert officer.get("/desk/people/officers/AUT/").status_code == 404


def test_sessions_end_with_an_appointment(officer: Client) -> None:
    deputy = AppointmentFactory(role="deputy", federation=FederationFactory(code="SUI"))
    browser = Client()
    browser.force_login(deputy.user)

    before = browser.get("/desk/").status_code
    officer.post(f"/desk/people/appointments/{deputy.pk}/end")

    assert (before, browser.get("/desk/").status_code) == (200, 302)


def test_ending_an_appointment_is_confirmed_on_a_page(officer: Client) -> None:
    deputy = AppointmentFactory(role="deputy", federation=FederationFactory(code="SUI"))
    address = f"/desk/people/appointments/{deputy.pk}/end"
    people = officer.get("/desk/people/").content.decode()

    asked = officer.get(address)

    assert (f'href="{address}"' in people, f'action="{address}"' in people) == (True, False)
    assert f'<form class="form" method="post" action="{address}">' in asked.content.decode()
    assert Appointment.objects.filter(pk=deputy.pk).exists()
    assert officer.post(address)["Location"] == "/desk/people/"
    assert not Appointment.objects.filter(pk=deputy.pk).exists()
    assert officer.get(address)["Location"] == "/desk/people/"


@pytest.mark.parametrize("role", ["officer", "staff"])
def test_own_appointment_is_neither_offered_to_be_ended_nor_ended(role: str, db: None) -> None:
    own = AppointmentFactory(
        role=role, federation=FederationFactory(code="SUI") if role == "officer" else None
    )
    browser = Client()
    browser.force_login(own.user)
    address = f"/desk/people/appointments/{own.pk}/end"

    page = browser.get("/desk/people/").content.decode()
    answer = browser.post(address)

    assert address not in page
    assert codes_of_messages(answer) == ["own-appointment"]
    assert Appointment.objects.filter(pk=own.pk).exists()


def test_designated_officer_is_shown_to_everybody(officer: Client) -> None:
    details = {"officer_name": "Olga Officer", "officer_details": "ratings@federation.example"}

    assert officer.post("/desk/people/officers/SUI/", details).status_code == 302
    assert b"Olga Officer" in Client().get("/federations/SUI/").content


@pytest.mark.parametrize("rows", [1, 3])
def test_people_cost_the_same_queries_however_many(
    officer: Client, rows: int, django_assert_max_num_queries: Any
) -> None:
    for _ in range(rows):
        AppointmentFactory(role="deputy", federation=FederationFactory(code="SUI"))

    # The rail has counted the tasks before.
    officer.get("/desk/")
    with django_assert_max_num_queries(QUERIES):
        officer.get("/desk/people/")


def test_an_officer_registers_a_player_after_a_warning(officer: Client) -> None:
    PlayerFactory(
        name="Alder, Ada", federation=FederationFactory(code="SUI"), birth_year=2010, birth_date=None
    )
    data = {
        "surname": "Alder",
        "given_names": "Ada",
        "federation": "SUI",
        "sex": "F",
        "birth_date": "2010-05-06",
    }

    warned = officer.post("/desk/players/new", data)
    waits = officer.post("/desk/players/new", {**data, "is_another_person": "on"})
    plain = officer.post("/desk/players/new", {**data, "surname": "Birch", "given_names": "Ben"})

    assert [one.score for one in warned.context["alike"]] == [80]
    assert waits["Location"] == "/desk/players/applications/"
    assert plain["Location"] == "/desk/players/new"
    assert Player.objects.count() == 2


@pytest.mark.parametrize("path", ["applications/", "transfers/"])
def test_pages_of_players_are_shown(officer: Client, path: str) -> None:
    assert officer.get(f"/desk/players/{path}").status_code == 200
