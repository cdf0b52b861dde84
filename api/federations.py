"""The federations."""

from __future__ import annotations

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from api.authentication import PUBLIC
from api.base import ResourceView
from api.schema import list_of, operation
from players.models import Federation


class FederationSerializer(serializers.ModelSerializer[Federation]):
    member = serializers.BooleanField(source="is_member", help_text="Member of FIDE.")

    class Meta:
        model = Federation
        fields = ["code", "name", "continent", "member", "officer_name", "officer_details"]


class FederationsView(ResourceView):
    scope = PUBLIC

    @operation("federations", summary="All federations by code", responses=list_of(FederationSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """Return all federations with membership and rating officer."""
        federations = Federation.objects.order_by("code")
        return self.answer_body({"results": FederationSerializer(federations, many=True).data})
