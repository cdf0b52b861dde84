"""Tournaments as everybody may see them: the registration at once, figures only once a list has taken them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.fields import HalfPointsField, HundredthsField
from api.names import publication_id
from api.serializers.games import RoundSerializer, StandingSerializer, standing_at_start
from ratings.models import TournamentRating
from ratings.queries.events import Standing
from tournaments.choices import Kind
from tournaments.models import Tournament


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    federation = serializers.CharField(source="federation_id")
    kind = serializers.ChoiceField(Kind.choices)
    time_control = serializers.CharField(help_text="Minutes and seconds a move: `15+10`.")
    official = serializers.BooleanField(
        source="is_official", help_text="Official FIDE or continental event (0.3)."
    )
    match = serializers.BooleanField(source="is_match")
    hybrid = serializers.BooleanField(source="is_hybrid")

    class Meta:
        model = Tournament
        fields = [
            *("event_id", "name", "city", "federation", "kind", "time_control", "start", "end"),
            *("chief_arbiter", "official", "match", "hybrid", "registration", "stage", "registered_on"),
        ]


class PublishedFiguresSerializer(serializers.Serializer[Any]):
    """What a list took from the tournament."""

    list = serializers.CharField(help_text="The id of the list.")
    rules = serializers.CharField(help_text="The regulations of the first day (0.1).")
    basis = serializers.CharField(allow_null=True, help_text="The list in force on the first day (D-1).")
    counted_games = serializers.IntegerField()
    rounds = serializers.IntegerField()
    report_sha256 = serializers.CharField(help_text="SHA-256 of the report's file.")

    def to_representation(self, instance: TournamentRating) -> dict[str, Any]:
        """Return the figures of a rating that a list has taken."""
        if instance.included_in is None:
            raise ValueError("no list has taken this tournament")
        return {
            "list": publication_id(instance.included_in),
            "rules": instance.rules,
            "basis": publication_id(instance.basis) if instance.basis else None,
            "counted_games": instance.counted_games,
            "rounds": instance.report.rounds,
            "report_sha256": instance.report.sha256,
        }


class TournamentDetailSerializer(TournamentSerializer):
    published = PublishedFiguresSerializer(
        allow_null=True, help_text="Null until a list has taken the tournament."
    )

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "published"]


class ParticipantSerializer(serializers.Serializer[Any]):
    """A participant's result, as the list took it."""

    rank = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField(help_text="Starting rank.")
    fide_id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(help_text="As reported.")
    federation = serializers.CharField(help_text="As reported.")
    points = HalfPointsField(allow_null=True, help_text="All points of the event.")
    start = StandingSerializer(help_text="The standing on the first day (D-1).")
    games = serializers.IntegerField(help_text="Games that count.")
    score = HalfPointsField(help_text="The score in them.")
    sum = HundredthsField(help_text="The sum of the changes, before K.")
    k = serializers.IntegerField(allow_null=True, help_text="K used; null for one who was not rated by it.")
    change = HundredthsField(allow_null=True, help_text="K times the sum.")
    performance = serializers.IntegerField(allow_null=True)
    rounds = RoundSerializer(many=True)

    def to_representation(self, instance: Standing) -> dict[str, Any]:
        """Return the line of the report beside how it was rated."""
        line, rating = instance.participant, instance.rating
        return super().to_representation(
            {
                "rank": line.rank,
                "number": line.number,
                "fide_id": rating.player_id,
                "name": line.name,
                "federation": line.federation_code,
                "points": line.half_points,
                "start": standing_at_start(rating),
                "games": rating.games,
                "score": rating.half_points,
                "sum": rating.change_hundredths,
                "k": instance.step["k_used"] if instance.step and instance.change is not None else None,
                "change": instance.change,
                "performance": instance.performance,
                "rounds": instance.outcomes,
            }
        )
