"""The root, and what hardly changes: federations, regulations, the keys of reasons."""

from __future__ import annotations

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from api import conditional
from api.base import PublicView
from api.schema import listed
from api.serializers.lists import ListSerializer
from api.serializers.parameters import ReasonParameters
from api.serializers.reference import FederationSerializer, ReasonSerializer, RootSerializer, RulesSerializer
from players.models import Federation
from ratings.queries.adoptions import load_adoptions
from ratings.queries.catalogue import catalogue
from ratings.systems.registry import all_reasons, meaning_of

PLACES = (
    *("federations", "lists", "players", "tournaments", "publications", "reasons", "rules"),
    *("calculate_change", "calculate_first_rating", "calculate_performance", "calculate_systems"),
    *("report_check", "schema", "documentation"),
)


class RootView(PublicView):
    @extend_schema(
        operation_id="root", tags=["reference"], summary="Where everything is", responses=RootSerializer
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return the addresses of the resources and the newest list of each kind."""
        self.parameters(request)
        lists = catalogue()
        addresses = {name: reverse(f"api:{name}", request=request) for name in PLACES}
        latest = self.serialize(ListSerializer)(lists.newest_of_each(), many=True).data
        body = {**addresses, "latest": latest}
        return conditional.answer(request, conditional.of_values(body), lambda: Response(body))


class FederationsView(PublicView):
    @extend_schema(
        operation_id="federations",
        tags=["reference"],
        summary="All federations by code",
        responses=listed(FederationSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return every federation, its membership and its designated rating officer."""
        self.parameters(request)
        body = {"results": FederationSerializer(Federation.objects.order_by("code"), many=True).data}
        return conditional.answer(request, conditional.of_values(body), lambda: Response(body))


class ReasonsView(PublicView):
    Parameters = ReasonParameters

    @extend_schema(
        operation_id="reasons",
        tags=["reference"],
        summary="Every key of a reason with its article or decision",
        parameters=[ReasonParameters],
        responses=listed(ReasonSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return the keys that rounds, K and results of lists bear."""
        about = self.parameters(request).get("about")
        rows = [
            {
                "key": reason.key,
                "about": reason.about.value,
                "article": reason.article,
                "counts": reason.counts,
                "text": reason.text,
                "meaning": meaning_of(reason.article),
            }
            for reason in all_reasons().values()
            if about in (None, reason.about.value)
        ]
        body = {"results": ReasonSerializer(rows, many=True).data}
        return conditional.answer(request, conditional.of_values(body), lambda: Response(body))


class RulesView(PublicView):
    @extend_schema(
        operation_id="rules",
        tags=["reference"],
        summary="The versions of the regulations and when each was in force",
        responses=listed(RulesSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return the regulations by which tournaments are rated, by their first day."""
        self.parameters(request)
        body = {"results": RulesSerializer(load_adoptions().rows, many=True).data}
        return conditional.answer(request, conditional.of_values(body), lambda: Response(body))
