"""A request whose connection breaks in its body is refused, whatever of it has come."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.exceptions import BadRequest
from django.test import Client, RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from portal.wsgi import WholeBody, application

BODY = b"012 Open of Alphaville\r\n042 2026/01/10\r\n"


def sent(body: bytes, *, announced: int, kind: str) -> int:
    """Return the status with which the application answers a check of a report."""
    environ: dict[str, Any] = RequestFactory().post("/api/v1/reports/check").environ
    environ |= {"CONTENT_TYPE": kind, "CONTENT_LENGTH": str(announced), "wsgi.input": io.BytesIO(body)}
    answers: list[str] = []
    b"".join(application(environ, lambda status, headers, *rest: answers.append(status)))
    return int(answers[0].split()[0])


@pytest.mark.parametrize(("announced", "status"), [(len(BODY), 200), (len(BODY) + 1, 400), (10_000, 400)])
def test_report_that_breaks_off_is_refused(db: None, announced: int, status: int) -> None:
    assert sent(BODY, announced=announced, kind="text/plain") == status


@pytest.mark.parametrize("kept", range(0, 140, 20))
def test_form_that_breaks_off_is_refused(db: None, kept: int) -> None:
    head = b'--edge\r\nContent-Disposition: form-data; name="file"; filename="open.trf"\r\n\r\n'
    form = head + BODY + b"\r\n--edge--\r\n"

    assert sent(form[:kept], announced=len(form), kind="multipart/form-data;boundary=edge") == 400


UNREADABLE = {
    "charset": ("application/x-www-form-urlencoded; charset=utf-7", b"login=a"),
    "fields": ("application/x-www-form-urlencoded", b"a=1&" * 5000),
    "no boundary": ("multipart/form-data", b"[]"),
    "no parts": ("multipart/form-data; boundary=x", b"[" * 20_000),
}


@pytest.mark.parametrize("fault", UNREADABLE)
@pytest.mark.parametrize("page", ["/accounts/login/", "/desk/tournaments/new"])
def test_form_that_cannot_be_read_is_refused(db: None, page: str, fault: str) -> None:
    kind, body = UNREADABLE[fault]
    browser = Client(enforce_csrf_checks=True)
    browser.get("/accounts/login/")

    assert browser.post(page, body, content_type=kind).status_code in (400, 403)


@pytest.mark.parametrize("fault", UNREADABLE)
@pytest.mark.parametrize("page", ["/nowhere", "/accounts/notifications/off/guessed"])
def test_form_that_nobody_needs_to_read_is_not_found(db: None, page: str, fault: str) -> None:
    kind, body = UNREADABLE[fault]

    answer = Client(enforce_csrf_checks=True).post(
        "/accounts/notifications/off/guessed", body, content_type=kind
    )

    assert answer.status_code == 404


@pytest.mark.parametrize("announced", ["", "-1", "many", "١٢"])
def test_body_without_a_length_is_empty(announced: str) -> None:
    assert WholeBody.of({"CONTENT_LENGTH": announced, "wsgi.input": io.BytesIO(BODY)}).read() == b""


@given(st.binary(max_size=200), st.integers(0, 250), st.lists(st.integers(1, 40), max_size=20))
def test_what_is_read_is_the_body_or_a_refusal(body: bytes, announced: int, sizes: list[int]) -> None:
    stream = WholeBody(io.BytesIO(body), announced)
    read = b""
    try:
        for number, size in enumerate(sizes):
            read += stream.read(size) if number % 2 else stream.readline(size)
        read += stream.read()
    except BadRequest:
        assert announced > len(body)
    else:
        assert read == body[:announced]
        assert announced <= len(body)
