"""What officers' programs send and get: registrations, reports with their findings, the next step."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.reference import FindingSerializer
from api.serializers.tournaments import TournamentSerializer
from tournaments.choices import Kind, ReportState
from tournaments.models import Report
from tournaments.trf import Severity

# The names of the body, and those of the form that holds the rules.
FIELDS = {
    "name": "name",
    "federation": "federation",
    "city": "city",
    "kind": "kind",
    "time_control": "time_control",
    "unequal_times": "has_unequal_times",
    "start": "start",
    "end": "end",
    "schedule": "schedule",
    "chief_arbiter": "chief_arbiter",
    "organiser": "organiser",
    "match": "is_match",
    "match_waiver": "match_waiver",
    "hybrid": "is_hybrid",
    "stated_rated": "is_stated_rated",
}
NAMES = {field: name for name, field in FIELDS.items()}


class RoundsOfDaySerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    rounds = serializers.IntegerField(min_value=1, max_value=99)


class RegistrationSerializer(serializers.Serializer[Any]):
    """A tournament to be registered. Days are UTC days."""

    name = serializers.CharField(max_length=160)
    federation = serializers.CharField(
        required=False, max_length=3, help_text="The token's own; may be left out."
    )
    city = serializers.CharField(required=False, allow_blank=True, max_length=80)
    kind = serializers.ChoiceField(Kind.choices)
    time_control = serializers.CharField(max_length=60, help_text="Minutes and seconds a move: `15+10`.")
    unequal_times = serializers.BooleanField(required=False, help_text="Such games are not rated (1.2).")
    start = serializers.DateField()
    end = serializers.DateField()
    schedule = RoundsOfDaySerializer(many=True, required=False)
    chief_arbiter = serializers.CharField(max_length=120)
    organiser = serializers.CharField(required=False, allow_blank=True, max_length=120)
    match = serializers.BooleanField(required=False, help_text="A match of two players (5).")
    match_waiver = serializers.CharField(required=False, allow_blank=True, max_length=200)
    hybrid = serializers.BooleanField(required=False, help_text="The QC approves each one (0.2).")
    stated_rated = serializers.BooleanField(
        required=False, default=True, help_text="The event's regulations say that it is rated (8.2)."
    )

    def to_internal_value(self, data: Any) -> Any:
        """Refuse members that are not known."""
        unknown = sorted(set(data) - set(self.fields))
        if unknown:
            raise serializers.ValidationError(dict.fromkeys(unknown, "There is no such member here."))
        if not isinstance(data.get("schedule", []), list):
            raise serializers.ValidationError({"schedule": "Send a list of days with their rounds."})
        return super().to_internal_value(data)

    def form_data(self) -> dict[str, Any]:
        """Return the members of valid data as the form of the desk takes them."""
        values = dict(self.validated_data)
        days = values.pop("schedule", [])
        values["schedule"] = "\n".join(f"{item['day']} {item['rounds']}" for item in days)
        return {FIELDS[name]: value for name, value in values.items() if value is not False}


class ReportSerializer(serializers.ModelSerializer[Report]):
    """A version of a report: its bytes are kept for ever."""

    version = serializers.IntegerField()
    state = serializers.ChoiceField(ReportState.choices)
    error_count = serializers.SerializerMethodField(help_text="Findings that stand against accepting it.")
    warning_count = serializers.SerializerMethodField(
        help_text="Findings to be acknowledged with a sentence."
    )

    class Meta:
        model = Report
        fields = [
            *("version", "state", "file_name", "sha256", "submitted_at", "accepted_on", "acknowledgement"),
            *("error_count", "warning_count"),
        ]

    def get_error_count(self, report: Report) -> int:
        """Return how many errors a version has."""
        return sum(item["severity"] == Severity.ERROR for item in report.findings)

    def get_warning_count(self, report: Report) -> int:
        """Return how many warnings a version has."""
        return sum(item["severity"] == Severity.WARNING for item in report.findings)


class ReportDetailSerializer(ReportSerializer):
    findings = FindingSerializer(many=True)

    class Meta(ReportSerializer.Meta):
        fields = [*ReportSerializer.Meta.fields, "findings"]


class AcceptanceSerializer(serializers.Serializer[Any]):
    acknowledgement = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=2000,
        default="",
        help_text="Why the warnings may stand; needed where there are any, and kept.",
    )

    def to_internal_value(self, data: Any) -> Any:
        """Refuse members that are not known."""
        unknown = sorted(set(data) - set(self.fields))
        if unknown:
            raise serializers.ValidationError(dict.fromkeys(unknown, "There is no such member here."))
        return super().to_internal_value(data)


class ProgressSerializer(serializers.Serializer[Any]):
    """Where a tournament stands, and what comes next."""

    tournament = TournamentSerializer()
    step = serializers.CharField(help_text="The code of the next step, such as `upload` or `publish`.")
    what = serializers.CharField()
    owner = serializers.CharField(allow_blank=True, help_text="Who has to do it.")
    until = serializers.DateField(allow_null=True)
    due_list = serializers.DateField(help_text="The list for which the report is due (8.1).")
    last_day = serializers.DateField(help_text="The last day on which a report is taken (8.1).")


class PreviewGameSerializer(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    opponent = serializers.IntegerField(allow_null=True)
    counts = serializers.BooleanField()
    change = serializers.IntegerField(allow_null=True, help_text="Hundredths of a point, before K.")
    reasons = serializers.ListField(child=serializers.CharField())


class PreviewPlayerSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField()
    fide_id = serializers.IntegerField(allow_null=True)
    status = serializers.CharField()
    start_rating = serializers.IntegerField(allow_null=True)
    k = serializers.IntegerField(allow_null=True)
    previous = serializers.IntegerField(allow_null=True)
    result = serializers.CharField(help_text="A key of `/reasons`, or `not-registered`.")
    change = serializers.IntegerField(allow_null=True, help_text="Hundredths of a point.")
    rating = serializers.IntegerField(allow_null=True)
    games = PreviewGameSerializer(many=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """What a report would do if it were accepted today; as `preview_report` prints it."""

    list = serializers.DateField()
    rules = serializers.CharField()
    games = serializers.IntegerField(help_text="Games that would count.")
    players = PreviewPlayerSerializer(many=True)
