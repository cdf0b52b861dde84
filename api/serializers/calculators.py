"""Calculators: what is asked in the query, and the answers."""

from __future__ import annotations

import re
from typing import Any

from rest_framework import serializers

from api.fields import HalfPointsField, HundredthsField
from ratings.queries.calculators import HIGHEST_RATING
from tournaments.choices import Kind

MOST_GAMES = 100
GAME = re.compile(r"\A(unrated|[1-9][0-9]{0,9}):(1|0\.5|0)\Z")
HALF_POINTS = {"1": 2, "0.5": 1, "0": 0}


class GamesField(serializers.CharField):
    """Games as `opponent:score`, parted by commas; the opponent a rating, a FIDE ID, or `unrated`."""

    def __init__(self) -> None:
        super().__init__(
            max_length=30 * MOST_GAMES,
            help_text=(
                "The games in order, as `opponent:score` parted by commas: `2150:1,4100018:0.5,unrated:0`. Up to "
                f"{HIGHEST_RATING} an opponent is a rating, above it a FIDE ID; at most {MOST_GAMES} games."
            ),
        )

    def to_internal_value(self, data: Any) -> Any:
        """Return pairs of the opponent's text and half points; a fault names the first wrong game."""
        games = super().to_internal_value(data).split(",")
        if len(games) > MOST_GAMES:
            raise serializers.ValidationError(f"At most {MOST_GAMES} games are taken.")
        return [self._game(number, text) for number, text in enumerate(games, start=1)]

    def _game(self, number: int, text: str) -> tuple[str, int]:
        found = GAME.match(text.strip())
        if found is None:
            raise serializers.ValidationError(
                f"Game {number} is no `opponent:score` with a score of 1, 0.5 or 0."
            )
        return found[1], HALF_POINTS[found[2]]


class CalculatorParameters(serializers.Serializer[Any]):
    """Who played, and the games."""

    kind = serializers.ChoiceField(Kind.choices, default=Kind.RAPID, help_text="`rapid` or `blitz`.")
    fide_id = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="The player: rating, K and pool are those of the newest list.",
    )
    rating = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=HIGHEST_RATING,
        help_text="The own rating in place of `fide_id`; neither: unrated.",
    )
    k = serializers.ChoiceField([10, 20, 40], default=20, help_text="K that goes with `rating`.")
    games = GamesField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse two answers to the question who played."""
        if "fide_id" in attrs and "rating" in attrs:
            raise serializers.ValidationError({"rating": "Give either `fide_id` or `rating`."})
        return attrs


class CalculatedGameSerializer(serializers.Serializer[Any]):
    """A game as it counts over the board."""

    opponent_rating = serializers.IntegerField(
        allow_null=True, help_text="Null where the game does not count."
    )
    score = HalfPointsField(source="half_points")
    difference = serializers.IntegerField(allow_null=True, help_text="D, own minus the opponent's rating.")
    counted_difference = serializers.IntegerField(
        allow_null=True, help_text="D after the limit of the regulations."
    )
    pd = HundredthsField(allow_null=True, help_text="The scoring probability.")
    change = HundredthsField(allow_null=True, help_text="Score minus PD.")
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Keys of `/reasons`.")


class CalculatedChangeSerializer(serializers.Serializer[Any]):
    """What games of one list would change."""

    rules = serializers.CharField(help_text="The regulations in force today.")
    previous_rating = serializers.IntegerField(allow_null=True)
    k = serializers.IntegerField(
        allow_null=True, help_text="K after its reduction by the games; null for the unrated."
    )
    games = CalculatedGameSerializer(many=True)
    change = HundredthsField(help_text="K times the sum of the games' changes.")
    rounded_change = serializers.IntegerField()
    rating = serializers.IntegerField(allow_null=True, help_text="The new rating; null: unrated.")
    result = serializers.CharField(help_text="A key of `/reasons`.")


class CalculatedFirstRatingSerializer(serializers.Serializer[Any]):
    """A first rating; `is_enough` says whether there are the games that one needs."""

    rules = serializers.CharField()
    games = serializers.IntegerField(help_text="Games against rated opponents, the pool's among them.")
    score = HalfPointsField(source="half_points")
    average = serializers.CharField(help_text="Ra as an exact fraction, such as `1867 3/7`.")
    p = HundredthsField()
    dp = serializers.IntegerField(allow_null=True)
    rating = serializers.IntegerField()
    is_enough = serializers.BooleanField()
    is_above_floor = serializers.BooleanField()


class CalculatedPerformanceSerializer(serializers.Serializer[Any]):
    """A rating performance."""

    games = serializers.IntegerField(help_text="Games against rated opponents.")
    score = HalfPointsField(source="half_points")
    average = serializers.CharField(help_text="Ra as an exact fraction.")
    p = HundredthsField()
    dp = serializers.IntegerField()
    rating = serializers.IntegerField()


class StepSerializer(serializers.Serializer[Any]):
    """A step in words, with the article or decision behind it."""

    text = serializers.CharField()
    article = serializers.CharField(allow_blank=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the sentence with its figures."""
        return {"text": instance.text % instance.figures, "article": instance.article}


class CalculatedSystemSerializer(serializers.Serializer[Any]):
    """The games under one system."""

    system = serializers.CharField(source="slug")
    title = serializers.CharField()
    before = serializers.CharField(allow_null=True, help_text="A decimal text; null: unrated.")
    after = serializers.CharField(allow_null=True)
    assumptions = StepSerializer(many=True)
    games = serializers.ListField(child=StepSerializer(many=True), help_text="The steps of each game.")
    sums = StepSerializer(many=True)
