"""A session that ends under a long form: what was typed comes back to the same person, and to nobody else."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.contrib.sessions.models import Session
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from core.web import typed_forms
from players.appointments import end_sessions
from players.models import LogEntry
from portal.models import User
from tests import make
from tests.log import steps
from tests.shared import SharedRows
from tests.trf_files import Event
from tests.walk.forms import Forms
from tournaments.choices import Action
from tournaments.information_requests import ask_for_information
from tournaments.models import Appeal, Tournament
from tournaments.qc import decide
from tournaments.reports import upload_report

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
PASSWORD = "a long enough word"
WORDS = "Moved because the hall is flooded."
NEW = "/desk/tournaments/new"
FIELDS = {"name": WORDS, "federation": "SUI", "kind": "rapid", "time_control": "15+10", "start": "2026-04-18"}
CASE = "/desk/qc/SUI-LATE/"
REPORT = "/desk/tournaments/SUI-PLAYED/reports/1/"
# Who fills what: role, page, where its form is sent, what is typed.
FORMS = [
    ("officer", NEW, NEW, FIELDS),
    ("officer", NEW, NEW, {**FIELDS, "preview": "1"}),
    ("officer", "/desk/players/new", "/desk/players/new", {"surname": WORDS, "birth_date": "2010-02-03"}),
    *(
        ("officer", f"/desk/tournaments/{page}", f"/desk/tournaments/{page}", {field: WORDS})
        for page, field in (
            ("SUI-LATE/change", "reason"),
            ("SUI-LATE/withdraw", "reason"),
            ("SUI-FAST/appeal/new", "statement"),
        )
    ),
    ("officer", REPORT, f"{REPORT}accept", {"acknowledgement": WORDS}),
    ("officer", REPORT, f"{REPORT}accept", {"reason-event-name": WORDS}),
    ("officer", REPORT, f"{REPORT}fix", {"reason-event-name": WORDS}),
    ("qc", CASE, CASE, {"decision": "allow", "reason": WORDS}),
    ("qc", CASE, f"{CASE}note", {"note-text": WORDS}),
    *(
        (role, f"/desk/{page}", f"/desk/{page}", {field: WORDS})
        for role, page, field in (
            ("officer", "chess/claim", "reason"),
            ("officer", "people/", "email"),
            ("officer", "people/officers/SUI/", "officer_name"),
            ("officer", "players/transfers/", "player"),
            ("officer", "tokens/", "name"),
            ("officer", "tournaments/SUI-LATE/arbiters", "email"),
            ("officer", "webhooks/", "url"),
            ("staff", "players/merge", "reason"),
        )
    ),
]
# How a session ends is no matter of the form: one form of each role shows both ways.
SIGNED_OUT, CHANGED = "signed out in another tab", "roles changed"
LOST = [
    *((SIGNED_OUT, *form) for form in FORMS),
    *((CHANGED, *form) for form in {form[0]: form for form in FORMS}.values()),
]
FILES_AGAIN = 'data-code="files-again"'


@pytest.fixture(scope="module")
def events(rows_of_module: SharedRows) -> None:
    """Let there be one tournament of each state."""
    with rows_of_module():
        make_events()


@pytest.fixture(autouse=True)
def today(events: None, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be 4 March 2026."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)


def make_events() -> None:
    players = [(1_300_001, "Alder, Ada"), (1_300_002, "Birch, Ben")]
    swiss = make.federation(code="SUI")
    for fide_id, name in players:
        make.player(fide_id=fide_id, name=name, federation=swiss)
    late = make.tournament(event_id="SUI-LATE", start=date(2026, 3, 6), registration="waiting")
    fast = make.tournament(event_id="SUI-FAST", start=date(2026, 2, 20))
    played = make.tournament(event_id="SUI-PLAYED", start=date(2026, 2, 27), end=date(2026, 2, 28))
    decide(fast, Action.NOT_RATE, reason="Too fast.", by=None, at=make.noon(date(2026, 3, 1)))
    ask_for_information(late, "Why so late?", due_on=date(2026, 3, 5), by=None, on=NOW.date(), at=NOW)
    report = Event(players, [[(1, 2, "1-0")]], start="2026/02/27", end="2026/02/28", round_dates=["26/02/27"])
    upload_report(played, report.content(), file_name="a.trf", by=None, on=NOW.date(), at=NOW)


def person(role: str) -> User:
    federation = make.federation(code="SUI") if role in ("officer", "deputy") else None
    user = make.person(role, federation)
    user.set_password(PASSWORD)
    user.save()
    user.refresh_from_db()
    return user


def sign_in(client: Client, user: User, page: str) -> Any:
    return client.post(f"/accounts/login/?next={page}", {"login": user.email, "password": PASSWORD})


def mark_of(html: str) -> str:
    found = re.search(r'name="typed_by" value="([^"]+)"', html)
    assert found is not None
    return found[1]


def mark_in(client: Client, page: str) -> str:
    return mark_of(client.get(page).content.decode())


def left(client: Client) -> bool:
    """Whether anything typed is kept in the browser's session."""
    return typed_forms.IN_SESSION in client.session


def filled(client: Client, page: str) -> str:
    """Return what was typed as the page shows it, empty without it."""
    return WORDS if WORDS in client.get(page).content.decode() else ""


@pytest.mark.slow
@pytest.mark.parametrize(("way", "role", "page", "to", "fields"), LOST)
def test_what_was_typed_stands_in_the_form_after_signing_in_again(
    way: str, role: str, page: str, to: str, fields: dict[str, str]
) -> None:
    user, client = person(role), Client()
    client.force_login(user)
    if way == CHANGED:
        end_sessions(user)
    else:
        client.logout()
    before = (Tournament.objects.count(), steps().count(), Appeal.objects.count())

    answer = client.post(to, {**fields, "typed_by": typed_forms.sign_form(user, page)})
    again = sign_in(client, user, page)
    shown = client.get(page).content.decode()

    assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={page}")
    assert (again.status_code, again["Location"]) == (302, page)
    assert (Tournament.objects.count(), steps().count(), Appeal.objects.count()) == before
    # It is shown once; the browser holds it from then on.
    assert (WORDS in shown, left(client)) == (True, False)
    assert signing.loads(mark_of(shown), salt=typed_forms.SALT) == [user.pk, page]


def test_what_was_typed_outlives_the_second_factor_too() -> None:
    user, client = person("officer"), Client()
    codes = RecoveryCodes.activate(user)
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    client.post(NEW, {**FIELDS, "typed_by": typed_forms.sign_form(user, NEW)})

    first = sign_in(client, user, NEW)
    second = client.post(first["Location"], {"code": codes.get_unused_codes()[0]})

    assert (first["Location"].startswith("/accounts/2fa/authenticate/"), second["Location"]) == (True, NEW)
    assert filled(client, NEW) == WORDS


def test_the_form_that_comes_back_is_sent_as_any_other() -> None:
    user, client = person("officer"), Client()
    client.force_login(user)
    page = "/desk/tournaments/SUI-LATE/withdraw"
    reason = {"reason": WORDS, "typed_by": mark_in(client, page), "seen": client.get(page).context["seen"]}
    client.logout()
    client.post("/desk/tournaments/SUI-LATE/withdraw", reason)
    sign_in(client, user, "/desk/")

    answer = client.post("/desk/tournaments/SUI-LATE/withdraw", reason)

    withdrawn = LogEntry.objects.filter(tournament__event_id="SUI-LATE").latest("pk")
    assert (answer.status_code, withdrawn.after, withdrawn.reason) == (302, "withdrawn", WORDS)


def test_another_person_finds_nothing_of_it() -> None:
    user, other, client = person("officer"), person("officer"), Client()
    client.force_login(user)
    mark = mark_in(client, NEW)
    client.logout()
    client.post(NEW, {**FIELDS, "typed_by": mark})
    assert left(client)

    sign_in(client, other, NEW)

    assert (left(client), filled(client, NEW)) == (False, "")


def test_passwords_and_marks_of_safety_are_never_kept() -> None:
    user, client = person("officer"), Client()
    client.force_login(user)
    mark = mark_in(client, NEW)
    client.logout()

    client.post(NEW, {**FIELDS, "typed_by": mark, "Password": "x", "csrfmiddlewaretoken": "y"})

    assert client.session[typed_forms.IN_SESSION]["fields"] == {
        name: [value] for name, value in FIELDS.items()
    }


@pytest.mark.parametrize("mark", ["", "x", "x:y:z", "WzEsIi8iXQ:1tAAAA:forged"])
def test_without_a_true_mark_nothing_is_kept(mark: str) -> None:
    client = Client()

    answer = client.post(NEW, {**FIELDS, "typed_by": mark})

    assert answer["Location"] == f"/accounts/login/?next={NEW}"
    assert ("sessionid" in client.cookies, Session.objects.count()) == (False, 0)


def test_more_than_any_form_holds_is_not_kept() -> None:
    user, client = person("officer"), Client()
    mark = typed_forms.sign_form(user, NEW)

    kept = []
    for length in (typed_forms.MAX_LETTERS - len("name"), typed_forms.MAX_LETTERS):
        client.post(NEW, {"name": "x" * length, "typed_by": mark})
        kept.append(left(client))
        client.logout()

    assert kept == [True, False]


def test_a_mark_that_is_sent_again_and_again_fills_no_database() -> None:
    user, client = person("officer"), Client()
    mark = typed_forms.sign_form(user, NEW)
    for _ in range(typed_forms.STORED_AN_HOUR + 5):
        client.post(NEW, {**FIELDS, "typed_by": mark})
        client.cookies.clear()

    assert Session.objects.count() == typed_forms.STORED_AN_HOUR


def test_an_old_form_and_what_is_kept_for_long_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    user, client, clock = person("officer"), Client(), [1_000_000_000.0]
    monkeypatch.setattr("time.time", lambda: clock[0])
    mark = typed_forms.sign_form(user, NEW)
    clock[0] += typed_forms.MARK_SECONDS
    client.post(NEW, {**FIELDS, "typed_by": mark})
    in_time = left(client)
    client.logout()
    clock[0] += 1
    client.post(NEW, {**FIELDS, "typed_by": mark})
    too_late = left(client)

    client.post(NEW, {**FIELDS, "typed_by": typed_forms.sign_form(user, NEW)})
    sign_in(client, user, NEW)
    clock[0] += timedelta(hours=12, seconds=1).total_seconds()

    assert (in_time, too_late, filled(client, NEW)) == (True, False, "")


def test_files_are_asked_for_again() -> None:
    user, client, page = person("officer"), Client(), "/desk/tournaments/SUI-FAST/appeal/new"
    client.force_login(user)
    mark = mark_in(client, page)
    client.logout()
    files = [SimpleUploadedFile("a.pdf", b"%PDF-1.7")]
    client.post(page, {"statement": WORDS, "evidence": files, "typed_by": mark})
    sign_in(client, user, page)

    content = client.get(page).content.decode()

    assert (WORDS in content, FILES_AGAIN in content) == (True, True)


def test_a_sign_in_in_another_tab_loses_nothing_either() -> None:
    user, client = person("officer"), Client(enforce_csrf_checks=True)
    client.force_login(user)
    here = {"origin": "http://testserver"}

    answer = client.post(NEW, {**FIELDS, "typed_by": mark_in(client, NEW)}, headers=here)

    assert (answer.status_code, answer["Location"], filled(client, NEW)) == (302, NEW, WORDS)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", ""])
def test_what_another_page_sends_is_refused_as_ever(origin: str) -> None:
    user, client = person("officer"), Client(enforce_csrf_checks=True)
    client.force_login(user)

    answer = client.post(
        NEW, {**FIELDS, "typed_by": mark_in(client, NEW)}, headers={"origin": origin} if origin else {}
    )

    assert (answer.status_code, left(client)) == (403, False)


@pytest.fixture
def other_tab() -> tuple[Client, User, str]:
    """Return a browser in which another account signed in after a form was opened, the form's user and its mark."""
    user, client = person("officer"), Client(enforce_csrf_checks=True)
    client.force_login(user)
    mark = mark_in(client, NEW)
    client.force_login(person("officer"))
    return client, user, mark


HERE = {"origin": "http://testserver"}


def test_another_account_reads_what_was_typed_and_keeps_nothing(other_tab: tuple[Client, User, str]) -> None:
    client, _user, mark = other_tab
    fields: dict[str, Any] = {
        **FIELDS,
        "schedule_day": ["2026-04-18", "", "2026-04-19"],
        "seen": "5",
        "password": "secret",
    }
    fields |= {"is_match": "on", "register": "1"}

    answer = client.post(NEW, {**fields, "typed_by": mark}, headers=HERE)
    html = answer.content.decode()

    assert (answer.status_code, left(client), Tournament.objects.filter(name=WORDS).count()) == (
        403,
        False,
        0,
    )
    assert answer.context["typed"].in_words() == [
        ("Name", [WORDS]),
        ("Federation", ["SUI"]),
        ("Kind", ["rapid"]),
        ("Time control", ["15+10"]),
        ("Start", ["2026-04-18"]),
        ("Schedule day", ["2026-04-18", "2026-04-19"]),
        ("Match", ["yes"]),
    ]
    assert (f"<dd>{WORDS}</dd>" in html, "secret" in html) == (True, False)


def test_first_account_finds_its_form_after_another_account_sent_it(
    other_tab: tuple[Client, User, str],
) -> None:
    client, user, mark = other_tab
    lines = f"{WORDS}\nA day later."
    fields = {**FIELDS, "late_reason": lines, "evidence": [SimpleUploadedFile("a.pdf", b"%PDF-1.7")]}
    refused = client.post(NEW, {**fields, "typed_by": mark}, headers=HERE)
    ((action, again),) = [form for form in Forms(refused.content.decode()).found if "typed_to" in form[1]]

    sent = client.post(action, again, headers=HERE)
    is_out = "_auth_user_id" not in client.session
    form = Forms(client.get(sent["Location"]).content.decode()).found[-1][1]
    proof = {"csrfmiddlewaretoken": form["csrfmiddlewaretoken"], "login": user.email, "password": PASSWORD}
    signed_in = client.post(sent["Location"], proof, headers=HERE)
    page = client.get(signed_in["Location"]).content.decode()

    assert (is_out, sent["Location"], signed_in["Location"]) == (True, f"/accounts/login/?next={NEW}", NEW)
    assert [text in page for text in (f'value="{WORDS}"', f"{lines}</textarea>", FILES_AGAIN)] == [True] * 3


def test_other_account_that_signs_in_again_finds_nothing(other_tab: tuple[Client, User, str]) -> None:
    client, _user, mark = other_tab
    refused = client.post(NEW, {**FIELDS, "typed_by": mark}, headers=HERE)
    other = refused.wsgi_request.user
    ((action, again),) = [form for form in Forms(refused.content.decode()).found if "typed_to" in form[1]]
    client.post(action, again, headers=HERE)
    kept = left(client)

    client.force_login(other)

    assert (kept, left(client), filled(client, NEW)) == (True, False, "")


@pytest.mark.parametrize("headers", [{}, {"origin": "null"}, {"origin": "https://evil.example"}])
def test_nothing_that_another_page_sends_is_shown(
    other_tab: tuple[Client, User, str], headers: dict[str, str]
) -> None:
    client, _user, mark = other_tab

    answer = client.post(NEW, {**FIELDS, "typed_by": mark}, headers=headers)

    assert (answer.status_code, WORDS in answer.content.decode()) == (403, False)


def test_without_a_mark_the_first_account_is_only_asked_for(other_tab: tuple[Client, User, str]) -> None:
    client, _user, _mark = other_tab
    client = Client()
    answer = client.post("/accounts/as-before", FIELDS)

    assert (answer["Location"], left(client)) == ("/accounts/login/?next=/desk/", False)
    assert client.get("/accounts/as-before").status_code == 405


def test_a_part_of_a_page_is_not_answered_with_the_sign_in_page(settings: Settings) -> None:
    answer = Client().post("/desk/tournaments/new", FIELDS, headers={"hx-request": "true"})

    assert (answer.status_code, answer.content) == (401, b"")
