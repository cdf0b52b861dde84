"""`/games`: the games that lists took, by player, tournament or date of the list."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Exists, OuterRef
from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from api.authentication import PUBLIC
from api.base import ResourceView
from api.fields import HundredthsField
from api.paging import PageParameters, first_of_cursor, keyset_page
from api.schema import day_parameter, operation, page_of
from core.html.paging import Keyset
from players.fide_list.values import MAX_FIDE_ID
from players.minors import Minors, minors_for
from ratings.choices import Origin
from ratings.games import COLUMNS, GAME, games_of_player, hidden_ids, paired, rows_of, with_events
from ratings.models import ParticipantRating, TournamentRating
from ratings.records import former_ids
from tournaments.models import Game

KEYSET = Keyset(("report", "round", "white"))
FIELDS = {
    "string": serializers.CharField,
    "integer": serializers.IntegerField,
    "date": serializers.DateField,
    "boolean": serializers.BooleanField,
    "number": HundredthsField,
}


class GamesParameters(PageParameters):
    """The games to return: `player`, `event` or `since`, or several of them."""

    player = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_FIDE_ID, help_text="Games of the player with this FIDE ID."
    )
    event = serializers.CharField(
        required=False, max_length=40, help_text="Games of the tournament with this event ID."
    )
    since = day_parameter(help_text="Games of lists dated this day or later.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.keys().isdisjoint(("player", "event", "since")):
            raise serializers.ValidationError({"since": "Send `player`, `event` or `since`."})
        return attrs


class PublishedGameSerializer(serializers.Serializer[Any]):
    """A game of a report as a list took it, with its rating for both players."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return a field for each column of the files of games."""
        return {
            name: FIELDS[kind](help_text=about, allow_null=kind in ("integer", "number") and name != "round")
            for name, (kind, about) in COLUMNS.items()
        }


class GamesView(ResourceView):
    scope = PUBLIC
    Parameters = GamesParameters

    @operation(
        "games",
        summary="Games that lists include, with their rating",
        responses=page_of(PublishedGameSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return a page of games by player, tournament or list, or by several of them.

        The games of a month are a file, too: `/data/` on this site. Corrections made later do not change them.
        """
        minors, games = minors_for(request._request), paired(Game.objects.all())
        # Of those in an imported list FIDE's own calculation is not known (D-142).
        ratings = TournamentRating.objects.filter(included_in__origin=Origin.PUBLISHED)
        if "since" in self.query:
            ratings = ratings.filter(included_in__date__gte=self.query["since"])
        if "event" in self.query:
            ratings = ratings.filter(report__tournament__event_id=self.query["event"])
        if "player" in self.query:
            ids = _ids_of(self.query["player"], minors)
            games = games.filter(games_of_player(ids))
            ratings = ratings.filter(
                pk__in=ParticipantRating.objects.filter(player__in=ids).values("tournament_rating")
            )
        # As many reports as a page has games at most: the database need not go through those of all lists.
        ratings = ratings.filter(
            Exists(games.filter(report=OuterRef("report"))), report__gte=first_of_cursor(self.query)
        )
        chosen = list(with_events(ratings).order_by("report")[: self.query["limit"] + 2])

        def hide(ids: Collection[int]) -> Collection[int]:
            return hidden_ids(ids, minors)

        def serialize(found: Any, *, many: bool) -> PublishedGameSerializer:
            shown = {game["report"] for game in found}
            ratings_shown = [rating for rating in chosen if rating.report_id in shown]
            rows = [dict(zip(COLUMNS, row, strict=True)) for row in rows_of(found, ratings_shown, hide)]
            return PublishedGameSerializer(rows, many=many)

        found = games.filter(report__in=[rating.report_id for rating in chosen])
        return self.answer_made(keyset_page(self, KEYSET, found.values(*GAME), serialize))


def _ids_of(fide_id: int, minors: Minors) -> list[int]:
    """Return the FIDE IDs of a player, none of a minor whose ID the games do not show."""
    ids = [fide_id, *former_ids(fide_id)]
    return [] if hidden_ids(ids, minors) else ids
