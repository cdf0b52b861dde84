"""The reason keys of rounds, K-factors and list results."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from api.authentication import PUBLIC
from api.base import ResourceView
from api.schema import list_of, operation
from ratings.systems.registry import all_reasons, meaning_of


class ReasonParameters(serializers.Serializer[Any]):
    about = serializers.ChoiceField(["game", "k", "list"], required=False, help_text="Subject of the reason.")


class ReasonSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    about = serializers.ChoiceField(["game", "k", "list"])
    article = serializers.CharField(help_text="Article or decision that applies.")
    counts = serializers.BooleanField(help_text="Whether the game, or the results on the list, are rated.")
    text = serializers.CharField()
    meaning = serializers.CharField(help_text="Text of the article or decision.")


class ReasonsView(ResourceView):
    scope = PUBLIC
    Parameters = ReasonParameters

    @operation(
        "reasons",
        summary="All reason keys with article or decision",
        responses=list_of(ReasonSerializer),
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
