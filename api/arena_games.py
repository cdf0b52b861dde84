"""`/arenas/{arena}/games`: games, sent by an arena's server with its token, public to read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from api.arenas import ArenaStepSerializer, ExactField, arena_or_404, own_arena, read_batch
from api.authentication import POST_GAMES, PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.media_types import GamesParser
from api.paging import PageParameters, keyset_page
from api.schema import operation, page_of
from arenas.choices import Colour
from arenas.entries import EntryError, GameEntry, read_game
from arenas.games import KNOWN, RECORDED, REFUSED, Recorded, SideShown, describe_game, games_of, record_games
from arenas.models import Arena, Game, Member
from core.html.paging import Keyset

NEWEST_FIRST = Keyset(("-played_at", "-pk"))
# Examples for the schema, with the games of docs/arenas.md.
GAME_EXAMPLE: dict[str, Any] = {
    "id": "g-1001",
    "played_at": "2026-03-01T12:30:00Z",
    "white": "ada",
    "black": "ben",
    "result": "1-0",
    "time_control": "15+10",
    "moves": 64,
}
WHOLE_GAME_EXAMPLE: dict[str, Any] = {
    **GAME_EXAMPLE,
    "id": "g-1002",
    "played_at": "2026-03-01T13:05:00Z",
    "white_rating_at_start": 1807,
    "black_rating_at_start": 1693,
    "disconnected": "black",
}
_STEP_EXAMPLE = {"key": "new-rating-3.9.2", "text": "From 1800.00 by 7.20 to 1807.20."}
_SIDES_EXAMPLE: dict[str, Any] = {
    "white": {
        "handle": "ada",
        "rating_at_start": None,
        "before": "1800.00",
        "after": "1807.20",
        "change": "7.20",
        "steps": [_STEP_EXAMPLE],
    },
    "black": {
        "handle": "ben",
        "rating_at_start": None,
        "before": "1700.00",
        "after": "1692.80",
        "change": "-7.20",
        "steps": [{**_STEP_EXAMPLE, "text": "From 1700.00 by -7.20 to 1692.80."}],
    },
}
ANSWER_EXAMPLE: dict[str, Any] = {
    "recorded": 1,
    "known": 0,
    "refused": 0,
    "rated": 1,
    "late": 0,
    "games": [
        {
            "id": "g-1001",
            "status": "recorded",
            "reasons": [],
            "game": {
                "id": "g-1001",
                "number": 17,
                "played_at": "2026-03-01T12:30:00Z",
                "result": "1-0",
                "time_control": "15+10",
                "category": "rapid",
                "moves": 64,
                "disconnected": "",
                "rated": True,
                "unrated": "",
                "reason": "",
                "late": False,
                "cancelled_at": None,
                **_SIDES_EXAMPLE,
                "url": "http://localhost:8000/api/v1/arenas/foa-rbb/games/17",
            },
        }
    ],
}


class GameParameters(PageParameters):
    id = serializers.CharField(
        required=False, max_length=100, help_text="The game with this ID of the arena."
    )
    member = serializers.IntegerField(
        required=False, min_value=1, max_value=2**63 - 1, help_text=("Games of the member with this number.")
    )


class ArenaSideSerializer(serializers.Serializer[SideShown]):
    """Rating change of one player in a game."""

    handle = serializers.CharField(source="member.handle")
    rating_at_start = serializers.IntegerField(allow_null=True)
    before = ExactField()
    after = ExactField()
    change = ExactField(help_text="Null if the member was unrated before or after.")
    steps = ArenaStepSerializer(many=True)


def _instant(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None


def _side(side: SideShown) -> dict[str, Any]:
    return {
        "handle": side.member.handle,
        "rating_at_start": side.rating_at_start,
        "before": side.before,
        "after": side.after,
        "change": side.change,
        "steps": [{"key": step.key, "text": step.text} for step in side.steps],
    }


class ArenaGameSerializer(serializers.Serializer[Game]):
    """A finished game as sent by the arena, with its rating."""

    id = serializers.CharField(help_text="The ID that the arena gave to the game.")
    number = serializers.IntegerField(help_text="Number that the portal gave, part of the URL.")
    played_at = serializers.DateTimeField(help_text="The end of the game.")
    result = serializers.CharField()
    time_control = serializers.CharField()
    category = serializers.CharField(help_text="Empty if the arena has no category for it.")
    moves = serializers.IntegerField()
    disconnected = serializers.CharField(help_text="`white`, `black` or empty.")
    rated = serializers.BooleanField(read_only=True, help_text="Whether the game is rated.")
    unrated = serializers.CharField(
        help_text="Key of the reason why the game is not rated. Empty for a rated game."
    )
    reason = serializers.CharField(help_text="The reason in words.")
    late = serializers.BooleanField(
        help_text="The game ended before another game that was already rated when this one arrived."
    )
    cancelled_at = serializers.DateTimeField(allow_null=True)
    white = ArenaSideSerializer()
    black = ArenaSideSerializer()
    url = serializers.URLField(read_only=True)

    def to_representation(self, instance: Game) -> dict[str, Any]:
        """Return the fields as a literal: for 1,000 games, serializer fields cost more than the rating."""
        game = describe_game(self.context["arena"].rules, instance)
        return {
            "id": instance.arena_game_id,
            "number": instance.pk,
            "played_at": _instant(instance.played_at),
            "result": instance.result,
            "time_control": instance.time_control,
            "category": instance.category,
            "moves": instance.moves,
            "disconnected": instance.disconnected,
            "rated": not instance.unrated,
            "unrated": instance.unrated,
            "reason": game.reason,
            "late": instance.is_late,
            "cancelled_at": _instant(instance.cancelled_at),
            "white": _side(game.white),
            "black": _side(game.black),
            "url": f"{self._first_part_of_url}{instance.pk}",
        }

    @cached_property
    def _first_part_of_url(self) -> str:
        # One look-up for the up to 1,000 games of an answer.
        places = {"arena": self.context["arena"].slug, "number": 0}
        return reverse("api:arena_game", kwargs=places, request=self.context["request"]).removesuffix("0")


class AnswerSerializer(serializers.Serializer[Any]):
    """Result for one game of the request, in the order sent."""

    id = serializers.CharField(
        allow_null=True, help_text="The ID that was sent, or null if it could not be read."
    )
    status = serializers.ChoiceField(
        ["recorded", "known", "refused"],
        help_text="`known`: the same game was already recorded. Nothing changed.",
    )
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why the game was refused.")
    game = serializers.SerializerMethodField(help_text="The rated game, or null if it was refused.")

    @extend_schema_field({"oneOf": [{"$ref": "#/components/schemas/ArenaGame"}, {"type": "null"}]})
    def get_game(self, row: Any) -> Any:
        return row["game"]


class ArenaBatchSerializer(serializers.Serializer[Any]):
    """Response to a request with games: the number of games and the result of each."""

    recorded = serializers.IntegerField()
    known = serializers.IntegerField()
    refused = serializers.IntegerField()
    rated = serializers.IntegerField(help_text="Number of games recorded by this request.")
    late = serializers.IntegerField(help_text="Number of games recorded by this request.")
    games = AnswerSerializer(many=True)


class SentGameSerializer(serializers.Serializer[Any]):
    """A finished game as an arena sends it."""

    id = serializers.CharField(
        max_length=100, help_text=("The ID that the arena gave to the game. A game is recorded once.")
    )
    played_at = serializers.DateTimeField(help_text="End of the game, with UTC offset.")
    white = serializers.CharField(max_length=60, help_text="Username of White.")
    black = serializers.CharField(max_length=60, help_text="Username of Black.")
    result = serializers.ChoiceField(["1-0", "0-1", "1/2-1/2"])
    time_control = serializers.CharField(help_text="Minutes plus seconds per move, for example `10+5`.")
    moves = serializers.IntegerField(help_text="Number of moves, White and Black counted separately.")
    white_rating_at_start = serializers.IntegerField(required=False, allow_null=True)
    black_rating_at_start = serializers.IntegerField(required=False, allow_null=True)
    disconnected = serializers.ChoiceField(
        Colour.choices,
        required=False,
        allow_null=True,
        help_text="The player who was away for more than 60 seconds.",
    )


class GamesView(ResourceView):
    scope = {"GET": PUBLIC, "POST": POST_GAMES}
    Parameters = GameParameters
    parser_classes = [GamesParser]

    @operation(
        "arena_games", summary="Games of an arena, newest first", responses=page_of(ArenaGameSerializer)
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return a page of games with the calculation for both players."""
        found = arena_or_404(arena)
        # Not looked up: a number without a member has no games, which is the answer.
        member = Member(pk=self.query["member"], arena=found) if "member" in self.query else None
        games = games_of(found, member=member, game_id=self.query.get("id", ""))
        return keyset_page(self, NEWEST_FIRST, games, self.serialize(ArenaGameSerializer, arena=found))

    @operation(
        "post_arena_games",
        summary="Record and rate finished games",
        request=SentGameSerializer(many=True),
        responses=ArenaBatchSerializer,
        examples=[
            OpenApiExample("a game", value=GAME_EXAMPLE, request_only=True),
            OpenApiExample("with all fields", value=WHOLE_GAME_EXAMPLE, request_only=True),
            OpenApiExample("the response", value=ANSWER_EXAMPLE, response_only=True),
        ],
    )
    def post(self, request: Request, arena: str) -> HttpResponseBase:
        """Record one game or a list of up to 1,000 games. The response has one result per game, in the same order.

        Games are rated in the order of their end, in one transaction. A known game changes nothing. An
        invalid game is refused, the others are recorded. Requires `Authorization: Bearer TOKEN`.
        """
        found = own_arena(self, arena)
        answers = _record(found, read_batch(request.data, "games"), at=timezone.now())
        body = _batch_body(self.serialize(ArenaGameSerializer, arena=found)(), answers)
        return Response(ArenaBatchSerializer(body).data)


class GameView(ResourceView):
    scope = PUBLIC

    @operation("arena_game", summary="One game with its rating calculation", responses=ArenaGameSerializer)
    def get(self, request: Request, arena: str, number: int) -> HttpResponseBase:
        """Return one game."""
        found = arena_or_404(arena)
        game = games_of(found).filter(pk=number).first()
        if game is None:
            raise NotFoundError(f"{found.slug} has no game {number}.")
        return Response(self.serialize(ArenaGameSerializer, arena=found)(game).data)


def _record(arena: Arena, sent: Sequence[Any], *, at: datetime) -> list[Recorded]:
    """Record the valid games. The answers are in the order sent."""
    answers: dict[int, Recorded] = {}
    entries: dict[int, GameEntry] = {}
    for place, row in enumerate(sent):
        try:
            entries[place] = read_game(row)
        except EntryError as error:
            # One game that cannot be read does not hold up the others of its batch.
            answers[place] = Recorded(_sent_id(row), REFUSED, reasons=error.reasons)
    recorded = record_games(arena, list(entries.values()), at=at)
    answers.update(zip(entries, recorded, strict=True))
    return [answers[place] for place in range(len(sent))]


def _sent_id(row: Any) -> str:
    found = row.get("id") if isinstance(row, dict) else None
    return str(found)[:100] if isinstance(found, str | int) else ""


def _batch_body(game_serializer: Any, answers: Sequence[Recorded]) -> dict[str, Any]:
    """Return the answer to a batch. A game that the batch repeats counts as known."""
    recorded = [answer.game for answer in answers if answer.game and answer.status == RECORDED]
    games = [
        {
            "id": answer.id or None,
            "status": answer.status,
            "reasons": answer.reasons,
            "game": game_serializer.to_representation(answer.game) if answer.game else None,
        }
        for answer in answers
    ]
    return {
        "recorded": len(recorded),
        "known": sum(answer.status == KNOWN for answer in answers),
        "refused": sum(answer.status == REFUSED for answer in answers),
        "rated": sum(not game.unrated for game in recorded),
        "late": sum(game.is_late for game in recorded),
        "games": games,
    }
