"""What every view of the API does: public, any origin may read, faults as problems, rates told."""

from __future__ import annotations

from collections.abc import Callable
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

from core.web.rates import Allowance, ScopedThrottle

EXPOSED = (
    "ETag, Last-Modified, Link, Location, Retry-After, "
    "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy"
)


class PublicView(APIView):
    """A public resource. `Parameters` names every parameter of its query; any other is a fault."""

    Parameters: type[Serializer[Any]] | None = None
    throttle_classes = [ScopedThrottle]
    allowance: Allowance | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer in English, whatever the browser prefers: programs read this."""
        with translation.override("en"):
            return super().dispatch(request, *args, **kwargs)

    def scope_of(self, request: Request) -> str:
        """Return the scope whose rate the request counts in."""
        return "read"

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Say what may be asked, and from where."""
        methods = ", ".join(self.allowed_methods)
        return Response(
            status=204,
            headers={
                "Allow": methods,
                "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
                "Access-Control-Allow-Headers": "Accept, If-None-Match, If-Modified-Since",
                "Access-Control-Max-Age": "86400",
            },
        )

    def serialize(self, serializer: type[BaseSerializer[Any]]) -> Callable[..., BaseSerializer[Any]]:
        """Return the serializer with what it needs to write addresses."""
        return partial(serializer, context={"request": self.request})

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Add what every answer carries."""
        finished: HttpResponseBase = super().finalize_response(request, response, *args, **kwargs)
        if request.method in ("GET", "HEAD", "OPTIONS"):
            finished["Access-Control-Allow-Origin"] = "*"
            finished["Access-Control-Expose-Headers"] = EXPOSED
        for name, value in self.allowance.headers() if self.allowance else ():
            finished[name] = value
        if len(self.renderer_classes) > 1:
            patch_vary_headers(finished, ("Accept",))
        return finished

    def parameters(self, request: Request) -> dict[str, Any]:
        """Return the query's parameters as values; a fault for each that is unknown, given twice or wrong."""
        known = self.Parameters(data=_once(request)) if self.Parameters else None
        names = set(known.fields) if known else set()
        unknown = sorted(set(request.query_params) - names - {"format"})
        if unknown:
            offered = ", ".join(sorted(names)) or "none"
            raise ValidationError(
                dict.fromkeys(unknown, f"There is no such parameter here; there are: {offered}.")
            )
        if known is None:
            return {}
        known.is_valid(raise_exception=True)
        values: dict[str, Any] = known.validated_data
        return values


def _once(request: Request) -> dict[str, str]:
    twice = [name for name, values in request.query_params.lists() if len(values) > 1]
    if twice:
        raise ValidationError(dict.fromkeys(twice, "Give this parameter once."))
    return {name: str(value) for name, value in request.query_params.items() if name != "format"}


def page(
    request: Request, rows: Any, cursor: str, serializer: Callable[..., Any], *, path: str = ""
) -> Response:
    """Return a page: its rows, and the address of the next one, which stands in the Link header too.

    `path` is where the next page is, if elsewhere.
    """
    address = _next(request, cursor, path or request.path)
    headers = {"Link": f'<{address}>; rel="next"'} if address else None
    return Response({"next": address, "results": serializer(rows, many=True).data}, headers=headers)


def _next(request: Request, cursor: str, path: str) -> str | None:
    if not cursor:
        return None
    query = request.query_params.copy()
    query["cursor"] = cursor
    return request.build_absolute_uri(f"{path}?{query.urlencode()}")
