"""The schema as it is served, the page that explains it, and the answer at addresses that there are not."""

from __future__ import annotations

from functools import cache

from django.http import HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import BaseRenderer, JSONRenderer, TemplateHTMLRenderer
from rest_framework.request import Request

from api import conditional
from api.base import PublicView
from api.documentation import chapters
from api.errors import NotFoundError
from api.renderers import StreamedRenderer
from api.schema import schema


class YAMLRenderer(StreamedRenderer):
    media_type = "application/yaml"
    format = "yaml"


class SchemaView(PublicView):
    renderer_classes: list[type[BaseRenderer]] = [YAMLRenderer, JSONRenderer]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """Return the OpenAPI schema as YAML or JSON."""
        self.parameters(request)
        form = request.accepted_renderer.format
        validators = conditional.of_values("schema", form, schema_text())
        return conditional.answer(request, validators, lambda: _schema(form))


def _schema(form: str) -> HttpResponse:
    if form == "json":
        return JsonResponse(schema())
    return HttpResponse(schema_text(), content_type="application/yaml; charset=utf-8")


@cache
def schema_text() -> str:
    """Return the schema as `manage.py spectacular --file docs/openapi.yaml` writes it."""
    written: bytes = OpenApiYamlRenderer().render(  # type: ignore[no-untyped-call]
        schema(), renderer_context={}
    )
    return written.decode()


class DocumentationView(PublicView):
    renderer_classes = [TemplateHTMLRenderer]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """Return the page that explains every resource."""
        self.parameters(request)
        return render(request._request, "api/documentation.html", {"chapters": chapters()})


class NowhereView(PublicView):
    """Every address of the API that leads nowhere."""

    @extend_schema(exclude=True)
    def get(self, request: Request, rest: str) -> HttpResponseBase:
        """Say so."""
        raise NotFoundError("Nothing stands at this address.")

    post = put = patch = delete = get
