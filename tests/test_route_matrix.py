"""Every route of the resolver for nine roles and each kind of token: own, foreign and unknown objects, GET and POST.

What each role may do is said in tests/test_access_matrix.py and tests/desk/test_access.py. This is what must hold for
every route, also for one that is added tomorrow: nothing fails, nothing is counted by a limit, GET writes nothing,
nobody reaches what is another federation's or learns that it is there, and a token opens what its scope says.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from api.authentication import required_scope
from arenas.models import Arena
from arenas.services.members import issue_token as issue_arena_token
from core.web import rates
from players.choices import ClaimState
from players.models import (
    Application,
    ChangeRequest,
    Claim,
    Delivery,
    Federation,
    Invitation,
    Player,
    Transfer,
    Webhook,
)
from ratings.models import FeeStatement, Invoice, RatingList
from tests.factories import (
    AppointmentFactory,
    FederationFactory,
    ListEntryFactory,
    PlayerFactory,
    TournamentFactory,
    UserFactory,
)
from tests.test_access_matrix import pages
from tests.trf_files import Event
from tournaments.choices import Verb
from tournaments.models import (
    Appeal,
    CaseFile,
    HandedReport,
    NamedArbiter,
    Objection,
    OfficerToken,
    Report,
    Tournament,
    TrailEntry,
)
from tournaments.services.tokens import issue_token

pytestmark = pytest.mark.django_db
OF_FEDERATIONS = ("officer", "deputy", "arbiter")
OF_FIDE = ("qc", "staff", "council", "auditor")
# Somebody with a confirmed claim of a player record.
PLAYER = "player"
ROLES = (*OF_FEDERATIONS, PLAYER, *OF_FIDE, "")
OWN, FOREIGN, UNKNOWN = "SUI", "AUT", "XYZ"
# Sign-in, the texts of its scripts and its end are everybody's.
FREE_ADMIN = ("admin/login/", "admin/jsi18n/", "admin/logout/")
# Whom a parameter names: a route with one of them has an object of a federation.
NAMES = {
    "event_id",
    "webhook_id",
    "federation",
    "code",
    "application_id",
    "appointment_id",
    "invitation_id",
    "request_id",
    "transfer_id",
    "claim_id",
    "pk",
}
# What a page may write while it is read: sessions, the last use of a token, and work that is due.
WRITTEN_ANYWAY = {
    "django_session",
    "tournaments_officertoken",
    "tournaments_deadlinefeed",
    "arenas_arenatoken",
    "ratings_run",
    # allauth: the first look at one's addresses.
    "account_emailaddress",
}
# They show what a decision would do by doing it and taking it back.
SHOWS_BY_DOING = {"desk/players/changes/<int:request_id>/decide"}
# Whose key `pk` or `number` is: a named arbiter's or a file's, but in these addresses.
INVOICES = "desk/fees/invoices/"
KEYS = {
    "desk/tokens/": ("pk", "token_key"),
    "/objections/": ("pk", "objection_key"),
    INVOICES: ("number", "invoice_number"),
}
# What no object of a federation stands for: an answer is the same for any value.
OF_NOBODY = {"", "scope", "content_type_id", "uidb36"}
WRITES = re.compile(r'^\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)
SHARED = {
    "kind": "rapid",
    "day": "2026-01-01",
    "date": "2026-01-01",
    "ending": "csv",
    "slug": "flyordie",
    "arena": "flyordie",
    "name": "rapid.txt",
    "year": "2026",
    "app_label": "players",
    "url": "nowhere",
    "rest": "nowhere",
    "token": "guessed",
    "key": "guessed",
    "publication_id": "rapid-2026-01-01",
    "version": "1",
    "number": "1",
    "other": "1",
    "id": "1",
}
PARAMETER = re.compile(r"\(\?P<(\w+)>.*?\)(?=[-/])|<(?:\w+:)?(\w+)>|\(\[?[^)]*\)")
Values = dict[str, str]


def address(pattern: str, values: Values) -> str:
    """Return an address of a pattern; what no value is known for is a number that nothing has."""

    def value(found: re.Match[str]) -> str:
        return values.get(found[1] or found[2] or "", "987654321")

    for place, (name, key) in KEYS.items():
        if place in pattern:
            values = values | {name: values.get(key, "987654321")}
    return "/" + re.sub(r"[\\^$]|\\Z", "", PARAMETER.sub(value, pattern))


def names_in(pattern: str) -> set[str]:
    return {found[1] or found[2] or "" for found in PARAMETER.finditer(pattern)}


def world(code: str) -> Values:
    """Make one of each object of a federation, and return what addresses name them by."""
    now, federation = timezone.now(), FederationFactory(code=code)
    officer = AppointmentFactory(role="officer", federation=federation).user
    deputy = AppointmentFactory(role="deputy", federation=federation)
    player = PlayerFactory(federation=federation)
    ListEntryFactory(player=player)
    event = TournamentFactory(event_id=f"{code}-1", federation=federation, registration="not-rated")
    named = add_work_on_event(event, officer, player)
    asked = {"asked_by": officer, "asked_at": now}
    change = ChangeRequest.objects.create(
        player=player, federation=federation, name="New", reason="r", evidence="e", **asked
    )
    third = FederationFactory(code="GER")
    transfer = Transfer.objects.create(
        player=player, from_federation=federation, to_federation=third, asked_for=third, **asked
    )
    application = Application.objects.create(
        name=f"Alder {code}", federation=federation, sex="F", birth_date=date(2010, 5, 6), score=80,
        likeness=player, applied_by=officer, applied_at=now,
    )  # fmt: skip
    invitation = Invitation.objects.create(
        email=f"{code.lower()}@portal.example", role="deputy", federation=federation, invited_by=officer,
        invited_at=now, expires_at=now + timedelta(days=7), token_sha256=code,
    )  # fmt: skip
    issue_token(officer, federation, name="tool", verbs=[Verb.READ], at=now)
    objection = Objection.objects.create(
        tournament=event, player=player, user=officer, statement="No.", raised_at=now, due_on=now.date()
    )
    webhook = Webhook.objects.create(
        federation=federation, url="https://hook.example/", secret="f1:x", created_at=now
    )
    delivery = Delivery.objects.create(
        webhook=webhook, event="test", key="test", body="{}", created_at=now, send_after=now
    )
    return SHARED | {
        "event_id": event.event_id,
        "federation": code,
        "code": code,
        "fide_id": str(player.pk),
        "application_id": str(application.pk),
        "appointment_id": str(deputy.pk),
        "invitation_id": str(invitation.pk),
        "request_id": str(change.pk),
        "transfer_id": str(transfer.pk),
        "webhook_id": str(webhook.pk),
        "delivery_id": str(delivery.pk),
        "claim_id": str(Claim.objects.create(player=player, user=officer, reason="r", asked_at=now).pk),
        "object_id": str(player.pk),
        "pk": str(named.pk),
        "token_key": str(OfficerToken.objects.get(federation=federation).pk),
        "objection_key": str(objection.pk),
        "invoice_number": str(add_invoice(federation).number),
    }


def add_invoice(federation: Federation) -> Invoice:
    """Add the statement of a list and an invoice that was sent."""
    on = date(2026, 1, 1)
    rating_list = RatingList.objects.get(kind="rapid", date=on)
    owed = {"federation": federation, "amount": 40}
    statement = FeeStatement.objects.create(rating_list=rating_list, tournaments=1, players=0, **owed)
    return Invoice.objects.create(
        number=Invoice.objects.count() + 1, statement=statement, currency="EUR", issued_on=on, due_on=on,
        sent_at=timezone.now(), **owed,
    )  # fmt: skip


def add_work_on_event(event: Tournament, officer: Any, player: Player) -> NamedArbiter:
    """Add reports, a decision and an appeal to a tournament, and return its chief arbiter."""
    now = timezone.now()
    content = Event([(player.pk, player.name), (0, "Guest")], [[(1, 2, "1-0")]]).content()
    kept = {"tournament": event, "content": content}
    Report.objects.create(
        **kept, version=1, state="checked", submitted_on=now.date(), submitted_at=now, file_name="a.trf"
    )
    HandedReport.objects.create(
        **kept, number=1, state="waiting", checked_at=now, handed_at=now, checked_by=officer
    )
    decision = TrailEntry.objects.create(
        tournament=event, action="not-rate", registration="not-rated", at=now, reason="No."
    )
    lodged = {"decision": decision, "communicated_on": now.date(), "lodged_at": now, "ground": "facts"}
    appeal = Appeal.objects.create(tournament=event, **lodged, statement="Yes.", organiser="Club")
    file = {"number": 1, "file_name": "a.pdf", "content": b"x", "size": 1, "sha256": "0"}
    CaseFile.objects.create(appeal=appeal, **file)
    CaseFile.objects.create(tournament=event, purpose="report", added_at=now, **file)
    return NamedArbiter.objects.create(tournament=event, user=officer, named_at=now)


@pytest.fixture
def worlds(monkeypatch: pytest.MonkeyPatch, settings: Any) -> dict[str, Values]:
    monkeypatch.setattr(rates, "_rate", lambda scope: (10**9, 60))
    # Thousands of refusals, each with its traceback.
    monkeypatch.setattr(logging.root.manager, "disable", logging.CRITICAL)
    settings.ACCOUNT_RATE_LIMITS = False
    unknown = SHARED | {"event_id": "XYZ-1", "federation": UNKNOWN, "code": UNKNOWN}
    return {OWN: world(OWN), FOREIGN: world(FOREIGN), UNKNOWN: unknown}


@contextmanager
def watching() -> Iterator[set[str]]:
    """Note the tables to which is written."""
    tables: set[str] = set()

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        found = WRITES.match(sql)
        if found and found[1] not in WRITTEN_ANYWAY:
            tables.add(found[1])
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield tables


def ask(client: Client, method: str, place: str) -> tuple[int, set[str]]:
    """Return the status of an answer and the tables written to; nothing of it stays."""
    cookies = client.cookies.copy()
    is_api = place.startswith("/api/")
    with transaction.atomic(), watching() as tables:
        if method == "GET":
            answer = client.get(place)
        elif method == "POST" and not is_api:
            answer = client.post(place)
        else:
            answer = client.generic(method, place, "{}" if is_api else "", content_type="application/json")
        if answer.streaming:
            b"".join(answer)
        transaction.set_rollback(True)
    # One of the routes ends the session.
    client.cookies.clear()
    client.cookies.update(cookies)
    return answer.status_code, tables


def browser_of(role: str) -> Client:
    client = Client(raise_request_exception=False)
    if role == PLAYER:
        now, player = timezone.now(), PlayerFactory(federation=Federation.objects.get(pk=OWN))
        granted = {"state": ClaimState.CONFIRMED, "asked_at": now, "decided_at": now}
        client.force_login(
            Claim.objects.create(player=player, user=UserFactory(), reason="r", **granted).user
        )
    elif role:
        federation = Federation.objects.get(pk=OWN) if role in OF_FEDERATIONS else None
        user = AppointmentFactory(role=role, federation=federation, user__is_staff=role == "staff").user
        if role == "arbiter":
            event = Tournament.objects.get(event_id=f"{OWN}-1")
            NamedArbiter.objects.filter(tournament=event).update(user=user)
        client.force_login(user)
    return client


def is_public(pattern: str) -> bool:
    return not pattern.startswith(("desk/", "admin/", "accounts/", "api/"))


def targets(pattern: str, role: str = "") -> tuple[str, ...]:
    """Return whose objects a route is asked about: what is public is not another's, and roles change nothing there."""
    names = names_in(pattern)
    has_owner = bool(names & NAMES) or (pattern.startswith(INVOICES) and "number" in names)
    if not has_owner or (is_public(pattern) and role):
        return (OWN,)
    # To those of FIDE no federation is another one.
    return (OWN, UNKNOWN) if role in OF_FIDE else (OWN, FOREIGN, UNKNOWN)


def faults(role: str, pattern: str, method: str, found: dict[str, tuple[int, set[str]]]) -> Iterator[str]:
    """Yield what must not be, of the answers about own, foreign and unknown objects."""
    is_desk, is_admin = pattern.startswith("desk/"), pattern.startswith("admin/")
    for whose, (status, tables) in found.items():
        if status >= 500 or status == 429:
            yield f"{whose} {status}"
        if tables and (method == "GET" or not role) and pattern not in SHOWS_BY_DOING:
            yield f"{whose} writes {sorted(tables)}"
        if status == 200 and not role and is_desk:
            yield f"{whose} open to everybody"
        if status == 200 and role != "staff" and is_admin and pattern not in FREE_ADMIN:
            yield f"{whose} open to others than staff"
    if role in (*OF_FEDERATIONS, PLAYER) and is_desk and FOREIGN in found:
        if found[FOREIGN][0] != found[UNKNOWN][0]:
            yield f"foreign {found[FOREIGN][0]}, unknown {found[UNKNOWN][0]}"
        if found[FOREIGN][0] == 200 or found[FOREIGN][1]:
            yield f"foreign {found[FOREIGN]}"


def test_every_parameter_stands_for_an_object(worlds: dict[str, Values]) -> None:
    unknown = {
        pattern: missing
        for pattern, _view in pages()
        if (missing := names_in(pattern) - {*worlds[OWN]} - OF_NOBODY)
    }

    assert unknown == {}, "Make one of what the parameter names in world(), for each federation."


@pytest.mark.parametrize("role", ROLES)
def test_every_route_for_every_role(worlds: dict[str, Values], role: str) -> None:
    client, wrong = browser_of(role), []
    for pattern in sorted({pattern for pattern, _view in pages() if not pattern.startswith("api/")}):
        # To public forms one role of a federation and one of FIDE stand for the others.
        is_read_only = is_public(pattern) and role not in ("officer", "staff", "")
        for method in ("GET",) if is_read_only else ("GET", "POST"):
            found = {
                whose: ask(client, method, address(pattern, worlds[whose]))
                for whose in targets(pattern, role)
            }
            wrong += [f"{method} {pattern}: {fault}" for fault in faults(role, pattern, method, found)]

    assert wrong == []


# A form by which a page acts is sent by POST alone.
OTHER_METHODS = ("HEAD", "PUT", "DELETE")


@pytest.mark.parametrize("role", ["staff", ""])
def test_no_route_acts_on_another_method(worlds: dict[str, Values], role: str) -> None:
    client, wrong = browser_of(role), []
    for pattern in sorted({pattern for pattern, _view in pages() if not pattern.startswith("api/")}):
        for method in OTHER_METHODS:
            status, tables = ask(client, method, address(pattern, worlds[OWN]))
            if status >= 500 or status == 429 or (tables and pattern not in SHOWS_BY_DOING):
                wrong.append(f"{method} {pattern}: {status}, writes {sorted(tables)}")

    assert wrong == []


TOKENS = ("read", "register", "submit", "arena", "unknown", "")


def tool_of(token: str) -> Client:
    """Return a program with a token of one scope."""
    swiss, now = Federation.objects.get(pk=OWN), timezone.now()
    if token == "arena":
        text = issue_arena_token(Arena.objects.get(slug="flyordie"), name="tool", at=now)[0]
    elif token in Verb.values:
        officer = AppointmentFactory(role="officer", federation=swiss).user
        text = issue_token(officer, swiss, name="tool", verbs=[token], at=now)
    else:
        text = token
    headers = {"Authorization": f"Bearer {text}"} if text else {}
    return Client(raise_request_exception=False, headers=headers)


@pytest.mark.parametrize("token", TOKENS)
def test_every_resource_for_every_token(worlds: dict[str, Values], token: str) -> None:
    client, wrong = tool_of(token), []
    routes = {pattern: view for pattern, view in pages() if pattern.startswith("api/")}
    for pattern, view in sorted(routes.items()):
        for method in ("GET", "POST"):
            found = {
                whose: ask(client, method, address(pattern, worlds[whose])) for whose in targets(pattern)
            }
            statuses = {whose: status for whose, (status, _tables) in found.items()}
            opens = _opens(view, method, token)
            if any(status >= 500 or status == 429 for status in statuses.values()):
                wrong.append(f"{method} {pattern}: {statuses}")
            if method == "GET" and any(tables for _status, tables in found.values()):
                wrong.append(f"GET {pattern} writes: {found}")
            if opens != (statuses[OWN] not in (401, 403)):
                wrong.append(f"{method} {pattern}: {statuses}, opens: {opens}")
            if (
                _is_of_officers(view, method)
                and FOREIGN in statuses
                and statuses[FOREIGN] != statuses[UNKNOWN]
            ):
                wrong.append(f"{method} {pattern}: {statuses}")

    assert wrong == []


def _scope(view: Any, method: str) -> Any:
    made = view.view_class() if hasattr(view, "view_class") else view.cls()
    return required_scope(made, method) if method in made.allowed_methods else None


def _is_of_officers(view: Any, method: str) -> bool:
    scope = _scope(view, method)
    return bool(scope and scope.verb)


def _opens(view: Any, method: str, token: str) -> bool:
    """Whether a token passes the door of a resource, whatever it finds inside."""
    scope = _scope(view, method)
    if scope is None or scope.token is None:
        return True
    return token == (scope.verb or "arena")
