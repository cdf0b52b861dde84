"""Games of arenas: posted by their servers with a token, read by everybody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import NotAuthenticated, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.arenas.base import ArenaAPIView, GameParameters, arena_or_404
from api.arenas.examples import ANSWER, GAME, WHOLE_GAME
from api.arenas.parsers import GamesParser
from api.arenas.serializers import ArenaBatchSerializer, ArenaGameSerializer, SentGameSerializer
from api.base import page
from api.cursors import Key, Order
from api.errors import NotFoundError
from api.schema import paged
from arenas.entries import EntryError, GameEntry, read_game
from arenas.models import Arena, Member
from arenas.queries.games import games_of, shown
from arenas.queries.lookup import find_game
from arenas.services.games import KNOWN, RECORDED, REFUSED, Recorded, record_games
from arenas.services.tokens import token_arena

MOST_GAMES = 1_000
NEWEST_FIRST = Order((Key("played_at", datetime, is_falling=True), Key("pk", int, is_falling=True)))
NO_BATCH = 'Send a game, a list of games, or {"games": [...]}.'
READ = ("GET", "HEAD", "OPTIONS")


class GamesView(ArenaAPIView):
    Parameters = GameParameters
    parser_classes = [GamesParser]

    def scope_of(self, request: Request) -> str:
        """Count batches apart."""
        return "read" if request.method in READ else "games"

    def get_authenticate_header(self, request: Request) -> str:
        """Return what WWW-Authenticate says where no token came."""
        return "Bearer"

    @extend_schema(
        operation_id="arena_games",
        tags=["arenas"],
        summary="The games of an arena, the newest first",
        parameters=[GameParameters],
        responses=paged(ArenaGameSerializer),
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return a page of games, each explained for both players."""
        values = self.parameters(request)
        found = arena_or_404(arena)
        member = Member(pk=values["member"], arena=found) if "member" in values else None
        games = games_of(found, member=member, game_id=values.get("id", ""))
        rows, cursor = NEWEST_FIRST.take(games, values.get("cursor", ""), values["limit"])
        serializer = self.of_arena(found, ArenaGameSerializer)
        return page(request, [shown(found.rules, row) for row in rows], cursor, serializer)

    @extend_schema(
        operation_id="post_arena_games",
        tags=["arenas"],
        summary="Record and rate finished games, each once",
        parameters=[],
        request=SentGameSerializer(many=True),
        responses=ArenaBatchSerializer,
        auth=[{"arenaToken": []}],  # type: ignore[list-item]
        examples=[
            OpenApiExample("a game", value=GAME, request_only=True),
            OpenApiExample("with all that an arena may tell", value=WHOLE_GAME, request_only=True),
            OpenApiExample("the answer", value=ANSWER, response_only=True),
        ],
    )
    def post(self, request: Request, arena: str) -> HttpResponseBase:
        """Take a list of up to 1,000 games, or a single one, and answer each in the order sent.

        They are rated in the order of their end, in one transaction. A known game changes nothing; one that
        cannot be used is refused alone. Needs `Authorization: Bearer TOKEN`.
        """
        if request.query_params:
            raise ValidationError(dict.fromkeys(request.query_params, "There is no such parameter here."))
        now = timezone.now()
        found = _arena_of_token(request, arena_or_404(arena), at=now)
        answers = _recorded(found, _sent(request.data), at=now)
        return Response(self.of_arena(found, ArenaBatchSerializer)(_batch(self, found, answers)).data)


class GameView(ArenaAPIView):
    @extend_schema(
        operation_id="arena_game",
        tags=["arenas"],
        summary="A game with every step of its rating",
        responses=ArenaGameSerializer,
    )
    def get(self, request: Request, arena: str, number: int) -> HttpResponseBase:
        """Return one game."""
        self.parameters(request)
        found = arena_or_404(arena)
        try:
            game = find_game(found, number)
        except LookupError:
            raise NotFoundError(f"{found.slug} has no game {number}.") from None
        return Response(self.of_arena(found, ArenaGameSerializer)(shown(found.rules, game)).data)


def _arena_of_token(request: Request, arena: Arena, *, at: datetime) -> Arena:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NotAuthenticated("Send the arena's token: Authorization: Bearer TOKEN.")
    owner = token_arena(token.strip(), at=at)
    if owner is None:
        raise NotAuthenticated("The token is unknown or revoked.")
    if owner.pk != arena.pk:
        raise PermissionDenied(f"The token is that of {owner.slug}.")
    return arena


def _sent(data: Any) -> list[Any]:
    """Return the games of a body."""
    if isinstance(data, dict) and data:
        data = data["games"] if set(data) == {"games"} else [data]
    if not isinstance(data, list) or not data:
        raise ValidationError({"games": NO_BATCH})
    if len(data) > MOST_GAMES:
        raise ValidationError({"games": f"A batch has at most {MOST_GAMES} games; this one has {len(data)}."})
    return data


def _recorded(arena: Arena, sent: Sequence[Any], *, at: datetime) -> list[Recorded]:
    """Record what can be read; answers stand in the order sent."""
    answers: dict[int, Recorded] = {}
    entries: dict[int, GameEntry] = {}
    for place, row in enumerate(sent):
        try:
            entries[place] = read_game(row)
        except EntryError as error:
            answers[place] = Recorded(_id_of(row), REFUSED, reasons=error.reasons)
    recorded = record_games(arena, list(entries.values()), at=at)
    answers.update(zip(entries, recorded, strict=True))
    return [answers[place] for place in range(len(sent))]


def _id_of(row: Any) -> str:
    found = row.get("id") if isinstance(row, dict) else None
    return str(found)[:100] if isinstance(found, str | int) else ""


def _batch(view: ArenaAPIView, arena: Arena, answers: Sequence[Recorded]) -> dict[str, Any]:
    """Return the answer to a batch; a game recorded and sent again within it counts as known."""
    serializer = view.of_arena(arena, ArenaGameSerializer)()
    recorded = [answer.game for answer in answers if answer.game and answer.status == RECORDED]
    games = [
        {
            "id": answer.id or None,
            "status": answer.status,
            "reasons": answer.reasons,
            "game": serializer.to_representation(shown(arena.rules, answer.game)) if answer.game else None,
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
