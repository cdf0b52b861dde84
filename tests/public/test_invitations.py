"""The page of an invitation: its link works once, for whom it was meant, until it expires or is withdrawn."""

from __future__ import annotations

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from players import notices
from players.models import Appointment, Invitation, Notice
from tests import make

PASSWORD = "a long enough word"


ACCOUNT = {"first_name": "Dora", "last_name": "Deputy", "password": PASSWORD}


@pytest.fixture
def officer(db: None, client: Client) -> Client:
    client.force_login(make.person("officer", "SUI"))
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


def test_a_weak_password_is_refused_at_its_field(link: str) -> None:
    answer = Client().post(link, {**ACCOUNT, "password": "short"})

    assert answer.status_code == 200
    assert "password" in answer.context["form"].errors
    assert Client().get(link).status_code == 200


def test_who_has_an_account_signs_in_and_accepts(link: str) -> None:
    person = make.user(email="dora@example.org")
    stranger, browser = Client(), Client()
    stranger.force_login(make.user())
    browser.force_login(person)

    assert stranger.post(link).status_code == 200
    assert Appointment.objects.filter(user=person).count() == 0
    assert browser.post(link)["Location"] == "/desk/"
    assert browser.get("/desk/").status_code == 200


def test_an_invitation_opened_in_the_browser_of_another_gives_them_nothing(link: str) -> None:
    other, browser = make.user(), Client()
    browser.force_login(other)

    browser.post(link, ACCOUNT)

    [held] = Appointment.objects.filter(role="deputy")
    assert (held.user.email, browser.session["_auth_user_id"]) == ("dora@example.org", str(held.user_id))
    assert not Appointment.objects.filter(user=other).exists()


def test_links_are_not_found_by_trying(db: None, settings: Settings) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()

    answers = [Client().get("/invitations/no-such-link/").status_code for _ in range(21)]

    cache.clear()
    assert answers == [404] * 20 + [429]
