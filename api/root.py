"""The index of the API."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.reverse import reverse

from api.authentication import PUBLIC
from api.base import ResourceView
from api.lists import RatingListSerializer
from api.schema import operation
from ratings.lists import read_lists


class RootSerializer(serializers.Serializer[Any]):
    """Index of the API."""

    federations = serializers.URLField()
    lists = serializers.URLField()
    players = serializers.URLField()
    games = serializers.URLField()
    tournaments = serializers.URLField()
    publications = serializers.URLField()
    reasons = serializers.URLField()
    rules = serializers.URLField()
    calculate_change = serializers.URLField()
    calculate_first_rating = serializers.URLField()
    calculate_performance = serializers.URLField()
    report_check = serializers.URLField()
    schema = serializers.URLField()
    documentation = serializers.URLField()
    latest = RatingListSerializer(many=True, help_text="Current list of each rating type.")


class RootView(ResourceView):
    scope = PUBLIC

    @operation("root", summary="Index of the API", responses=RootSerializer)
    def get(self, request: Request) -> HttpResponseBase:
        """Return the URLs of the resources and the current list of each rating type."""
        names = [name for name in RootSerializer().get_fields() if name != "latest"]
        addresses = {name: reverse(f"api:{name}", request=request) for name in names}
        latest = self.serialize(RatingListSerializer)(read_lists().newest_of_each(), many=True).data
        return self.answer_body({**addresses, "latest": latest})
