"""Every address by every role with hostile values: never a server error, and nothing private of another federation.

HOSTILE_ROUNDS goes over all addresses more often, HOSTILE_SEED in another way.
"""

from __future__ import annotations

import json
import os
import random
import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.utils import timezone

from players.models import ChangeRequest, Delivery, Federation, Invitation, Webhook
from tests import make
from tests.hostile.values import TEXTS, address, form, query
from tests.shared import SharedRows
from tests.walk.routes import pages
from tournaments.choices import Verb
from tournaments.models import CaseFile, NamedArbiter, OfficerToken, Report
from tournaments.tokens import issue_token

pytestmark = pytest.mark.slow

ROUNDS = int(os.environ.get("HOSTILE_ROUNDS", "1"))
SEED = int(os.environ.get("HOSTILE_SEED", "8"))
# It stands in everything of Switzerland that is private, and nowhere else.
PRIVATE = "Zwerchfell"
BORN = date(1984, 7, 13)
LONGEST_SECONDS = 10.0
# Who must see nothing of it, not even an arbiter of the country who is not named; the others may, by their office.
STRANGERS = ("", "officer AUT", "deputy AUT", "arbiter", "arbiter AUT", "tool AUT")
OFFICIALS = ("qc", "staff", "council", "auditor")
# In the quick form one stranger tries every address, a tool every one of the API, and the others some of them.
EVERY = {"officer": 1, "officer AUT": 1, "tool AUT": 1, "arbiter": 3, "staff": 3}
# Signing in and second factors are allauth's, behind limits of their own; signing out would end the role.
LEFT_OUT = ("accounts/logout/", "accounts/2fa/webauthn/")
NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
# The report of a chief arbiter, before the officer takes it, and where it is handed over.
HANDED = (
    "desk/tournaments/<str:event_id>/handed/<int:number>/",
    "desk/tournaments/<str:event_id>/handed/<int:number>/file",
)
OF_THE_ARBITER = "desk/arbiter/<str:event_id>/"
NAMED = "desk/tournaments/<str:event_id>/arbiters"


@pytest.fixture
def known(built: dict[str, str], db: None) -> dict[str, str]:
    return built


@pytest.fixture(scope="module")
def built(rows_of_module: SharedRows) -> dict[str, str]:
    with rows_of_module():
        return build()


def build() -> dict[str, str]:
    """Make a federation whose private things all bear the word, and return what addresses may name of it."""
    month = make.play_month(2)
    swiss = Federation.objects.get(pk="SUI")
    make.federation(code="AUT", name="Austria")
    officer = make.appointment(
        role="officer", federation=swiss, user=make.user(email=f"{PRIVATE.lower()}@portal.example")
    ).user
    event = month.tournaments[0]
    Report.objects.filter(tournament=event).update(
        acknowledgement=PRIVATE, file_name=f"{PRIVATE}.trf", submitted_by=officer
    )
    draft = make.tournament(event_id="SUI-DRAFT", federation=swiss, start=date(2026, 2, 7))
    report = make.report(
        draft,
        at=NOW,
        file_name=f"{PRIVATE}.trf",
        content=f"012 {PRIVATE}\r\n".encode(),
        acknowledgement=PRIVATE,
        submitted_by=officer,
        findings=[
            {"severity": "warning", "line": 1, "column": 5, "code": "x", "message": PRIVATE, "fix": None}
        ],
    )
    decision = make.step(draft, "not-rate", "not-rated", reason=PRIVATE, at=NOW)
    appeal = make.appeal(decision, at=NOW, reason=PRIVATE, organiser=PRIVATE)
    CaseFile.objects.create(
        appeal=appeal, number=1, file_name=f"{PRIVATE}.pdf", content=PRIVATE.encode(), size=9, sha256="0" * 64
    )
    arbiter = make.appointment(
        role="arbiter", federation=swiss, user=make.user(email=f"arbiter@{PRIVATE.lower()}.example")
    ).user
    NamedArbiter.objects.create(tournament=draft, user=arbiter, named_by=officer, named_at=NOW)
    make.hand_report(
        draft,
        file_name=f"{PRIVATE}.trf",
        content=f"012 {PRIVATE}\r\n".encode(),
        pgn=f'[Event "{PRIVATE}"]'.encode(),
        pgn_sha256="1" * 64,
        findings=report.findings,
        by=arbiter,
        sent={"reason": PRIVATE},
    )
    swiss_player = make.player(federation=swiss, birth_date=BORN, birth_year=1984)
    request = ChangeRequest.objects.create(
        player=swiss_player,
        federation=swiss,
        name=PRIVATE,
        reason=PRIVATE,
        evidence=PRIVATE,
        asked_by=officer,
        asked_at=NOW,
    )
    application = make.application(
        swiss, at=NOW, name=PRIVATE, sex="M", birth_date=BORN, likeness=swiss_player, asked_by=officer
    )
    invitation = Invitation.objects.create(
        email=f"{PRIVATE}@portal.example",
        role="deputy",
        federation=swiss,
        invited_at=NOW,
        token_sha256="0" * 64,
        invited_by=officer,
        expires_at=NOW + timedelta(days=7),
    )
    issue_token(officer, swiss, name=PRIVATE, verbs=list(Verb.values), at=NOW)
    webhook = Webhook.objects.create(
        federation=swiss, url=f"https://{PRIVATE.lower()}.example/{PRIVATE}", secret=PRIVATE, created_at=NOW
    )
    delivery = Delivery.objects.create(
        webhook=webhook, event="test", key=PRIVATE, body=PRIVATE, created_at=NOW
    )
    return {
        "webhook_id": str(webhook.pk),
        "delivery_id": str(delivery.pk),
        "event_id": draft.event_id,
        "version": "1",
        "other": "1",
        "number": "1",
        "code": "SUI",
        "fide_id": str(swiss_player.pk),
        "kind": "rapid",
        "day": "2026-02-01",
        "date": "2026-02-01",
        "pk": str(OfficerToken.objects.get().pk),
        "application_id": str(application.pk),
        "invitation_id": str(invitation.pk),
        "object_id": str(report.pk),
        "year": "2026",
        "change_id": str(request.pk),
        "slug": "flyordie",
        "arena": "flyordie",
        "ending": "csv",
        "publication_id": "rapid-2026-02-01",
        "name": "rapid-2026-02-01.csv",
    }


def browser_of(role: str) -> Client:
    """Return a browser, or an officer's tool, that answers errors instead of raising them."""
    browser = _tool() if role == "tool AUT" else make.browser(role) if role else Client()
    browser.raise_request_exception = False
    return browser


def _tool() -> Client:
    austria = Federation.objects.get(pk="AUT")
    officer = make.person("officer", austria)
    token = issue_token(officer, austria, name="tool", verbs=list(Verb.values), at=timezone.now())
    return Client(headers={"Authorization": f"Bearer {token}"})


def patterns(role: str, chance: random.Random) -> list[str]:
    """Return the patterns that a role tries; those by regular expression belong to libraries."""
    found = sorted({pattern.rstrip("/") if "api/" in pattern else pattern for pattern, _ in pages()})
    found = [pattern for pattern in found if "(" not in pattern and not pattern.startswith(LEFT_OUT)]
    # The API knows no sessions: the tool tries all of it.
    found = [pattern for pattern in found if pattern.startswith("api/") == (role == "tool AUT")]
    if role != "staff":
        # The matrix of accesses shows that nobody else gets in there.
        found = [pattern for pattern in found if not pattern.startswith("admin/")]
    step = EVERY.get(role, 6) if ROUNDS == 1 else 1
    return found[chance.randrange(step) :: step] * ROUNDS


def text_of(answer: HttpResponseBase) -> str:
    if answer.streaming:
        return b"".join(answer.streaming_content).decode(errors="replace")  # type: ignore[attr-defined]
    return str(answer.content.decode(errors="replace"))  # type: ignore[attr-defined]


def posted(browser: Client, place: str, page: str, chance: random.Random) -> HttpResponseBase:
    """Send the page's forms with hostile values, as a form with files, plain, or as JSON."""
    fields: dict[str, Any] = form(page, chance)
    if place.startswith("/api/"):
        body = chance.choice((json.dumps({name: texts[0] for name, texts in fields.items()}), *TEXTS[:12]))
        kind = chance.choice(("application/json", "text/plain", "application/octet-stream", "a\tb"))
        return browser.generic("POST", place, body.encode(), kind)
    content = chance.choice(TEXTS).encode()
    for name in ("report", "pgn", "evidence", "rows_file", "file"):
        fields[name] = SimpleUploadedFile("../..\r\nX-Injected: 1.trf", content)
    return browser.post(place, fields)


def faults_of(role: str, answer: HttpResponseBase, seconds: float) -> list[str]:
    text = text_of(answer)
    private = role in STRANGERS and (PRIVATE.lower() in text.lower() or BORN.isoformat() in text)
    found = {
        f"status {answer.status_code}": answer.status_code >= 500,
        "tells what is private": private,
        "takes headers from outside": "X-Injected" in answer.headers or "injected" in answer.cookies,
        f"took {seconds:.0f} s": seconds > LONGEST_SECONDS,
    }
    return [name for name, is_so in found.items() if is_so]


def seen_by(browser: Client, found: list[str], known: dict[str, str]) -> set[str]:
    """Return the patterns whose page, aimed at what is there, shows the word."""
    chance = random.Random(SEED)
    aimed = {pattern: address(pattern, known, chance, is_aimed=True) for pattern in found}
    return {pattern for pattern, place in aimed.items() if PRIVATE in text_of(browser.get(place))}


def test_the_word_is_seen_by_those_whom_it_concerns(known: dict[str, str]) -> None:
    found = patterns("officer", random.Random(SEED))

    seen = seen_by(browser_of("officer"), [page for page in found if page.startswith("desk/")], known)

    # Were it seen nowhere, the test below would show nothing.
    assert {*HANDED, "desk/tournaments/<str:event_id>/reports/<int:version>/"} <= seen
    assert len(seen) >= 5


def test_the_named_arbiter_sees_what_was_handed_over(known: dict[str, str]) -> None:
    arbiter = make.browser(NamedArbiter.objects.get().user)

    assert seen_by(arbiter, [*HANDED, OF_THE_ARBITER, NAMED], known) == {*HANDED, OF_THE_ARBITER}


@pytest.mark.parametrize("role", [*STRANGERS, *OFFICIALS])
def test_no_address_fails_or_tells(
    known: dict[str, str], role: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("CRITICAL")
    chance = random.Random(f"{SEED} {role}")
    browser = browser_of(role)
    wrong = []
    for pattern in patterns(role, chance):
        aimed = address(pattern, known, chance, is_aimed=True)
        strange = f"{address(pattern, known, chance, is_aimed=False)}?{query(chance)}"
        page = ""
        for method, place in (("GET", aimed), ("GET", strange), ("POST", aimed)):
            cache.clear()
            began = time.monotonic()
            with transaction.atomic():
                answer = browser.get(place) if method == "GET" else posted(browser, place, page, chance)
                page = page or text_of(answer) if method == "GET" and not answer.streaming else page
                wrong += [
                    (fault, method, pattern, place[:300])
                    for fault in faults_of(role, answer, time.monotonic() - began)
                    # No worker is there, and no static files: it says so.
                    if (pattern, fault) != ("health/ready", "status 503")
                ]
                transaction.set_rollback(True)

    assert wrong == []


@pytest.mark.database
@pytest.mark.django_db
def test_a_character_that_postgresql_refuses_is_no_server_error() -> None:
    tournament = make.tournament(event_id="SUI-1", federation=make.federation(code="SUI"))
    make.play(tournament, [], [])
    officer, staff = make.browser("officer SUI"), make.browser("staff")
    answers = [
        officer.get("/desk/tournaments/new?like=%00"),
        officer.post("/desk/tournaments/SUI-1/reports/1/accept", {"exchange": "\x00"}),
        officer.get("/desk/people/officers/%00/"),
        staff.get("/admin/ratings/correction/correct/?known=1&event=%00"),
    ]

    assert [answer.status_code for answer in answers] == [200, 404, 404, 200]
