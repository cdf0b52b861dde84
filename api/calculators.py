"""`/calculators/...`: the calculators of the pages, for programs. Nothing is stored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import PUBLIC
from api.base import ResourceView
from api.fields import HalfPointsField, HundredthsField
from api.schema import operation
from core.text_values import read_number
from players.fide_list.values import MAX_FIDE_ID
from ratings.calculators import HIGHEST_RATING, Known, known_players, own_of
from ratings.in_force import load_adoptions
from ratings.lists import read_lists
from ratings.systems.calculators import (
    Met,
    OwnPlayer,
    first_rating,
    performance,
    rating_change,
)
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import NoRulesError, known_texts, rules_named
from tournaments.choices import Kind

MAX_GAMES = 100
# `\Z`, as `$` also matches before a line end.
GAME = re.compile(r"\A(unrated|[1-9][0-9]{0,9}):(1|0\.5|0)\Z")
HALF_POINTS = {"1": 2, "0.5": 1, "0": 0}

NO_OPPONENT = "These games have no rated opponent. Enter at least one."
NO_POINTS = "A first tournament without points is not counted (article 7.2.2), so there is no initial rating."


class GamesField(serializers.CharField):
    """Games as `opponent:score`, separated by commas. The opponent is a rating, a FIDE ID, or `unrated`."""

    def __init__(self) -> None:
        super().__init__(
            max_length=30 * MAX_GAMES,
            help_text=(
                "Games in order, as `opponent:score` separated by commas, for example "
                f"`2150:1,4100018:0.5,unrated:0`. An opponent is a rating up to {HIGHEST_RATING}, "
                f"above it a FIDE ID. At most {MAX_GAMES} games."
            ),
        )

    def to_internal_value(self, data: Any) -> Any:
        """Return pairs of the opponent's text and half points. Raise ValidationError for the first invalid game."""
        games = super().to_internal_value(data).split(",")
        if len(games) > MAX_GAMES:
            raise serializers.ValidationError(f"Too many games. Send at most {MAX_GAMES}.")
        return [self._game(number, text) for number, text in enumerate(games, start=1)]

    def _game(self, number: int, text: str) -> tuple[str, int]:
        found = GAME.match(text.strip())
        if found is None:
            raise serializers.ValidationError(
                f"Game {number} is not valid. Write `opponent:score` with a score of 1, 0.5 or 0."
            )
        return found[1], HALF_POINTS[found[2]]


class CalculatorParameters(serializers.Serializer[Any]):
    """The player and the games."""

    kind = serializers.ChoiceField(Kind.choices, default=Kind.RAPID, help_text="`rapid` or `blitz`.")
    fide_id = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_FIDE_ID,
        help_text="The player. Rating, K-factor and games counted so far come from the current list.",
    )
    rating = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=HIGHEST_RATING,
        help_text="Own rating instead of `fide_id`. Without both: unrated.",
    )
    k = serializers.IntegerField(
        default=20,
        min_value=1,
        max_value=40,
        help_text="K-factor for `rating`: 40, 20 or 10, or what the limit of 700 makes of it (article 7.3.3).",
    )
    rules = serializers.ChoiceField(
        [text.slug for text in known_texts()],
        required=False,
        help_text="The regulations. Default: those of `on`.",
    )
    on = serializers.DateField(required=False, help_text="Day whose regulations are used. Default: today.")
    games = GamesField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse `fide_id` together with `rating`, and `rules` together with `on`."""
        if "fide_id" in attrs and "rating" in attrs:
            raise serializers.ValidationError({"rating": "Send either `fide_id` or `rating`, not both."})
        if "rules" in attrs and "on" in attrs:
            raise serializers.ValidationError({"on": "Send either `rules` or `on`, not both."})
        return attrs


class CalculatedGameSerializer(serializers.Serializer[Any]):
    """A game with its over-the-board calculation."""

    opponent_rating = serializers.IntegerField(allow_null=True, help_text="Null if the game is not rated.")
    score = HalfPointsField(source="half_points")
    difference = serializers.IntegerField(
        allow_null=True, help_text=("Rating difference D: own minus opponent's rating.")
    )
    counted_difference = serializers.IntegerField(
        allow_null=True, help_text="D after the limit in the regulations."
    )
    pd = HundredthsField(allow_null=True, help_text="Expected score.")
    change = HundredthsField(allow_null=True, help_text="Score minus expected score.")
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Keys of `/reasons`.")


class CalculatedChangeSerializer(serializers.Serializer[Any]):
    """Rating change from games of one list."""

    rules = serializers.CharField(help_text="The regulations used.")
    previous_rating = serializers.IntegerField(allow_null=True)
    k = serializers.IntegerField(
        allow_null=True, help_text="K-factor after its limit for many games, or null for unrated players."
    )
    games = CalculatedGameSerializer(many=True)
    change = HundredthsField(help_text="K-factor × sum of the changes of the games.")
    rounded_change = serializers.IntegerField()
    rating = serializers.IntegerField(allow_null=True, help_text="New rating, or null: unrated.")
    result = serializers.CharField(help_text="Key of `/reasons`.")


class CalculatedFirstRatingSerializer(serializers.Serializer[Any]):
    """An initial rating. `is_enough` says whether there are enough games."""

    rules = serializers.CharField()
    games = serializers.IntegerField(
        help_text=("Games against rated opponents, including those counted so far.")
    )
    score = HalfPointsField(source="half_points")
    average = serializers.CharField(
        help_text=("Average opponent rating (Ra) as a fraction, for example `1867 3/7`.")
    )
    p = HundredthsField()
    dp = serializers.IntegerField(allow_null=True)
    rating = serializers.IntegerField()
    is_enough = serializers.BooleanField()
    is_above_floor = serializers.BooleanField()


class CalculatedPerformanceSerializer(serializers.Serializer[Any]):
    """A performance rating."""

    games = serializers.IntegerField(help_text="Games against rated opponents.")
    score = HalfPointsField(source="half_points")
    average = serializers.CharField(help_text="Average opponent rating (Ra) as a fraction.")
    p = HundredthsField()
    dp = serializers.IntegerField()
    rating = serializers.IntegerField()


class CalculatorView(ResourceView):
    """A calculator. The query has the player and the games."""

    scope = PUBLIC
    Parameters = CalculatorParameters

    def read_games(self) -> tuple[OwnPlayer, list[Met]]:
        """Return the player and the games. Raise ValidationError for an unknown FIDE ID."""
        values, lists = self.query, read_lists()
        kind = values["kind"]
        # All players of the question in one query.
        ids = {_id_of(text) for text, _score in values["games"]} | {values.get("fide_id", 0)}
        known = known_players(ids - {0}, kind=kind, lists=lists)
        games = [Met(_rating_of(text, known), score) for text, score in values["games"]]
        if "fide_id" in values:
            return own_of(_one(values["fide_id"], known, "fide_id"), kind=kind, lists=lists), games
        return OwnPlayer(values.get("rating"), values["k"]), games

    def read_rules(self) -> PeriodRules:
        """Return the text of the regulations. Raise ValidationError for a day before the first one."""
        if "rules" in self.query:
            return rules_named(self.query["rules"])
        try:
            return load_adoptions().text_on(self.query.get("on") or timezone.now().date())
        except NoRulesError as error:
            raise serializers.ValidationError({"on": "There are no regulations for this day."}) from error


class ChangeCalculatorView(CalculatorView):
    @operation(
        "calculate_change",
        summary="Rating change from games",
        responses=CalculatedChangeSerializer,
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return D, expected score and change of each game, the K-factor and the new rating."""
        own, games = self.read_games()
        return Response(CalculatedChangeSerializer(_change(self.read_rules(), own, games)).data)


class FirstRatingCalculatorView(CalculatorView):
    @operation(
        "calculate_first_rating",
        summary="Initial rating from games",
        responses=CalculatedFirstRatingSerializer,
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return Ra, p, dp and the initial rating from these games and the games counted so far."""
        own, games = self.read_games()
        rules = self.read_rules()
        initial = first_rating(rules, own, games)
        if initial is None:
            has_rated = any(game.rating is not None for game in games)
            raise serializers.ValidationError({"games": NO_POINTS if has_rated else NO_OPPONENT})
        enough = {
            "is_enough": initial.games >= rules.pool_games,
            "is_above_floor": initial.rating >= rules.floor,
        }
        figures = {name: getattr(initial, name) for name in ("games", "half_points", "average", "p", "dp")}
        body = {"rules": rules.slug, **figures, "rating": initial.rating, **enough}
        return Response(CalculatedFirstRatingSerializer(body).data)


class PerformanceCalculatorView(CalculatorView):
    @operation(
        "calculate_performance",
        summary="Performance rating of games",
        responses=CalculatedPerformanceSerializer,
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return the average opponent rating, p, dp and the performance rating."""
        _own, games = self.read_games()
        result = performance(games)
        if result is None:
            raise serializers.ValidationError({"games": NO_OPPONENT})
        return Response(CalculatedPerformanceSerializer(result).data)


def _change(rules: PeriodRules, own: OwnPlayer, games: Sequence[Met]) -> dict[str, Any]:
    result = rating_change(rules, own, games, on=timezone.now().date())
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
    """Return the FIDE ID in an opponent's text, 0 if it is a rating or `unrated`."""
    number = read_number(text, most=MAX_FIDE_ID)
    return number if number is not None and number > HIGHEST_RATING else 0


def _rating_of(text: str, known: dict[int, Known]) -> int | None:
    if text == "unrated":
        return None
    if int(text) <= HIGHEST_RATING:
        return int(text)
    return _one(int(text), known, "games").rating


def _one(fide_id: int, known: dict[int, Known], name: str) -> Known:
    if fide_id not in known:
        raise serializers.ValidationError({name: f"No player has FIDE ID {fide_id}."})
    return known[fide_id]
