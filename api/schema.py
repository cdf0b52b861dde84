"""The OpenAPI schema: pages, problems and headers that every operation shares; and the schema as it is served."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiResponse, inline_serializer
from rest_framework import serializers

PROBLEMS = {
    "400": "A parameter is unknown, given twice, or its value cannot be used.",
    "404": "Nothing stands at this address.",
    "405": "The address does not take this method.",
    "406": "The resource does not come in the form asked for.",
    "429": "Too many requests: wait as long as Retry-After says.",
    "500": "Something went wrong here; it has been recorded.",
    "503": "The portal cannot store or read now: send the request again as Retry-After says.",
}
WITH_TOKEN = {
    "401": "No token came, or one that is unknown or revoked.",
    "403": "The token is another's, or not for this.",
}
REFUSED = {"409": "The rules, or what stands already, do not allow it; `errors` says why."}
RATE_HEADERS = {
    "RateLimit-Limit": "Requests that a window allows.",
    "RateLimit-Remaining": "Requests left in this window.",
    "RateLimit-Reset": "Seconds until the next window.",
}
CONDITIONAL = {"304": {"description": "The caller has the newest state already (If-None-Match)."}}
MOVED = {"301": {"description": "The player was merged into another; Location leads there."}}
PLACES = {
    "kind": "`standard`, `rapid` or `blitz`.",
    "date": "The date of a list, such as `2026-02-01`, or `latest`.",
    "fide_id": "FIDE ID number.",
    "event_id": "Event ID of the tournament.",
    "publication_id": "The id of a list, such as `rapid-2026-02-01`.",
    "format": "The form of the answer, in place of the Accept header.",
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
            "description": "Each wrong value; `name` is the parameter, empty for the whole request.",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "detail": {"type": "string"}},
                "required": ["name", "detail"],
            },
        },
    },
    "required": ["type", "title", "status", "detail"],
}


@cache
def paged(serializer: Callable[..., Any]) -> serializers.Serializer[Any]:
    """Return the documented answer of a resource with pages."""
    return inline_serializer(
        name=f"{_name(serializer)}Page",
        fields={
            "next": serializers.URLField(allow_null=True, help_text="The next page; null on the last one."),
            "results": serializer(many=True),
        },
    )


def paged_or_streamed(serializer: Callable[..., Any], *media_types: str) -> dict[Any, Any]:
    """Return the documented answer of a resource with pages that comes whole in other forms."""
    answers: dict[Any, Any] = {(200, "application/json"): paged(serializer)}
    for media_type in media_types:
        answers[200, media_type] = OpenApiResponse({"type": "string"})
    return answers


@cache
def listed(serializer: Callable[..., Any]) -> serializers.Serializer[Any]:
    """Return the documented answer of a resource that is given whole."""
    return inline_serializer(name=f"{_name(serializer)}List", fields={"results": serializer(many=True)})


def without_second_addresses(endpoints: list[Any], **options: Any) -> list[Any]:
    """Leave out the addresses that end with a slash: they answer as the others do."""
    return [item for item in endpoints if item[0] == "/api/v1/" or not item[0].endswith("/")]


def with_common_answers(result: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Add to every operation the problems that it may answer with, 304, and the headers of the rates."""
    result["components"]["schemas"]["Problem"] = PROBLEM_SCHEMA
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            _complete(path, method, operation["responses"])
            if operation.get("security"):
                _add_problems(operation["responses"], WITH_TOKEN)
            if "desk" in operation["tags"] and method == "post":
                _add_problems(operation["responses"], REFUSED)
            for parameter in operation.get("parameters", ()):
                parameter.setdefault("description", PLACES.get(parameter["name"], ""))
    return result


@cache
def schema() -> dict[str, Any]:
    """Return the whole schema, made once in a process."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    made: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made


def _complete(path: str, method: str, answers: dict[str, Any]) -> None:
    for answer in answers.values():
        answer["headers"] = {
            name: {"description": text, "schema": {"type": "integer"}} for name, text in RATE_HEADERS.items()
        }
    if method == "get" and not path.endswith(("/players", "/lists", "/tournaments", "/publications")):
        answers.update(CONDITIONAL)
    if path.endswith("/players/{fide_id}"):
        answers.update(MOVED)
    extra = {"413": "The file is too large.", "415": "The body is of a kind that is not read."}
    _add_problems(answers, PROBLEMS | (extra if method == "post" else {}))


def _add_problems(answers: dict[str, Any], problems: dict[str, str]) -> None:
    for status, text in problems.items():
        content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
        answers[status] = {"description": text, "content": content}


def _name(serializer: Callable[..., Any]) -> str:
    return serializer.__name__.removesuffix("Serializer")
