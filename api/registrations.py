"""`POST /tournaments`: registration by officers' programs, with the rules of the registration form."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from rest_framework import serializers

from api.errors import as_refusal
from core.errors import RefusedError
from tournaments.choices import Kind
from tournaments.conditions import Conditions
from tournaments.models import OfficerToken, Tournament
from tournaments.registration import register_tournament
from tournaments.registration_form import RegisterForm
from tournaments.trf.limits import MAX_ROUNDS

# Members of the body that have another name in the form, which checks the rules.
FORM_FIELDS = {
    "unequal_times": "has_unequal_times",
    "match": "is_match",
    "hybrid": "is_hybrid",
    "stated_rated": "is_stated_rated",
    "another": "is_another",
    "year_ahead": "is_year_ahead",
}
MEMBER_NAMES = {field: name for name, field in FORM_FIELDS.items()}


class KnownMembersSerializer(serializers.Serializer[Any]):
    def to_internal_value(self, data: Any) -> Any:
        """Return the validated members. Refuse unknown ones."""
        unknown = sorted(set(data) - set(self.fields))
        if unknown:
            raise serializers.ValidationError(dict.fromkeys(unknown, "Unknown field."))
        return super().to_internal_value(data)


class RoundsOfDaySerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    rounds = serializers.IntegerField(min_value=1, max_value=99)


class RegistrationSerializer(KnownMembersSerializer):
    """A tournament to register. Dates are in UTC."""

    name = serializers.CharField(max_length=160)
    federation = serializers.CharField(
        required=False, max_length=3, help_text="The federation of the token. Optional."
    )
    city = serializers.CharField(required=False, allow_blank=True, max_length=80)
    kind = serializers.ChoiceField(Kind.choices)
    time_control = serializers.CharField(
        max_length=60, help_text=("Minutes plus seconds per move, for example `15+10`.")
    )
    unequal_times = serializers.BooleanField(
        required=False, help_text=("Such games are not rated (article 1.2).")
    )
    start = serializers.DateField()
    end = serializers.DateField()
    schedule = RoundsOfDaySerializer(many=True)
    chief_arbiter = serializers.CharField(max_length=120)
    organiser = serializers.CharField(required=False, allow_blank=True, max_length=120)
    match = serializers.BooleanField(
        required=False, help_text="A match of two players, or several such matches (article 5)."
    )
    games_per_match = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
        help_text="Games per match. Required if the report has several matches (article 5.2).",
    )
    match_waiver = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=200,
        help_text="Reference of the waiver (article 5.2). The QC must agree.",
    )
    match_waiver_on = serializers.DateField(
        required=False, help_text="Date of the request, before the first day. Default: today."
    )
    continues = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=40,
        help_text="Event ID of the part before, of an event that is reported in monthly parts (decision D-117).",
    )
    late_reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=1000,
        help_text="Required less than 3 days before the first day. The QC reads it (article 0.2).",
    )
    hybrid = serializers.BooleanField(
        required=False, help_text=("The QC must approve each one (article 0.2).")
    )
    stated_rated = serializers.BooleanField(
        required=False,
        default=True,
        help_text=("The tournament regulations say that it is rated (article 8.2)."),
    )
    another = serializers.BooleanField(
        required=False,
        help_text="Another event than the registered one with a like name and the same days (decision D-135).",
    )
    year_ahead = serializers.BooleanField(
        required=False, help_text="The first day is more than a year ahead, and no slip (decision D-140)."
    )

    def to_internal_value(self, data: Any) -> Any:
        """Refuse a schedule that is not a list, because the form also parses text."""
        if not isinstance(data.get("schedule", []), list):
            raise serializers.ValidationError(
                {"schedule": ("Send a list of days with their number of rounds.")}
            )
        return super().to_internal_value(data)

    def form_data(self) -> dict[str, Any]:
        """Return the valid data as the registration form expects it."""
        values: dict[str, Any] = dict(self.validated_data)
        days = values.pop("schedule", [])
        # The form reads the lines of a CSV file, so that one field checks every way of registering.
        values["schedule"] = "\n".join(f"{item['day']} {item['rounds']}" for item in days)
        # A browser leaves out a box that is not ticked.
        return {FORM_FIELDS.get(name, name): value for name, value in values.items() if value is not False}


REGISTRATION = {
    "name": "Spring Rapid",
    "kind": "rapid",
    "time_control": "15+10",
    "start": "2026-03-07",
    "end": "2026-03-08",
    "city": "Alphaville",
    "chief_arbiter": "Arbiter, Anna",
    "schedule": [{"day": "2026-03-07", "rounds": 5}, {"day": "2026-03-08", "rounds": 4}],
}


def register(body: Any, token: OfficerToken, *, at: datetime) -> Tournament:
    """Register the tournament in a body and return it."""
    try:
        return register_tournament(_read_request(body, token), by=token.user, on=at.date(), at=at)
    except RefusedError as error:
        raise as_refusal(error, MEMBER_NAMES) from error


def _read_request(sent: Any, token: OfficerToken) -> Conditions:
    body = RegistrationSerializer(data=sent)
    body.is_valid(raise_exception=True)
    data = {**body.form_data(), "federation": body.validated_data.get("federation", token.federation_id)}
    if data["federation"] != token.federation_id:
        raise serializers.ValidationError(
            {"federation": (f"This token can only be used for {token.federation_id}.")}
        )
    form = RegisterForm(data, user=token.user)
    if not form.is_valid():
        raise serializers.ValidationError(
            {MEMBER_NAMES.get(name, name): list(map(str, texts)) for name, texts in form.errors.items()}
        )
    return form.request()
