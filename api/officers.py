"""Calls by officers' programs: the token, what it is for, and bodies of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import IO, Any

from rest_framework.exceptions import NotAuthenticated, ParseError, PermissionDenied
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from api.base import PublicView
from api.errors import Fault, NotFoundError, RefusedProblem, TooLargeError
from tournaments.choices import Verb
from tournaments.errors import RefusedError
from tournaments.models import OfficerToken, Tournament
from tournaments.permissions import can_report
from tournaments.services.tokens import holder_of

MAX_JSON = 64 * 1024


class ObjectParser(BaseParser):
    """The body is one JSON object of a bounded size."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the object; `TooLargeError` for more than 64 KiB, `ParseError` for anything else."""
        content = stream.read(MAX_JSON + 1)
        if len(content) > MAX_JSON:
            raise TooLargeError(f"The body has at most {MAX_JSON // 1024} KiB.")
        try:
            found = json.loads(content.decode() or "{}")
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The body is not JSON: {error}.") from error
        if not isinstance(found, dict):
            raise ParseError("The body is no JSON object.")
        return found


class OfficerView(PublicView):
    """A resource for the holder of an officer's token."""

    def scope_of(self, request: Request) -> str:
        """Count apart what is done at the desk."""
        return "desk"

    def get_authenticate_header(self, request: Request) -> str:
        """Return what WWW-Authenticate says where no token came."""
        return "Bearer"

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Let nobody keep what was answered to one token."""
        finished = super().finalize_response(request, response, *args, **kwargs)
        finished["Cache-Control"] = "private, no-store"
        return finished


def bearer_of(request: Request, verb: Verb, *, at: datetime) -> OfficerToken:
    """Return the token of a request that is for a verb; `NotAuthenticated` or `PermissionDenied` otherwise."""
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        raise NotAuthenticated("Send the token: Authorization: Bearer TOKEN.")
    token = holder_of(text.strip(), at=at)
    if token is None:
        raise NotAuthenticated(
            "The token is unknown or revoked, or its owner acts for the federation no more."
        )
    if verb not in token.verbs:
        raise PermissionDenied(f"The token is not for this: it lacks “{verb}”.")
    return token


def tournament_of(token: OfficerToken, event_id: str) -> Tournament:
    """Return a tournament of the token's federation that its owner reports; any other does not exist for it."""
    rows = Tournament.objects.filter(federation=token.federation_id).select_related("federation")
    tournament = rows.filter(event_id=event_id).first() if "\x00" not in event_id else None
    if tournament is None or not can_report(token.user, tournament):
        raise NotFoundError("The token's federation has no tournament with this event ID to report.")
    return tournament


def as_refusal(error: RefusedError, names: Mapping[str, str] | None = None) -> RefusedProblem:
    """Return a service's refusal as a problem; `names` gives the fields their names in the body."""
    known = names or {}
    faults = [Fault(known.get(item.field, item.field), str(item.message)) for item in error.refusals]
    return RefusedProblem(faults)
