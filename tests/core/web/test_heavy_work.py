"""Heavy work: one piece at a time for a caller, few in a process, and a place is free again after any end."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory

from core.errors import BusyError
from core.web.heavy_work import HEAVY_PLACES, heavy_work
from portal.models import User


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.web.heavy_work.HEAVY_WAIT_SECONDS", 0.05)


def asks(address: str = "192.0.2.1", user: Any = None, **headers: Any) -> Any:
    request: Any = RequestFactory(REMOTE_ADDR=address).post("/check/", **headers)
    if user:
        request.user = user
    return request


def test_user_is_one_caller_from_everywhere() -> None:
    with heavy_work(asks("192.0.2.1", User(pk=1))):
        with pytest.raises(BusyError), heavy_work(asks("192.0.2.2", User(pk=1))):
            pass
        with heavy_work(asks("192.0.2.2", User(pk=2))):
            pass


@pytest.fixture
def full() -> Iterator[None]:
    """Let others do as much heavy work as the process takes."""
    with ExitStack() as stack:
        for number in range(HEAVY_PLACES):
            stack.enter_context(heavy_work(asks(f"192.0.2.{number + 100}")))
        yield


@pytest.mark.parametrize(
    ("other", "waits"),
    [
        (asks("192.0.2.1"), True),
        (asks("192.0.2.2"), False),
        (asks("192.0.2.1", HTTP_AUTHORIZATION="Bearer invented"), True),
        (asks("192.0.2.1", user=User(pk=1)), False),
    ],
    ids=["the same address", "another address", "an invented token", "a user"],
)
def test_a_caller_does_one_piece_at_a_time(other: Any, waits: bool) -> None:
    with heavy_work(asks("192.0.2.1")):
        if waits:
            with pytest.raises(BusyError), heavy_work(other):
                pass
        else:
            with heavy_work(other):
                pass
    with heavy_work(asks("192.0.2.1")):
        pass


def test_another_process_works_for_a_caller_until_it_dies() -> None:
    reading, writing = os.pipe()
    if not (child := os.fork()):
        with heavy_work(asks()):
            os.write(writing, b"!")
            signal.pause()
    try:
        assert os.read(reading, 1) == b"!"
        with pytest.raises(BusyError), heavy_work(asks()):
            pass
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    with heavy_work(asks()):
        pass


def test_an_error_gives_the_place_back() -> None:
    for _ in range(HEAVY_PLACES + 1):
        with pytest.raises(ValueError, match="broken"), heavy_work(asks()):
            raise ValueError("broken")


def test_more_than_a_process_takes_is_refused_until_one_ends(full: None) -> None:
    with pytest.raises(BusyError), heavy_work(asks()):
        pass


def test_who_waits_gets_the_place_of_one_that_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.web.heavy_work.HEAVY_WAIT_SECONDS", 20.0)
    stack, done = ExitStack(), []
    for number in range(HEAVY_PLACES):
        stack.enter_context(heavy_work(asks(f"192.0.2.{number + 100}")))

    def wait() -> None:
        with heavy_work(asks()):
            done.append(True)

    waiting = threading.Thread(target=wait)
    waiting.start()
    stack.close()
    waiting.join(20)
    assert done == [True]


@pytest.mark.django_db
def test_a_busy_portal_answers_503_with_when_to_try_again(full: None) -> None:
    sent = {"report": SimpleUploadedFile("open.trf", b"012 Open\r\n")}
    page = Client(raise_request_exception=False).post("/check/", sent)
    call = Client().post("/api/v1/reports/check", b"012 Open\r\n", content_type="text/plain")
    assert [(found.status_code, found["Retry-After"]) for found in (page, call)] == [(503, "60")] * 2
    assert call["Content-Type"] == "application/problem+json"
