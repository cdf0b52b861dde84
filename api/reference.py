"""The API root, and data that rarely changes: federations, regulations, reason keys."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.reverse import reverse

from api.authentication import PUBLIC
from api.base import ResourceView
from api.lists import RatingListSerializer
from api.schema import listed, operation
from players.models import Federation
from ratings.queries.in_force import load_adoptions
from ratings.queries.lists import read_lists
from ratings.systems.registry import all_reasons, meaning_of


class RootSerializer(serializers.Serializer[Any]):
    """Index of the API."""

    federations = serializers.URLField()
    lists = serializers.URLField()
    players = serializers.URLField()
    tournaments = serializers.URLField()
    publications = serializers.URLField()
    reasons = serializers.URLField()
    rules = serializers.URLField()
    calculate_change = serializers.URLField()
    calculate_first_rating = serializers.URLField()
    calculate_performance = serializers.URLField()
    calculate_systems = serializers.URLField()
    report_check = serializers.URLField()
    schema = serializers.URLField()
    documentation = serializers.URLField()
    latest = RatingListSerializer(many=True, help_text="Current list of each rating type.")


class FederationSerializer(serializers.ModelSerializer[Federation]):
    member = serializers.BooleanField(source="is_member", help_text="Member of FIDE.")

    class Meta:
        model = Federation
        fields = ["code", "name", "continent", "member", "officer_name", "officer_details"]


class ReasonParameters(serializers.Serializer[Any]):
    about = serializers.ChoiceField(["game", "k", "list"], required=False, help_text="Subject of the reason.")


class ReasonSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    about = serializers.ChoiceField(["game", "k", "list"])
    article = serializers.CharField(help_text="Article or decision that applies.")
    counts = serializers.BooleanField(help_text="Whether the game, or the results on the list, are rated.")
    text = serializers.CharField()
    meaning = serializers.CharField(help_text="Text of the article or decision.")


class RulesSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField(source="rules.slug")
    title = serializers.CharField(source="rules.title")
    first_day = serializers.DateField(help_text="Applies to tournaments that start on this day or later.")
    last_day = serializers.DateField(allow_null=True, help_text="Null for the text in effect.")
    floor = serializers.IntegerField(source="rules.floor", help_text="Lowest published rating.")


class RootView(ResourceView):
    scope = PUBLIC

    @operation("root", summary="Index of the API", responses=RootSerializer)
    def get(self, request: Request) -> HttpResponseBase:
        """Return the URLs of the resources and the current list of each rating type."""
        names = [name for name in RootSerializer().get_fields() if name != "latest"]
        addresses = {name: reverse(f"api:{name}", request=request) for name in names}
        latest = self.serialize(RatingListSerializer)(read_lists().newest_of_each(), many=True).data
        return self.answer_body({**addresses, "latest": latest})


class FederationsView(ResourceView):
    scope = PUBLIC

    @operation("federations", summary="All federations by code", responses=listed(FederationSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """Return all federations with membership and rating officer."""
        federations = Federation.objects.order_by("code")
        return self.answer_body({"results": FederationSerializer(federations, many=True).data})


class ReasonsView(ResourceView):
    scope = PUBLIC
    Parameters = ReasonParameters

    @operation(
        "reasons",
        summary="All reason keys with article or decision",
        responses=listed(ReasonSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return the reason keys of rounds, K-factors and list results."""
        about = self.query.get("about")
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
        return self.answer_body({"results": ReasonSerializer(rows, many=True).data})


class RulesView(ResourceView):
    scope = PUBLIC

    @operation(
        "rules",
        summary="Versions of the regulations with their dates",
        responses=listed(RulesSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return the rating regulations with the first day on which each applies."""
        return self.answer_body({"results": RulesSerializer(load_adoptions().rows, many=True).data})
