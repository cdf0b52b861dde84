"""Players: who they are, their ratings now, and their history. Of a birth date only the year is shown, or less."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.names import publication_id
from players.models import Player
from players.queries.minors import BAND_NAMES, birth_of
from ratings.choices import ListKind
from ratings.queries.places import Place
from ratings.queries.profile import HistoryRow, KindProfile
from ratings.queries.search import FoundPlayer

NO_YEAR = "Null where it is not known, and of a minor whose federation asks for age bands."
IN_ITS_PLACE = "In place of the year of a minor whose federation asks for it; by the year, as in youth chess."


class PersonSerializer(serializers.Serializer[Any]):
    """The public data of a player."""

    fide_id = serializers.IntegerField()
    name = serializers.CharField()
    federation = serializers.CharField(source="federation_id")
    sex = serializers.CharField(help_text="`M`, `F`, or empty where it is not known.")
    title = serializers.CharField()
    women_title = serializers.CharField()
    other_titles = serializers.CharField()
    birth_year = serializers.SerializerMethodField(help_text=NO_YEAR)
    age_band = serializers.SerializerMethodField(help_text=IN_ITS_PLACE)

    def get_birth_year(self, player: Player) -> int | None:
        """Return the year of birth where it is shown."""
        return birth_of(player, self.context["minors"]).year

    @extend_schema_field(serializers.ChoiceField(BAND_NAMES, allow_null=True))
    def get_age_band(self, player: Player) -> str | None:
        """Return the age band where the year is not shown."""
        return birth_of(player, self.context["minors"]).band or None


class RatingsSerializer(serializers.Serializer[Any]):
    """The rating on the newest list of each kind; null for one who is not on it."""

    standard = serializers.IntegerField(allow_null=True)
    rapid = serializers.IntegerField(allow_null=True)
    blitz = serializers.IntegerField(allow_null=True)


class FoundPlayerSerializer(PersonSerializer):
    ratings = RatingsSerializer()

    def to_representation(self, instance: FoundPlayer) -> dict[str, Any]:
        """Return the person with the ratings beside."""
        fields = PersonSerializer(instance.player, context=self.context).data
        return {**fields, "ratings": {kind: instance.ratings.get(kind) for kind in ListKind.values}}


class SearchSerializer(serializers.Serializer[Any]):
    results = FoundPlayerSerializer(many=True, help_text="The highest rated first.")
    truncated = serializers.BooleanField(help_text="Whether more players were found than are shown.")


class PeakSerializer(serializers.Serializer[Any]):
    rating = serializers.IntegerField()
    date = serializers.DateField(help_text="The date of the last list that shows it.")


class PlaceSerializer(serializers.Serializer[Any]):
    """A place on the newest list of a kind; equal ratings share it."""

    scope = serializers.ChoiceField(["world", "continent", "federation"])
    within = serializers.CharField(help_text="The continent, the federation's code, or empty for the world.")
    place = serializers.IntegerField(help_text="Among all listed players.")
    active_place = serializers.IntegerField(
        allow_null=True, help_text="Among the active ones; null for one who is inactive."
    )

    def to_representation(self, instance: Place) -> dict[str, Any]:
        """Return where the player stands among whom."""
        return {
            "scope": instance.scope,
            "within": instance.within,
            "place": instance.every,
            "active_place": instance.active,
        }


class KindRatingSerializer(serializers.Serializer[Any]):
    """A player on the newest list of a kind."""

    kind = serializers.ChoiceField(ListKind.choices)
    list = serializers.CharField(help_text="The id of the newest list of the kind.")
    rating = serializers.IntegerField(allow_null=True, help_text="Null for one who is not on the list.")
    games = serializers.IntegerField(allow_null=True)
    k = serializers.IntegerField(allow_null=True)
    inactive = serializers.BooleanField(allow_null=True)
    rank = serializers.IntegerField(
        allow_null=True, help_text="The place on the list; equal ratings share it."
    )
    ranks = PlaceSerializer(
        many=True, help_text="In the world, on the continent, and in the federation (not on a standard list)."
    )
    highest = PeakSerializer(allow_null=True)

    def to_representation(self, instance: KindProfile) -> dict[str, Any]:
        """Return the figures of the newest list, none of one that does not show the player."""
        places: Sequence[Place] = self.context["places"][instance.kind]
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


class PlayerSerializer(PersonSerializer):
    deceased = serializers.BooleanField()
    former_ids = serializers.ListField(
        child=serializers.IntegerField(), help_text="The FIDE IDs that were merged into this one."
    )
    ratings = KindRatingSerializer(many=True, help_text="One for each kind of which there is a list.")


class HistoryRowSerializer(serializers.Serializer[Any]):
    """A player on one list."""

    list = serializers.CharField(help_text="The id of the list.")
    kind = serializers.ChoiceField(ListKind.choices)
    date = serializers.DateField()
    rating = serializers.IntegerField(
        allow_null=True, help_text="Null where the list does not show the player."
    )
    change = serializers.IntegerField(
        allow_null=True, help_text="Since the list before, if that one had a rating."
    )
    games = serializers.IntegerField(allow_null=True)
    k = serializers.IntegerField(allow_null=True)
    inactive = serializers.BooleanField(allow_null=True)
    federation = serializers.CharField(allow_null=True)
    title = serializers.CharField(allow_null=True)
    result = serializers.CharField(
        allow_null=True, help_text="The key of what the list did with the player; null without a calculation."
    )

    def to_representation(self, instance: HistoryRow) -> dict[str, Any]:
        """Return the row; an entry that the list does not show gives no figures."""
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
        allow_null=True, help_text="The FIDE ID of the same person that this one was merged into."
    )
    results = HistoryRowSerializer(many=True, help_text="The newest list of each kind first.")
