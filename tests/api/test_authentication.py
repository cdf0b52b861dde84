"""Every route of the API declares its scope. A route without a scope is closed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import Client, RequestFactory
from rest_framework.response import Response
from rest_framework.views import APIView

from api.authentication import PUBLIC, required_scope
from api.base import ResourceView
from players.models import Federation
from portal.models import User
from tests import make
from tests.api.conftest import NOW, REGISTRATION, ROOT, SPRING, Call
from tests.walk.routes import pages
from tournaments.choices import Verb
from tournaments.models import OfficerToken, Tournament
from tournaments.tokens import holder_of, issue_token, revoke_token

# Add each new route here with its methods and their scopes.
SCOPES = {
    "": {"GET": "public"},
    "federations": {"GET": "public"},
    "federations/<str:code>/history": {"GET": "public"},
    "arbiters": {"GET": "public"},
    "arbiters/<int:fide_id>": {"GET": "public"},
    "reasons": {"GET": "public"},
    "rules": {"GET": "public"},
    "lists": {"GET": "public"},
    "lists/<str:kind>/<str:date>": {"GET": "public"},
    "lists/<str:kind>/<str:date>/entries": {"GET": "public"},
    "lists/<str:kind>/<str:date>/entries.csv": {"GET": "public"},
    "lists/<str:kind>/<str:date>/entries.ndjson": {"GET": "public"},
    "lists/<str:kind>/<str:date>/changes.csv": {"GET": "public"},
    "lists/<str:kind>/<str:date>/changes.ndjson": {"GET": "public"},
    "players": {"GET": "public"},
    "players/<int:fide_id>": {"GET": "public"},
    "players/<int:fide_id>/history": {"GET": "public"},
    "players/<int:fide_id>/calculations/<str:kind>/<str:date>": {"GET": "public"},
    "games": {"GET": "public"},
    "tournaments": {"GET": "public", "POST": "officer: register"},
    "tournaments/<str:event_id>": {"GET": "public"},
    "tournaments/<str:event_id>/amendments": {"POST": "officer: submit"},
    "tournaments/<str:event_id>/participants": {"GET": "public"},
    "tournaments/<str:event_id>/progress": {"GET": "officer: read"},
    "tournaments/<str:event_id>/reports": {"GET": "officer: read", "POST": "officer: submit"},
    "tournaments/<str:event_id>/reports/<int:version>": {"GET": "officer: read"},
    "tournaments/<str:event_id>/reports/<int:version>/acceptance": {"POST": "officer: submit"},
    "tournaments/<str:event_id>/reports/<int:version>/preview": {"GET": "officer: read"},
    "reports/check": {"POST": "public"},
    "publications": {"GET": "public"},
    "publications/<str:publication_id>/changes": {"GET": "public"},
    "calculators/change": {"GET": "public"},
    "calculators/first-rating": {"GET": "public"},
    "calculators/performance": {"GET": "public"},
    "arenas": {"GET": "public"},
    "arenas/<str:arena>": {"GET": "public"},
    "arenas/<str:arena>/list": {"GET": "public"},
    "arenas/<str:arena>/list.csv": {"GET": "public"},
    "arenas/<str:arena>/lists": {"GET": "public"},
    "arenas/<str:arena>/members": {"GET": "public", "POST": "arena: games"},
    "arenas/<str:arena>/members/<int:number>": {"GET": "public"},
    "arenas/<str:arena>/members/<int:number>/history": {"GET": "public"},
    "arenas/<str:arena>/games": {"GET": "public", "POST": "arena: games"},
    "arenas/<str:arena>/games/<int:number>": {"GET": "public"},
    "schema": {"GET": "public"},
    "changelog": {"GET": "public"},
    "docs": {"GET": "public"},
    "docs/open.trf": {"GET": "public"},
    "docs/<str:chapter>": {"GET": "public"},
    "<anything:rest>": dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE"), "public"),
}


def routes() -> Iterator[tuple[str, dict[str, str | None]]]:
    """Yield each URL of the API with the scope of each method of its view, None if undeclared."""
    for pattern, callback in pages():
        if pattern.startswith("api/v1/"):
            view = callback.cls(**callback.initkwargs)
            methods = [method for method in view.allowed_methods if method not in ("HEAD", "OPTIONS")]
            scopes = {method: required_scope(view, method) for method in methods}
            names = {method: scope and scope.name for method, scope in scopes.items()}
            yield pattern.removeprefix("api/v1/"), names


def test_every_route_has_the_scope_of_the_table() -> None:
    found = {address: scopes for address, scopes in routes() if not address.endswith("/")}

    assert found == SCOPES, "Add the route to SCOPES and declare the scope of its view."


def test_addresses_with_a_slash_have_the_same_views() -> None:
    views = {
        pattern.removeprefix("api/v1/"): callback.cls for pattern, callback in pages() if "api/v1/" in pattern
    }
    with_slash = {address.removesuffix("/"): view for address, view in views.items() if address.endswith("/")}

    assert with_slash == {
        address: views[address] for address in SCOPES if address not in ("", "<anything:rest>")
    }


def test_other_methods_reach_no_resource() -> None:
    view = ResourceView()
    view.scope = {"GET": PUBLIC}

    assert required_scope(view, "OPTIONS") is PUBLIC
    assert required_scope(view, "DELETE") is PUBLIC


class ForgetfulView(ResourceView):
    def get(self, request: Any) -> HttpResponseBase:
        return Response({})

    post = get


class HalfDeclaredView(ForgetfulView):
    scope = {"POST": PUBLIC}


class PlainView(APIView):
    def get(self, request: Any) -> HttpResponseBase:
        return Response({})


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("view", [ForgetfulView, HalfDeclaredView, PlainView])
def test_view_without_a_scope_answers_401(db: None, view: type[APIView], method: str) -> None:
    request = getattr(RequestFactory(), method)("/api/v1/forgotten")

    response = view.as_view()(request)

    assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")
    assert response["Content-Type"] == "application/problem+json"


def test_view_without_a_scope_is_closed_to_tokens_too(db: None) -> None:
    officer = make.appointment(role="officer")
    token = issue_token(officer.user, officer.federation, name="tool", verbs=list(Verb.values), at=NOW)
    request = RequestFactory().get("/api/v1/forgotten", headers={"authorization": f"Bearer {token}"})

    assert ForgetfulView.as_view()(request).status_code == 401


def test_browser_session_does_not_replace_a_token(client: Client, db: None) -> None:
    tournament = make.tournament()
    client.force_login(make.person("officer", tournament.federation))

    response = client.get(f"{ROOT}/tournaments/{tournament.event_id}/progress")

    assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")
    assert "`Authorization: Bearer TOKEN`" in response.json()["detail"]


def test_public_read_ignores_a_token(client: Client, db: None) -> None:
    response = client.get(f"{ROOT}/rules", headers={"authorization": "Bearer guessed"})

    assert (response.status_code, response["Cache-Control"]) == (200, "public, max-age=60")


def test_unknown_method_of_an_officer_address_is_a_405(client: Client, db: None) -> None:
    response = client.delete(f"{ROOT}/tournaments/SUI-1/progress")

    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")


@pytest.mark.parametrize("secret", ["", "x", "x" * 5000, "ü"])
@pytest.mark.parametrize("address", ["/tournaments", "/tournaments/SUI-1/reports"])
def test_missing_or_unknown_token_is_a_401(call: Call, secret: str, address: str) -> None:
    make.tournament(event_id="SUI-1", federation__code="SUI")
    call(
        "post",
        address,
        REGISTRATION if address == "/tournaments" else SPRING.content(),
        status=401,
        secret=secret,
    )
    assert Tournament.objects.count() == 1


def test_token_without_the_permission_is_a_403(officer: User, call: Call) -> None:
    make.tournament(event_id="SUI-1", federation__code="SUI")
    reading = issue_token(officer, Federation.objects.get(pk="SUI"), name="eyes", verbs=[Verb.READ], at=NOW)
    assert call("get", "/tournaments/SUI-1/progress", secret=reading)["step"]
    call("post", "/tournaments", REGISTRATION, status=403, secret=reading)
    call("post", "/tournaments/SUI-1/reports", SPRING.content(), status=403, secret=reading)


@pytest.mark.parametrize("end", ["progress", "reports", "reports/1", "reports/1/preview"])
def test_tournament_of_another_federation_does_not_exist(call: Call, end: str) -> None:
    make.tournament(event_id="AUT-1", federation__code="AUT")
    make.tournament(event_id="SUI-9", federation__code="SUI", is_official=True)
    for event_id in ("AUT-1", "SUI-9", "NIX", "%00"):
        call("get", f"/tournaments/{event_id}/{end}", status=404)


def test_token_ends_with_the_role_or_by_revocation(officer: User, token: str) -> None:
    held_by = holder_of(token, at=NOW)
    assert held_by is not None
    assert OfficerToken.objects.get().last_used_at == NOW
    assert [revoke_token(held_by, at=NOW), revoke_token(held_by, at=NOW)] == [True, False]
    assert holder_of(token, at=NOW) is None
    other = issue_token(officer, held_by.federation, name="b", verbs=["read"], at=NOW)
    officer.appointments.all().delete()
    assert holder_of(other, at=NOW) is None
