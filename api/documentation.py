"""`/schema` and `/docs`: the OpenAPI schema, and a page with its operations by chapter."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import BaseRenderer, JSONRenderer, TemplateHTMLRenderer
from rest_framework.request import Request

from api.authentication import PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.media_types import MarkdownRenderer, YAMLRenderer
from api.schema import schema

CHANGELOG = Path(__file__).with_name("CHANGELOG.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentationLine:
    """A parameter or a field: its name with the path to it, its type, and its description."""

    name: str
    type: str
    text: str
    is_required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one URL."""

    anchor: str
    method: str
    path: str
    summary: str
    text: str
    forms: Sequence[str]
    parameters: Sequence[DocumentationLine]
    fields: Sequence[DocumentationLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """The operations of one tag."""

    name: str
    text: str
    operations: Sequence[Operation]


class SchemaView(ResourceView):
    scope = PUBLIC
    renderer_classes: list[type[BaseRenderer]] = [YAMLRenderer, JSONRenderer]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """Return the OpenAPI schema as YAML or JSON."""
        form, document = request.accepted_renderer.format, schema_of_site(settings.SITE_URL)
        return self.answer(lambda: _schema_response(form, document), "schema", form, document)


class DocumentationView(ResourceView):
    scope = PUBLIC
    renderer_classes = [TemplateHTMLRenderer]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """Return the page that explains every resource."""
        return render(request._request, "api/documentation.html", {"chapters": chapters()})


class ChangelogView(ResourceView):
    scope = PUBLIC
    renderer_classes: list[type[BaseRenderer]] = [MarkdownRenderer]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """Return what changed in which version of the API."""
        text = CHANGELOG.read_text(encoding="utf-8")
        return self.answer(lambda: HttpResponse(text, content_type="text/markdown; charset=utf-8"), text)


class NowhereView(ResourceView):
    """All unknown URLs of the API, with any query."""

    scope = PUBLIC

    def read_query(self, request: Request) -> dict[str, Any]:
        """Return no values. Unknown parameters do not matter, because the URL is unknown."""
        return {}

    @extend_schema(exclude=True)
    def get(self, request: Request, rest: str) -> HttpResponseBase:
        """Return 404."""
        raise NotFoundError("Page not found.")

    # An unknown address is a 404 for every method, not a 405.
    post = put = patch = delete = get


def _schema_response(form: str, document: Mapping[str, Any]) -> HttpResponse:
    if form == "json":
        return JsonResponse(document)
    return HttpResponse(schema_text(document), content_type="application/yaml; charset=utf-8")


def schema_of_site(address: str) -> dict[str, Any]:
    """Return the schema with the address of an installation as its server."""
    # The schema is kept for the process, and the address is that of this installation alone.
    server = copy.deepcopy(schema()["servers"][0])
    server["variables"]["portal"]["default"] = address
    return {**schema(), "servers": [server]}


def schema_text(document: Mapping[str, Any]) -> str:
    """Return a schema as `manage.py spectacular --file docs/openapi.yaml` writes it."""
    renderer = OpenApiYamlRenderer()
    written: bytes = renderer.render(document, renderer_context={})  # type: ignore[no-untyped-call]
    return written.decode()


@cache
def chapters() -> list[Chapter]:
    """Return the operations by the tags of the schema."""
    document = schema()
    operations = [
        (operation["tags"][0], _operation(document, path, method, operation))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return [
        Chapter(
            name=tag["name"],
            text=tag["description"],
            operations=[item for name, item in operations if name == tag["name"]],
        )
        for tag in document["tags"]
    ]


def _operation(
    document: Mapping[str, Any], path: str, method: str, operation: Mapping[str, Any]
) -> Operation:
    # What is made answers with 201 alone.
    success = next(iter(operation["responses"].keys() & {"200", "201"}))
    content = operation["responses"][success].get("content", {})
    body: dict[str, Any] = next((form["schema"] for form in content.values()), {})
    parameters = [
        DocumentationLine(
            name=item["name"],
            type=_type(item["schema"]),
            text=_plain(item.get("description", "")),
            is_required=item.get("required", False),
        )
        for item in operation.get("parameters", ())
    ]
    return Operation(
        anchor=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation.get("summary", ""),
        text=operation.get("description", ""),
        forms=list(content),
        parameters=parameters,
        fields=list(_fields(document, body, "")),
    )


def _fields(document: Mapping[str, Any], body: Mapping[str, Any], prefix: str) -> Iterator[DocumentationLine]:
    """Yield the fields of an object, each followed by its nested fields."""
    resolved = _resolve(document, body)
    if resolved.get("type") == "array":
        yield from _fields(document, resolved["items"], f"{prefix}[]")
        return
    for name, inner in resolved.get("properties", {}).items():
        path = f"{prefix}.{name}".lstrip(".")
        whole = _resolve(document, inner)
        text = inner.get("description", whole.get("description", ""))
        yield DocumentationLine(name=path, type=_type(whole), text=_plain(text))
        yield from _fields(document, whole, path)


def _resolve(document: Mapping[str, Any], body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with its reference resolved, of alternatives the first that is not null."""
    if reference := body.get("$ref"):
        schemas: Mapping[str, Any] = document["components"]["schemas"]
        return _resolve(document, schemas[reference.rpartition("/")[2]])
    for word in ("allOf", "oneOf", "anyOf"):
        if word in body:
            return _resolve(document, next(item for item in body[word] if item.get("type") != "null"))
    return body


def _plain(text: str) -> str:
    """Return a text of the schema without backticks."""
    return text.replace("`", "")


def _type(body: Mapping[str, Any]) -> str:
    """Return the type as text: `integer or null`, `string (date)`, `one of a, b`."""
    if choices := body.get("enum"):
        return "one of " + ", ".join(f"{item}" for item in choices if item is not None)
    named = body.get("type", "object")
    words = " or ".join(named) if isinstance(named, list) else str(named)
    return f"{words} ({body['format']})" if "format" in body else words
