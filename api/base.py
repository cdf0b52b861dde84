"""The base of all resources: scope, rate limit, typed parameters, conditional responses, headers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, Serializer
from rest_framework.views import APIView

from api.authentication import PUBLIC, Scope, required_scope
from api.errors import ChangedError
from api.media_types import Negotiation
from core.web.etags import etag_of, with_validators
from core.web.rates import Allowance, ScopedThrottle
from players.minors import NOBODY, Minors
from ratings.models import RatingList

# Programs that ask in a loop keep an answer for a minute.
FRESH_SECONDS = 60
# A browser shows scripts of other sites these headers alone.
EXPOSED_HEADERS = (
    "ETag, Last-Modified, Link, Location, Retry-After, "
    "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy"
)


class ResourceView(APIView):
    """A resource of the API.

    `scope` is what its methods need, a mapping if they differ. Without it every request is refused.
    `Parameters` declares all query parameters of a GET. `query` has their values, others are refused.
    """

    scope: Scope | Mapping[str, Scope] | None = None
    Parameters: type[Serializer[Any]] | None = None
    query: Mapping[str, Any]
    content_negotiation_class = Negotiation
    # The library sets it in its `initial`, which is replaced here.
    format_kwarg = None
    throttle_classes = [ScopedThrottle]
    allowance: Allowance | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Respond in English, whatever the Accept-Language header says."""
        with translation.override("en"):
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Prepare a request. Count it before the token lookup, so that the rate limit also covers guessing."""
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        # Before the token is looked up: guesses count, too.
        self.check_throttles(request)
        self.perform_authentication(request)
        self.check_permissions(request)
        if request.method != "OPTIONS" and request.method in self.allowed_methods:
            self.query = self.read_query(request)

    @property
    def token(self) -> Any:
        """The officer's token or the arena that the scope needs, else None."""
        return self.request.auth

    def throttle_scope(self, request: Request) -> str:
        """Return the name of the rate limit that counts the request."""
        return (required_scope(self, request.method) or PUBLIC).rate

    def read_query(self, request: Request) -> dict[str, Any]:
        """Return the values of the query parameters. Raise ValidationError if one is unknown, repeated or invalid."""
        is_read = request.method in ("GET", "HEAD")
        known = self.Parameters(data=_single_values(request)) if self.Parameters and is_read else None
        names = set(known.fields) if known else set()
        # `format` is the library's own: it chooses the renderer.
        unknown = sorted(set(request.query_params) - names - {"format"})
        if unknown:
            offered = ", ".join(sorted(names)) or "none"
            raise ValidationError(dict.fromkeys(unknown, f"Unknown parameter. Valid parameters: {offered}."))
        if known is None:
            return {}
        known.is_valid(raise_exception=True)
        values: dict[str, Any] = known.validated_data
        return values

    def serialize(
        self, serializer: type[BaseSerializer[Any]], **context: Any
    ) -> Callable[..., BaseSerializer[Any]]:
        """Return the serializer with the request in its context, which URLs need."""
        return partial(serializer, context={"request": self.request, **context})

    def answer(
        self, make: Callable[[], HttpResponseBase], *version: Any, changed_at: datetime | None = None
    ) -> HttpResponseBase:
        """Return the response that `make` makes, or 304 if the client has this version."""
        etag = f"W/{etag_of(version)}"
        response = with_validators(self.request._request, make, etag=etag, changed_at=changed_at)
        # As a problem document, like every other error of the API.
        if response.status_code == 412:
            raise ChangedError
        response["Cache-Control"] = f"public, max-age={FRESH_SECONDS}"
        return response

    def answer_body(self, body: Any) -> HttpResponseBase:
        """Return a body, or 304. Its version is its content."""
        return self.answer_made(Response(body))

    def answer_made(self, response: Response) -> HttpResponseBase:
        """Return a response, or 304. Its version is its content."""
        return self.answer(lambda: response, response.data)

    def answer_from_lists(
        self,
        make: Callable[[], HttpResponseBase],
        lists: Iterable[RatingList],
        *parts: Any,
        minors: Minors = NOBODY,
        members: Sequence[int] | None = None,
    ) -> HttpResponseBase:
        """Return a response that depends only on published lists, or 304. `parts` name the URL and the query.

        With age bands for `minors`, or the `members` of a club, there is no Last-Modified, because the publication
        dates do not cover their changes.
        """
        lists = list(lists)
        keys = [(item.pk, item.published_at.isoformat(), item.manifest_sha256) for item in lists]
        latest = max((item.published_at for item in lists), default=None)
        changed_at = latest if not minors and members is None else None
        return self.answer(make, keys, *parts, minors, members, changed_at=changed_at)

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Return the methods, and the headers that other origins may send."""
        return Response(
            status=204,
            headers={
                "Allow": ", ".join(self.allowed_methods),
                "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
                "Access-Control-Allow-Headers": "Accept, If-None-Match, If-Modified-Since",
                "Access-Control-Max-Age": "86400",
            },
        )

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Add the common headers. Responses to requests with a token are not cached."""
        finished: HttpResponseBase = super().finalize_response(request, response, *args, **kwargs)
        if request.method in ("GET", "HEAD", "OPTIONS"):
            finished["Access-Control-Allow-Origin"] = "*"
            finished["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        for name, value in self.allowance.headers() if self.allowance else ():
            finished[name] = value
        # One address in several formats: caches must keep them apart, and the proxy knows only addresses.
        if has_formats := len(self.renderer_classes) > 1:
            patch_vary_headers(finished, ("Accept",))
        scope = required_scope(self, request.method)
        if has_formats or scope is None or scope.token:
            finished["Cache-Control"] = "private, no-store"
        # What is not there yet may come at any moment, with the next list.
        elif finished.status_code == 404 and request.method in ("GET", "HEAD"):
            finished["Cache-Control"] = "public, no-cache"
        return finished


def _single_values(request: Request) -> dict[str, str]:
    # Of a repeated parameter Django would take the last without a word.
    repeated = [name for name, values in request.query_params.lists() if len(values) > 1]
    if repeated:
        raise ValidationError(dict.fromkeys(repeated, "Parameter sent more than once. Send it once."))
    return {name: str(value) for name, value in request.query_params.items() if name != "format"}
