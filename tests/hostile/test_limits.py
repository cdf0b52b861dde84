"""Too much of anything: refused before it costs, with a problem or a page; and tokens cannot be guessed in numbers."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests import make
from tests.walk.routes import pages
from tournaments.choices import Verb
from tournaments.models import OfficerToken, Report
from tournaments.tokens import issue_token

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
MEBIBYTE = 1 << 20
JSON, TEXT = "application/json", "text/plain"
URLENCODED = "application/x-www-form-urlencoded"
# Both ways in which a browser writes a form.
FORMS: dict[str, tuple[bytes, str]] = {
    "many fields": ("&".join(f"field{number}=x" for number in range(1_500)).encode(), URLENCODED),
    "a large field": (encode_multipart(BOUNDARY, {"name": "x" * 6 * MEBIBYTE}), MULTIPART_CONTENT),
    "many files": (
        encode_multipart(
            BOUNDARY, {f"file{number}": SimpleUploadedFile("a.trf", b"x") for number in range(150)}
        ),
        MULTIPART_CONTENT,
    ),
}
CALLS = ("/api/v1/tournaments", "/api/v1/arenas/flyordie/games", "/api/v1/reports/check")


def browser_of(role: str) -> Client:
    browser = make.browser(role)
    browser.raise_request_exception = False
    return browser


def a_page_of_each_module() -> list[str]:
    """Return an address of each module of views: those of a module take in a form in the same way."""
    plain = {
        view.__module__: f"/{page}"
        for page, view in sorted(pages(), key=lambda entry: entry[0])
        if not set("<(") & set(page) and "logout" not in page
    }
    return sorted(plain.values())


@pytest.mark.parametrize("sent", FORMS)
def test_too_large_forms_break_nothing(db: None, sent: str) -> None:
    browser, (body, kind) = browser_of("staff"), FORMS[sent]
    answers = {}
    for page in a_page_of_each_module():
        cache.clear()
        answers[page] = browser.generic("POST", page, body, kind).status_code

    assert {page: status for page, status in answers.items() if status >= 500} == {}
    # Were every page closed, nothing would be read.
    assert len([status for status in answers.values() if status == 400]) > 10


@pytest.mark.parametrize("address", CALLS)
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"a": "' + b"x" * 70 * MEBIBYTE + b'"}', JSON),
        (b"[" * 60_000, JSON),
        (b"x" * 70 * MEBIBYTE, TEXT),
        (json.dumps([{"id": "1"}] * 1_001).encode(), JSON),
    ],
    ids=["large", "deep", "long", "many"],
)
def test_too_large_calls_are_problems(db: None, address: str, body: bytes, kind: str) -> None:
    officer = make.appointment(role="officer")
    token = issue_token(officer.user, officer.federation, name="tool", verbs=list(Verb.values), at=NOW)
    caller = Client(headers={"Authorization": f"Bearer {token}"}, raise_request_exception=False)

    answer = caller.generic("POST", address, body, kind)

    assert answer.status_code in (400, 401, 413, 415)
    assert answer["Content-Type"] == "application/problem+json"


def test_guesses_at_tokens_are_limited_and_leave_no_trace(db: None) -> None:
    event = make.play_month(1).tournaments[0]
    officer = make.appointment(role="officer", federation=event.federation)
    token = issue_token(officer.user, event.federation, name="tool", verbs=list(Verb.values), at=NOW)
    near = [token[:-1], token + "x", token.swapcase(), token[::-1], "", "\u0661", "x" * 10_000]
    address = f"/api/v1/tournaments/{event.event_id}/reports"
    caller = Client()
    answers: list[Any] = []
    # Within one minute: the next one would begin to count anew.
    with time_machine.travel(NOW, tick=False):
        for number in range(130):
            guess = near[number % len(near)]
            answers.append(caller.post(address, b"012", TEXT, headers={"Authorization": f"Bearer {guess}"}))

    assert {answer.status_code for answer in answers[:115]} == {401}
    assert {answer.status_code for answer in answers[-5:]} == {429}
    assert int(answers[-1]["Retry-After"]) > 0
    assert OfficerToken.objects.get().last_used_at is None
    assert Report.objects.filter(version__gt=1).count() == 0
