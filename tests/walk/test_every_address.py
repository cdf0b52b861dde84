"""One walk over every address for each role and each kind of token: own, foreign and unknown objects, all methods.

What must hold is in `checks.py`, who gets in is in `access.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponseNotFound
from django.template.base import Template
from django.test import Client

from portal import failed_requests
from tests.walk import checks
from tests.walk.looks import Look, look
from tests.walk.roles import OF_FEDERATIONS, OWN, PLAYER, ROLES, TOKENS, VISITOR, browser_of, tool_of
from tests.walk.routes import address, is_public, pages, patterns, targets
from tests.walk.worlds import Values

pytestmark = pytest.mark.slow

# Refused before it is looked whose the object is: by the method, or by the role of somebody who is of no federation.
REFUSED_BY_METHOD, REFUSED_BY_ROLE = 405, 403
REFUSED = 400
# Public pages know of somebody signed in no more than whether somebody is, and an arbiter's tournaments: the other
# roles get what these get.
READ_PUBLIC_PAGES = ("officer", "arbiter", PLAYER, "staff", VISITOR)
SEND_PUBLIC_FORMS = ("officer", "staff", VISITOR)


@pytest.fixture(autouse=True)
def _nothing_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make nothing that is not looked at: copies of each context, and pages for what is not found."""
    monkeypatch.setattr(Template, "_render", lambda template, context: template.nodelist.render(context))
    monkeypatch.setattr(failed_requests, "page_not_found", lambda request, exception: HttpResponseNotFound())


@pytest.fixture(scope="module")
def tried() -> set[Any]:
    """Return the forms that were typed into for a role before."""
    return set()


def look_at_all(
    client: Client, method: str, pattern: str, role: str, worlds: dict[str, Values]
) -> dict[str, Look]:
    """Return the looks at a route: at the own object first, and at others unless that was refused before.

    Whose an object is changes the values of statements alone: PostgreSQL looks at the own one.
    """
    found = {OWN: look(client, method, address(pattern, worlds[OWN]))}
    if connection.vendor == "postgresql":
        return found
    refused = (REFUSED_BY_METHOD,) if role in OF_FEDERATIONS else (REFUSED_BY_METHOD, REFUSED_BY_ROLE)
    if found[OWN].status not in refused:
        for whose in targets(pattern, role):
            found[whose] = look(client, method, address(pattern, worlds[whose]))
    return found


def faults(
    client: Client,
    method: str,
    pattern: str,
    role: str,
    worlds: dict[str, Values],
    tried: set[Any],
    answered: set[Any],
) -> Iterator[str]:
    if connection.vendor == "postgresql" and (method, pattern) in answered:
        # Who asks once more changes the values of statements alone.
        return
    found = look_at_all(client, method, pattern, role, worlds)
    own, place = found[OWN], address(pattern, worlds[OWN])
    if own.status < REFUSED:
        answered.add((method, pattern))
    yield from checks.failures(found)
    yield from checks.writes(role, pattern, method, found)
    yield from checks.access(role, pattern, method, own)
    yield from checks.isolation(role, pattern, found)
    yield from checks.queries(pattern, method, own, lambda: look(client, method, place))
    if method == "GET":
        yield from checks.keeping(role, pattern, found)
        yield from checks.heads(pattern, own)
        yield from checks.typed_forms(client, pattern, place, own, tried)


def methods(pattern: str, role: str) -> Iterator[str]:
    if not is_public(pattern) or role in READ_PUBLIC_PAGES:
        yield "GET"
    if not is_public(pattern) or role in SEND_PUBLIC_FORMS:
        yield "POST"


def once(names: tuple[str, ...], of_both: tuple[str, ...]) -> list[Any]:
    """Return parameters of which PostgreSQL takes those that see every statement; the others run on SQLite alone."""
    return [name if name in of_both else pytest.param(name, marks=pytest.mark.page) for name in names]


@pytest.fixture(scope="module")
def answered() -> set[Any]:
    """Return the methods and patterns that a role before was answered."""
    return set()


@pytest.mark.parametrize("role", once(ROLES, ("staff", "officer", "arbiter", PLAYER)))
def test_every_address_for_every_role(
    worlds: dict[str, Values], role: str, tried: set[Any], answered: set[Any]
) -> None:
    client, wrong = browser_of(role), []
    for pattern in patterns():
        for method in methods(pattern, role):
            wrong += [
                f"{method} {pattern}: {fault}"
                for fault in faults(client, method, pattern, role, worlds, tried, answered)
            ]

    assert not wrong, "\n".join(wrong)


@pytest.mark.page
@pytest.mark.parametrize("role", ["staff", VISITOR])
def test_no_address_acts_on_another_method(worlds: dict[str, Values], role: str) -> None:
    """A form by which a page acts is sent by POST alone; Django's own views are left to Django."""
    client, wrong = browser_of(role), []
    views = {pattern: view for pattern, view in pages() if not pattern.startswith("api/")}
    for pattern, view in sorted(views.items()):
        is_read_anyway = is_public(pattern) and role
        for method in ("PUT", "DELETE") if is_read_anyway else ("HEAD", "PUT", "DELETE"):
            if view.__module__.startswith("django."):
                continue
            found = {OWN: look(client, method, address(pattern, worlds[OWN]))}
            for fault in (*checks.failures(found), *checks.writes(role, pattern, method, found)):
                wrong.append(f"{method} {pattern}: {fault}")

    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("token", once(TOKENS, ("arena", "read")))
def test_every_resource_for_every_token(worlds: dict[str, Values], token: str) -> None:
    client, wrong = tool_of(token), []
    routes = {pattern: view for pattern, view in pages() if pattern.startswith("api/")}
    for pattern, view in sorted(routes.items()):
        for method in ("GET", "POST"):
            found = {OWN: look(client, method, address(pattern, worlds[OWN]))}
            if connection.vendor != "postgresql" and (checks.scope_of(view, method) or not token):
                for whose in targets(pattern):
                    found[whose] = look(client, method, address(pattern, worlds[whose]))
            seen = [*checks.failures(found), *checks.scopes(view, pattern, method, token, found)]
            if method == "GET":
                seen += checks.writes(token, pattern, method, found)
                seen += checks.keeping(token, pattern, found)
                seen += checks.heads(pattern, found[OWN])
            wrong += [f"{method} {pattern}: {fault}" for fault in seen]

    assert not wrong, "\n".join(wrong)


@pytest.mark.page
def test_answers_of_the_api_to_somebody_signed_in_say_who_may_keep_them(worlds: dict[str, Values]) -> None:
    client, wrong = browser_of("officer"), []
    for pattern in patterns(of_api=True):
        found = {OWN: look(client, "GET", address(pattern, worlds[OWN]))}
        wrong += [f"GET {pattern}: {fault}" for fault in checks.keeping("officer", pattern, found)]

    assert not wrong, "\n".join(wrong)
