"""Accounts for players: a confirmed address first, the same answer for every address, and few emails."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django import forms
from django.contrib.auth import authenticate
from django.core import signing
from django.core.management import call_command
from django.test import Client

from players.models import Claim, Notice
from players.permissions import is_staff
from portal.accounts.sign_up import MAX_AN_ADDRESS, SALT, token_of
from portal.models import User
from tests import make
from tests.codes import codes_of_form

pytestmark = pytest.mark.django_db
SIGN_UP = "/accounts/signup/"
NAMES = {"first_name": "Ada", "last_name": "Alder", "password": "correct horse battery"}


def link() -> str:
    """Return the path of the newest email's link."""
    text = Notice.objects.order_by("-pk")[0].content
    return "/" + next(line for line in text.split() if line.startswith("http")).split("/", 3)[3]


def test_an_account_begins_with_a_confirmed_address(client: Client) -> None:
    client.post(SIGN_UP, {"email": "Ada@chess.example"})
    before = User.objects.count()
    made = client.post(link(), NAMES)
    again = Client().get(link()).status_code

    user = User.objects.get()
    assert (before, made.status_code, made.headers["Location"], again) == (0, 302, "/desk/chess/", 404)
    assert (user.email, user.is_staff) == ("ada@chess.example", False)
    assert EmailAddress.objects.get().verified


def test_first_account_is_created_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", NAMES["password"])
    call_command("createsuperuser", email="Staff@fide.example", interactive=False)

    user = authenticate(username="staff@fide.example", password=NAMES["password"])
    assert user is not None
    assert (is_staff(user), user.is_active) == (True, True)


def test_sessions_of_a_closed_account_stay_ended_when_it_is_opened_again(client: Client) -> None:
    user = make.user()
    client.force_login(user)
    before = client.get("/desk/chess/").status_code
    for is_active in (False, True):
        user.is_active = is_active
        user.save()

    assert (before, client.get("/desk/chess/").headers["Location"].partition("?")[0]) == (
        200,
        "/accounts/login/",
    )


def test_player_is_kept_from_the_own_page_to_the_claim(client: Client) -> None:
    """Four taps: "This is me", the link by email, the link itself, the account with its claim."""
    player = make.player(name="Alder, Ada")
    own = client.get(f"/players/{player.pk}/").content.decode()
    (place,) = re.findall(rf'href="({SIGN_UP}\?player={player.pk})"', own)
    client.post(place, {"email": "ada@chess.example"})
    shown = client.get(link()).context["form"].initial
    errors = client.post(link(), {**NAMES, "reason": ""}).context["form"].errors
    client.post(link(), {**NAMES, "reason": "Club of Alphaville"})

    # A browser does not get the password back.
    assert list(errors) == ["reason", "password"]
    claim = Claim.objects.get()
    assert shown == {"first_name": "Ada", "last_name": "Alder"}
    assert (claim.player, claim.asked_by, claim.state) == (player, User.objects.get(), "waiting")
    assert client.get(place).headers["Location"] == f"/desk/chess/claim?player={player.pk}"


def test_link_of_the_former_release_opens_the_account(client: Client) -> None:
    token = signing.dumps("ada@chess.example", salt=SALT)
    assert client.get(f"{SIGN_UP}{token}/").context["email"] == "ada@chess.example"


def test_sign_in_leads_to_the_claim_of_the_player(client: Client) -> None:
    make.user(email="ada@chess.example")
    player = make.player()
    client.post(f"{SIGN_UP}?player={player.pk}", {"email": "ada@chess.example"})
    assert link() == f"/accounts/login/?next=%2Fdesk%2Fchess%2Fclaim%3Fplayer%3D{player.pk}"
    (back,) = re.findall(rf'href="({SIGN_UP}\?next=[^"]+)"', client.get(link()).content.decode())
    assert client.get(back).context["player"] == player


@pytest.mark.parametrize("wrong", ["", "x", "9" * 40, "99", "-1", "١٢"])
def test_unknown_player_is_left_aside(client: Client, wrong: str) -> None:
    assert client.get(f"{SIGN_UP}?player={wrong}").context["player"] is None


def test_the_page_answers_the_same_whether_an_account_exists(client: Client) -> None:
    make.user(email="ada@chess.example")

    # The page says until when the link is valid.
    with time_machine.travel(datetime(2026, 1, 20, 12, tzinfo=UTC), tick=False):
        known = client.post(SIGN_UP, {"email": "ada@chess.example"})
        unknown = client.post(SIGN_UP, {"email": "bob@chess.example"})

    assert known.content == unknown.content.replace(b"bob@", b"ada@")
    assert [("signup" in text) for text in (notice.content for notice in Notice.objects.order_by("pk"))] == [
        False,
        True,
    ]


def test_an_address_gets_few_emails(client: Client) -> None:
    with time_machine.travel(datetime(2026, 1, 20, 12, tzinfo=UTC), tick=False) as clock:
        for _time in range(MAX_AN_ADDRESS + 1):
            clock.shift(timedelta(minutes=1))
            answer = client.post(SIGN_UP, {"email": "ada@chess.example"})

    assert (answer.status_code, Notice.objects.count()) == (200, MAX_AN_ADDRESS)


def test_double_click_sends_one_email(client: Client) -> None:
    with time_machine.travel(datetime(2026, 1, 20, 12, tzinfo=UTC), tick=False):
        first, second = (client.post(SIGN_UP, {"email": "ada@chess.example"}) for _click in range(2))

    assert (first.content, Notice.objects.count()) == (second.content, 1)


def test_a_forged_or_foreign_link_creates_nothing(client: Client) -> None:
    forged = client.post(f"{SIGN_UP}{token_of('ada@chess.example')[:-1]}/", NAMES)

    assert (forged.status_code, User.objects.count()) == (404, 0)


def test_a_portal_that_does_not_want_it_has_no_accounts_for_players(client: Client, settings: Any) -> None:
    settings.PLAYER_ACCOUNTS = False

    client.post(SIGN_UP, {"email": "ada@chess.example"})
    made = client.post(f"{SIGN_UP}{token_of('ada@chess.example')}/", NAMES)

    assert (made.status_code, User.objects.count(), Notice.objects.count()) == (404, 0, 0)


def test_an_account_has_the_language_of_the_page_on_which_it_began(client: Client) -> None:
    client.post(f"/es{SIGN_UP}", {"email": "ada@chess.example"})
    assert Notice.objects.get().language == "es"
    client.post(link(), NAMES)
    assert User.objects.get().language == "es"


def test_password_fields_have_labels_and_no_placeholders(client: Client) -> None:
    client.force_login(make.user())
    shown = client.get("/accounts/password/change/").content.decode()
    assert ("New password (again)" in shown, "placeholder" in shown.lower().partition("<main")[2]) == (
        True,
        False,
    )


@pytest.mark.parametrize("address", [SIGN_UP, "/accounts/login/", "/accounts/password/reset/", "/check/"])
def test_portal_and_not_the_browser_checks_fields(client: Client, address: str) -> None:
    (form,) = re.findall(r'<form class="form[^>]*method="post"[^>]*>', client.get(address).content.decode())
    assert "novalidate" in form


def test_empty_fields_and_wrong_passwords_say_what_to_enter(client: Client) -> None:
    empty = client.post("/accounts/login/", {}).context["form"].errors
    wrong = client.post("/accounts/login/", {"login": "ada@chess.example", "password": "not hers"}).context[
        "form"
    ]

    # Not the sentence that all fields have.
    assert len({*empty["login"], *empty["password"], str(forms.Field().error_messages["required"])}) == 3
    assert codes_of_form(wrong) == {"__all__": ["email_password_mismatch"]}
    assert forms.FileField().error_messages["required"] == "Select a file."
