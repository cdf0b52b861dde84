"""A form that is sent twice by a double click is carried out once, and both requests get the same answer."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from core.web import double_clicks
from core.web.proofs import PROVED_AT
from desk.qc import case
from tests.factories import AppointmentFactory, FederationFactory, TournamentFactory, UserFactory
from tournaments.models import CaseFile, Tournament

NOTE = "/desk/qc/SUI-1/note"
FILES = "/desk/tournaments/SUI-1/files"
TEXT = "Known for short games."
PDF = b"%PDF-1.4 a letter"


@pytest.fixture(autouse=True)
def _own_cache(settings: Any) -> None:
    local = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "sent"}
    settings.CACHES = {**settings.CACHES, "default": local}
    cache.clear()


@pytest.fixture(autouse=True)
def tournament(db: None) -> Tournament:
    return TournamentFactory(event_id="SUI-1", federation=FederationFactory(code="SUI"))


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts with which the service is called; it writes the same note once in any case."""
    texts: list[str] = []
    monkeypatch.setattr(case, "add_note", lambda _, text, **__: texts.append(text))
    return texts


def client_of(role: str, **appointment: Any) -> Client:
    """Return a client that must send CSRF tokens, as a browser does."""
    user = UserFactory()
    AppointmentFactory(user=user, role=role, **appointment)
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    return client


def token_of(client: Client, page: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', client.get(page).content.decode())
    assert found
    return found[1]


def note(client: Client) -> dict[str, str]:
    return {"csrfmiddlewaretoken": token_of(client, "/desk/qc/SUI-1/"), "note-text": TEXT}


def shown(client: Client, address: str) -> list[str]:
    return [str(message) for message in client.get(address).context["messages"]]


@pytest.mark.parametrize("is_given_up", [True, False], ids=["first lost", "first arrived"])
def test_the_second_click_gets_the_answer_of_the_first(notes: list[str], is_given_up: bool) -> None:
    """The browser gives the first request up, and its message with it, unless the answer was faster than the click."""
    client = client_of("qc")
    form = note(client)

    first = client.post(NOTE, form)
    if is_given_up:
        client.cookies.pop("messages")
    second = client.post(NOTE, form)

    assert (first.status_code, second.status_code, first.url, second.url) == (302, 302, second.url, first.url)
    assert len(shown(client, second.url)) == 1
    assert notes == [TEXT]


def test_the_same_words_from_a_page_opened_again_are_carried_out(notes: list[str]) -> None:
    client = client_of("qc")

    for _ in range(2):
        client.post(NOTE, note(client))

    assert notes == [TEXT] * 2


def test_after_a_moment_the_same_form_is_read_again(
    notes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(double_clicks, "REPEAT_SECONDS", 0)
    client = client_of("qc")
    form = note(client)

    for _ in range(2):
        client.post(NOTE, form)

    assert notes == [TEXT] * 2


def test_a_form_with_an_error_is_read_each_time(tournament: Tournament) -> None:
    client = client_of("officer", federation=tournament.federation)
    form = {"csrfmiddlewaretoken": token_of(client, FILES), "purpose": "report"}

    answers = [client.post(FILES, form) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert [list(answer.context["form"].errors) for answer in answers] == [["evidence"]] * 2


def test_the_second_click_waits_while_the_first_is_carried_out(
    notes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of("qc")
    form = note(client)
    client.post(NOTE, form)
    key = next(iter(cache._cache)).split(":", 2)[2]  # type: ignore[attr-defined]
    answer = cache.get(key)
    cache.set(key, double_clicks.IN_PROGRESS)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            cache.set(key, answer)

    monkeypatch.setattr(time, "sleep", pause)

    assert client.post(NOTE, form).status_code == 302
    assert (len(pauses), notes) == (3, [TEXT])


def test_files_belong_to_a_form(tournament: Tournament) -> None:
    client = client_of("officer", federation=tournament.federation)
    token = token_of(client, FILES)

    for content in (PDF, PDF, PDF + b" of another day"):
        file = SimpleUploadedFile("letter.pdf", content)
        answer = client.post(FILES, {"csrfmiddlewaretoken": token, "purpose": "report", "evidence": [file]})
        assert answer.status_code == 302

    assert [len(file.content) for file in CaseFile.objects.order_by("pk")] == [17, 32]


def prove(client: Client, *, at: float) -> None:
    session = client.session
    session[PROVED_AT] = at
    session.save()


def test_a_form_that_needs_a_fresh_proof_comes_again_with_it(tournament: Tournament) -> None:
    client = client_of("officer", federation=tournament.federation)
    form = {"csrfmiddlewaretoken": token_of(client, "/desk/webhooks/"), "federation": "SUI", "url": "x"}

    prove(client, at=0)
    asked = client.post("/desk/webhooks/", form)
    prove(client, at=time.time())

    assert "reauthenticate" in asked.url
    assert client.post("/desk/webhooks/", form).context["form"].errors.keys() == {"url"}
