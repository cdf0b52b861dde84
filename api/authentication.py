"""Authentication and permissions. Each view declares the scope of its methods. Without a scope it refuses requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from arenas.tokens import token_arena
from tournaments.choices import Verb
from tournaments.tokens import holder_of

UNDECLARED = "This URL is not available: it has no scope."


@dataclass(frozen=True, slots=True)
class TokenKind:
    """A type of token: its name in the OpenAPI schema, its lookup, and the errors for a missing or unknown token."""

    scheme: str
    find: Callable[..., Any]
    missing: str
    unknown: str


OFFICER_TOKEN = TokenKind(
    scheme="officerToken",
    find=holder_of,
    missing="Token missing. Send the header `Authorization: Bearer TOKEN`.",
    unknown=(
        "The token is unknown, revoked or expired, or its owner no longer has a role in the federation."
    ),
)
ARENA_TOKEN = TokenKind(
    scheme="arenaToken",
    find=token_arena,
    missing="Arena token missing. Send the header `Authorization: Bearer TOKEN`.",
    unknown="The token is unknown, revoked or expired.",
)


@dataclass(frozen=True, slots=True)
class Scope:
    """The token and permission that a request needs, if any, and the rate limit that counts it."""

    name: str
    rate: str
    token: TokenKind | None = None
    verb: Verb | None = None


PUBLIC = Scope(name="public", rate="read")
WHOLE_LISTS = Scope(name="public", rate="bulk")
FOLLOW = Scope(name="officer: read", rate="desk", token=OFFICER_TOKEN, verb=Verb.READ)
REGISTER = Scope(name="officer: register", rate="desk", token=OFFICER_TOKEN, verb=Verb.REGISTER)
SUBMIT = Scope(name="officer: submit", rate="desk", token=OFFICER_TOKEN, verb=Verb.SUBMIT)
POST_GAMES = Scope(name="arena: games", rate="games", token=ARENA_TOKEN)


def required_scope(view: Any, method: str | None) -> Scope | None:
    """Return the scope that a view declares for a method, or None if it declares none.

    OPTIONS and methods that the view does not have are public, because they reach no resource.
    """
    declared = getattr(view, "scope", None)
    if declared is None or isinstance(declared, Scope):
        scope: Scope | None = declared
    else:
        scope = declared.get("GET" if method == "HEAD" else method)
    is_handled = method != "OPTIONS" and method in view.allowed_methods
    return scope if is_handled or declared is None else PUBLIC


class TokenAuthentication(BaseAuthentication):
    """Authentication by `Authorization: Bearer TOKEN`. The token is looked up only if the scope needs one."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return (user or None, token or arena), or None without a token. Raise NotAuthenticated if it is unknown."""
        scope = required_scope(request.parser_context["view"], request.method)
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        # A public resource answers whatever token comes along: programs send theirs with every request.
        if scope is None or scope.token is None or scheme.lower() != "bearer" or not text.strip():
            return None
        found = scope.token.find(text.strip(), at=timezone.now())
        if found is None:
            raise NotAuthenticated(scope.token.unknown)
        return getattr(found, "user", None), found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class HasScope(BasePermission):
    """Refuse requests without the token that the view's scope needs, and all requests to a view without a scope."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True. Raise NotAuthenticated without a token, PermissionDenied if it lacks the permission."""
        scope = required_scope(view, request.method)
        token: Any = request.auth
        if scope is None:
            raise NotAuthenticated(UNDECLARED)
        if scope.token and token is None:
            raise NotAuthenticated(scope.token.missing)
        if scope.verb and scope.verb not in token.verbs:
            raise PermissionDenied(f"The token does not have the permission “{scope.verb}”.")
        return True
