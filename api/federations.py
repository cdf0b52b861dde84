"""`/federations`: the federations, and the figures of each on every list."""

from __future__ import annotations

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.reverse import reverse

from api.authentication import PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.fields import HundredthsField
from api.paging import PageParameters, keyset_page
from api.schema import day_parameter, list_of, operation, page_of
from core.html.paging import Keyset
from players.models import Federation
from ratings.choices import ListKind
from ratings.federations import FederationMonth, figures_of_lists, months_of

NEWEST_FIRST = Keyset(("-date", "kind"))


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


class FederationHistoryParameters(PageParameters):
    # Each list has the figures of all federations.
    limit = serializers.IntegerField(
        required=False, default=24, min_value=1, max_value=100, help_text="Lists per page, at most 100."
    )
    kind = serializers.ChoiceField(ListKind.choices, required=False, help_text="One rating type.")
    date_from = day_parameter(help_text="Lists dated this day or later.")
    date_to = day_parameter(help_text="Lists dated this day or earlier.")


class FederationMonthSerializer(serializers.Serializer[FederationMonth]):
    """A federation on one list."""

    list = serializers.SerializerMethodField(help_text="ID of the list.")
    kind = serializers.ChoiceField(ListKind.choices)
    date = serializers.DateField()
    players = serializers.IntegerField(source="part.listed", help_text="Players listed.")
    new = serializers.IntegerField(source="part.newcomers", help_text="Players not on the list before.")
    left = serializers.IntegerField(
        source="part.leavers", help_text="Players of the list before who are not listed."
    )
    played = serializers.IntegerField(
        source="part.played", help_text="Players with a rated game, rated before."
    )
    games = serializers.IntegerField(source="part.games", help_text="Their rated games.")
    mean_change = HundredthsField(allow_null=True, help_text="Their mean change, or null if nobody played.")
    players_url = serializers.SerializerMethodField(help_text="URL of the players on this list.")

    def get_list(self, row: FederationMonth) -> str:
        return f"{row.kind}-{row.date.isoformat()}"

    def get_players_url(self, row: FederationMonth) -> str:
        places = {"kind": row.kind, "date": row.date.isoformat()}
        address = reverse("api:entries", kwargs=places, request=self.context["request"])
        return f"{address}?federation={row.federation}"


class FederationHistoryView(ResourceView):
    scope = PUBLIC
    Parameters = FederationHistoryParameters

    @operation(
        "federation_history",
        summary="Figures of a federation by list, newest first",
        responses=page_of(FederationMonthSerializer),
    )
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """Return the players, games and mean change of a federation on each list.

        The figures of a list that was imported or published before this feature are counted in the following nights.
        """
        if "\x00" in code or not Federation.objects.filter(code=code).exists():
            raise NotFoundError(f"No federation has the code {code}.")
        bounds = {"kind": "kind", "date__gte": "date_from", "date__lte": "date_to"}
        chosen = {lookup: self.query[name] for lookup, name in bounds.items() if name in self.query}
        rows = figures_of_lists().filter(**chosen)
        serialize = self.serialize(FederationMonthSerializer)
        return self.answer_made(
            keyset_page(
                self, NEWEST_FIRST, rows, lambda found, **many: serialize(months_of(code, found), **many)
            )
        )
