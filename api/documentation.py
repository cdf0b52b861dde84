"""`/schema` and `/docs`: the OpenAPI schema, a page to start with, and a page for each chapter of operations."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
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
from api.media_types import MarkdownRenderer, TextRenderer, YAMLRenderer
from api.schema import parameters_of, schema
from ratings.choices import ListKind
from ratings.entries import LIST_ORDER
from ratings.lists import read_lists

# The programs of the first page: what a newcomer runs, and the tests run. They name this portal and player.
START = Path(__file__).with_name("start")
PORTAL, SOMEBODY = "https://portal.example", "1001"
LANGUAGES = (("sh", "curl"), ("py", "Python"), ("mjs", "JavaScript"))
CHANGELOG = Path(__file__).with_name("CHANGELOG.md")


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
        """Return the page to start with: programs to copy, and all operations."""
        context = {"programs": programs(settings.SITE_URL, _somebody()), "chapters": chapters()}
        return render(request._request, "api/documentation.html", context)


class SampleReportView(ResourceView):
    scope = PUBLIC
    renderer_classes: list[type[BaseRenderer]] = [TextRenderer]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """Return a short report (TRF) to check."""
        return HttpResponse((START / "open.trf").read_bytes(), content_type="text/plain; charset=utf-8")


class ChapterView(ResourceView):
    scope = PUBLIC
    renderer_classes = [TemplateHTMLRenderer]

    @extend_schema(exclude=True)
    def get(self, request: Request, chapter: str) -> HttpResponseBase:
        """Return the page that explains the operations of a chapter."""
        found = next((one for one in chapters() if one["name"] == chapter), None)
        if found is None:
            raise NotFoundError("Page not found.")
        return render(
            request._request, "api/documentation_chapter.html", {"chapter": found, "chapters": chapters()}
        )


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


def _somebody() -> str:
    """Return the FIDE ID of the first player of the newest list, for programs that show one."""
    for rating_list in filter(None, map(read_lists().newest, ListKind)):
        first = rating_list.entries.listed().order_by(*LIST_ORDER).first()
        if first is not None:
            return str(first.player_id)
    return SOMEBODY


def programs(portal: str, fide_id: str) -> dict[str, list[tuple[str, str, str]]]:
    """Return the programs by task, each with its file name and its language, for a portal and a player."""
    return {
        task: [
            (
                name,
                language,
                (START / name)
                .read_text(encoding="utf-8")
                .replace(PORTAL, portal)
                .replace(f"/{SOMEBODY}", f"/{fide_id}")
                .strip(),
            )
            for ending, language in LANGUAGES
            for name in (f"{task}.{ending}",)
        ]
        for task in ("rating", "list", "check", "webhook")
    }


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
def chapters() -> list[dict[str, Any]]:
    """Return the tags of the schema with their operations, as the pages show them."""
    document = schema()
    operations = [
        (operation["tags"][0], _operation(document, path, method, operation))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return [
        {
            "name": tag["name"],
            "text": tag["description"],
            "operations": [item for name, item in operations if name == tag["name"]],
        }
        for tag in document["tags"]
    ]


def _operation(
    document: Mapping[str, Any], path: str, method: str, operation: Mapping[str, Any]
) -> dict[str, Any]:
    """Return one method of one URL; a parameter or a field has its name, its type and its description."""
    # What is made answers with 201 alone.
    success = next(iter(operation["responses"].keys() & {"200", "201"}))
    content = operation["responses"][success].get("content", {})
    form: dict[str, Any] = next(iter(content.values()), {})
    body = form.get("schema", {})
    examples = [form.get("example"), *(one["value"] for one in form.get("examples", {}).values())]
    example = next((one for one in examples if one is not None), "")
    parameters = [
        {
            "name": item["name"],
            "type": _type(item["schema"]),
            "text": _plain(item.get("description", "")),
            "is_required": item.get("required", False),
        }
        for item in parameters_of(document, operation)
    ]
    return {
        "anchor": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation.get("summary", ""),
        "text": _plain(operation.get("description", "")),
        "forms": list(content),
        "parameters": parameters,
        "fields": list(_fields(document, body, "")),
        "example": example if isinstance(example, str) else json.dumps(example, indent=1, ensure_ascii=False),
    }


def _fields(document: Mapping[str, Any], body: Mapping[str, Any], prefix: str) -> Iterator[dict[str, Any]]:
    """Yield the fields of an object, each with the path to it and followed by its nested fields."""
    resolved = _resolve(document, body)
    if resolved.get("type") == "array":
        yield from _fields(document, resolved["items"], f"{prefix}[]")
        return
    for name, inner in resolved.get("properties", {}).items():
        path = f"{prefix}.{name}".lstrip(".")
        whole = _resolve(document, inner)
        text = inner.get("description", whole.get("description", ""))
        yield {"name": path, "type": _type(whole), "text": _plain(text)}
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
