"""The calculation of one player on one list, down to every game."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.fields import HalfPointsField, HundredthsField
from api.names import publication_id
from api.serializers.games import OpponentSerializer, RoundFields, StandingSerializer
from ratings.choices import LineKind, ListKind
from ratings.queries.calculations import Explained, ExplainedCorrection, ExplainedEvent


class ExplainedRoundSerializer(RoundFields):
    """A round, the opponent by name."""

    opponent = OpponentSerializer(allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the outcome of an `ExplainedGame` with the opponent beside."""
        opponent = instance.opponent
        shown = OpponentSerializer(opponent).data if opponent else None
        return {**RoundFields(instance.outcome).data, "opponent": shown}


class EventSerializer(serializers.Serializer[Any]):
    """What a tournament gave: by which standing it was rated, the games, their sum and K."""

    event_id = serializers.CharField()
    name = serializers.CharField()
    start = serializers.DateField()
    end = serializers.DateField()
    rules = serializers.CharField(help_text="The regulations of the first day (0.1).")
    standing = StandingSerializer(
        help_text="The standing by which the player's own result was rated (7.2.5)."
    )
    games = serializers.IntegerField(help_text="Games that count.")
    score = HalfPointsField(help_text="The score in them.")
    sum = HundredthsField(help_text="The sum of the changes of these games, before K.")
    k = serializers.IntegerField(
        allow_null=True, help_text="K after the limit of 700 (7.3.3); null for an unrated player."
    )
    k_reason = serializers.CharField(
        allow_null=True, help_text="Why K is so; null where it was imported with the list."
    )
    change = HundredthsField(allow_null=True, help_text="K times the sum; null for an unrated player.")
    rounds = ExplainedRoundSerializer(many=True)

    def to_representation(self, instance: ExplainedEvent) -> dict[str, Any]:
        """Return the event as its step and its games tell it."""
        step, tournament = instance.step, instance.tournament
        return super().to_representation(
            {
                "event_id": tournament.event_id,
                "name": tournament.name,
                "start": tournament.start,
                "end": tournament.end,
                "rules": instance.participation.tournament_rating.rules,
                "standing": step,
                "games": step["games"],
                "score": step["half_points"],
                "sum": step["sum"],
                "k": step["k_used"] if instance.is_rated else None,
                "k_reason": instance.k_reason.reason if instance.k_reason else None,
                "change": step["change"] if instance.is_rated else None,
                "rounds": instance.games,
            }
        )


class PoolShareSerializer(serializers.Serializer[Any]):
    event_id = serializers.CharField()
    start = serializers.DateField()
    games = serializers.IntegerField()
    score = HalfPointsField(source="half_points")
    opponents_sum = serializers.IntegerField(help_text="The sum of the opponents' ratings.")


class InitialSerializer(serializers.Serializer[Any]):
    """A first rating from the pool (7.2.3, 7.2.4)."""

    rules = serializers.CharField()
    games = serializers.IntegerField()
    score = HalfPointsField(source="half_points")
    average = serializers.CharField(help_text="Ra, exact: `1867 3/7`.")
    p = HundredthsField(help_text="Fractional score (D-7).")
    dp = serializers.IntegerField(allow_null=True)
    rating = serializers.IntegerField(help_text="Ru.")
    capped = serializers.BooleanField(help_text="Whether 2200 limited it.")


class CorrectionLineSerializer(serializers.Serializer[Any]):
    """The difference by a correction that the list took (D-11)."""

    event_id = serializers.CharField(
        allow_null=True, help_text="The event whose report was corrected; null: data of the player."
    )
    list = serializers.CharField(help_text="The id of the list that was calculated again.")
    kind = serializers.ChoiceField(LineKind.choices)
    difference = HundredthsField()

    def to_representation(self, instance: ExplainedCorrection) -> dict[str, Any]:
        """Return the line with the event and the list by name."""
        line, tournament = instance.line, instance.line.correction.tournament
        return super().to_representation(
            {
                "event_id": tournament.event_id if tournament else None,
                "list": publication_id(line.corrected_list),
                "kind": line.kind,
                "difference": line.difference_hundredths,
            }
        )


class CalculationSerializer(serializers.Serializer[Any]):
    """From the previous rating to the new one."""

    fide_id = serializers.IntegerField()
    list = serializers.CharField(help_text="The id of the list.")
    kind = serializers.ChoiceField(ListKind.choices)
    date = serializers.DateField()
    previous_rating = serializers.IntegerField(allow_null=True)
    base_rating = serializers.IntegerField(
        allow_null=True, help_text="The rating that the change is added to."
    )
    games = serializers.IntegerField()
    change = HundredthsField(help_text="K times the sums of all events, not rounded.")
    correction = HundredthsField(help_text="Differences by corrections (D-11).")
    rounded_change = serializers.IntegerField(help_text="Both together, rounded half away from zero (7.3.4).")
    new_rating = serializers.IntegerField(allow_null=True)
    result = serializers.CharField(help_text="A key of `/reasons`.")
    next_k = serializers.IntegerField(allow_null=True, help_text="The K that the list publishes (D-4).")
    next_k_reason = serializers.CharField(allow_null=True)
    events = EventSerializer(many=True)
    pool = PoolShareSerializer(many=True)
    initial = InitialSerializer(allow_null=True)
    corrections = CorrectionLineSerializer(many=True)

    def to_representation(self, instance: Explained) -> dict[str, Any]:
        """Return the calculation; the caller has made sure that there is one."""
        stored, entry = instance.calculation, instance.entry
        if stored is None:
            raise ValueError("this list did not calculate the player")
        published_k = entry.k_factor if entry and instance.rating_now is not None else None
        has_reason = instance.listed_k is not None and instance.listed_k.k == published_k
        return super().to_representation(
            {
                "fide_id": stored.player_id,
                "list": publication_id(instance.rating_list),
                "kind": instance.rating_list.kind,
                "date": instance.rating_list.date,
                "previous_rating": stored.previous_rating,
                "base_rating": stored.base_rating,
                "games": stored.games,
                "change": stored.change_hundredths,
                "correction": stored.correction_hundredths,
                "rounded_change": stored.rounded_change,
                "new_rating": stored.new_rating if instance.rating_now is not None else None,
                "result": stored.result,
                "next_k": published_k,
                "next_k_reason": instance.listed_k.reason if instance.listed_k and has_reason else None,
                "events": instance.events,
                "pool": instance.steps.get("pool", []),
                "initial": instance.initial,
                "corrections": instance.corrections,
            }
        )
