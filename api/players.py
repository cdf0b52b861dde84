"""`/players`: search, profiles and histories. Dates of birth appear as a year at most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase, HttpResponsePermanentRedirect
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from api.authentication import PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.fields import HundredthsField, publication_id
from api.lists import HistoryParameters
from api.schema import club_parameter, federation_parameter, operation
from core.sql import ids_subquery
from core.text_values import read_number
from players.fide_list.values import MAX_FIDE_ID
from players.members import members_of, memberships_of
from players.minors import BAND_NAMES, birth_of, minors_for
from players.models import Player
from ratings.choices import ListKind
from ratings.federations import ids_of_club, read_players
from ratings.lists import read_lists
from ratings.models import RatingList
from ratings.next_list import so_far_of
from ratings.profile import HistoryRow, KindProfile, profiles_of
from ratings.ranking import Rank, places_of
from ratings.records import former_ids
from ratings.search import FoundPlayer, find_players_or_alike, look_up_players
from tournaments.lists import Lists

MAX_IDS = 1_000
NO_BIRTH_YEAR = "Null if unknown, and for minors whose federation shows age bands."
BAND_INSTEAD_OF_YEAR = (
    "Replaces the year of birth for minors whose federation shows age bands. Based on the year, as "
    "in youth chess."
)


@extend_schema_field({"type": "string", "pattern": r"^\d+(,\d+)*$", "example": "1001,1002"})
class IdsField(serializers.Field[list[int], str, Any, Any]):
    """FIDE IDs separated by commas, as a list without repetitions."""

    def to_internal_value(self, data: str) -> list[int]:
        """Return the numbers. Raise ValidationError for other texts, larger numbers, or too many."""
        texts = list(dict.fromkeys(text.strip() for text in data.split(",")))
        if len(texts) > MAX_IDS:
            raise serializers.ValidationError(f"Too many FIDE IDs: {len(texts)}. Send at most {MAX_IDS}.")
        return [self._fide_id(text) for text in texts]

    def _fide_id(self, text: str) -> int:
        number = read_number(text, most=MAX_FIDE_ID)
        if number is None:
            raise serializers.ValidationError(
                f"“{text[:20]}” is not a FIDE ID. Separate numbers by commas, for example 1001,1002."
            )
        return number


class SearchParameters(serializers.Serializer[Any]):
    """The players to find: `q` or `ids`, or all of a club or district."""

    q = serializers.CharField(
        required=False,
        max_length=100,
        help_text="Words of the name or their first letters, in any order, without accents. Or FIDE IDs.",
    )
    ids = IdsField(
        required=False,
        help_text=(
            f"At most {MAX_IDS} FIDE IDs separated by commas, instead of `q`. Players are returned in "
            "this order."
        ),
    )
    federation = federation_parameter(help_text="Only players of this federation.")
    club = club_parameter(
        help_text=(
            "Only players of this club today, as its federation writes it. Without `q` and `ids`: its "
            "players, highest rated first."
        )
    )
    district = club_parameter(
        help_text="Only players of this district today. As `club` without `q` and `ids`."
    )
    limit = serializers.IntegerField(
        required=False,
        default=20,
        min_value=1,
        max_value=50,
        help_text="Number of players to return, at most 50.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if {"q", "ids"} <= attrs.keys():
            raise serializers.ValidationError({"q": "Send either `q` or `ids`."})
        if not {"q", "ids", "club", "district"} & attrs.keys():
            raise serializers.ValidationError({"q": "Send `q`, `ids`, `club` or `district`."})
        return attrs


class PersonSerializer(serializers.Serializer[Any]):
    """Public data of a player."""

    fide_id = serializers.IntegerField()
    name = serializers.CharField()
    federation = serializers.CharField(source="federation_id")
    sex = serializers.CharField(help_text="`M`, `F`, or empty if unknown.")
    title = serializers.CharField()
    women_title = serializers.CharField()
    other_titles = serializers.CharField()
    club = serializers.SerializerMethodField(
        help_text="Club today, in the register of the federation. Empty without one."
    )
    district = serializers.SerializerMethodField(help_text="District of the club. Empty without one.")
    birth_year = serializers.SerializerMethodField(help_text=NO_BIRTH_YEAR)
    age_band = serializers.SerializerMethodField(help_text=BAND_INSTEAD_OF_YEAR)

    def get_club(self, player: Player) -> str:
        membership = self.context["memberships"].get(player.pk)
        return membership.club if membership else ""

    def get_district(self, player: Player) -> str:
        membership = self.context["memberships"].get(player.pk)
        return membership.district if membership else ""

    def get_birth_year(self, player: Player) -> int | None:
        return birth_of(player, self.context["minors"]).year

    @extend_schema_field(serializers.ChoiceField(BAND_NAMES, allow_null=True))
    def get_age_band(self, player: Player) -> str | None:
        return birth_of(player, self.context["minors"]).band or None


class RatingsSerializer(serializers.Serializer[Any]):
    """Rating on the current list of each type, or null if the player is not on it."""

    standard = serializers.IntegerField(allow_null=True)
    rapid = serializers.IntegerField(allow_null=True)
    blitz = serializers.IntegerField(allow_null=True)


class FoundPlayerSerializer(PersonSerializer):
    ratings = RatingsSerializer()

    def to_representation(self, instance: FoundPlayer) -> dict[str, Any]:
        fields = PersonSerializer(instance.player, context=self.context).data
        return {**fields, "ratings": {kind: instance.ratings.get(kind) for kind in ListKind.values}}


class SearchSerializer(serializers.Serializer[Any]):
    results = FoundPlayerSerializer(many=True, help_text="Highest rated first, or in the order of `ids`.")
    truncated = serializers.BooleanField(help_text="Whether more players were found than are returned.")
    similar = serializers.BooleanField(
        help_text="Whether no player has this name, and those with similar names are returned, the nearest first."
    )
    unknown = serializers.ListField(
        child=serializers.IntegerField(), help_text="FIDE IDs that no player has."
    )


class PeakSerializer(serializers.Serializer[Any]):
    rating = serializers.IntegerField()
    date = serializers.DateField(help_text="Date of the last list with this rating.")


class PlaceSerializer(serializers.Serializer[Any]):
    """Rank on the current list of a rating type. Equal ratings share a rank."""

    scope = serializers.ChoiceField(["world", "continent", "federation"])
    within = serializers.CharField(help_text="Continent, federation code, or empty for the world.")
    place = serializers.IntegerField(source="every", help_text="Rank among all listed players.")
    active_place = serializers.IntegerField(
        source="active",
        allow_null=True,
        help_text=("Rank among active players, or null for an inactive player."),
    )


class KindRatingSerializer(serializers.Serializer[Any]):
    """A player on the current list of a rating type."""

    kind = serializers.ChoiceField(ListKind.choices)
    list = serializers.CharField(help_text="ID of the current list of this rating type.")
    rating = serializers.IntegerField(allow_null=True, help_text="Null if the player is not on the list.")
    games = serializers.IntegerField(allow_null=True)
    k = serializers.IntegerField(allow_null=True)
    inactive = serializers.BooleanField(allow_null=True)
    rank = serializers.IntegerField(
        allow_null=True, help_text="Rank on the list. Equal ratings share a rank."
    )
    ranks = PlaceSerializer(
        many=True, help_text="World, continental and national rank (not for standard lists)."
    )
    highest = PeakSerializer(allow_null=True)

    def to_representation(self, instance: KindProfile) -> dict[str, Any]:
        """Return the figures of the current list, None if it does not show the player."""
        places: Sequence[Rank] = self.context["places"][instance.kind]
        entry = instance.newest.entry if instance.newest and instance.rating is not None else None
        peak = instance.highest
        return {
            "kind": instance.kind,
            "list": publication_id(instance.newest_list) if instance.newest_list else None,
            "rating": instance.rating,
            "games": entry.games if entry else None,
            "k": entry.k_factor if entry else None,
            "inactive": entry.is_inactive if entry else None,
            "rank": places[0].every if places else None,
            "ranks": [PlaceSerializer().to_representation(place) for place in places],
            "highest": {"rating": peak.rating, "date": peak.rating_list.date.isoformat()} if peak else None,
        }


class NextRatingSerializer(serializers.Serializer[Any]):
    """Provisional rating: the next list so far."""

    kind = serializers.ChoiceField(ListKind.choices)
    date = serializers.DateField(source="list_date", help_text="Date of the list.")
    provisional = serializers.BooleanField(
        default=True, help_text=("Always true: the rating can still change.")
    )
    rating = serializers.IntegerField(
        source="row.new_rating", allow_null=True, help_text="Null if the player remains unrated."
    )
    change = HundredthsField(
        allow_null=True,
        help_text=("Unrounded change including adjustments, or null without a previous rating."),
    )
    games = serializers.IntegerField(source="row.games")
    tournaments = serializers.IntegerField(help_text="Tournaments rated so far.")


class PlayerSerializer(PersonSerializer):
    deceased = serializers.BooleanField()
    former_ids = serializers.ListField(
        child=serializers.IntegerField(), help_text="FIDE IDs merged into this one."
    )
    ratings = KindRatingSerializer(many=True, help_text="One per rating type that has a list.")
    next_lists = NextRatingSerializer(
        many=True, help_text="Next list so far, for rating types with new results or corrections."
    )


class HistoryRowSerializer(serializers.Serializer[Any]):
    """A player on one list."""

    list = serializers.CharField(help_text="ID of the list.")
    kind = serializers.ChoiceField(ListKind.choices)
    date = serializers.DateField()
    rating = serializers.IntegerField(allow_null=True, help_text="Null if the list does not show the player.")
    change = serializers.IntegerField(
        allow_null=True, help_text="Change since the previous list, if it had a rating."
    )
    games = serializers.IntegerField(allow_null=True)
    k = serializers.IntegerField(allow_null=True)
    inactive = serializers.BooleanField(allow_null=True)
    federation = serializers.CharField(allow_null=True)
    title = serializers.CharField(allow_null=True)
    result = serializers.CharField(
        allow_null=True, help_text="Key of the result of the calculation, or null without a calculation."
    )

    def to_representation(self, instance: HistoryRow) -> dict[str, Any]:
        """Return the row. An entry that the list does not show has no figures."""
        entry = instance.entry if instance.rating is not None else None
        return {
            "list": publication_id(instance.rating_list),
            "kind": instance.rating_list.kind,
            "date": instance.rating_list.date.isoformat(),
            "rating": instance.rating,
            "change": instance.change,
            "games": entry.games if entry else None,
            "k": entry.k_factor if entry else None,
            "inactive": entry.is_inactive if entry else None,
            "federation": entry.federation_id if entry else None,
            "title": entry.title if entry else None,
            "result": instance.result or None,
        }


class HistorySerializer(serializers.Serializer[Any]):
    fide_id = serializers.IntegerField()
    merged_into = serializers.IntegerField(
        allow_null=True, help_text="FIDE ID of the same person into which this one was merged."
    )
    results = HistoryRowSerializer(many=True, help_text="Newest list first.")


def player_or_404(fide_id: int) -> Player:
    found = Player.objects.filter(pk=fide_id).first()
    if found is None:
        raise NotFoundError(f"No player has FIDE ID {fide_id}.")
    return found


class PlayersView(ResourceView):
    scope = PUBLIC
    Parameters = SearchParameters

    @operation("search_players", summary="Players by name or FIDE IDs", responses=SearchSerializer)
    def get(self, request: Request) -> HttpResponseBase:
        """Return players whose name has all words, highest rated first, players by FIDE ID, or those of a club.

        If no name has the words, players with similar names are returned and `similar` is true.

        A merged FIDE ID returns the player it was merged into.
        """
        places = {name: self.query.get(name, "") for name in ("federation", "club", "district")}
        newest = read_lists().newest_of_each()
        if "ids" in self.query:
            body = self._look_up(newest, among=_players_in(**places))
        elif "q" in self.query:
            body = self._find(newest, among=_players_in(**places))
        else:
            body = self._list(newest, **places)
        memberships = memberships_of(one.player.pk for one in body["results"])
        context = {"minors": minors_for(request._request), "memberships": memberships}
        return self.answer_body(self.serialize(SearchSerializer, **context)(body).data)

    def _find(self, newest: Sequence[RatingList], *, among: QuerySet[Player] | None) -> dict[str, Any]:
        found = find_players_or_alike(self.query["q"], newest=newest, shown=self.query["limit"], among=among)
        names = {"similar": found.is_alike, "unknown": []}
        return {"results": found.players, "truncated": found.is_cut, **names}

    def _list(
        self, newest: Sequence[RatingList], *, federation: str, club: str, district: str
    ) -> dict[str, Any]:
        ids, limit = ids_of_club(federation, club=club, district=district, newest=newest), self.query["limit"]
        found = {"results": [*read_players(ids[:limit], newest)], "truncated": len(ids) > limit}
        return {**found, "similar": False, "unknown": []}

    def _look_up(self, newest: Sequence[RatingList], *, among: QuerySet[Player] | None) -> dict[str, Any]:
        ids = self.query["ids"]
        found = look_up_players(ids, newest=newest)
        unknown = [fide_id for fide_id, player in zip(ids, found, strict=True) if player is None]
        # A former and the present ID of one person give one row.
        known = {one.player.pk: one for one in found if one}
        if among is not None:
            wanted = {*among.filter(pk__in=ids_subquery(known)).values_list("pk", flat=True)}
            known = {pk: one for pk, one in known.items() if pk in wanted}
        return {"results": list(known.values()), "truncated": False, "similar": False, "unknown": unknown}


def _players_in(*, federation: str, club: str, district: str) -> QuerySet[Player] | None:
    """Return the players of a federation, club or district, None where none of these is named."""
    if club or district:
        members = members_of(federation=federation, club=club, district=district)
        return Player.objects.filter(pk__in=members.order_by().values("player"))
    return Player.objects.filter(federation=federation) if federation else None


class PlayerView(ResourceView):
    scope = PUBLIC

    @operation("player", summary="One player with current ratings of all types", responses=PlayerSerializer)
    def get(self, request: Request, fide_id: int) -> HttpResponseBase:
        """Return a player. A merged FIDE ID redirects to the new one."""
        player = player_or_404(fide_id)
        if player.merged_into_id:
            return HttpResponsePermanentRedirect(
                reverse("api:player", kwargs={"fide_id": player.merged_into_id}, request=request)
            )
        lists, former = read_lists(), former_ids(fide_id)
        context = {"minors": minors_for(request._request), "memberships": memberships_of([fide_id])}
        person = self.serialize(PersonSerializer, **context)(player).data
        coming = NextRatingSerializer(so_far_of([fide_id], lists), many=True).data
        return self.answer(
            lambda: _profile(player, {**person, "next_lists": coming}, lists, former),
            lists.version, person, player.died_on, former, coming,
        )  # fmt: skip


def _profile(
    player: Player, person: Mapping[str, Any], lists: Lists[RatingList], former: Sequence[int]
) -> Response:
    profiles = [profile for profile in profiles_of(player.pk, lists) if profile.newest_list]
    context = {"places": places_of(profiles)}
    kinds = PlayerSerializer(context=context).fields["ratings"].to_representation(profiles)
    return Response(
        {**person, "deceased": player.died_on is not None, "former_ids": former, "ratings": kinds}
    )


class HistoryView(ResourceView):
    scope = PUBLIC
    Parameters = HistoryParameters

    @operation("player_history", summary="Rating history of a player", responses=HistorySerializer)
    def get(self, request: Request, fide_id: int) -> HttpResponseBase:
        """Return one row per list that shows or calculated the player. A merged FIDE ID keeps its own history."""
        player, lists = player_or_404(fide_id), read_lists()
        parameters = sorted(request.query_params.items())
        return self.answer_from_lists(
            lambda: _history(player, lists, self.query),
            lists.newest_first,
            "history",
            fide_id,
            # A merger changes the answer without a new list.
            player.merged_into_id,
            parameters,
        )


def _history(player: Player, lists: Lists[RatingList], query: Mapping[str, Any]) -> Response:
    kind, first, last = (query.get(name) for name in ("kind", "date_from", "date_to"))
    rows = [
        row
        for profile in profiles_of(player.pk, lists)
        if kind in (None, profile.kind)
        for row in profile.rows
        if (first is None or row.rating_list.date >= first) and (last is None or row.rating_list.date <= last)
    ]
    body = {"fide_id": player.pk, "merged_into": player.merged_into_id, "results": rows}
    return Response(HistorySerializer(body).data)
