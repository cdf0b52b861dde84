"""`/lists`, `/lists/{kind}/{date}` with files, manifest and health: rating lists."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import PUBLIC
from api.base import PageParameters, ResourceView, keyset_page
from api.errors import NotFoundError
from api.fields import AddressField, ListIdField, publication_id
from api.schema import day_parameter, operation, paged
from core.html.paging import Keyset
from core.text_values import read_day
from ratings.choices import FileFormat, ListKind, Origin
from ratings.models import ListFile, PoolHealth, RatingList
from ratings.queries.health.reading import Trend, as_health, health_of, measured_pools, series_row, tables_of
from ratings.queries.lists import LARGE

NEWEST_FIRST = Keyset(("-date", "kind"))
LATEST = "latest"
INVALID_DATE = "Enter the date of a list as YYYY-MM-DD, for example 2026-02-01."


def list_or_404(kind: str, day: str) -> RatingList:
    """Return the list of a rating type and date, or the latest, without its manifest, or raise NotFoundError."""
    lists = RatingList.objects.defer("manifest").filter(kind=known_kind(kind)).order_by("-date")
    found = (lists if day == LATEST else lists.filter(date=parse_day(day))).first()
    if found is None:
        raise NotFoundError(f"No {kind} list found for {day}.")
    return found


def known_kind(kind: str) -> str:
    """Return the rating type, or raise NotFoundError."""
    if kind not in ListKind.values:
        raise NotFoundError(f"Unknown rating type. Valid types: {', '.join(ListKind.values)}.")
    return kind


def parse_day(text: str) -> date:
    """Return the date of a list as addresses spell it, or raise NotFoundError."""
    day = read_day(text)
    if day is None:
        raise NotFoundError(INVALID_DATE)
    return day


class HistoryParameters(serializers.Serializer[Any]):
    """Filters of the lists. Without a filter, all lists match."""

    kind = serializers.ChoiceField(
        ListKind.choices, required=False, help_text=("Only lists of this rating type.")
    )
    date_from = day_parameter(help_text="Only lists dated this day or later.")
    date_to = day_parameter(help_text="Only lists dated this day or earlier.")


class ListParameters(HistoryParameters, PageParameters):
    pass


def _file_places(row: ListFile, context: Any) -> dict[str, Any]:
    found = row.rating_list
    return {"kind": found.kind, "day": found.date, "name": f"{publication_id(found)}.{row.format}"}


def _list_places(row: RatingList, context: Any) -> dict[str, Any]:
    return {"kind": row.kind, "date": row.date.isoformat()}


class ListFileSerializer(serializers.ModelSerializer[ListFile]):
    """A published file."""

    format = serializers.ChoiceField(FileFormat.choices)
    url = AddressField("ratings:file", _file_places)

    class Meta:
        model = ListFile
        fields = ["format", "size", "sha256", "url"]


class RatingListSerializer(serializers.ModelSerializer[RatingList]):
    """A list without its entries."""

    id = ListIdField(
        source="*", read_only=True, help_text=("Rating type and date, for example `rapid-2026-02-01`.")
    )
    kind = serializers.ChoiceField(ListKind.choices)
    origin = serializers.ChoiceField(
        Origin.choices, help_text="`imported` from a FIDE file, or `published` by the portal."
    )
    rules = serializers.CharField(
        help_text="Regulations in effect on the date. Empty if the portal does not have them."
    )
    listed = serializers.IntegerField(min_value=0, help_text="Players listed.")
    url = AddressField("api:list", _list_places)

    class Meta:
        model = RatingList
        fields = ["id", "kind", "date", "origin", "rules", "listed", "published_at", "url"]


class RatingListDetailSerializer(RatingListSerializer):
    """A list with its files and manifest."""

    files = ListFileSerializer(many=True, read_only=True)
    previous = ListIdField(read_only=True, allow_null=True, help_text="ID of the previous list.")
    entries_url = AddressField("api:entries", _list_places)
    manifest = serializers.DictField(
        help_text="All inputs of the list with checksums. Empty for an imported list."
    )
    manifest_sha256 = serializers.CharField()
    signature = serializers.CharField(help_text="Ed25519 signature of the manifest in base64, or empty.")

    class Meta(RatingListSerializer.Meta):
        fields = [
            *RatingListSerializer.Meta.fields,
            "engine_version",
            "previous",
            "entries_url",
            "files",
            "manifest",
            "manifest_sha256",
            "signature",
        ]


class ListsView(ResourceView):
    scope = PUBLIC
    Parameters = ListParameters

    @operation("lists", summary="All rating lists, newest first", responses=paged(RatingListSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """Return a page of lists without their manifests."""
        bounds = {"kind": "kind", "date__gte": "date_from", "date__lte": "date_to"}
        chosen = {lookup: self.query[name] for lookup, name in bounds.items() if name in self.query}
        lists = RatingList.objects.defer(*LARGE).filter(**chosen)
        return self.answer_made(keyset_page(self, NEWEST_FIRST, lists, self.serialize(RatingListSerializer)))


class ListView(ResourceView):
    scope = PUBLIC

    @operation(
        "rating_list",
        summary="One rating list with its files and manifest",
        responses=RatingListDetailSerializer,
    )
    def get(self, request: Request, kind: str, date: str) -> HttpResponseBase:
        """Return a list. `latest` is the current list."""
        found = list_or_404(kind, date)
        return self.answer_from_lists(lambda: self._detail(found), [found], "list")

    def _detail(self, found: RatingList) -> Response:
        whole = RatingList.objects.select_related("previous").prefetch_related("files").get(pk=found.pk)
        return Response(self.serialize(RatingListDetailSerializer)(whole).data)


HEALTH_ORDER = Keyset(("-rating_list__date", "rating_list__kind"))
Number = serializers.IntegerField


class HealthParameters(PageParameters):
    kind = serializers.ChoiceField(
        ListKind.choices, required=False, help_text=("Only lists of this rating type.")
    )


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
        responses=paged(HealthSummarySerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return a row for each published list. Figures appear a few minutes after publication."""
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
