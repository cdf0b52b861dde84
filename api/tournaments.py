"""`/tournaments`: registrations, and results once a list includes them. Drafts are never shown."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import FOLLOW, PUBLIC, REGISTER
from api.base import ResourceView
from api.calculations import RoundSerializer, StandingSerializer, standing_at_start
from api.errors import NotFoundError
from api.fields import HalfPointsField, HundredthsField, ListIdField
from api.media_types import ObjectParser
from api.paging import (
    CursorParameters,
    PageParameters,
    cursor_page_number,
    keyset_page,
    number_cursor,
    page_response,
)
from api.registrations import REGISTRATION, RegistrationSerializer, register
from api.schema import day_parameter, federation_parameter, operation, page_of
from core.html.paging import Keyset
from players.fide_list.values import MAX_FIDE_ID
from ratings.events import (
    CALENDAR_ORDER,
    CalendarFilter,
    published_rating,
    standings_of,
    tournaments_in,
)
from ratings.lists import read_lists
from ratings.models import TournamentRating
from ratings.played import PlayedEvent
from tournaments.choices import Kind, Registration, Stage
from tournaments.entries import public_entry_counts
from tournaments.models import OfficerToken, Tournament
from tournaments.permissions import can_report
from tournaments.registration import day_warnings
from tournaments.states import progress_of

KEYSET = Keyset(CALENDAR_ORDER)


class TournamentParameters(PageParameters):
    federation = federation_parameter()
    kind = serializers.ChoiceField(Kind.choices, required=False, help_text="`rapid` or `blitz`.")
    registration = serializers.ChoiceField(
        Registration.choices, required=False, help_text="State of the registration."
    )
    stage = serializers.ChoiceField(Stage.choices, required=False, help_text="Stage of the report.")
    arbiter = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_FIDE_ID,
        help_text="Tournaments with this chief arbiter or deputy (FIDE ID).",
    )
    start_from = day_parameter(help_text="Tournaments that start on this day or later.")
    start_to = day_parameter(help_text="Tournaments that start on this day or earlier.")


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    federation = serializers.CharField(source="federation_id")
    kind = serializers.ChoiceField(Kind.choices)
    time_control = serializers.CharField(help_text="Minutes plus seconds per move, for example `15+10`.")
    official = serializers.BooleanField(
        source="is_official", help_text="Official FIDE or continental event (article 0.3)."
    )
    match = serializers.BooleanField(source="is_match")
    games_per_match = serializers.IntegerField(allow_null=True, help_text="Games per match (article 5.2).")
    hybrid = serializers.BooleanField(source="is_hybrid")
    continues = serializers.CharField(
        source="continues.event_id",
        allow_null=True,
        read_only=True,
        help_text="Event ID of the part before, of an event that is reported in monthly parts (decision D-117).",
    )
    fide_event = serializers.IntegerField(allow_null=True, help_text="Number of the event at FIDE.")
    results_url = serializers.CharField(help_text="Page on a results server, or empty.")
    players_entered = serializers.SerializerMethodField(
        help_text="Players on the public entry list. 0 once the tournament is rated or its registration is closed."
    )

    @cached_property
    def _entered(self) -> dict[int, int] | None:
        """How many players are entered for the tournaments of a page, in one query; None for one tournament."""
        page = self.parent.instance if isinstance(self.parent, serializers.ListSerializer) else None
        return None if page is None else public_entry_counts(page)

    def get_players_entered(self, tournament: Tournament) -> int:
        counts = public_entry_counts([tournament]) if self._entered is None else self._entered
        return counts.get(tournament.pk, 0)

    class Meta:
        model = Tournament
        fields = [
            "event_id",
            "name",
            "city",
            "federation",
            "kind",
            "time_control",
            "start",
            "end",
            "chief_arbiter",
            "official",
            "match",
            "games_per_match",
            "hybrid",
            "continues",
            "fide_event",
            "results_url",
            "registration",
            "stage",
            "registered_on",
            "players_entered",
        ]


class RegisteredTournamentSerializer(TournamentSerializer):
    warnings = serializers.SerializerMethodField(
        help_text="What may be wrong with the days, for example a last day without a round. No rule is against it."
    )

    def get_warnings(self, tournament: Tournament) -> list[str]:
        entries = tournament.entry_until
        return [*day_warnings(tournament.start, tournament.end, tournament.schedule, entry_until=entries)]

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "warnings"]


class PublishedFiguresSerializer(serializers.Serializer[TournamentRating]):
    """Rating results of the tournament on a list."""

    list = ListIdField(source="included_in", help_text="ID of the list.")
    rules = serializers.CharField(help_text="Regulations in effect on the first day (article 0.1).")
    basis = ListIdField(allow_null=True, help_text="List in effect on the first day (decision D-1).")
    counted_games = serializers.IntegerField()
    rounds = serializers.IntegerField(source="report.rounds")
    report_sha256 = serializers.CharField(source="report.sha256", help_text="SHA-256 of the report file.")


class TournamentDetailSerializer(TournamentSerializer):
    published = PublishedFiguresSerializer(
        allow_null=True, help_text="Null until a list includes the tournament."
    )

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "published"]


class ParticipantSerializer(serializers.Serializer[Any]):
    """Result of a participant, as included in the list."""

    rank = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField(help_text="Starting rank.")
    fide_id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(help_text="As reported.")
    federation = serializers.CharField(help_text="As reported.")
    points = HalfPointsField(allow_null=True, help_text="All points in the tournament.")
    start = StandingSerializer(help_text="Rating status on the first day (decision D-1).")
    games = serializers.IntegerField(help_text="Rated games.")
    score = HalfPointsField(help_text="Score in the rated games.")
    sum = HundredthsField(help_text="Sum of the changes, before K.")
    k = serializers.IntegerField(
        allow_null=True, help_text=("K-factor used, or null if the player was not rated.")
    )
    change = HundredthsField(allow_null=True, help_text="K-factor × sum.")
    performance = serializers.IntegerField(allow_null=True)
    rounds = RoundSerializer(many=True)

    def to_representation(self, instance: PlayedEvent) -> dict[str, Any]:
        """Return the participant's line of the report with its rating results."""
        line, rating = instance.participant, instance.row
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
                "k": instance.k if instance.points is not None else None,
                "change": instance.points,
                "performance": rating.performance,
                "rounds": instance.outcomes,
            }
        )


class ProgressSerializer(serializers.Serializer[Any]):
    """Progress of a tournament and its next step."""

    tournament = TournamentSerializer()
    step = serializers.CharField(help_text="Code of the next step, for example `upload` or `publish`.")
    what = serializers.CharField()
    owner = serializers.CharField(allow_blank=True, help_text="Who must do it.")
    until = serializers.DateField(allow_null=True)
    due_list = serializers.DateField(help_text="List for which the report is due (article 8.1).")
    last_day = serializers.DateField(help_text="Final deadline of the report (article 8.1).")
    expected_list = serializers.DateField(
        allow_null=True,
        help_text="List that includes the tournament, or the expected list (article 6.1.3).",
    )


class TournamentsView(ResourceView):
    scope = {"GET": PUBLIC, "POST": REGISTER}
    Parameters = TournamentParameters
    parser_classes = [ObjectParser]

    @operation(
        "tournaments",
        summary="Registered tournaments, newest first",
        responses=page_of(TournamentSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return a page of tournaments in any registration state."""
        query = self.query
        bounds = {
            "registration": "registration",
            "stage": "stage",
            "arbiters__player": "arbiter",
            "start__gte": "start_from",
            "start__lte": "start_to",
        }
        chosen = {lookup: query[name] for lookup, name in bounds.items() if name in query}
        calendar = CalendarFilter(kind=query.get("kind", ""), federation=query.get("federation", ""))
        found = tournaments_in(calendar).filter(**chosen).select_related("continues")
        return self.answer_made(keyset_page(self, KEYSET, found, self.serialize(TournamentSerializer)))

    @operation(
        "register_tournament",
        summary="Register a tournament at least 3 days before it starts",
        request=RegistrationSerializer,
        responses={201: RegisteredTournamentSerializer},
        examples=[OpenApiExample("two days", value=REGISTRATION, request_only=True)],
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Register a tournament for the federation of the token. Late and hybrid ones need a QC decision (article 0.2).

        One that is registered already, or one with the same rating type, days and a like name, is refused with
        `already-registered` and its event ID: `another` says that it is another event. Required permission: `register`.
        """
        tournament = register(request.data, self.token, at=timezone.now())
        return Response(self.serialize(RegisteredTournamentSerializer)(tournament).data, status=201)


class TournamentView(ResourceView):
    scope = PUBLIC

    @operation(
        "tournament",
        summary="One tournament with its rating results",
        responses=TournamentDetailSerializer,
    )
    def get(self, request: Request, event_id: str) -> HttpResponseBase:
        """Return the registration and, after publication, the rating results."""
        tournament: Any = _tournament_or_404(event_id)
        tournament.published = published_rating(tournament)
        return self.answer_body(self.serialize(TournamentDetailSerializer)(tournament).data)


class ParticipantsView(ResourceView):
    scope = PUBLIC
    Parameters = CursorParameters

    @operation(
        "participants",
        summary="Standings of a published tournament with every round",
        responses=page_of(ParticipantSerializer),
    )
    def get(self, request: Request, event_id: str) -> HttpResponseBase:
        """Return 100 participants per page. 404 until a list includes the tournament."""
        number = cursor_page_number(self.query)
        rating = published_rating(_tournament_or_404(event_id))
        if rating is None or rating.included_in is None:
            raise NotFoundError("Results not published yet. They appear when a list includes the tournament.")
        return self.answer_from_lists(
            lambda: _participants(request, rating, number),
            [rating.included_in],
            "participants",
            rating.pk,
            number,
        )


def _participants(request: Request, rating: TournamentRating, number: int) -> Response:
    standings = standings_of(rating, page=number)
    if standings is None:
        raise NotFoundError("This page does not exist.")
    cursor = number_cursor(number + 1) if number < standings.pages else ""
    return page_response(request, ParticipantSerializer(standings.rows, many=True).data, cursor)


class ProgressView(ResourceView):
    scope = FOLLOW

    @operation(
        "tournament_progress",
        summary="Progress of a tournament: next step, who must do it and deadline",
        responses=ProgressSerializer,
    )
    def get(self, request: Request, event_id: str) -> HttpResponseBase:
        """Return the next step of a tournament of the federation. Required permission: `read`."""
        lists, today = read_lists(), timezone.now().date()
        tournament = reported_tournament_or_404(self.token, event_id)
        progress = progress_of(tournament, lists, today=today)
        step = progress.step
        body = {
            "tournament": tournament,
            "step": step.code,
            "what": step.task,
            "owner": str(step.owner.label) if step.owner else "",
            "until": step.deadline,
            "due_list": progress.days.due_list,
            "last_day": progress.days.last_day,
            "expected_list": progress.expected_list,
        }
        return Response(self.serialize(ProgressSerializer)(body).data)


def reported_tournament_or_404(token: OfficerToken, event_id: str) -> Tournament:
    """Return a tournament of the token's federation that the officer may report. Raise NotFoundError for others."""
    rows = Tournament.objects.filter(federation=token.federation_id).select_related("federation", "continues")
    tournament = rows.filter(event_id=event_id).first() if "\x00" not in event_id else None
    if tournament is None or not can_report(token.user, tournament):
        raise NotFoundError("The federation of the token has no tournament with this event ID to report.")
    return tournament


def _tournament_or_404(event_id: str) -> Tournament:
    # PostgreSQL refuses the character in a query, which would be an internal error.
    tournament = Tournament.objects.filter(event_id=event_id).first() if "\x00" not in event_id else None
    if tournament is None:
        raise NotFoundError("No tournament has this event ID.")
    return tournament
