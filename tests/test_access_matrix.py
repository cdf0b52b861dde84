"""Every page and every path of the API, read from the URL configuration, and who gets in.

A new page belongs to one group below. Whoever adds one without saying so meets a failure that says what to add.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.factories import AppointmentFactory, FederationFactory, UserFactory

# What everybody may read. The tests of these pages say what they show.
PUBLIC = (
    "health/",
    # Guarded by a token, or to this machine alone: tests/portal/test_metrics.py.
    "metrics",
    # The edition of public pages, for the proxy.
    "edition/",
    "api/v1",
    "search",
    "check/",
    "players/",
    "tournaments/",
    "arenas/",
    "arbiters/",
    "lists/",
    "federations/",
    "follows/",
    "rules/",
    "pools/",
    "calculators/",
    "corrections/",
    "invitations/",
    "robots.txt",
    "sitemap",
    "tools/",
    ".well-known/",
)
# The pages of one's own account: allauth asks to sign in where it must.
ACCOUNT = ("accounts/",)
ADMIN = ("admin/",)
DESK = ("desk/",)
ROLES = ("officer", "deputy", "officer AUT", "arbiter", "qc", "staff", "council", "auditor")
OPEN, NO, GONE, POST_ONLY = 200, 403, 404, 405
# The pages of people and players at the desk, by role in the order of ROLES. Those of tournaments stand in
# tests/desk/test_access.py.
PAGES = {
    "desk/people/": [OPEN, NO, OPEN, NO, NO, OPEN, NO, NO],
    "desk/people/officers/SUI/": [OPEN, NO, GONE, NO, NO, OPEN, NO, NO],
    "desk/players/new": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/players/bulk": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/players/bulk.csv": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/players/applications/": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/players/changes/": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/players/changes/new": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/players/transfers/": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/players/claims/": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/players/merge": [NO, NO, NO, NO, NO, OPEN, NO, NO],
    "desk/players/titles": [NO, NO, NO, NO, NO, OPEN, NO, NO],
    "desk/players/arbiters": [NO, NO, NO, NO, NO, OPEN, NO, NO],
}
# What is done by POST alone, asked about a row that is not there: 302 and 404 let the role in, 403 does not.
DONE = 302
POSTS = {
    "desk/people/invitations/<int:invitation_id>/confirm": [GONE, NO, GONE, NO, NO, GONE, NO, NO],
    "desk/people/invitations/<int:invitation_id>/withdraw": [GONE, NO, GONE, NO, NO, GONE, NO, NO],
    "desk/people/appointments/<int:appointment_id>/end": [DONE, NO, DONE, NO, NO, DONE, NO, NO],
    "desk/players/applications/<int:application_id>/decide": [NO, NO, NO, NO, NO, GONE, NO, NO],
    # Shown to staff too, with what granting does.
    "desk/players/changes/<int:request_id>/decide": [NO, NO, NO, NO, NO, GONE, NO, NO],
    "desk/players/changes/<int:request_id>/withdraw": [GONE, GONE, GONE, NO, NO, GONE, NO, NO],
    # Shown to whoever may decide on it, too.
    "desk/players/claims/<int:claim_id>/decide": [GONE, GONE, GONE, NO, NO, GONE, NO, NO],
    "desk/players/merge/<int:pk>": [NO, NO, NO, NO, NO, GONE, NO, NO],
    "desk/players/transfers/<int:transfer_id>/answer": [GONE, GONE, GONE, NO, NO, GONE, NO, NO],
}
ANY_NUMBER = {page: page[page.index("<") : page.index(">") + 1] for page in POSTS}


def pages() -> list[tuple[str, Any]]:
    """Return pattern and view of every address, without the language's part."""
    return list(_walk(get_resolver().url_patterns, ""))


def _walk(entries: Any, before: str) -> Iterator[tuple[str, Any]]:
    for entry in entries:
        pattern = f"{before}{entry.pattern}".replace("^", "")
        if isinstance(entry, URLResolver):
            yield from _walk(entry.url_patterns, pattern)
        elif isinstance(entry, URLPattern):
            yield pattern, entry.callback


def sign_in(role: str) -> Client:
    """Return a browser in which somebody with the role is signed in."""
    name, _, code = role.partition(" ")
    federation = FederationFactory(code=code or "SUI") if name in ("officer", "deputy", "arbiter") else None
    client = Client()
    client.force_login(AppointmentFactory(role=name, federation=federation).user)
    return client


def test_every_page_declares_who_has_access() -> None:
    groups = (*PUBLIC, *ACCOUNT, *ADMIN, *DESK)
    unknown = [pattern for pattern, _ in pages() if pattern and not pattern.startswith(groups)]

    assert unknown == [], (
        "Add the page's first part to PUBLIC if everybody may read it, or put it under desk/."
    )


def test_every_page_of_the_desk_declares_its_predicate() -> None:
    silent = [
        pattern for pattern, view in pages() if pattern.startswith(DESK) and not hasattr(view, "requires")
    ]

    assert silent == [], "Put @requires(...) or @requires_for_tournament(...) on the view."


def test_every_page_of_people_and_players_is_in_the_table() -> None:
    mine = [pattern for pattern, _ in pages() if pattern.startswith(("desk/people/", "desk/players/"))]
    shown = [pattern for pattern in mine if pattern not in POSTS]

    assert [page.replace("<str:code>", "SUI") for page in shown] == [*PAGES], (
        "Add the page to PAGES or POSTS."
    )


@pytest.mark.parametrize("page", POSTS)
def test_each_role_changes_only_what_is_permitted(db: None, page: str) -> None:
    answers = [sign_in(role).post(f"/{page.replace(ANY_NUMBER[page], '0')}").status_code for role in ROLES]

    assert dict(zip(ROLES, answers, strict=True)) == dict(zip(ROLES, POSTS[page], strict=True))


def test_anonymous_user_opens_no_desk_page(client: Client, db: None) -> None:
    plain = [pattern for pattern, _ in pages() if pattern.startswith(DESK) and "<" not in pattern]

    answers = {pattern: client.post(f"/{pattern}").status_code for pattern in plain}

    assert {pattern: code for pattern, code in answers.items() if code not in (302, POST_ONLY)} == {}


@pytest.mark.parametrize("page", PAGES)
def test_each_role_opens_only_permitted_pages(db: None, page: str) -> None:
    FederationFactory(code="SUI")

    answers = [sign_in(role).get(f"/{page}").status_code for role in ROLES]

    assert dict(zip(ROLES, answers, strict=True)) == dict(zip(ROLES, PAGES[page], strict=True))


@pytest.mark.parametrize("role", [role for role in ROLES if role != "staff"])
def test_only_staff_open_the_admin(db: None, role: str) -> None:
    browser = sign_in(role)
    # The sign-in page of the admin and its texts for scripts are everybody's.
    free = ("admin/login/", "admin/jsi18n/", "admin/logout/")
    plain = [
        pattern
        for pattern, _ in pages()
        if pattern.startswith(ADMIN) and not any(sign in pattern for sign in "<(") and pattern not in free
    ]

    answers = {pattern: browser.get(f"/{pattern}").status_code for pattern in plain}

    assert {pattern: code for pattern, code in answers.items() if code not in (302, NO, POST_ONLY)} == {}


def test_staff_open_the_admin(db: None) -> None:
    assert sign_in("staff").get("/admin/").status_code == OPEN


def test_admin_is_closed_after_the_role_ends(db: None) -> None:
    browser = Client()
    browser.force_login(UserFactory(is_staff=True))

    assert browser.get("/admin/").status_code == NO
