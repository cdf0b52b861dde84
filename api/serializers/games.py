"""A round of a tournament from one player's side, with every figure and the keys of its reasons."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.fields import HalfPointsField, HundredthsField
from ratings.choices import Status
from ratings.models import ParticipantRating

COLOURS = {"w": "white", "b": "black"}


class OpponentSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Starting rank.")
    fide_id = serializers.IntegerField(source="player_id", allow_null=True)
    name = serializers.CharField(source="participant.name")
    federation = serializers.CharField(source="participant.federation_code")


class StandingSerializer(serializers.Serializer[Any]):
    """A status with the rating and K that go with it; both null for an unrated player."""

    status = serializers.ChoiceField(
        Status.choices, help_text="`standard`: rated by the standard rating (7.2.1)."
    )
    rating = serializers.IntegerField(allow_null=True)
    k = serializers.IntegerField(allow_null=True)


class RoundFields(serializers.Serializer[Any]):
    """A round: the result and, where the game counts, D, PD and the change before K."""

    round = serializers.IntegerField()
    colour = serializers.ChoiceField(["white", "black"], allow_null=True)
    code = serializers.CharField(help_text="The result as in TRF: `1`, `0`, `=`, `+`, `-`, `H`, `U`, ...")
    score = HalfPointsField(source="half_points")
    counts = serializers.BooleanField()
    opponent_rating = serializers.IntegerField(allow_null=True)
    difference = serializers.IntegerField(allow_null=True, help_text="D: own minus opponent's rating.")
    counted_difference = serializers.IntegerField(allow_null=True, help_text="D after 7.3.1.")
    pd = HundredthsField(allow_null=True, help_text="Scoring probability (7.1.2).")
    change = HundredthsField(allow_null=True, help_text="Score minus PD, before K (7.3.2).")
    reasons = serializers.ListField(
        child=serializers.CharField(),
        help_text="Keys of `/reasons`; the first says whether the game counts.",
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the round with the colour in words."""
        return {**super().to_representation(instance), "colour": COLOURS.get(instance.colour)}


class RoundSerializer(RoundFields):
    """A round, the opponent by starting rank."""

    opponent_number = serializers.IntegerField(source="opponent", allow_null=True)


def standing_at_start(row: ParticipantRating) -> dict[str, Any]:
    """Return the standing on the tournament's first day (D-1)."""
    return {"status": row.start_status, "rating": row.start_rating, "k": row.start_k}
