"""Secrets at rest, tokens that end, and a borrowed session that makes nothing lasting."""

from __future__ import annotations

import logging
import sys
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from core.secrets import ENCRYPTED, decrypt, encrypt
from core.tokens import token_digest
from players.models import Appointment, Invitation
from portal.logging import hide_secrets, logging_config
from portal.models import User
from portal.secret_addresses import MAX_TEXT, mask_addresses
from tests import make
from tests.conftest import age_session
from tests.one_time_codes import SECRET
from tests.walk.routes import address, names_in, pages
from tournaments.models import DeadlineFeed, OfficerToken
from tournaments.tokens import LONGEST_DAYS, holder_of, issue_feed, issue_token

PASSWORD = "a long enough word"
TOKEN = {"name": "Tool", "federation": "SUI", "verbs": ["read"]}


@pytest.fixture
def officer(db: None) -> User:
    user = make.person("officer", "SUI")
    user.set_password(PASSWORD)
    user.save()
    return user


def token_of(user: User, **options: Any) -> str:
    federation = make.federation(code="SUI")
    return issue_token(user, federation, name="Tool", verbs=["read"], at=timezone.now(), **options)


def is_open(token: str) -> bool:
    return holder_of(token, at=timezone.now()) is not None


def test_second_factors_are_stored_encrypted(officer: User) -> None:
    TOTP.activate(officer, SECRET)

    stored = Authenticator.objects.get().data["secret"]
    assert (stored.startswith(ENCRYPTED), SECRET in stored, decrypt(stored)) == (True, False, SECRET)


def test_keys_are_rotated(officer: User, settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    settings.SECRETS_KEYS = ("first",)
    Authenticator.objects.create(user=officer, type="totp", data={"secret": encrypt(SECRET)})
    Authenticator.objects.create(user=officer, type="recovery_codes", data={"seed": "plain", "used_mask": 0})
    settings.SECRETS_KEYS = ("second", "first")
    call_command("rotate_secrets")
    settings.SECRETS_KEYS = ("second",)

    rows = [row.data for row in Authenticator.objects.order_by("pk")]
    assert (decrypt(rows[0]["secret"]), decrypt(rows[1]["seed"])) == (SECRET, "plain")
    settings.SECRETS_KEYS = ("third",)
    with pytest.raises(SystemExit):
        call_command("rotate_secrets")
    assert "previous key" in capsys.readouterr().out


def test_staff_see_no_second_factors_and_no_addresses_in_the_admin(client: Client, db: None) -> None:
    client.force_login(User.objects.create_superuser("root@fide.example", PASSWORD))

    pages = ["mfa/authenticator", "account/emailaddress"]
    assert [client.get(f"/admin/{page}/").status_code for page in pages] == [404, 404]


@pytest.mark.parametrize(("days", "kept"), [(30, 30), (LONGEST_DAYS, 365), (10_000, 365)])
def test_a_token_ends_by_itself_within_a_year(officer: User, days: int, kept: int) -> None:
    token = token_of(officer, days=days)
    ends = OfficerToken.objects.get().expires_at

    assert holder_of(token, at=ends - timedelta(seconds=1)) is not None
    assert holder_of(token, at=ends) is None
    assert (ends - OfficerToken.objects.get().created_at).days == kept


def test_a_new_password_ends_tokens_and_the_calendar(officer: User) -> None:
    token = token_of(officer)
    issue_feed(officer, at=timezone.now())
    before = is_open(token)
    officer.set_password("another long enough word")
    officer.save()

    assert (before, is_open(token), DeadlineFeed.objects.count()) == (True, False, 0)


def test_an_appointment_given_again_revives_no_token(officer: User) -> None:
    token = token_of(officer)
    Appointment.objects.get(user=officer).delete()
    make.appointment(user=officer, role="officer", federation=make.federation(code="SUI"))

    assert not is_open(token)


def test_the_secret_of_a_calendar_is_not_logged(officer: User) -> None:
    secret = issue_feed(officer, at=timezone.now())
    line = f'"GET /accounts/deadlines/{secret}.ics HTTP/1.1" 200'

    logged = hide_secrets(None, "info", {"event": line, "path": f"/invitations/{secret}/"})

    assert logged == {"event": line.replace(f"{secret}.ics", "***"), "path": "/invitations/***/"}


@pytest.mark.parametrize(
    "place",
    [
        "/accounts//deadlines/",
        "/accounts/./deadlines/",
        "/ACCOUNTS/Deadlines/",
        "/accounts/deadlines/x/",
        "/%61ccounts/deadlines/",
        "/accounts%2Fdeadlines%2F",
        "/accounts/login/?next=/invitations/",
        "/accounts/login/?next=/accounts/reauthenticate/%3Fnext%3D%252Finvitations%252F",
    ],
)
def test_an_address_written_otherwise_is_masked_too(place: str) -> None:
    line = f'"GET {place}MTpzZWNyZXQ.ics HTTP/1.1" 200'

    logged = hide_secrets(None, "info", {"event": line, "path": "/search?q=100%25"})

    assert ("MTpzZWNyZXQ" in logged["event"], "MTpzZWNyZXQ" in mask_addresses(line)) == (False, False)
    assert logged["path"] == "/search?q=100%25"


def test_every_address_that_lets_in_is_masked_and_is_no_referrer(client: Client, db: None) -> None:
    """Also one that is added tomorrow: its parameter is named `token` or `key`."""
    secret = "MTpzZWNyZXQ6c2VjcmV0"
    patterns = [pattern for pattern, _ in pages() if names_in(pattern) & {"token", "key", "uidb36"}]
    addresses = [address(pattern, dict.fromkeys(("token", "key", "uidb36"), secret)) for pattern in patterns]

    assert len(addresses) >= 7
    assert [one for one in addresses if secret in mask_addresses(one)] == []
    policies = {one: client.get(one)["Referrer-Policy"] for one in addresses}
    assert set(policies.values()) == {"strict-origin"}, policies


def test_traceback_is_masked_too() -> None:
    config = logging_config(level="INFO", as_json=True)
    formatter = dict(config["formatters"]["structured"])
    made = formatter.pop("()")(**formatter)
    try:
        raise ValueError("/invitations/MTpzZWNyZXQ/ is wrong")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "failed", (), sys.exc_info())

    text = made.format(record)
    assert ("MTpzZWNyZXQ" in text, "/invitations/***/ is wrong" in text) == (False, True)


def old_session(user: User) -> Client:
    """Return a browser whose person signed in more than 15 minutes ago."""
    client = make.browser(user)
    age_session(client)
    return client


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/desk/tokens/", TOKEN),
        ("/desk/people/", {"email": "x@x.example", "role": "deputy", "federation": "SUI"}),
        ("/desk/people/appointments/0/end", {}),
        ("/desk/calendar/feed", {}),
    ],
)
def test_a_borrowed_session_makes_nothing_lasting(officer: User, path: str, data: dict[str, Any]) -> None:
    answer = old_session(officer).post(path, data)

    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/accounts/reauthenticate/")
    counts = (OfficerToken.objects.count(), Invitation.objects.count(), DeadlineFeed.objects.count())
    assert counts == (0, 0, 0)


def test_an_old_session_accepts_no_appointment(officer: User, client: Client) -> None:
    client.force_login(make.person("staff"))
    email = make.user(email="friend@x.example").email
    client.post("/desk/people/", {"email": email, "role": "deputy", "federation": "SUI"})
    browser = old_session(User.objects.get(email=email))
    # The link's own token is not stored: one that is known here takes its place.
    Invitation.objects.update(token_sha256=token_digest("known"))
    answer = browser.post("/invitations/known/")

    assert answer["Location"].partition("?")[0] == "/accounts/reauthenticate/"
    assert Appointment.objects.filter(user__email=email).count() == 0


def test_what_was_posted_is_done_after_the_proof(officer: User) -> None:
    browser = old_session(officer)
    asked = browser.post("/desk/tokens/", TOKEN)
    answer = browser.post(asked["Location"], {"password": PASSWORD})

    assert OfficerToken.objects.count() == 1
    assert answer.context["made"] in answer.content.decode()


def test_a_form_with_an_error_is_sent_to_its_own_page_after_the_proof(officer: User) -> None:
    browser = old_session(officer)
    typed = {"email": "x", "role": "deputy", "federation": "SUI"}
    asked = browser.post("/desk/people/", typed)
    answer = browser.post(asked["Location"], {"password": PASSWORD})

    assert answer.context["form"]["email"].value() == "x"
    assert 'class="form" method="post" action="/desk/people/"' in answer.content.decode()


def test_a_long_text_keeps_its_beginning_and_its_end_without_their_secrets() -> None:
    text = "begins /invitations/MTpzZWNyZXQ/ " + "x" * MAX_TEXT + "MTpzZWNyZXQ ends"

    masked = mask_addresses(text)

    assert (masked[:25], masked[-9:], "MTpz" in masked) == ("begins /invitations/.../ ", " ... ends", False)
