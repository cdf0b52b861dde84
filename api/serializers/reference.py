"""Publications, and what does not change with them: federations, regulations, reasons; checks of reports."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.names import publication_id
from api.serializers.lists import ListSerializer
from players.models import Federation
from tournaments.trf import Severity


class RootSerializer(serializers.Serializer[Any]):
    """Where everything is."""

    federations = serializers.URLField()
    lists = serializers.URLField()
    players = serializers.URLField()
    tournaments = serializers.URLField()
    publications = serializers.URLField()
    reasons = serializers.URLField()
    rules = serializers.URLField()
    calculate_change = serializers.URLField()
    calculate_first_rating = serializers.URLField()
    calculate_performance = serializers.URLField()
    calculate_systems = serializers.URLField()
    report_check = serializers.URLField()
    schema = serializers.URLField()
    documentation = serializers.URLField()
    latest = ListSerializer(many=True, help_text="The newest list of each kind.")


class FederationSerializer(serializers.ModelSerializer[Federation]):
    member = serializers.BooleanField(source="is_member", help_text="Member of FIDE.")

    class Meta:
        model = Federation
        fields = ["code", "name", "continent", "member", "officer_name", "officer_details"]


class ChangeSerializer(serializers.Serializer[Any]):
    """What one list did with one player; the row bears `listed_rating`."""

    list = serializers.CharField(help_text="The id of the list.")
    fide_id = serializers.IntegerField(source="player_id")
    previous_rating = serializers.IntegerField(allow_null=True)
    new_rating = serializers.IntegerField(
        allow_null=True, help_text="Null for one whom the list does not show."
    )
    rounded_change = serializers.IntegerField()
    games = serializers.IntegerField()
    result = serializers.CharField(help_text="A key of `/reasons`.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the calculation's outcome."""
        return {
            "list": publication_id(instance.rating_list),
            "fide_id": instance.player_id,
            "previous_rating": instance.previous_rating,
            "new_rating": instance.listed_rating,
            "rounded_change": instance.rounded_change,
            "games": instance.games,
            "result": instance.result,
        }


class ReasonSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    about = serializers.ChoiceField(["game", "k", "list"])
    article = serializers.CharField(help_text="The article or decision that decides it.")
    counts = serializers.BooleanField(help_text="Whether the game, or the results on the list, count.")
    text = serializers.CharField()
    meaning = serializers.CharField(help_text="What the article or decision says.")


class RulesSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField(source="rules.slug")
    title = serializers.CharField(source="rules.title")
    first_day = serializers.DateField(
        help_text="Tournaments that start on this day or later are rated by it."
    )
    last_day = serializers.DateField(allow_null=True, help_text="Null for the text in force.")
    floor = serializers.IntegerField(source="rules.floor", help_text="The lowest rating that is published.")


class FindingSerializer(serializers.Serializer[Any]):
    """One fault of a report."""

    code = serializers.CharField()
    severity = serializers.ChoiceField([item.value for item in Severity])
    line = serializers.IntegerField(allow_null=True, help_text="From 1; null for the whole file.")
    column = serializers.IntegerField(allow_null=True, help_text="From 1; null for the whole line.")
    message = serializers.CharField()
    fix = serializers.CharField(
        allow_null=True, help_text="The whole line as it should be, where that is certain."
    )


class CheckedFileSerializer(serializers.Serializer[Any]):
    """A report that was read, as `check_trf --json` prints it."""

    file = serializers.CharField()
    players = serializers.IntegerField(help_text="Player records that were read.")
    games = serializers.IntegerField(help_text="Games that would count.")
    findings = FindingSerializer(many=True)
