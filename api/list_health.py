"""`/lists/health` and `/lists/{kind}/{date}/health`: how well the ratings of lists predict results."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from api.authentication import PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.lists import KindParameters, list_or_404
from api.paging import PageParameters, keyset_page
from api.schema import operation, page_of
from core.html.paging import Keyset
from ratings.choices import ListKind
from ratings.models import PoolHealth
from ratings.queries.health.reading import Trend, as_health, health_of, measured_pools, series_row, tables_of

HEALTH_ORDER = Keyset(("-rating_list__date", "rating_list__kind"))


Number = serializers.IntegerField


class HealthParameters(PageParameters, KindParameters):
    pass


class HealthSummarySerializer(serializers.Serializer[Any]):
    """Rating health of one list. Sums are exact. Divide them by games or players for averages."""

    kind = serializers.ChoiceField(ListKind.choices)
    date = serializers.DateField()
    tournaments = Number()
    games = Number(help_text="Games between two rated players, each counted once.")
    games_over_400 = Number(help_text="Of these, games with a rating difference of more than 400.")
    players = Number(help_text="Listed players.")
    active = Number(help_text="Active players.")
    played = Number(help_text="Listed players with a rated game on the list.")
    initial_ratings = Number(help_text="Initial ratings published on the list.")
    rating_sum = Number(help_text="Sum of the listed ratings.")
    score_half_points = Number(help_text="Score of the higher rated players, in half points.")
    expected_hundredths = Number(help_text="Their expected score by article 7.1.2, in hundredths.")
    since = serializers.DateField(allow_null=True, help_text="Date of the earlier list of the comparison.")
    months = Number(help_text="Months since the earlier list.")
    compared_players = Number(help_text="Players who are active on both lists.")
    compared_change = Number(help_text="Sum of their rating changes.")
    reference_players = Number(help_text="Of these, players aged 30 to 49.")
    reference_change = Number(help_text="Sum of the rating changes of players aged 30 to 49.")
    trend = serializers.ChoiceField([trend.value for trend in Trend])
    settling_players = Number(help_text="Players with an initial rating on one of the 12 lists before.")
    settling_change = Number(help_text="Sum of their changes since the initial rating.")
    settling_absolute = Number(help_text="Sum of these changes without signs.")
    settling_within_50 = Number(help_text="Players within 50 points of the initial rating.")
    federation_games = Number(help_text="Games of listed players on the last 12 lists.")
    federation_games_foreign = Number(help_text="Of these, games between two federations.")
    federation_groups = Number(help_text="Groups of federations without games between them.")

    def to_representation(self, instance: PoolHealth) -> dict[str, Any]:
        return series_row(as_health(instance, has_figures=False))


class CalibrationSerializer(serializers.Serializer[Any]):
    """Games of one class of rating differences, from the side of the higher rated player."""

    difference_from = Number(
        help_text="Lowest rating difference of the class of 50. From 800 there is one class."
    )
    games = Number()
    half_points = Number()
    expected_hundredths = Number()


class AgeChangeSerializer(serializers.Serializer[Any]):
    age_from = Number(
        allow_null=True, help_text="First age of the band. Null if the year of birth is unknown."
    )
    players = Number()
    change = Number(help_text="Sum of the rating changes.")
    squares = Number(help_text="Sum of the squares of the rating changes.")


class RatingChangeSerializer(serializers.Serializer[Any]):
    rating_from = Number(help_text="Lowest rating of the class, on the earlier list.")
    players = Number()
    change = Number(help_text="Sum of the rating changes.")
    squares = Number(help_text="Sum of the squares of the rating changes.")


class SettlingSerializer(serializers.Serializer[Any]):
    lists = Number(help_text="Lists since the initial rating.")
    players = Number()
    change = Number(help_text="Sum of the changes since the initial rating.")
    absolute = Number(help_text="Sum of these changes without signs.")
    within_50 = Number()
    games = Number(help_text="Rated games of these players on the list.")
    half_points = Number()
    expected_hundredths = Number()


class FederationGamesSerializer(serializers.Serializer[Any]):
    federation = serializers.CharField()
    games = Number(help_text="Games on the last 12 lists.")
    foreign_games = Number(help_text="Of these, games with other federations.")
    federations_met = Number()
    group = Number(help_text="Federations with the same number are linked by games.")


class RatingHealthSerializer(serializers.Serializer[Any]):
    """Rating health of one list with all figures."""

    summary = HealthSummarySerializer()
    calibration = CalibrationSerializer(many=True)
    change_by_age = AgeChangeSerializer(many=True)
    change_by_rating = RatingChangeSerializer(many=True)
    initial_ratings = SettlingSerializer(many=True)
    federations = FederationGamesSerializer(many=True)


class ListsHealthView(ResourceView):
    scope = PUBLIC
    Parameters = HealthParameters

    @operation(
        "lists_health",
        summary="Rating health of all published lists, newest first",
        responses=page_of(HealthSummarySerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return a row for each published list. Figures appear a few minutes after publication."""
        # The figures by class, age and federation are long, and a summary has none of them.
        rows = measured_pools(self.query.get("kind", "")).defer("figures")
        return self.answer_made(keyset_page(self, HEALTH_ORDER, rows, HealthSummarySerializer))


class ListHealthView(ResourceView):
    scope = PUBLIC

    @operation("list_health", summary="Rating health of one list", responses=RatingHealthSerializer)
    def get(self, request: Request, kind: str, date: str) -> HttpResponseBase:
        """Return expected and actual scores, rating changes, initial ratings and links between federations."""
        found = health_of(list_or_404(kind, date))
        if found is None or found.figures is None:
            raise NotFoundError("This list has no rating health.")
        return self.answer_body({"summary": series_row(found)} | tables_of(found.figures))
