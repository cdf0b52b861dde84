"""`/players/{fide_id}/calculations/{kind}/{date}`: the calculation of a player on a list, with every game."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpResponseBase, HttpResponsePermanentRedirect
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from api.authentication import PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.fields import HalfPointsField, HundredthsField, ListIdField, publication_id
from api.lists import list_or_404
from api.players import player_or_404
from api.schema import operation
from players.models import Player
from ratings.calculations import explain, is_known_to
from ratings.calculations.values import Explained
from ratings.choices import LineKind, ListKind, Status
from ratings.lists import read_lists
from ratings.models import CorrectionLine, ParticipantRating
from ratings.next_list import explained_so_far, so_far_of
from ratings.played import PlayedEvent

COLOURS = {"w": "white", "b": "black"}
NEXT = "next"


class OpponentSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Starting rank.")
    fide_id = serializers.IntegerField(source="reported_id", allow_null=True)
    name = serializers.CharField(source="reported_name")
    federation = serializers.CharField(source="reported_federation")


class StandingSerializer(serializers.Serializer[Any]):
    """Rating status with rating and K-factor, both null for an unrated player."""

    status = serializers.ChoiceField(
        Status.choices, help_text="`standard`: the standard rating was used (article 7.2.1)."
    )
    rating = serializers.IntegerField(allow_null=True)
    k = serializers.IntegerField(allow_null=True)


class RoundFields(serializers.Serializer[Any]):
    """A round: the result, and for a rated game D, PD and the change before K."""

    round = serializers.IntegerField()
    colour = serializers.ChoiceField(["white", "black"], allow_null=True)
    code = serializers.CharField(help_text="Result code as in TRF: `1`, `0`, `=`, `+`, `-`, `H`, `U`, ...")
    score = HalfPointsField(source="half_points")
    counts = serializers.BooleanField()
    opponent_rating = serializers.IntegerField(allow_null=True)
    difference = serializers.IntegerField(
        allow_null=True, help_text=("Rating difference D: own minus opponent's rating.")
    )
    counted_difference = serializers.IntegerField(
        allow_null=True, help_text="Rating difference after article 7.3.1."
    )
    pd = HundredthsField(allow_null=True, help_text="Expected score (article 7.1.2).")
    change = HundredthsField(
        allow_null=True, help_text=("Score minus expected score, before K (article 7.3.2).")
    )
    reasons = serializers.ListField(
        child=serializers.CharField(),
        help_text="Keys of `/reasons`. The first says whether the game is rated.",
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return {**super().to_representation(instance), "colour": COLOURS.get(instance.colour)}


class RoundSerializer(RoundFields):
    """A round, with the starting rank of the opponent."""

    opponent_number = serializers.IntegerField(source="opponent", allow_null=True)


def standing_at_start(row: ParticipantRating) -> dict[str, Any]:
    """Return the rating status on the tournament's first day (D-1)."""
    return {"status": row.start_status, "rating": row.start_rating, "k": row.start_k}


class ExplainedRoundSerializer(RoundFields):
    """A round, with the name of the opponent."""

    opponent = OpponentSerializer(allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        opponent = instance.opponent
        shown = OpponentSerializer(opponent).data if opponent else None
        return {**RoundFields(instance.outcome).data, "opponent": shown}


class EventSerializer(serializers.Serializer[Any]):
    """Rating results of a player in a tournament: rating status, games, sum and K-factor."""

    event_id = serializers.CharField(source="tournament.event_id")
    name = serializers.CharField(source="tournament.name")
    start = serializers.DateField(source="tournament.start")
    end = serializers.DateField(source="tournament.end")
    rules = serializers.CharField(
        source="row.tournament_rating.rules",
        help_text=("Regulations in effect on the first day (article 0.1)."),
    )
    standing = StandingSerializer(
        source="own", help_text="Rating status of the player used for the calculation (article 7.2.5)."
    )
    games = serializers.IntegerField(source="participation.games", help_text="Rated games.")
    score = HalfPointsField(source="participation.half_points", help_text="Score in the rated games.")
    sum = HundredthsField(
        source="participation.change", help_text="Sum of the changes of these games, before K."
    )
    k = serializers.IntegerField(
        allow_null=True,
        help_text="K-factor after the limit of 700 (article 7.3.3), or null for an unrated player.",
    )
    k_reason = serializers.CharField(
        source="own.k_reason",
        allow_null=True,
        help_text="Key of the reason for the K-factor, or null if it was imported with the list.",
    )
    change = HundredthsField(
        source="rated.change", allow_null=True, help_text="K-factor × sum, or null for an unrated player."
    )
    rounds = ExplainedRoundSerializer(source="games", many=True)

    def to_representation(self, instance: PlayedEvent) -> dict[str, Any]:
        """Return the event. K and rating change are None for an unrated player."""
        fields = super().to_representation(instance)
        fields["k_reason"] = fields["k_reason"] or None
        return fields if instance.is_rated else {**fields, "k": None, "change": None}


class PoolShareSerializer(serializers.Serializer[Any]):
    event_id = serializers.CharField()
    start = serializers.DateField()
    games = serializers.IntegerField()
    score = HalfPointsField(source="half_points")
    opponents_sum = serializers.IntegerField(help_text="Sum of the ratings of the opponents.")


class InitialSerializer(serializers.Serializer[Any]):
    """An initial rating from the games counted so far (articles 7.2.3, 7.2.4)."""

    rules = serializers.CharField()
    games = serializers.IntegerField()
    score = HalfPointsField(source="half_points")
    average = serializers.CharField(
        help_text="Average opponent rating (Ra) as a fraction, for example `1867 3/7`."
    )
    p = HundredthsField(help_text="Fractional score (decision D-7).")
    dp = serializers.IntegerField(allow_null=True)
    rating = serializers.IntegerField(help_text="Initial rating (Ru).")
    capped = serializers.BooleanField(source="is_capped", help_text="Whether the limit of 2200 was applied.")


class CorrectionLineSerializer(serializers.Serializer[CorrectionLine]):
    """Adjustment that the list includes because of a correction (decision D-11)."""

    event_id = serializers.CharField(
        source="correction.tournament.event_id",
        allow_null=True,
        help_text="Event ID of the corrected tournament, or null if data of the player were corrected.",
    )
    list = ListIdField(source="corrected_list", help_text="ID of the list that was recalculated.")
    kind = serializers.ChoiceField(LineKind.choices)
    difference = HundredthsField(source="difference_hundredths")


class CalculationSerializer(serializers.Serializer[Any]):
    """Calculation from the previous rating to the new one."""

    fide_id = serializers.IntegerField()
    list = serializers.CharField(help_text="ID of the list.")
    kind = serializers.ChoiceField(ListKind.choices)
    date = serializers.DateField()
    previous_rating = serializers.IntegerField(allow_null=True)
    base_rating = serializers.IntegerField(allow_null=True, help_text="Rating to which the change is added.")
    games = serializers.IntegerField()
    change = HundredthsField(help_text="Changes of all tournaments (K × sum), unrounded.")
    correction = HundredthsField(help_text="Adjustments because of corrections (decision D-11).")
    rounded_change = serializers.IntegerField(
        help_text=("Sum of both, rounded half away from zero (article 7.3.4).")
    )
    adjustment = serializers.IntegerField(
        help_text="Points by which the list adjusts all its ratings by a formula (decision D-133), mostly 0."
    )
    new_rating = serializers.IntegerField(allow_null=True)
    result = serializers.CharField(help_text="Key of `/reasons`.")
    provisional = serializers.BooleanField(
        help_text="Whether the list is not published yet, so that values can still change."
    )
    next_k = serializers.IntegerField(
        allow_null=True, help_text=("K-factor published on the list (decision D-4).")
    )
    next_k_reason = serializers.CharField(allow_null=True)
    events = EventSerializer(many=True)
    pool = PoolShareSerializer(many=True)
    initial = InitialSerializer(allow_null=True)
    corrections = CorrectionLineSerializer(many=True)

    def to_representation(self, instance: Explained) -> dict[str, Any]:
        """Return the calculation. Raise ValueError if the list did not calculate the player."""
        stored, entry, value = instance.calculation, instance.entry, instance.value
        if stored is None or value is None:
            raise ValueError("this list did not calculate the player")
        is_listed = entry is not None and instance.rating_now is not None
        return super().to_representation(
            {
                "fide_id": stored.player_id,
                "list": publication_id(instance.rating_list),
                "kind": instance.rating_list.kind,
                "date": instance.rating_list.date,
                "previous_rating": stored.previous_rating,
                "base_rating": value.base,
                "games": value.games,
                "change": value.change,
                "correction": value.correction,
                "rounded_change": value.rounded,
                "adjustment": instance.adjusted_points,
                "new_rating": value.rating if instance.rating_now is not None else None,
                "result": value.outcome,
                "provisional": instance.is_provisional,
                "next_k": entry.k_factor if entry and is_listed else None,
                "next_k_reason": entry.k_reason or None if entry and is_listed else None,
                "events": instance.events,
                "pool": value.pool,
                "initial": {"rules": value.initial_rules, **asdict(value.initial)} if value.initial else None,
                "corrections": instance.corrections,
            }
        )


class CalculationView(ResourceView):
    scope = PUBLIC

    @operation(
        "player_calculation",
        summary="Rating calculation of a player on a list, game by game",
        responses=CalculationSerializer,
    )
    def get(self, request: Request, fide_id: int, kind: str, date: str) -> HttpResponseBase:
        """Return the calculation. `latest` is the current list, `next` is the list that is not published yet.

        A merged FIDE ID that is not on the list redirects to the new one.
        """
        if date == NEXT:
            # Validated by its content: the next list changes between publications and has no version.
            return self.answer_body(_next_calculation(player_or_404(fide_id), kind).data)
        found = list_or_404(kind, date)
        player = player_or_404(fide_id)
        if player.merged_into_id and not is_known_to(found, fide_id):
            known = {"fide_id": player.merged_into_id, "kind": kind, "date": date}
            return HttpResponsePermanentRedirect(reverse("api:calculation", kwargs=known, request=request))
        return self.answer_from_lists(lambda: _calculation(player, found.pk), [found], "calculation", fide_id)


def _next_calculation(player: Player, kind: str) -> CalculationSerializer:
    lists = read_lists()
    found = next((item for item in so_far_of([player.pk], lists) if item.kind == kind), None)
    if found is None:
        raise NotFoundError("The next list so far has no new results or corrections for this player.")
    return CalculationSerializer(explained_so_far(player, found.kind, found.list_date, found, lists))


def _calculation(player: Player, list_id: int) -> Response:
    lists = read_lists()
    result = explain(player, lists.by_id[list_id], lists)
    if result.calculation is None:
        raise NotFoundError("No calculation: this list has no results or corrections for this player.")
    return Response(CalculationSerializer(result).data)
