"""Arenas, their lists on demand, their monthly lists."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api import conditional
from api.arenas.base import ArenaAPIView, OnDemandParameters, arena_or_404, chosen_category
from api.arenas.serializers import ArenaSerializer, ListOnDemandSerializer, MonthlyListSerializer
from api.base import PublicView
from api.renderers import CSVRenderer
from api.schema import listed
from arenas.models import Arena, ArenaList
from arenas.queries.ranking import arena_list, as_csv


class ArenasView(PublicView):
    @extend_schema(
        operation_id="arenas", tags=["arenas"], summary="All arenas", responses=listed(ArenaSerializer)
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return every arena with its system, categories and parameters."""
        self.parameters(request)
        body = {"results": self.serialize(ArenaSerializer)(Arena.objects.order_by("slug"), many=True).data}
        return conditional.answer(request, conditional.of_values(body), lambda: Response(body))


class ArenaView(ArenaAPIView):
    @extend_schema(operation_id="arena", tags=["arenas"], summary="One arena", responses=ArenaSerializer)
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return an arena with its system, categories and parameters."""
        self.parameters(request)
        body = self.serialize(ArenaSerializer)(arena_or_404(arena)).data
        return conditional.answer(request, conditional.of_values(body), lambda: Response(body))


class ListView(ArenaAPIView):
    Parameters = OnDemandParameters
    renderer_classes: list[type[BaseRenderer]] = [JSONRenderer, CSVRenderer]

    def scope_of(self, request: Request) -> str:
        """Count whole lists apart."""
        return "bulk"

    @extend_schema(
        operation_id="arena_list",
        tags=["arenas"],
        summary="The list on demand: now, or as of an instant",
        parameters=[OnDemandParameters],
        responses={
            (200, "application/json"): ListOnDemandSerializer,
            (200, "text/csv"): OpenApiResponse({"type": "string"}),
        },
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return every member's rating after the last result, by category, then rating; unrated members last."""
        values = self.parameters(request)
        found = arena_or_404(arena)
        category = chosen_category(found, values.get("category"))
        rows = arena_list(found, category=category, at=values.get("at"))
        if request.accepted_renderer.format == "csv":
            return HttpResponse(as_csv(rows), content_type="text/csv; charset=utf-8")
        body: dict[str, Any] = {"arena": found.slug, "at": values.get("at"), "results": rows}
        return Response(ListOnDemandSerializer(body).data)


class MonthlyListsView(ArenaAPIView):
    @extend_schema(
        operation_id="arena_lists",
        tags=["arenas"],
        summary="The monthly lists of an arena, the newest first",
        responses=listed(MonthlyListSerializer),
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return the lists dated the first of each month, with the addresses of their files."""
        self.parameters(request)
        found = arena_or_404(arena)
        lists = ArenaList.objects.filter(arena=found).order_by("-date")
        body = {"results": self.of_arena(found, MonthlyListSerializer)(lists, many=True).data}
        return conditional.answer(request, conditional.of_values(body), lambda: Response(body))
