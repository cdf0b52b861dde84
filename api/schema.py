"""The OpenAPI schema, from the declarations of the views."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse, extend_schema, inline_serializer
from rest_framework import serializers

from api.authentication import OFFICER_TOKEN, required_scope

ROOT = "/api/v1"
# Example responses by operation ID. Views with several examples declare their own.
EXAMPLES = Path(__file__).with_name("examples.json")
View = TypeVar("View", bound=Callable[..., Any])
# Every operation may answer with these, as problem details.
PROBLEMS = {
    "4XX": (
        "Refused. 400: a parameter is unknown, sent twice or not valid. 401: the token is missing, unknown, revoked or "
        "expired. 403: the token belongs to another user or does not have the permission. 404: page not found. 405: "
        "method not allowed for this URL. 406: the requested format is not available. 409: refused by the rules or the "
        "current state, see `errors`. 413: the file is too large. 414: the path is longer than 2,048 bytes, or there "
        "are more than 1,000 parameters. 415: the media type of the body is not supported. 429: too many requests, try "
        "again after `Retry-After` seconds."
    ),
    "5XX": "500: internal error. It was logged. 503: unavailable. Try again after `Retry-After` seconds.",
}
RATE_HEADERS = {
    "RateLimit-Limit": "Requests allowed per window.",
    "RateLimit-Remaining": "Requests left in this window.",
    "RateLimit-Reset": "Seconds until the next window.",
}
# Chapters of the documentation, by the first part of the path. All others are reference.
CHAPTERS = ("lists", "players", "games", "tournaments", "publications", "arenas", "calculators", "reports")
UNCONDITIONAL = ("/players", "/lists", "/tournaments", "/publications")
NOT_MODIFIED = {"304": {"description": "Not modified (If-None-Match)."}}
MOVED = {"301": {"description": "The FIDE ID was merged into another one. See `Location`."}}
PATH_PARAMETERS = {
    "kind": "`standard`, `rapid` or `blitz`.",
    "date": "Date of a list, for example `2026-02-01`, or `latest`.",
    "fide_id": "FIDE ID number.",
    "code": "Federation code, for example `SUI`.",
    "event_id": "Event ID of the tournament.",
    "publication_id": "ID of a list, for example `rapid-2026-02-01`.",
    "arena": "Short name of the arena, for example `foa-rbb`.",
    "number": "Number of the member or game, as in its URL.",
    "version": "Number of the report's version, from 1.",
}
PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "Problem details (RFC 9457).",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "description": (
                "Invalid values. `name` is the parameter, or empty for the whole request. `code` names the rule that "
                "refuses a request, and stays the same in every language."
            ),
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "detail": {"type": "string"},
                    "code": {"type": "string"},
                },
                "required": ["name", "detail"],
            },
        },
    },
    "required": ["type", "title", "status", "detail"],
}


class ResourceSchema(AutoSchema):
    """Set tag, parameters and security of an operation from its path and the declarations of its view."""

    def get_tags(self) -> list[str]:
        """Return the tag: the first part of the path, or the desk if an officer's token is needed."""
        scope = required_scope(self.view, self.method)
        if scope and scope.token is OFFICER_TOKEN:
            return ["desk"]
        first = self.path.removeprefix(f"{ROOT}/").partition("/")[0]
        return [first if first in CHAPTERS else "reference"]

    def get_override_parameters(self) -> list[Any]:
        """Return the parameters of a GET."""
        view: Any = self.view
        return [view.Parameters] if self.method == "GET" and view.Parameters else []

    def _get_format_parameters(self) -> list[Any]:
        """Return no parameters: each format has its own URL."""
        return []

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Return the token that the scope needs."""
        scope = required_scope(self.view, self.method)
        # In OpenAPI an empty requirement means that no token is needed.
        return [{scope.token.scheme: []} if scope and scope.token else {}]


def operation(operation_id: str, *, summary: str, responses: Any, **options: Any) -> Callable[[View], View]:
    """Describe a method of a view in the schema. Its docstring is the description."""
    return extend_schema(operation_id=operation_id, summary=summary, responses=responses, **options)


@cache
def schema() -> dict[str, Any]:
    """Return the whole schema, cached for the process."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    made: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made


@cache
def page_of(serializer: Callable[..., Any]) -> serializers.Serializer[Any]:
    """Return the schema of a paged response."""
    return inline_serializer(
        name=f"{_component_name(serializer)}Page",
        fields={
            "next": serializers.URLField(
                allow_null=True, help_text=("URL of the next page, or null on the last page.")
            ),
            "results": serializer(many=True),
        },
    )


@cache
def list_of(serializer: Callable[..., Any]) -> serializers.Serializer[Any]:
    """Return the schema of a response with all results."""
    return inline_serializer(
        name=f"{_component_name(serializer)}List", fields={"results": serializer(many=True)}
    )


def text_of(media_type: str) -> dict[Any, Any]:
    """Return the response of a URL with one text format."""
    return {(200, media_type): OpenApiResponse({"type": "string"})}


def as_json(answer: Any) -> dict[Any, Any]:
    """Return the JSON response of a URL whose other formats have URLs of their own."""
    return {(200, "application/json"): answer}


def without_second_addresses(endpoints: list[Any], **options: Any) -> list[Any]:
    """Return the endpoints without the URLs that end with a slash, which are duplicates."""
    return [item for item in endpoints if not item[0].endswith("/")]


def with_common_answers(result: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Add examples, problems and 304 to every operation, and the rate limit headers, which all have, to refusals."""
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    components = result["components"]
    components["schemas"]["Problem"] = PROBLEM_SCHEMA
    headers = {
        name: {"description": text, "schema": {"type": "integer"}} for name, text in RATE_HEADERS.items()
    }
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    components["responses"] = {
        f"Problem{status}": {"description": text, "content": content} for status, text in PROBLEMS.items()
    }
    components["responses"]["Problem4XX"]["headers"] = headers
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            _complete_answers(path, method, operation)
            example = examples.get(operation["operationId"])
            for status in operation["responses"].keys() & {"200", "201"}:
                for content in operation["responses"][status]["content"].values():
                    if example is not None and "examples" not in content:
                        content["example"] = example
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    # A new parameter without a description fails here, and so in the tests.
                    parameter.setdefault("description", PATH_PARAMETERS[parameter["name"]])
            # The rule, and so once for all: public data need no token.
            if not any(operation["security"]):
                del operation["security"]
    _share_parameters(result)
    return result | {"security": [{}]}


def _share_parameters(result: dict[str, Any]) -> None:
    """Describe among the components, and so once, each parameter that several operations have."""
    operations = [operation for methods in result["paths"].values() for operation in methods.values()]
    every = [parameter for operation in operations for parameter in operation.get("parameters", ())]
    shared: dict[str, Any] = {}
    # Of two of one name, such as a kind with and without the standard lists, the more frequent one.
    for parameter in sorted(every, key=every.count, reverse=True):
        if every.count(parameter) > 1:
            shared.setdefault(_shared_name(parameter), parameter)
    result["components"]["parameters"] = shared
    for operation in operations:
        for place, parameter in enumerate(operation.get("parameters", ())):
            if shared.get(name := _shared_name(parameter)) == parameter:
                operation["parameters"][place] = {"$ref": f"#/components/parameters/{name}"}


def _shared_name(parameter: Mapping[str, Any]) -> str:
    return f"{parameter['in']}-{parameter['name']}"


def parameters_of(document: Mapping[str, Any], operation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the parameters of an operation, wherever they are described."""
    shared = document["components"]["parameters"]
    given = operation.get("parameters", ())
    return [shared[one["$ref"].rpartition("/")[2]] if "$ref" in one else one for one in given]


def _complete_answers(path: str, method: str, operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    if method == "get" and not path.endswith(UNCONDITIONAL):
        answers.update(NOT_MODIFIED)
    if path.endswith("/players/{fide_id}"):
        answers.update(MOVED)
    answers.update({status: {"$ref": f"#/components/responses/Problem{status}"} for status in PROBLEMS})


def _component_name(serializer: Callable[..., Any]) -> str:
    return serializer.__name__.removesuffix("Serializer")


# Query parameters.
day_parameter = partial(serializers.DateField, required=False)
federation_parameter = partial(
    serializers.RegexField,
    regex=r"\A[A-Z]{3}\Z",
    required=False,
    error_messages={"invalid": "Enter the code as 3 capital letters, for example SUI."},
    help_text="Federation code, for example `SUI`.",
)
club_parameter = partial(serializers.CharField, required=False, max_length=80)
