"""The rating regulations by date."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from api.authentication import PUBLIC
from api.base import ResourceView
from api.schema import list_of, operation
from ratings.in_force import load_adoptions


class RulesSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField(source="rules.slug")
    title = serializers.CharField(source="rules.title")
    first_day = serializers.DateField(help_text="Applies to tournaments that start on this day or later.")
    last_day = serializers.DateField(allow_null=True, help_text="Null for the text in effect.")
    floor = serializers.IntegerField(source="rules.floor", help_text="Lowest published rating.")


class RulesView(ResourceView):
    scope = PUBLIC

    @operation(
        "rules",
        summary="Versions of the regulations with their dates",
        responses=list_of(RulesSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return the rating regulations with the first day on which each applies."""
        return self.answer_body({"results": RulesSerializer(load_adoptions().rows, many=True).data})
