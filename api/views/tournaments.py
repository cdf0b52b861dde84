"""Tournaments and what a list took from them; drafts and findings are never shown."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import conditional
from api.base import PublicView, page
from api.cursors import Key, Order
from api.errors import NotFoundError
from api.officers import ObjectParser
from api.schema import paged
from api.serializers.desk import RegistrationSerializer
from api.serializers.parameters import ParticipantParameters, TournamentParameters
from api.serializers.tournaments import (
    ParticipantSerializer,
    TournamentDetailSerializer,
    TournamentSerializer,
)
from api.views.desk import AUTH, REGISTRATION, register
from ratings.models import TournamentRating
from ratings.queries.events import CalendarFilter, published_rating, standings_of, tournaments_in
from tournaments.models import Tournament

NEWEST_FIRST = Order((Key("start", date, is_falling=True), Key("event_id", str)))
PAGES = Order((Key("page", int),))


class TournamentsView(PublicView):
    Parameters = TournamentParameters
    parser_classes = [ObjectParser]

    def scope_of(self, request: Request) -> str:
        """Count registrations apart."""
        return "desk" if request.method == "POST" else "read"

    def get_authenticate_header(self, request: Request) -> str:
        """Return what WWW-Authenticate says where no token came."""
        return "Bearer"

    @extend_schema(
        operation_id="tournaments",
        tags=["tournaments"],
        summary="Registered tournaments, the newest first",
        parameters=[TournamentParameters],
        responses=paged(TournamentSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return a page of tournaments, whatever their registration has come to."""
        values = self.parameters(request)
        bounds = {
            "registration": "registration",
            "stage": "stage",
            "start__gte": "start_from",
            "start__lte": "start_to",
        }
        chosen = {lookup: values[name] for lookup, name in bounds.items() if name in values}
        found = tournaments_in(
            CalendarFilter(kind=values.get("kind", ""), federation=values.get("federation", ""))
        )
        rows, cursor = NEWEST_FIRST.take(found.filter(**chosen), values.get("cursor", ""), values["limit"])
        return page(request, rows, cursor, self.serialize(TournamentSerializer))

    @extend_schema(
        operation_id="register_tournament",
        tags=["desk"],
        summary="Register a tournament, three days or more before it starts",
        parameters=[],
        request=RegistrationSerializer,
        responses={200: TournamentSerializer, 201: TournamentSerializer},
        auth=AUTH,
        examples=[OpenApiExample("two days", value=REGISTRATION, request_only=True)],
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Register a tournament of the token's federation; late and hybrid ones wait for the QC (0.2).

        The same registration again answers with the one that is there. The token needs `register`.
        """
        if request.query_params:
            raise ValidationError(dict.fromkeys(request.query_params, "There is no such parameter here."))
        response = register(self, request)
        response["Cache-Control"] = "private, no-store"
        return response


class TournamentView(PublicView):
    @extend_schema(
        operation_id="tournament",
        tags=["tournaments"],
        summary="One tournament, and what a list took from it",
        responses=TournamentDetailSerializer,
    )
    def get(self, request: Request, event_id: str) -> HttpResponseBase:
        """Return the registration, and what a list took from the report once one has."""
        self.parameters(request)
        tournament = _tournament_or_404(event_id)
        rating = published_rating(tournament)
        fields = self.serialize(TournamentDetailSerializer)(_Detail(tournament, rating)).data
        validators = conditional.of_values("tournament", fields)
        return conditional.answer(request, validators, lambda: Response(fields))


class _Detail:
    """A tournament with its published rating beside it."""

    def __init__(self, tournament: Tournament, published: TournamentRating | None) -> None:
        self._tournament, self.published = tournament, published

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tournament, name)


class ParticipantsView(PublicView):
    Parameters = ParticipantParameters

    @extend_schema(
        operation_id="participants",
        tags=["tournaments"],
        summary="The participants of a published tournament by rank, with every round",
        parameters=[ParticipantParameters],
        responses=paged(ParticipantSerializer),
    )
    def get(self, request: Request, event_id: str) -> HttpResponseBase:
        """Return 100 participants a page; none before a list has taken the tournament: 404."""
        cursor = self.parameters(request).get("cursor", "")
        number = PAGES.read(cursor)[0] if cursor else 1
        rating = published_rating(_tournament_or_404(event_id))
        if rating is None or rating.included_in is None:
            raise NotFoundError("No list has taken this tournament yet; its figures are not public.")
        validators = conditional.of_lists([rating.included_in], "participants", rating.pk, number)
        return conditional.answer(request, validators, lambda: _participants(request, rating, number))


def _participants(request: Request, rating: TournamentRating, number: int) -> Response:
    standings = standings_of(rating, page=number)
    if standings is None:
        raise NotFoundError("There is no such page.")
    cursor = PAGES.cursor({"page": number + 1}) if number < standings.pages else ""
    return page(request, standings.rows, cursor, ParticipantSerializer)


def _tournament_or_404(event_id: str) -> Tournament:
    tournament = Tournament.objects.filter(event_id=event_id).first() if "\x00" not in event_id else None
    if tournament is None:
        raise NotFoundError("No tournament with this event ID is registered.")
    return tournament
