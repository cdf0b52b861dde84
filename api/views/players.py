"""Players: search, profile, history, calculations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponseBase, HttpResponsePermanentRedirect
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from api import conditional
from api.base import PublicView
from api.errors import NotFoundError
from api.serializers.calculations import CalculationSerializer
from api.serializers.parameters import HistoryParameters, SearchParameters
from api.serializers.players import HistorySerializer, PersonSerializer, PlayerSerializer, SearchSerializer
from api.views.lists import list_or_404
from players.minors import minors_for
from players.models import Player
from players.queries.mergers import former_ids
from ratings.queries.calculations import explained, is_known_to
from ratings.queries.catalogue import Catalogue, catalogue
from ratings.queries.places import places_of
from ratings.queries.profile import profiles_of
from ratings.queries.search import find_players


def player_or_404(fide_id: int) -> Player:
    """Return the player."""
    found = Player.objects.filter(pk=fide_id).first()
    if found is None:
        raise NotFoundError(f"No player with the FIDE ID {fide_id} is known.")
    return found


class PlayersView(PublicView):
    Parameters = SearchParameters

    @extend_schema(
        operation_id="search_players",
        tags=["players"],
        summary="Players by name or FIDE ID",
        parameters=[SearchParameters],
        responses=SearchSerializer,
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return the players whose name has all the words, the highest rated first."""
        values = self.parameters(request)
        newest = catalogue().newest_of_each()
        found = find_players(values["q"], newest=newest, shown=values["limit"])
        body = {"results": found.players, "truncated": found.is_cut}
        return Response(SearchSerializer(body, context={"minors": minors_for(request._request)}).data)


class PlayerView(PublicView):
    @extend_schema(
        operation_id="player",
        tags=["players"],
        summary="A player with the ratings of all kinds now",
        responses=PlayerSerializer,
    )
    def get(self, request: Request, fide_id: int) -> HttpResponseBase:
        """Return the player; the ID of one who was merged into another leads there."""
        self.parameters(request)
        player = player_or_404(fide_id)
        if player.merged_into_id:
            return HttpResponsePermanentRedirect(
                reverse("api:player", kwargs={"fide_id": player.merged_into_id}, request=request)
            )
        lists = catalogue()
        person = PersonSerializer(player, context={"minors": minors_for(request._request)}).data
        former = former_ids(fide_id)
        validators = conditional.of_values(lists.version, person, player.died_on, former)
        return conditional.answer(request, validators, lambda: _profile(player, person, lists, former))


def _profile(player: Player, person: Mapping[str, Any], lists: Catalogue, former: Sequence[int]) -> Response:
    profiles = [profile for profile in profiles_of(player.pk, lists) if profile.newest_list]
    context = {"places": places_of(profiles)}
    kinds = PlayerSerializer(context=context).fields["ratings"].to_representation(profiles)
    return Response(
        {**person, "deceased": player.died_on is not None, "former_ids": former, "ratings": kinds}
    )


class HistoryView(PublicView):
    Parameters = HistoryParameters

    @extend_schema(
        operation_id="player_history",
        tags=["players"],
        summary="A player on every list",
        parameters=[HistoryParameters],
        responses=HistorySerializer,
    )
    def get(self, request: Request, fide_id: int) -> HttpResponseBase:
        """Return a row for each list that shows the player or calculated something; a merged ID keeps its own."""
        values = self.parameters(request)
        player, lists = player_or_404(fide_id), catalogue()
        parts = ("history", fide_id, player.merged_into_id, sorted(request.query_params.items()))
        validators = conditional.of_lists(lists.lists, *parts)
        return conditional.answer(request, validators, lambda: _history(player, lists, values))


def _history(player: Player, lists: Catalogue, values: dict[str, Any]) -> Response:
    kind, first, last = (values.get(name) for name in ("kind", "date_from", "date_to"))
    rows = [
        row
        for profile in profiles_of(player.pk, lists)
        if kind in (None, profile.kind)
        for row in profile.rows
        if (first is None or row.rating_list.date >= first) and (last is None or row.rating_list.date <= last)
    ]
    return Response(
        HistorySerializer({"fide_id": player.pk, "merged_into": player.merged_into_id, "results": rows}).data
    )


class CalculationView(PublicView):
    @extend_schema(
        operation_id="player_calculation",
        tags=["players"],
        summary="What a list did with a player, game by game",
        responses=CalculationSerializer,
    )
    def get(self, request: Request, fide_id: int, kind: str, date: str) -> HttpResponseBase:
        """Return the calculation; `latest` stands for the newest date.

        A merged ID that the list knows nothing of leads on to the one that stands.
        """
        self.parameters(request)
        found = list_or_404(kind, date)
        player = player_or_404(fide_id)
        if player.merged_into_id and not is_known_to(found, fide_id):
            known = {"fide_id": player.merged_into_id, "kind": kind, "date": date}
            return HttpResponsePermanentRedirect(reverse("api:calculation", kwargs=known, request=request))
        validators = conditional.of_lists([found], "calculation", fide_id)
        return conditional.answer(request, validators, lambda: _calculation(player, found.pk))


def _calculation(player: Player, list_id: int) -> Response:
    lists = catalogue()
    result = explained(player, lists.by_id()[list_id], lists)
    if result.calculation is None:
        raise NotFoundError("This list calculated nothing for the player: no result and no correction.")
    return Response(CalculationSerializer(result).data)
