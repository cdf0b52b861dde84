"""The form of a registration, shared by pages and API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

from django import forms
from django.db.models import Prefetch, prefetch_related_objects
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.fields import DayInput, TextField, sort_key
from core.html.forms import PortalForm
from players.arbiters import arbiter_of, arbiters_with, fide_id_in
from players.models import Federation
from players.permissions import federations_of, is_staff
from tournaments import regulations
from tournaments.arbiter_fields import LONGEST_NAME, ArbiterInput, DeputiesField
from tournaments.choices import DecidedBy, Kind
from tournaments.conditions import MINUTES_A_GAME, RULES, Conditions
from tournaments.models import Tournament, TournamentArbiter
from tournaments.registered_conditions import waiver_of
from tournaments.registration import of_no_kind
from tournaments.schedule_field import (
    FIRST_NEW,
    Round,
    ScheduleField,
    schedule_rows,
    spread_rounds,
    with_rounds,
)
from tournaments.trf import parse_time_control
from tournaments.trf.limits import MAX_ROUNDS

LONGEST_EVENT_DAYS = 400
NO_TIME_CONTROL = _l("Enter the time control as minutes plus seconds per move, for example 15+10.")
# What a field that is left empty says.
REQUIRED = {
    "time_control": NO_TIME_CONTROL,
    "schedule": _l("Enter the schedule. It is registered with the tournament (article 0.2)."),
    "is_stated_rated": _l("Confirm that the regulations of the tournament say so (article 8.2)."),
}
# The fields from which other conditions follow.
FIELDS = {"round_times": "schedule", "chief_id": "chief_arbiter", "deputy_ids": "deputies"}
# What few events are, folded on the page until one of it is used.
SPECIAL_FIELDS = (
    "has_unequal_times", "is_hybrid", "is_match", "games_per_match", "match_waiver", "match_waiver_on", "continues",
)  # fmt: skip
STAFF_FIELDS = ("is_official", "is_continental", "decided_by", "decision_reference")


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


class RegistrationForm(PortalForm):
    """The registration of a tournament. Only FIDE staff see the fields for staff."""

    # As on the page, so that the list of errors is in its order; the others follow.
    field_order: tuple[str, ...] = (
        "is_another", "is_year_ahead", "name", "federation", "city", "chief_arbiter", "organiser", "deputies",
        "is_stated_rated", "time_control", "kind", "start", "end", "late_reason", "rounds", "schedule",
    )  # fmt: skip
    # Whether the rows of the schedule are no longer those that were sent.
    has_other_rows = False
    # Whether the first day is being typed: the rounds follow it, also where they would still fit.
    is_typing = False

    name = forms.CharField(
        label=_l("Name"), max_length=160, help_text=_l("As in the regulations of the tournament.")
    )
    federation = forms.ChoiceField(
        label=_l("Federation"),
        help_text=_l(
            "The federation in whose territory the tournament is "
            "held. It registers and reports the tournament (article "
            "0.2)."
        ),
    )
    city = forms.CharField(
        label=_l("City"),
        max_length=80,
        required=False,
        help_text=_l("Players find tournaments by their city."),
    )
    kind = forms.ChoiceField(
        label=_l("Rating type"),
        choices=Kind,
        widget=forms.RadioSelect,
        required=False,
        help_text=_l("If you select none, it follows from the time control."),
    )
    time_control = forms.CharField(
        label=_l("Time control"),
        max_length=60,
        help_text=_l(
            "Minutes plus seconds per move, for example 15+10. With a delay: 25 d5. With several "
            "periods: 40/20, 10. Rapid: more than 10 and less than 60 minutes for 60 moves. Blitz: more "
            "than 3 and up to 10 (article 1.1)."
        ),
    )
    has_unequal_times = forms.BooleanField(
        label=_l("Different playing times for the two players"),
        required=False,
        help_text=_l("Such games are not rated (article 1.2)."),
    )
    start = forms.DateField(
        label=_l("First day"),
        widget=DayInput,
        help_text=_l("Register at least 3 days before (article 0.2)."),
    )
    end = forms.DateField(label=_l("Last day"), widget=DayInput)
    rounds = forms.IntegerField(
        label=_l("Rounds"),
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
        help_text=_l("Without play-offs."),
    )
    schedule = ScheduleField(
        label=_l("Schedule"),
        help_text=_l(
            "The date of each round, and its start in local time if you know it. A round without a date is on the "
            "day of the round before it (article 0.2)."
        ),
    )
    # The first day for which the rounds of the form were set.
    scheduled_for = forms.DateField(required=False, widget=forms.HiddenInput)
    chief_arbiter = forms.CharField(
        label=_l("Chief arbiter"),
        max_length=LONGEST_NAME,
        widget=ArbiterInput,
        help_text=_l("FIDE ID or name."),
    )
    deputies = DeputiesField(
        label=_l("Deputy arbiters"), required=False, help_text=_l("FIDE IDs from the list of arbiters.")
    )
    organiser = forms.CharField(label=_l("Organiser"), max_length=120, required=False)
    is_match = forms.BooleanField(
        label=_l("Match"),
        required=False,
        help_text=_l(
            "Between two players, or several such matches. Matches with an unrated player are "
            "not rated (article 5)."
        ),
    )
    games_per_match = forms.IntegerField(
        label=_l("Games per match"),
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
        help_text=_l(
            "Number of games between two players. Required if the report has several matches. Games "
            "after a player has won more than half of the points are not rated (article 5.2)."
        ),
    )
    match_waiver = forms.CharField(
        label=_l("Waiver for games after the match is won"),
        max_length=200,
        required=False,
        help_text=_l("Reference of the request made before the tournament (article 5.2). The QC must agree."),
    )
    match_waiver_on = forms.DateField(
        label=_l("Waiver requested on"),
        widget=DayInput,
        required=False,
        help_text=_l("Before the first day. Today if you leave it empty (article 5.2)."),
    )
    continues = forms.CharField(
        label=_l("Continues"),
        max_length=40,
        required=False,
        help_text=_l(
            "Event ID of the part before. Only for an event longer than 30 days that is reported in monthly parts."
        ),
    )
    is_hybrid = forms.BooleanField(
        label=_l("Hybrid tournament"),
        required=False,
        help_text=_l(
            "The QC must approve each one. The report must include the PGN of the games (articles 0.2, 8.4)."
        ),
    )
    is_stated_rated = forms.BooleanField(
        label=_l("The tournament regulations say that it is rated"),
        initial=True,
        help_text=_l("Required by article 8.2."),
    )
    is_official = forms.BooleanField(
        label=_l("Official FIDE or continental event"),
        required=False,
        help_text=_l("Reported to FIDE staff and always rated (article 0.3)."),
    )
    is_continental = forms.BooleanField(
        label=_l("Event of a continent, not of FIDE"),
        required=False,
        help_text=_l("It must end by the closing date of a list (article 6.1.3)."),
    )
    decided_by = forms.ChoiceField(label=_l("Rated by decision of"), required=False)
    decision_reference = forms.CharField(
        label=_l("Reference of the decision"), max_length=200, required=False
    )

    def __init__(
        self, *args: Any, user: Any, federations: Sequence[tuple[str, str]] | None = None, **kwargs: Any
    ) -> None:
        """Make the form for a user; `federations` are the choices where many forms are made at once."""
        super().__init__(*args, **kwargs)
        for name, text in REQUIRED.items():
            if name in self.fields:
                self.fields[name].error_messages["required"] = text
        self.fields["rounds"].condition = _("required to fill in the schedule")  # type: ignore[attr-defined]
        # The fold says it.
        self.fields["deputies"].has_hidden_label = True  # type: ignore[attr-defined]
        self.fields["schedule"].widget.first_new = self.initial.get(FIRST_NEW, 0)
        own = federation_choices(user) if federations is None else federations
        self.fields["federation"].choices = own  # type: ignore[attr-defined]
        if len(own) == 1:
            self.fields["federation"].initial = own[0][0]
        if not is_staff(user):
            # Not only hidden: whoever sends the field by hand must not get an official event.
            for name in STAFF_FIELDS:
                del self.fields[name]
            return
        self.fields["decided_by"].choices = [("", _("no decision: submitted normally")), *DecidedBy.choices]  # type: ignore[attr-defined]

    @property
    def has_special_case(self) -> bool:
        """Whether a field of those that few events need is filled or wrong."""
        return self._is_used(*SPECIAL_FIELDS)

    @property
    def has_deputies(self) -> bool:
        """Whether a deputy is entered."""
        return self._is_used("deputies")

    def _is_used(self, *names: str) -> bool:
        fields = [self[name] for name in names if name in self.fields]
        values = (value for field in fields for value in _listed(field.value()))
        return any(field.errors for field in fields) or any(values)

    def clean_time_control(self) -> str:
        """Raise ValidationError for an unreadable time control."""
        text = str(self.cleaned_data["time_control"]).strip()
        control = parse_time_control(text)
        if control is None or not control.base:
            raise forms.ValidationError(NO_TIME_CONTROL, code="time-control")
        return text

    def clean(self) -> dict[str, Any]:
        """Derive the rating type, and check the schedule against the days and the rated rounds a day (1.1, 3.1)."""
        cleaned = super().clean() or self.cleaned_data
        self._derive_kind(cleaned)
        start, end, kind = (cleaned.get(name) for name in ("start", "end", "kind"))
        self._read_schedule(cleaned, start, end)
        self._find_arbiters(cleaned)
        if start and end and start <= end and kind and cleaned.get("schedule"):
            widget = self.fields["schedule"].widget
            for days, problem in _schedule_problems(cleaned["schedule"], start, end, kind):
                self.add_error("schedule", problem)
                widget.wrong_days = [*widget.wrong_days, *days]
        if start and end and end - start > timedelta(days=LONGEST_EVENT_DAYS):
            message = _("The last day is more than a year after the first day. Check both dates.")
            self.add_error("end", forms.ValidationError(message, code="too-long"))
        return cleaned

    def _find_arbiters(self, cleaned: dict[str, Any]) -> None:
        """Find the arbiters by FIDE ID; the chief may be somebody without one."""
        is_asked = "chief_arbiter" in self.fields
        chief = fide_id_in(cleaned.get("chief_arbiter") or "") if is_asked else None
        texts = cleaned.get("deputies") or []
        ids = [fide_id_in(text) for text in texts]
        known = arbiters_with(fide_id for fide_id in (chief, *ids) if fide_id) if chief or texts else {}
        message = _("“%(text)s” is not on the list of arbiters. Enter a FIDE ID from the list.")
        if chief and chief not in known:
            text = {"text": cleaned["chief_arbiter"]}
            self.add_error("chief_arbiter", forms.ValidationError(message, code="not-listed", params=text))
        elif chief:
            # The name as listed, so that the record 102 of the report is compared with the right spelling.
            cleaned["chief_arbiter"] = known[chief].player.name
        for text, fide_id in zip(texts, ids, strict=True):
            if fide_id not in known:
                error = forms.ValidationError(message, code="not-listed", params={"text": text})
                self.add_error("deputies", error)
        cleaned["chief_id"] = chief
        cleaned["deputy_ids"] = [*dict.fromkeys(fide_id for fide_id in ids if fide_id != chief)]

    def _derive_kind(self, cleaned: dict[str, Any]) -> None:
        """Set the rating type that the time control makes, where none was selected (1.1)."""
        control = parse_time_control(cleaned.get("time_control") or "")
        if cleaned.get("kind") or control is None or "kind" not in self.fields:
            return
        base, increment = control.flat
        seconds = base + MINUTES_A_GAME * increment
        cleaned["kind"] = regulations.kind_of(seconds) or ""
        if not cleaned["kind"]:
            self.add_error("time_control", forms.ValidationError(of_no_kind(seconds), code="no-kind-1.1"))

    def _read_schedule(self, cleaned: dict[str, Any], start: date | None, end: date | None) -> None:
        """Part the rounds into days and starts; on a single day their number is enough."""
        rounds = self._moved(cleaned.get("schedule") or [], start, end)
        if not rounds and cleaned.get("rounds") and start and start == end:
            rounds = spread_rounds(cleaned["rounds"], start, start)
        if not rounds and self.fields["schedule"].required and "schedule" not in self.errors:
            required = self.fields["schedule"].error_messages["required"]
            self.add_error("schedule", forms.ValidationError(required, code="required"))
        if rounds and (cleaned.get("rounds") or len(rounds)) != len(rounds):
            message = _(
                "The schedule has %(number)d rounds. Fill in the schedule again, or correct the number."
            )
            values = {"number": len(rounds)}
            self.add_error("rounds", forms.ValidationError(message, code="other-number", params=values))
        cleaned["schedule"] = [day for day, _start in rounds]
        starts = [start for _day, start in rounds]
        cleaned["round_times"] = starts if any(starts) else []

    def _moved(self, rounds: list[Round], start: date | None, end: date | None) -> list[Round]:
        """Return the schedule moved with the first day for which it was made; the times stay.

        A schedule that was sent moves only where it no longer fits, and fits then.
        """
        days = [date.fromisoformat(day) for day, _start in rounds]
        if not (start and end and (days or self.is_typing)):
            return rounds
        former: date = self.cleaned_data.get("scheduled_for") or start
        is_moved = days[:1] != [start] if self.is_typing else not all(start <= day <= end for day in days)
        if days and is_moved and former != start:
            with suppress(OverflowError):
                days = [day + (start - former) for day in days]
            if not (self.is_typing or all(start <= day <= end for day in days)):
                return rounds
            rounds = [(day.isoformat(), hour) for day, (_day, hour) in zip(days, rounds, strict=True)]
            former, self.has_other_rows = start, True
        elif self.is_typing or days[:1] == [start]:
            former = start
        # Only what a page sent is shown again, in its table of rows.
        if isinstance(self.data, QueryDict):
            self.data = with_rounds(self.data, rounds, scheduled_for=former.isoformat())
        return rounds

    def request(self) -> Conditions:
        """Return the conditions; what has an error is left empty, and a last day with one is the first."""
        values = self.values()
        empty: dict[str, Any] = {
            "name": "",
            "federation_code": "",
            "kind": Kind.RAPID,
            "base_seconds": 0,
            "increment_seconds": 0,
        }
        return Conditions(**(empty | {"end": values["start"]} | values))

    def values(self) -> dict[str, Any]:
        """Return the conditions that have no error."""
        cleaned = self.cleaned_data
        valid = (name for name in RULES if FIELDS.get(name, name) not in self.errors)
        values = {name: cleaned[name] for name in valid if name in cleaned}
        # It follows from a time control that is not there.
        if not values.get("kind"):
            values.pop("kind", None)
        if "federation" in cleaned:
            values["federation_code"] = cleaned["federation"]
        if control := parse_time_control(cleaned.get("time_control", "")):
            values["base_seconds"], values["increment_seconds"] = control.flat
            values["time_control_text"] = control.written
            values["has_unequal_times"] = cleaned["has_unequal_times"] or control.is_unequal
        # An event of a continent is an official one (0.3, D-115).
        if cleaned.get("is_continental"):
            values["is_official"] = True
        return values | {"continues": cleaned.get("continues", "").strip()}


class RegisterForm(RegistrationForm):
    """A new registration, by page, file or API. A late one has a reason, which the QC reads (0.2)."""

    late_reason = TextField(
        label=_l("Reason for the late registration"),
        required=False,
        max_length=1000,
        rows=2,
        help_text=_l(
            "The QC reads it. Required if you register less than 3 days before the first day (article 0.2)."
        ),
    )
    is_another = forms.BooleanField(label=_l("This is a different tournament"), required=False)
    is_year_ahead = forms.BooleanField(label=_l("The first day is more than a year ahead"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["late_reason"].condition = _("required if late")  # type: ignore[attr-defined]


def as_typed(tournament: Tournament) -> dict[str, Any]:
    """Return a registered tournament as initial values of the form."""
    values = {name: getattr(tournament, name, None) for name in RegistrationForm.base_fields}
    rounds = schedule_rows(tournament.schedule, tournament.round_times)
    # Once for the form and for what is compared with it.
    of_tournament = TournamentArbiter.objects.select_related("player__arbiter_licence")
    prefetch_related_objects([tournament], Prefetch("arbiters", of_tournament))
    arbiters = [*tournament.arbiters.all()]
    others: dict[str, Any] = {
        "schedule": rounds,
        "scheduled_for": tournament.start,
        "rounds": len(rounds) or None,
        "match_waiver": waiver_of(tournament),
        "continues": tournament.part_before_id,
    }
    others["deputies"] = [str(arbiter_of(one.player)) for one in arbiters if not one.is_chief]
    if arbiters and arbiters[0].is_chief:
        others["chief_arbiter"] = str(arbiter_of(arbiters[0].player))
    return values | {"federation": tournament.federation_id} | others


def federation_choices(user: Any) -> list[tuple[str, str]]:
    """Return the federations for which a user registers, by name."""
    federations = (
        Federation.objects.all() if is_staff(user) else Federation.objects.filter(pk__in=federations_of(user))
    )
    choices = ((federation.code, str(federation)) for federation in federations.order_by())
    return sorted(choices, key=lambda choice: sort_key(choice[1]))


def _schedule_problems(
    schedule: list[str], start: date, end: date, kind: str
) -> Iterator[tuple[list[str], forms.ValidationError]]:
    """Yield what is wrong with a schedule, with the ISO dates that are wrong."""
    limit = regulations.ROUNDS_A_DAY[kind]
    days = {text: date.fromisoformat(text) for text in schedule}
    if outside := [text for text, day in days.items() if not start <= day <= end]:
        message = _(
            "Not between the first and the last day: %(days)s. Correct the dates, or fill in the schedule again."
        )
        shown = ", ".join(date_format(days[text]) for text in outside)
        yield outside, forms.ValidationError(message, code="outside", params={"days": shown})
    for text, day in days.items():
        rounds = schedule.count(text)
        if rounds > limit:
            message = _("%(rounds)d rounds on %(day)s. At most %(limit)d a day are rated (article 3.1).")
            values = {"rounds": rounds, "day": date_format(day), "limit": limit}
            yield [text], forms.ValidationError(message, code="too-many-3.1", params=values)
