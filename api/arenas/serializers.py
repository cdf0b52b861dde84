"""The form of the API's answers about arenas."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest
from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from arenas.choices import Colour
from arenas.models import Arena, ArenaList, Change, Member
from arenas.queries.explanations import Sentence, sentences
from arenas.queries.games import GameShown, SideShown
from arenas.queries.ranking import Row

EXACT: dict[str, Any] = {"type": ["string", "null"], "pattern": r"^-?\d+(\.\d+)?$", "example": "1807.20"}
URI: dict[str, Any] = {"type": "string", "format": "uri"}


@extend_schema_field(EXACT)
class ExactField(serializers.Field[Any, Any, Any, Any]):
    """An exact decimal as text, null without a rating."""

    def to_representation(self, value: Any) -> Any:
        """Return the text."""
        return value


def address(name: str, request: HttpRequest | None, **places: Any) -> str:
    """Return an address of the API."""
    return reverse(f"arenas-api:{name}", kwargs=places, request=request)


class ArenaSerializer(serializers.ModelSerializer[Arena]):
    """An arena with its parameters."""

    categories = serializers.ListField(child=serializers.CharField())
    time_controls = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="The time controls of rated games by category; empty where every one is rated.",
    )
    parameters = serializers.DictField(help_text="What staff have set beside the system's own rules.")
    day_done = serializers.DateField(allow_null=True, help_text="The last UTC day that was ended.")
    url = serializers.SerializerMethodField()

    class Meta:
        model = Arena
        fields = ["slug", "name", "system", "categories", "time_controls", "parameters", "day_done", "url"]

    @extend_schema_field(URI)
    def get_url(self, row: Arena) -> str:
        """Return the address of the arena."""
        return address("arena", self.context.get("request"), arena=row.slug)


class ArenaRowSerializer(serializers.Serializer[Row]):
    """A member on a list, as `arena_list` prints it."""

    handle = serializers.CharField()
    category = serializers.CharField()
    rating = ExactField(help_text="The exact rating; null for an unrated member.")
    shown = serializers.IntegerField(allow_null=True, help_text="The whole number that is displayed.")
    games = serializers.IntegerField()
    provisional = serializers.BooleanField()


class ListOnDemandSerializer(serializers.Serializer[Any]):
    arena = serializers.CharField()
    at = serializers.DateTimeField(
        allow_null=True, help_text="The instant asked for; null: up to the last result."
    )
    results = ArenaRowSerializer(many=True)


class MonthlyListSerializer(serializers.ModelSerializer[ArenaList]):
    """A monthly list, which stays as it was published."""

    date = serializers.DateField()
    listed = serializers.IntegerField(help_text="Rated entries.")
    sha256 = serializers.CharField(help_text="SHA-256 of the JSON file.")
    url = serializers.SerializerMethodField()

    class Meta:
        model = ArenaList
        fields = ["date", "published_at", "listed", "sha256", "url"]

    @extend_schema_field(URI)
    def get_url(self, row: ArenaList) -> str:
        """Return the address of the list's JSON file."""
        slug = self.context["arena"].slug
        return reverse("arenas:file", args=[slug, row.date, "json"], request=self.context.get("request"))


class ArenaRatingSerializer(serializers.Serializer[Any]):
    """A member's rating in one category."""

    category = serializers.CharField()
    rating = ExactField()
    shown = serializers.IntegerField(allow_null=True)
    games = serializers.IntegerField()
    provisional = serializers.BooleanField()


class ArenaMemberSerializer(serializers.ModelSerializer[Member]):
    """A member; `id` stays, whatever the handle."""

    handle = serializers.CharField()
    fide_id = serializers.IntegerField(source="player_id", allow_null=True)
    full_member = serializers.BooleanField(source="is_full_member")
    joined = serializers.DateField()
    left = serializers.DateField(allow_null=True)
    url = serializers.SerializerMethodField()

    class Meta:
        model = Member
        fields = ["id", "handle", "fide_id", "full_member", "joined", "left", "url"]

    @extend_schema_field(URI)
    def get_url(self, row: Member) -> str:
        """Return the address of the member."""
        slug = self.context["arena"].slug
        return address("member", self.context.get("request"), arena=slug, number=row.pk)


class ArenaMemberDetailSerializer(ArenaMemberSerializer):
    """A member with the live rating of every category."""

    ratings = serializers.SerializerMethodField()
    history_url = serializers.SerializerMethodField()

    class Meta(ArenaMemberSerializer.Meta):
        fields = [*ArenaMemberSerializer.Meta.fields, "ratings", "history_url"]

    @extend_schema_field(ArenaRatingSerializer(many=True))
    def get_ratings(self, row: Member) -> Any:
        """Return the ratings in the order of the arena's categories."""
        return ArenaRatingSerializer(self.context["ratings"], many=True).data

    @extend_schema_field(URI)
    def get_history_url(self, row: Member) -> str:
        """Return the address of the history."""
        slug = self.context["arena"].slug
        return address("history", self.context.get("request"), arena=slug, number=row.pk)


class ArenaStepSerializer(serializers.Serializer[Sentence]):
    """One step of an explanation."""

    key = serializers.CharField()
    text = serializers.CharField()


class ArenaChangeSerializer(serializers.ModelSerializer[Change]):
    """One change of a member's rating."""

    category = serializers.CharField(source="rating.category")
    number = serializers.IntegerField(
        help_text="Counts the changes of the category in the order of their making."
    )
    cause = serializers.CharField(help_text="`first`, `game`, `day`, `list` or `cancelled`.")
    before = serializers.SerializerMethodField()
    after = serializers.SerializerMethodField()
    game = serializers.SerializerMethodField(help_text="The arena's id of the game, null without one.")
    steps = serializers.SerializerMethodField()

    class Meta:
        model = Change
        fields = [
            *("category", "number", "cause", "effective_at", "recorded_at"),
            *("before", "after", "game", "steps"),
        ]

    @extend_schema_field(EXACT)
    def get_before(self, row: Change) -> str | None:
        """Return the exact rating before."""
        return self._exact(row.before)

    @extend_schema_field(EXACT)
    def get_after(self, row: Change) -> str | None:
        """Return the exact rating after."""
        return self._exact(row.after)

    @extend_schema_field({"type": ["string", "null"]})
    def get_game(self, row: Change) -> str | None:
        """Return the arena's own id of the game."""
        return str(row.game.arena_game_id) if row.game else None

    @extend_schema_field(ArenaStepSerializer(many=True))
    def get_steps(self, row: Change) -> Any:
        """Return the steps in words."""
        steps: Any = sentences(self.context["arena"].rules, row.steps)
        return ArenaStepSerializer(steps, many=True).data

    def _exact(self, hundredths: int | None) -> str | None:
        found: str | None = self.context["arena"].rules.exact(hundredths)
        return found


class ArenaSideSerializer(serializers.Serializer[SideShown]):
    """What a game did to one of its players."""

    handle = serializers.CharField(source="member.handle")
    rating_at_start = serializers.IntegerField(allow_null=True)
    before = ExactField()
    after = ExactField()
    change = ExactField(help_text="Null where there was no rating before or after.")
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


class ArenaGameSerializer(serializers.Serializer[GameShown]):
    """A finished game, as the arena told it and as it was rated."""

    id = serializers.CharField(source="game.arena_game_id", help_text="The arena's own id.")
    number = serializers.IntegerField(source="game.pk", help_text="The portal's number, part of the address.")
    played_at = serializers.DateTimeField(source="game.played_at", help_text="The end of the game.")
    result = serializers.CharField(source="game.result")
    time_control = serializers.CharField(source="game.time_control")
    category = serializers.CharField(
        source="game.category", help_text="Empty where the arena has none for it."
    )
    moves = serializers.IntegerField(source="game.moves")
    disconnected = serializers.CharField(source="game.disconnected", help_text="`white`, `black`, or empty.")
    rated = serializers.SerializerMethodField()
    unrated = serializers.CharField(
        source="game.unrated", help_text="The key of the reason why it is not rated, empty for a rated game."
    )
    reason = serializers.CharField(help_text="That reason in words.")
    late = serializers.BooleanField(
        source="game.is_late", help_text="It ended before another that was rated already when this one came."
    )
    cancelled_at = serializers.DateTimeField(source="game.cancelled_at", allow_null=True)
    white = ArenaSideSerializer()
    black = ArenaSideSerializer()
    url = serializers.SerializerMethodField()

    def to_representation(self, instance: GameShown) -> dict[str, Any]:
        """Return the members by hand: a batch has a thousand games, and field by field costs more than rating them."""
        game = instance.game
        return {
            "id": game.arena_game_id,
            "number": game.pk,
            "played_at": _instant(game.played_at),
            "result": game.result,
            "time_control": game.time_control,
            "category": game.category,
            "moves": game.moves,
            "disconnected": game.disconnected,
            "rated": not game.unrated,
            "unrated": game.unrated,
            "reason": instance.reason,
            "late": game.is_late,
            "cancelled_at": _instant(game.cancelled_at),
            "white": _side(instance.white),
            "black": _side(instance.black),
            "url": self.get_url(instance),
        }

    def get_rated(self, row: GameShown) -> bool:
        """Return whether the game counts."""
        return not row.game.unrated

    @extend_schema_field(URI)
    def get_url(self, row: GameShown) -> str:
        """Return the address of the game."""
        return f"{self._base}{row.game.pk}"

    @cached_property
    def _base(self) -> str:
        slug = self.context["arena"].slug
        return address("game", self.context.get("request"), arena=slug, number=0).removesuffix("0")


class AnswerSerializer(serializers.Serializer[Any]):
    """What became of one game of a batch, in the order sent."""

    id = serializers.CharField(
        allow_null=True, help_text="The id that was sent; null where none could be read."
    )
    status = serializers.ChoiceField(
        ["recorded", "known", "refused"],
        help_text="`known`: the same game was recorded before, and nothing changed.",
    )
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why it is refused.")
    game = serializers.SerializerMethodField(help_text="The game as it is rated; null where it is refused.")

    @extend_schema_field({"oneOf": [{"$ref": "#/components/schemas/ArenaGame"}, {"type": "null"}]})
    def get_game(self, row: Any) -> Any:
        """Return the game."""
        return row["game"]


class ArenaBatchSerializer(serializers.Serializer[Any]):
    """The answer to a batch: how many games came in, and what became of each."""

    recorded = serializers.IntegerField()
    known = serializers.IntegerField()
    refused = serializers.IntegerField()
    rated = serializers.IntegerField(help_text="Of those recorded now.")
    late = serializers.IntegerField(help_text="Of those recorded now.")
    games = AnswerSerializer(many=True)


class SentGameSerializer(serializers.Serializer[Any]):
    """A finished game as an arena sends it."""

    id = serializers.CharField(max_length=100, help_text="The arena's own id: a game is recorded once.")
    played_at = serializers.DateTimeField(help_text="The end of the game, with its offset.")
    white = serializers.CharField(max_length=60, help_text="White's handle.")
    black = serializers.CharField(max_length=60, help_text="Black's handle.")
    result = serializers.ChoiceField(["1-0", "0-1", "1/2-1/2"])
    time_control = serializers.CharField(help_text="Minutes and seconds a move: `10+5`.")
    moves = serializers.IntegerField(help_text="Single moves of either side.")
    white_rating_at_start = serializers.IntegerField(required=False, allow_null=True)
    black_rating_at_start = serializers.IntegerField(required=False, allow_null=True)
    disconnected = serializers.ChoiceField(
        Colour.choices,
        required=False,
        allow_null=True,
        help_text="Who was away for more than 60 seconds.",
    )
