"""Calculators: the same figures as on the pages, for programs; nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import PublicView
from api.schema import listed
from api.serializers.calculators import (
    CalculatedChangeSerializer,
    CalculatedFirstRatingSerializer,
    CalculatedPerformanceSerializer,
    CalculatedSystemSerializer,
    CalculatorParameters,
)
from ratings.queries.adoptions import load_adoptions
from ratings.queries.calculators import HIGHEST_RATING, Known, known_players, own_of
from ratings.queries.catalogue import catalogue
from ratings.systems.calculators import Met, Own, by_every_system, first_rating, performance, rating_change

NO_OPPONENT = "No opponent of these games is rated."


class CalculatorView(PublicView):
    """A calculator: who played and the games stand in the query."""

    Parameters = CalculatorParameters

    def asked(self, request: Request) -> tuple[Own, list[Met], str]:
        """Return who played, the games, and their kind; a fault for a FIDE ID that nobody has."""
        values = self.parameters(request)
        kind, lists = values["kind"], catalogue()
        ids = {_id_of(text) for text, _score in values["games"]} | {values.get("fide_id", 0)}
        known = known_players(ids - {0}, kind=kind, lists=lists)
        games = [Met(_rating_of(text, known), score) for text, score in values["games"]]
        if "fide_id" in values:
            return own_of(_one(values["fide_id"], known, "fide_id"), kind=kind, lists=lists), games, kind
        return Own(values.get("rating"), int(values["k"])), games, kind


class ChangeCalculatorView(CalculatorView):
    @extend_schema(
        operation_id="calculate_change",
        tags=["calculators"],
        summary="What games would change over the board",
        parameters=[CalculatorParameters],
        responses=CalculatedChangeSerializer,
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return each game's D, PD and change, K with its limits, and the new rating, by the rules of today."""
        own, games, _kind = self.asked(request)
        return Response(CalculatedChangeSerializer(_change(own, games, timezone.now().date())).data)


class FirstRatingCalculatorView(CalculatorView):
    @extend_schema(
        operation_id="calculate_first_rating",
        tags=["calculators"],
        summary="The first rating that games would give",
        parameters=[CalculatorParameters],
        responses=CalculatedFirstRatingSerializer,
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return Ra, p, dp and the first rating of these games and the player's pool."""
        own, games, _kind = self.asked(request)
        rules = load_adoptions().text_on(timezone.now().date())
        initial = first_rating(rules, own, games)
        if initial is None:
            raise ValidationError({"games": NO_OPPONENT})
        enough = {
            "is_enough": initial.games >= rules.pool_games,
            "is_above_floor": initial.rating >= rules.floor,
        }
        figures = {name: getattr(initial, name) for name in ("games", "half_points", "average", "p", "dp")}
        body = {"rules": rules.slug, **figures, "rating": initial.rating, **enough}
        return Response(CalculatedFirstRatingSerializer(body).data)


class PerformanceCalculatorView(CalculatorView):
    @extend_schema(
        operation_id="calculate_performance",
        tags=["calculators"],
        summary="The rating performance of games",
        parameters=[CalculatorParameters],
        responses=CalculatedPerformanceSerializer,
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return the opponents' average, p, dp and their sum."""
        _own, games, _kind = self.asked(request)
        result = performance(games)
        if result is None:
            raise ValidationError({"games": NO_OPPONENT})
        return Response(CalculatedPerformanceSerializer(result).data)


class SystemsCalculatorView(CalculatorView):
    @extend_schema(
        operation_id="calculate_by_every_system",
        tags=["calculators"],
        summary="The same games under every system",
        parameters=[CalculatorParameters],
        responses=listed(CalculatedSystemSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return the new rating and the steps by both texts of FIDE and the three online systems."""
        own, games, kind = self.asked(request)
        results = by_every_system(own, games, kind=kind, on=timezone.now().date(), adoptions=load_adoptions())
        return Response({"results": CalculatedSystemSerializer(results, many=True).data})


def _change(own: Own, games: Sequence[Met], on: date) -> dict[str, Any]:
    rules = load_adoptions().text_on(on)
    result = rating_change(rules, own, games, on=on)
    event = result.events[0]
    return {
        "rules": rules.slug,
        "previous_rating": own.rating,
        "k": event.k if own.rating else None,
        "games": event.participation.outcomes,
        "change": result.change,
        "rounded_change": result.rounded,
        "rating": result.rating,
        "result": result.outcome,
    }


def _id_of(text: str) -> int:
    """Return the FIDE ID that an opponent's text is, 0 where it is none."""
    return int(text) if text.isdecimal() and HIGHEST_RATING < int(text) < 2**31 else 0


def _rating_of(text: str, known: dict[int, Known]) -> int | None:
    if text == "unrated":
        return None
    if int(text) <= HIGHEST_RATING:
        return int(text)
    return _one(int(text), known, "games").rating


def _one(fide_id: int, known: dict[int, Known], name: str) -> Known:
    if fide_id not in known:
        raise ValidationError({name: f"Nobody has the FIDE ID {fide_id}."})
    return known[fide_id]
