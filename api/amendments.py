"""`/tournaments/{event_id}/amendments`: correct results of a report, or ask for it, with the effect first."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import SUBMIT
from api.base import ResourceView
from api.media_types import ObjectParser
from api.schema import operation
from api.tournaments import reported_tournament_or_404
from core.acts import Act
from core.web.heavy_work import heavy_work
from ratings.amend.amend import amend
from ratings.amend.effect import effect_as_json
from ratings.amend.standing import Way, standing_for
from tournaments.amendments import OfOneGame
from tournaments.changed_meanwhile import seen_of
from tournaments.models import Report

MOST = 100
WHAT = (
    "Amendments of games, each with `what`, `round` and the starting rank of `white`. `result` has `result`, "
    "`opponent` has `seat` (w or b) and `other`, `person` has `seat` and `fide_id`. FIDE staff have `not-rated` with "
    "`why` and `reference` too. `colours` exchanges the colours."
)


class AmendingSerializer(serializers.Serializer[Any]):
    """What is amended of the games of a report, and why."""

    amendments = serializers.ListField(
        child=serializers.DictField(), min_length=1, max_length=MOST, help_text=WHAT
    )
    reason = serializers.CharField(max_length=2000, help_text="Public if the tournament is published.")
    dry_run = serializers.BooleanField(default=False, help_text="Return the effect and save nothing.")
    seen = serializers.CharField(
        max_length=20,
        required=False,
        allow_null=True,
        default=None,
        help_text="`seen` of an earlier answer: refused if the tournament was changed since.",
    )

    def validate_amendments(self, value: list[Any]) -> list[OfOneGame]:
        """Return the amendments. Raise ValidationError, which names the place, for what is none."""
        try:
            return msgspec.convert(value, list[OfOneGame])
        except msgspec.ValidationError as error:
            raise serializers.ValidationError(str(error)) from error


class FiguresSerializer(serializers.Serializer[Any]):
    """The figures of a player on a list."""

    games = serializers.IntegerField()
    change = serializers.IntegerField(help_text="Hundredths of a point.")
    rating = serializers.IntegerField(allow_null=True)
    result = serializers.CharField()


class AmendedPlayerSerializer(serializers.Serializer[Any]):
    """A player whose figures differ, on a published list or on the next one (`list` null)."""

    fide_id = serializers.IntegerField()
    kind = serializers.CharField()
    list = serializers.CharField(allow_null=True)
    before = FiguresSerializer()
    after = FiguresSerializer()


class TakenSerializer(serializers.Serializer[Any]):
    """What the next list adds to the rating of a player, in points and in hundredths (decisions D-101, D-145)."""

    fide_id = serializers.IntegerField()
    kind = serializers.CharField()
    points = serializers.IntegerField()
    difference = serializers.IntegerField()
    rounding = serializers.IntegerField()


class AmendedSerializer(serializers.Serializer[Any]):
    """What came of amendments, and their effect."""

    becomes = serializers.ChoiceField(
        [way.value for way in Way],
        help_text="`save`: next version. `send`: arbiter's file. `accept`: accepted version. `published`: adjustment "
        "on the next list. `request`: another person decides.",
    )
    version = serializers.IntegerField(allow_null=True)
    cases = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of the records or requests."
    )
    seen = serializers.CharField()
    lists = serializers.ListField(child=serializers.CharField())
    players = AmendedPlayerSerializer(many=True)
    taken = TakenSerializer(many=True)
    warnings = serializers.ListField(child=serializers.CharField())


class AmendmentsView(ResourceView):
    scope = SUBMIT
    parser_classes = [ObjectParser]

    @operation(
        "amend_report",
        summary="Correct results of the report, or request it",
        request=AmendingSerializer,
        responses=AmendedSerializer,
        examples=[
            OpenApiExample(
                "a draw instead of a win",
                value={
                    "amendments": [{"what": "result", "round": 3, "white": 4, "result": "1/2-1/2"}],
                    "reason": "Both score sheets say draw.",
                    "dry_run": True,
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, event_id: str) -> HttpResponseBase:
        """Amend games of the current report, and return the effect. Required permission: `submit`.

        What becomes of it follows from the stage of the tournament and from who asks: the next version, an accepted
        version, an adjustment on the next list, or a request on which another person decides.
        """
        tournament = reported_tournament_or_404(self.token, event_id)
        body = AmendingSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        act = Act(self.token.user, timezone.now(), said["reason"])
        standing = standing_for(act.by, tournament)
        # Before the effect: what comes between is not in it, and the next call says so.
        seen = said["seen"] or seen_of(tournament)
        with heavy_work(request):
            effect = amend(tournament, said["amendments"], act, seen=seen, is_dry_run=said["dry_run"])
        told = {
            "becomes": standing.way if standing else Way.REQUEST,
            "version": effect.made.version
            if isinstance(effect.made, Report) and not said["dry_run"]
            else None,
            "cases": [record.number for record in effect.records],
            "seen": seen if said["dry_run"] else seen_of(tournament),
        }
        return Response(AmendedSerializer(told | effect_as_json(effect)).data)
