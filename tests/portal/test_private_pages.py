"""No answer to somebody signed in is kept by a browser or a proxy; a public one says itself that it may be."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import AppointmentFactory, FederationFactory
from tests.test_access_matrix import pages

PERSONAL = ("desk/", "accounts/", "admin/", "invitations/")
# Public answers that are the same for everybody, signed in or not, and say so.
PUBLIC_FOR_ALL = (
    "api/v1",
    "lists/",
    "players/",
    "federations/",
    "tournaments/",
    "arenas/",
    "sitemap",
    "robots.txt",
    "corrections/",
)
SAMPLES = {"kind": "rapid", "day": "2026-01-01", "code": "SUI", "form": "csv"}


def address(pattern: str) -> str:
    """Return an address of a pattern: what it asks for is mostly not there, and answers 404."""
    named = re.sub(r"<(?:[^:<>]*:)?(\w+)>", lambda found: SAMPLES.get(found[1], "1"), pattern)
    return "/" + re.sub(r"\(.*?\)\$?|\\.|\$|\\Z", "1", named)


ADDRESSES = sorted({address(pattern) for pattern, _view in pages()})


@pytest.mark.parametrize("role", ["staff", "officer", "auditor", ""])
def test_every_address_says_who_may_keep_it(db: None, role: str) -> None:
    client = Client(raise_request_exception=False)
    if role:
        federation = FederationFactory(code="SUI") if role == "officer" else None
        client.force_login(AppointmentFactory(role=role, federation=federation).user)
    wrong = {}
    for page in ADDRESSES:
        said = client.get(page).headers.get("Cache-Control", "")
        is_personal = page.startswith(tuple(f"/{start}" for start in PERSONAL))
        is_public = page.startswith(tuple(f"/{start}" for start in PUBLIC_FOR_ALL)) and "public" in said
        is_private = "private" in said and "no-store" in said
        if not (is_private or (not is_personal and (is_public or (not role and said)))):
            wrong[page] = said

    assert wrong == {}


def test_pages_in_another_language_are_private_too(client: Client, db: None) -> None:
    client.force_login(AppointmentFactory(role="staff").user)

    answers = [client.get(page).headers["Cache-Control"] for page in ("/fr/desk/", "/fr/accounts/sessions")]

    assert all("private" in said and "no-store" in said for said in answers)


def test_a_public_page_is_private_for_somebody_signed_in(client: Client, db: None) -> None:
    before = client.get("/").headers["Cache-Control"]
    client.force_login(AppointmentFactory(role="staff").user)

    assert ("public" in before, client.get("/").headers["Cache-Control"]) == (True, "private, no-store")
