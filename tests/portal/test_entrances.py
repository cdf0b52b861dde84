"""Every way in: guessing is limited, and no entrance lets anybody past the second factor."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from core.web.rates import network_of
from players import notices
from players.models import Notice
from portal.models import User
from tests import make
from tests.codes import codes_of_answer
from tests.conftest import age_session
from tests.log import acts
from tests.one_time_codes import PERIOD, SECRET, code_at
from tournaments.models import OfficerToken

PASSWORD = "a long enough word"
WRONG_CODE = "The code is wrong or has expired. Enter the newest code."
SIGN_IN, RESET, ADMIN = "/accounts/login/", "/accounts/password/reset/", "/admin/login/"
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
ROLES = ("officer", "deputy", "arbiter", "qc", "staff", "council", "auditor")


@pytest.fixture(autouse=True)
def _counting(settings: Settings) -> Iterator[None]:
    """Count attempts as a real installation does, from nothing."""
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.CACHES = dict.fromkeys(("default", "pages", "process"), memory)
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portal.accounts.passwords.RESET_SECONDS", 0.0)


@pytest.fixture
def anna(db: None) -> User:
    return User.objects.create_user("anna@portal.example", PASSWORD)


@pytest.fixture
def staff(db: None) -> User:
    user = make.person("staff")
    user.set_password(PASSWORD)
    user.save()
    user.refresh_from_db()
    return user


@pytest.fixture
def app(staff: User) -> User:
    """Return staff with an authenticator app."""
    Authenticator.objects.create(user=staff, type=Authenticator.Type.TOTP, data={"secret": SECRET})
    return staff


def guess(email: str, word: str = "wrong", *, address: str = "192.0.2.1", path: str = SIGN_IN) -> Client:
    client = Client(REMOTE_ADDR=address)
    client.post(path, {"login": email, "username": email, "password": word})
    return client


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_guesses_from_elsewhere_lock_nobody_out(anna: User) -> None:
    for number in range(9):
        guess(anna.email, address=f"192.0.2.{number}")

    assert is_in(guess(anna.email, PASSWORD, address="192.0.2.99"))


@pytest.mark.parametrize(
    ("guessing", "there", "elsewhere"),
    [
        (["192.0.2.7"] * 5, "192.0.2.7", "192.0.2.8"),
        ([f"2001:db8:1:1::{number}" for number in range(5)], "2001:db8:1:1::99", "2001:db8:1:2::99"),
    ],
)
def test_an_account_is_closed_to_guessing_from_one_network(
    anna: User, guessing: list[str], there: str, elsewhere: str
) -> None:
    for address in guessing:
        guess(anna.email, address=address)

    answers = [is_in(guess(anna.email, PASSWORD, address=address)) for address in (there, elsewhere)]
    assert answers == [False, True]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("unknown", "unknown"),
    ],
)
def test_limits_count_networks(address: str, network: str) -> None:
    assert network_of(address) == network


def test_an_address_is_closed_to_guessing_of_many_accounts(anna: User) -> None:
    for number in range(30):
        guess(f"person{number}@portal.example")

    from_there = guess(anna.email, PASSWORD)
    from_elsewhere = guess(anna.email, PASSWORD, address="198.51.100.7")

    assert (is_in(from_there), is_in(from_elsewhere)) == (False, True)


def test_attempts_from_one_address_end_with_429(anna: User) -> None:
    answers = [Client().post(SIGN_IN, {"login": "x", "password": "y"}).status_code for _ in range(121)]

    assert answers == [200] * 120 + [429]


def test_a_class_of_a_school_signs_in_at_one_moment_from_one_address(transactional_db: None) -> None:
    """Some mistype first; the counts of all that come at once stand in one place."""
    pupils = [User.objects.create_user(f"pupil{number}@portal.example", PASSWORD) for number in range(8)]

    def sign_in(pupil: User) -> bool:
        try:
            guess(pupil.email)
            return is_in(guess(pupil.email, PASSWORD))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(sign_in, pupils))


def test_behind_a_proxy_the_address_is_the_proxys_word(anna: User, settings: Settings) -> None:
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": 1}
    settings.ACCOUNT_RATE_LIMITS = {"login": "4/m/ip"}
    for _ in range(5):
        flooded = Client().post(SIGN_IN, headers={"x-forwarded-for": "203.0.113.9, 192.0.2.1"})
    other = Client().post(SIGN_IN, headers={"x-forwarded-for": "192.0.2.1, 192.0.2.2"})

    assert (flooded.status_code, other.status_code) == (429, 200)


def test_the_admin_has_no_entrance_of_its_own(staff: User) -> None:
    answer = Client().post(f"{ADMIN}?next=/admin/players/", {"username": staff.email, "password": PASSWORD})

    assert (answer.status_code, answer["Location"]) == (302, f"{SIGN_IN}?next={quote('/admin/players/')}")
    assert not is_in(guess(staff.email, PASSWORD, path=ADMIN))


def test_whoever_is_in_goes_on_to_the_admin_or_is_told_no(staff: User, anna: User) -> None:
    browsers = [Client(), Client()]
    for browser, user in zip(browsers, (staff, anna), strict=True):
        browser.force_login(user)

    assert [browser.get(ADMIN).status_code for browser in browsers] == [302, 403]
    assert [browser.get("/admin/").status_code for browser in browsers] == [200, 302]


def test_the_password_alone_lets_nobody_past_a_second_factor(app: User) -> None:
    browser = Client()

    answer = browser.post(SIGN_IN, {"login": app.email, "password": PASSWORD})

    assert (answer.status_code, answer["Location"]) == (302, "/accounts/2fa/authenticate/")
    assert not is_in(browser)


def typed(user: User, code: str) -> bool:
    """Return whether the password and then a code lead in."""
    browser = guess(user.email, PASSWORD)
    browser.post("/accounts/2fa/authenticate/", {"code": code})
    return is_in(browser)


@pytest.mark.parametrize(
    ("seconds", "is_right"), [(-61, False), (-30, True), (0, True), (30, True), (61, False)]
)
def test_a_code_that_has_just_changed_is_right(app: User, seconds: int, is_right: bool) -> None:
    with time_machine.travel(NOON, tick=False):
        assert typed(app, code_at(SECRET, NOON.timestamp() + seconds)) == is_right


def test_a_code_leads_in_once_as_long_as_it_is_good(app: User) -> None:
    code = code_at(SECRET, NOON.timestamp() + PERIOD)
    found = []
    # At noon the app is half a minute ahead; a space in the middle is how some apps show it.
    for seconds, written in enumerate((code, code, f"{code[:3]} {code[3:]}", code)):
        with time_machine.travel(NOON + timedelta(seconds=29.5 * seconds), tick=False):
            found.append(typed(app, written))
    with time_machine.travel(NOON + timedelta(seconds=60), tick=False):
        found.append(typed(app, code_at(SECRET, NOON.timestamp() + 60)))

    assert found == [True, False, False, False, True]


def test_codes_of_the_second_factor_are_not_guessed(app: User) -> None:
    browser = guess(app.email, PASSWORD)

    answers = [browser.post("/accounts/2fa/authenticate/", {"code": "000000"}) for _ in range(6)]

    errors = [[str(text) for text in answer.context["form"].errors["code"]] for answer in answers]
    assert errors[:5] == [[WRONG_CODE]] * 5
    assert codes_of_answer(answers[5]) == {"code": ["too_many_login_attempts"]}


def test_a_flood_of_resets_sends_a_few_mails(anna: User) -> None:
    answers = [
        Client(REMOTE_ADDR=f"192.0.2.{number}").post(RESET, {"email": anna.email}).status_code
        for number in range(8)
    ]

    assert (answers, Notice.objects.count()) == ([302] * 5 + [429] * 3, 5)


def test_a_reset_tells_nobody_whether_there_is_an_account(anna: User) -> None:
    known, unknown = (
        Client().post(RESET, {"email": email}) for email in (anna.email, "nobody@portal.example")
    )

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [*Notice.objects.values_list("recipient", flat=True)] == [anna.email]


@pytest.mark.slow
def test_a_reset_takes_the_same_way_and_time_for_an_unknown_address(
    anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.accounts.passwords.RESET_SECONDS", 0.3)
    taken, statements = [], []
    for number, email in enumerate([anna.email, "nobody@portal.example"]):
        cache.clear()
        Client().get(RESET)
        with CaptureQueriesContext(connection) as asked:
            began = time.monotonic()
            Client().post(RESET, {"email": email}, REMOTE_ADDR=f"192.0.2.{number}")
            taken.append(time.monotonic() - began >= 0.3)
        # The look-up of an address is one of another form where there is no account.
        statements.append([query["sql"].split(" ")[0] for query in asked if "players_notice" in query["sql"]])

    assert (taken, statements[0] != [], statements[0] == statements[1]) == ([True, True], True, True)
    assert Notice.objects.count() == 1


def reset_link() -> str:
    """Send the emails that wait, and return the link of the reset."""
    for notice in Notice.objects.all():
        assert notices.send(notice.pk, at=timezone.now())
    link = re.search(r"http://[^/]+(/accounts/password/reset/key/\S+)", str(mail.outbox[-1].body))
    assert link is not None
    return link[1]


def set_password(browser: Client, link: str, new: str) -> None:
    form = browser.get(link)["Location"]
    browser.post(form, {"password1": new, "password2": new})


def test_the_link_of_a_reset_works_once(anna: User) -> None:
    Client().post(RESET, {"email": anna.email})
    link, new = reset_link(), "another long enough word"
    assert Notice.objects.get().text == ""
    set_password(Client(), link, new)

    assert (is_in(guess(anna.email, new)), is_in(guess(anna.email, PASSWORD))) == (True, False)
    assert Client().get(link).context["token_fail"] is True


@pytest.mark.parametrize("role", ROLES)
def test_every_role_sets_a_second_factor_up_first(db: None, settings: Settings, role: str) -> None:
    settings.REQUIRE_MFA = True
    federation = make.federation() if role in ("officer", "deputy", "arbiter") else None
    browser = make.browser(make.person(role, federation))

    for page in ("/admin/", "/desk/", "/desk/tokens/", "/desk/people/", "/"):
        answers = [browser.get(page), browser.post(page, {"name": "A program"})]
        assert [answer.get("Location") for answer in answers] == ["/accounts/2fa/totp/activate/"] * 2, page
    assert OfficerToken.objects.count() == 0


def test_tokens_are_not_guessed_at_the_api(db: None, settings: Settings) -> None:
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"DEFAULT_THROTTLE_RATES": {"desk": "4/day"}}
    guesses = ["x", "rp_" + "a" * 40, "é" * 9, "x" * 9000, "right-scheme-no-luck"]

    answers: list[Any] = [
        Client().get("/api/v1/tournaments/SUI-OPEN/progress", headers={"authorization": f"Bearer {guess}"})
        for guess in guesses
    ]

    assert [answer.status_code for answer in answers] == [401] * 4 + [429]
    assert len({answer.content for answer in answers[:4]}) == 1


def sent_link(pattern: str) -> str:
    """Return where the link of the newest mail that has one leads."""
    texts = [notice.content for notice in Notice.objects.order_by("-pk")]
    found = re.search(rf"http://[^/]+({pattern}\S+)", next(text for text in texts if pattern in text))
    assert found is not None
    return found[1]


def test_another_address_counts_once_its_mail_is_answered(anna: User) -> None:
    browser = guess(anna.email, PASSWORD)
    browser.post("/accounts/email/", {"email": "ann@portal.example", "action_add": ""})
    pending = User.objects.get().email
    link = sent_link("/accounts/confirm-email/")
    browser.get(link)
    opened = User.objects.get().email
    browser.post(link)

    assert (pending, opened, User.objects.get().email) == (anna.email, anna.email, "ann@portal.example")
    assert (is_in(guess("ann@portal.example", PASSWORD)), is_in(guess(anna.email, PASSWORD))) == (True, False)
    # The former address learned of it when it was asked for, and both do now.
    mails = [mail for mail in Notice.objects.order_by("pk") if "/confirm-email/" not in mail.content]
    assert [mail.recipient for mail in mails] == [anna.email, anna.email, "ann@portal.example"]
    deeds = acts(by=anna).values_list("action", "after", "changes")
    changes = [{"field": "email", "before": anna.email, "after": "ann@portal.example"}]
    assert [*deeds] == [("address", "ann@portal.example", []), ("change", "", changes)]


def test_the_link_of_a_new_address_is_of_its_account_whoever_opens_it(anna: User) -> None:
    """Another person who is signed in stays who they are, and the link works once."""
    ben = User.objects.create_user("ben@portal.example", PASSWORD)
    guess(anna.email, PASSWORD).post("/accounts/email/", {"email": "ann@portal.example", "action_add": ""})
    link, stranger = sent_link("/accounts/confirm-email/"), guess(ben.email, PASSWORD)
    stranger.post(link)
    found = [User.objects.get(pk=user.pk).email for user in (anna, ben)]
    again = stranger.post(link)

    assert found == ["ann@portal.example", ben.email]
    assert stranger.session.get("_auth_user_id") in (None, str(ben.pk))
    assert again.status_code < 500
    assert [User.objects.get(pk=user.pk).email for user in (anna, ben)] == found


def test_the_link_of_a_new_address_expires(anna: User) -> None:
    with time_machine.travel("2026-03-04T09:30:00Z"):
        guess(anna.email, PASSWORD).post(
            "/accounts/email/", {"email": "ann@portal.example", "action_add": ""}
        )
        link = sent_link("/accounts/confirm-email/")
    with time_machine.travel("2026-03-14T09:30:00Z"):
        answer = Client().post(link)

    assert (answer.status_code < 500, User.objects.get().email) == (True, anna.email)


def test_a_change_called_off_leaves_the_address(anna: User) -> None:
    browser = guess(anna.email, PASSWORD)
    browser.post("/accounts/email/", {"email": "ann@portal.example", "action_add": ""})
    link = sent_link("/accounts/confirm-email/")
    browser.post("/accounts/email/", {"email": "ann@portal.example", "action_remove": ""})
    browser.post(link)

    assert User.objects.get().email == anna.email


def test_an_address_that_another_account_has_is_refused(anna: User) -> None:
    browser = guess(User.objects.create_user("ben@portal.example", PASSWORD).email, PASSWORD)

    answer = browser.post("/accounts/email/", {"email": "Anna@portal.example", "action_add": ""})

    assert list(answer.context["form"].errors) == ["email"]
    assert Notice.objects.count() == 0


def test_a_second_factor_is_set_up_after_a_look_at_the_address(anna: User) -> None:
    browser = guess(anna.email, PASSWORD)

    answers = [browser.get(f"/accounts/{page}/").status_code for page in ("email", "2fa/totp/activate")]

    assert answers == [200, 200]


def test_an_address_that_staff_write_is_the_accounts_from_the_next_sign_in(anna: User) -> None:
    guess(anna.email, PASSWORD)
    User.objects.update(email="ann@portal.example")
    guess("ann@portal.example", PASSWORD)

    assert [*EmailAddress.objects.values_list("email", "verified", "primary")] == [
        ("ann@portal.example", True, True)
    ]


def test_sessions_elsewhere_are_ended(anna: User) -> None:
    here, there = guess(anna.email, PASSWORD), guess(anna.email, PASSWORD)
    listed = [here.get("/accounts/sessions/").context["sessions"]]

    assert here.post("/accounts/sessions/").status_code == 302
    listed.append(here.get("/accounts/sessions/").context["sessions"])

    pages = [browser.get("/accounts/sessions/").status_code for browser in (here, there, Client())]
    assert pages == [200, 302, 302]
    assert [len(rows) for rows in listed] == [2, 1]


def test_an_address_that_waits_gets_no_link_to_a_new_password(anna: User) -> None:
    browser, new = guess(anna.email, PASSWORD), "ann@portal.example"
    browser.post("/accounts/email/", {"email": new, "action_add": ""})
    mails = Notice.objects.count()
    Client().post(RESET, {"email": new})

    # The present address is told, the other one asked; the reset adds none.
    assert (mails, Notice.objects.count()) == (2, 2)
    Client().post(RESET, {"email": anna.email})
    assert Notice.objects.latest("pk").recipient == anna.email


def test_a_borrowed_session_changes_no_address(anna: User) -> None:
    browser = guess(anna.email, PASSWORD)
    age_session(browser)

    answer = browser.post("/accounts/email/", {"email": "ann@portal.example", "action_add": ""})

    assert answer["Location"] == "/accounts/reauthenticate/?next=%2Faccounts%2Femail%2F"
    assert EmailAddress.objects.count() == 1


@pytest.mark.parametrize("host", ["evil.example", "localhost:9999"])
def test_links_in_mails_bear_the_name_of_the_site(anna: User, settings: Settings, host: str) -> None:
    settings.ALLOWED_HOSTS, settings.SITE_URL = ["*"], "https://ratings.example.org"
    Client().post(RESET, {"email": anna.email}, headers={"host": host})
    browser = guess(anna.email, PASSWORD)
    change = {"email": "ann@portal.example", "action_add": ""}
    browser.post("/accounts/email/", change, headers={"host": host})

    links = [link for notice in Notice.objects.all() for link in re.findall(r"https?://\S+", notice.content)]
    assert len(links) == 2
    assert {link.partition("/accounts/")[0] for link in links} == {"https://ratings.example.org"}


def test_the_email_of_a_reset_and_its_link_are_in_the_language_of_the_account(anna: User) -> None:
    User.objects.filter(pk=anna.pk).update(language="de")
    Client().post(f"/fr{RESET}", {"email": anna.email})

    notice = Notice.objects.get()
    link = re.search(r"http://[^/]+(/\S+)", notice.content)
    assert (notice.subject, link is not None) == ("Neues Passwort wählen", True)
    assert link[1].startswith("/de/accounts/password/reset/key/")  # type: ignore[index]
    form = Client().get(link[1], follow=True)  # type: ignore[index]
    assert (form.status_code, form["Content-Language"]) == (200, "de")


def test_a_new_address_is_confirmed_in_the_language_of_the_account(anna: User) -> None:
    User.objects.filter(pk=anna.pk).update(language="es")
    browser = guess(anna.email, PASSWORD)
    browser.post("/de/accounts/email/", {"action_add": "", "email": "new@portal.example"})
    link = sent_link("/es/accounts/confirm-email/")
    browser.post(link)

    assert User.objects.get().email == "new@portal.example"
    recipients = [anna.email, "new@portal.example"] * 2
    sent = Notice.objects.values_list("recipient", "language")
    assert sorted(sent) == sorted((recipient, "es") for recipient in recipients)
