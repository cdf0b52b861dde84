"""What is beside the form of a registration: what will happen, what is wrong so far, and the days that follow."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import Refusal
from core.html.charts.days import DayMark
from core.html.charts.ruler import Zone, ruler_svg
from core.html.dates import day_text
from core.html.figures import colon
from core.html.refusals import add_refusals
from core.text_values import read_day
from tournaments import regulations
from tournaments.changed_fields import ShownChange, shown_changes
from tournaments.choices import Kind, Registration
from tournaments.conditions import MINUTES_A_GAME, Conditions
from tournaments.registration import day_warnings, is_late, registration_for
from tournaments.registration_changes import Change, ChangePlan, stored_change
from tournaments.registration_form import RegistrationForm
from tournaments.schedule_field import Round, readable_rounds, typed_rounds
from tournaments.steps import ReportDays
from tournaments.trf import parse_time_control

LONGEST_CONTROL = 60
# What is not typed yet is no error while one types.
LATER = ("required", "late-reason-0.2")
DAYS = {"start", "end", "schedule"}
QUESTIONS = ("is_another", "is_year_ahead")


@dataclass(frozen=True, slots=True)
class RegistrationOutcome:
    """The outcome of registering today: whether the QC decides, and the dates of the report (0.2, 8.1)."""

    today: date
    start: date
    end: date
    is_closed: bool
    is_late: bool
    waits: bool
    is_exempt: bool

    @property
    def last_day_on_time(self) -> date:
        """The last date to register without a QC decision (0.2)."""
        return regulations.last_day_to_register(self.start)

    @property
    def first_late_day(self) -> date:
        """The first date on which a registration is late (0.2)."""
        return self.last_day_on_time + timedelta(days=1)

    @property
    def why(self) -> str:
        """Why the QC decides on the registration."""
        if not self.is_late:
            return _("Goes to the QC: it must approve a hybrid tournament (article 0.2).")
        days = (self.today - self.last_day_on_time).days
        text = ngettext(
            "Goes to the QC: %(days)d day late (article 0.2).",
            "Goes to the QC: %(days)d days late (article 0.2).",
            days,
        )
        return text % {"days": days}

    @property
    def days(self) -> ReportDays:
        """The deadlines of the report (8.1)."""
        return ReportDays.of(self.end)

    @property
    def zones(self) -> list[Zone]:
        """The registration periods (0.2), then the periods for play, report and list (8.1)."""
        return [*self._registration_zones(), *self._report_zones()]

    @property
    def ruler(self) -> SafeString:
        """The zones as an SVG time line, with today and the first day."""
        if self.is_closed or self.is_exempt:
            return mark_safe("")
        marks = [DayMark(capfirst(_("today")), self.today), DayMark(_("First day"), self.start)]
        labels = [
            f"{zone.label}{colon()} {' – '.join(day_text(day) for day in dict.fromkeys([zone.first, zone.last]))}"
            for zone in self.zones
        ]
        return ruler_svg(
            self.zones,
            marks if self.today != self.start else marks[:1],
            title=_("Registration dates and next steps"),
            description=". ".join(labels),
        )

    def _registration_zones(self) -> Iterator[Zone]:
        on_time, late = self.last_day_on_time, self.first_late_day
        # At least two days wide: a late registration would leave no room for the zone.
        begin = min(self.today, on_time - timedelta(days=2))
        if self.waits and not self.is_late:
            yield Zone(_("The QC decides"), begin, self.start, "qc")
        else:
            yield Zone(_("Registered immediately"), begin, on_time, "over" if self.is_late else "open")
            yield Zone(_("The QC decides"), late, self.start, "qc")
        yield Zone(_("Too late"), self.start + timedelta(days=1), self.days.due_list, "over")

    def _report_zones(self) -> Iterator[Zone]:
        yield Zone(_("Played"), self.start, self.end, "play", track=1)
        yield Zone(_("Report due"), self.end + timedelta(days=1), self.days.due_by, "due", track=1)
        yield Zone(_("List"), self.days.due_list, self.days.due_list, "play", track=1)


@dataclass(frozen=True, slots=True)
class RegistrationCheck:
    """What is beside the form: facts, warnings, the fields that are `missing` still, and the outcome.

    `plan` is what becomes of a change, None where nothing is changed.
    """

    form: RegistrationForm
    facts: Sequence[str]
    warnings: Sequence[str]
    missing: Sequence[BoundField]
    outcome: RegistrationOutcome | None
    plan: ChangePlan | None = None
    is_change: bool = False

    @property
    def wrong(self) -> list[BoundField]:
        """The fields that have an error."""
        return [field for field in self.form.visible_fields() if field.errors]

    @property
    def marked(self) -> list[BoundField]:
        """The fields beside which the page has an error, which may be none any more."""
        return [self.form[name] for name in _marked(self.form)]

    @property
    def beside(self) -> list[BoundField]:
        """The fields that show their error while one types: the marked ones and the schedule, a table of many rows.

        The questions above the form come as a whole.
        """
        names = dict.fromkeys([*_marked(self.form), "schedule"])
        return [self.form[name] for name in names if name not in QUESTIONS]

    @property
    def waits(self) -> bool:
        """Whether the QC has to decide."""
        if self.plan or self.is_change:
            return bool(self.plan and self.plan.goes_to_the_qc)
        return bool(self.outcome and self.outcome.waits)

    @property
    def told(self) -> str:
        """What the page says that the QC decides: whoever sends it was shown this and nothing else."""
        if not self.plan or not self.plan.goes_to_the_qc:
            return ""
        return json.dumps([stored_change(one) for one in (*self.plan.made, *self.plan.requested)])

    @property
    def sentence(self) -> str:
        """What the button does."""
        if texts := self.form.non_field_errors():
            return str(texts[0])
        if number := len(self.form.errors):
            return ngettext("%(number)s error", "%(number)s errors", number) % {"number": number}
        if self.is_change and not self.plan:
            return _("Nothing is changed yet")
        if self.made and self.requested:
            return _("Some changes go to the QC as a request. The others are made immediately.")
        if self.requested:
            return _("Goes to the QC as a request. The registration stays until the decision.")
        if self.plan and self.plan.is_other:
            return _("Goes to the QC: with this change it is another event.")
        if self.waits and self.outcome:
            return self.outcome.why
        if self.plan and self.plan.is_shown_in_public:
            return _("Changed immediately. The public page shows both values.")
        if self.plan:
            return _("Changed immediately. You can undo it until something depends on it.")
        if not self.outcome or self.outcome.is_closed:
            return _("Enter the first day")
        return (
            _("Registered immediately once it is complete") if self.missing else _("Registered immediately")
        )

    @property
    def level(self) -> str:
        """The level of the sentence: error, warning, success, or none before there is an outcome."""
        if self.form.errors:
            return "error"
        if self.waits:
            return "warning"
        return "success" if self.is_possible and not self.missing else ""

    @property
    def is_possible(self) -> bool:
        """Whether there is something to send, once what is missing and what is wrong are right."""
        return bool(self.plan if self.is_change else self.outcome and not self.outcome.is_closed)

    @property
    def made(self) -> Sequence[ShownChange]:
        """What is changed at once, with both values."""
        return _shown(self.plan.made if self.plan else ())

    @property
    def requested(self) -> Sequence[ShownChange]:
        """What the QC is asked to change, with both values."""
        return _shown(self.plan.requested if self.plan else ())


def _shown(changes: Sequence[Change]) -> list[ShownChange]:
    return [*shown_changes([stored_change(one) for one in changes])]


def check_form(
    form: RegistrationForm,
    decide: Callable[[Conditions], tuple[Sequence[Refusal], ChangePlan | None]],
    *,
    today: date,
    is_typed: bool,
) -> RegistrationCheck:
    """Return what is beside a form on the UTC date `today`, and put each error beside its field.

    `decide` returns the rules against it and what becomes of a change, as when the form is sent, also while something
    is missing. While the form `is_typed`, what is missing is no error.
    """
    plan, missing = None, []
    if form.is_bound:
        plan = _plan(form, decide)
        # The form has moved the rounds with the first day by now.
        typed: Mapping[str, Any] = form.data.dict()  # type: ignore[attr-defined]
        rounds = typed_rounds(form.data)
        missing = _take_missing(form) if is_typed else []
    else:
        typed, rounds = form.initial, readable_rounds(form.initial.get("schedule"))
    # What its field calls wrong is no fact.
    is_wrong = form.errors.keys() & {"time_control", "kind"}
    facts = [] if is_wrong else [*_time_fact(str(typed.get("time_control") or ""))]
    facts += [] if "schedule" in form.errors else [*_schedule_fact(rounds)]
    is_change, outcome = "seen" in form.fields, outcome_of(typed, today=today)
    # Days that stay as they are registered are no news.
    changed = (
        {one["field"] for one in [*plan.made, *plan.requested]} if plan else set() if is_change else DAYS
    )
    warnings: list[str] = []
    if outcome and changed & DAYS and not form.errors.keys() & DAYS:
        entries = getattr(getattr(form, "tournament", None), "entry_until", None)
        days = [day for day, _start in rounds]
        warnings = [*day_warnings(outcome.start, outcome.end, days, entry_until=entries)]
    return RegistrationCheck(form, facts, warnings, missing, outcome, plan, is_change)


def _plan(
    form: RegistrationForm, decide: Callable[[Conditions], tuple[Sequence[Refusal], ChangePlan | None]]
) -> ChangePlan | None:
    """Return what becomes of what is valid of a change; a registration is judged as soon as it has its first day."""
    wrong = form.errors.keys() - {"reason"}
    if "start" in wrong and "seen" not in form.fields:
        return None
    refusals, plan = decide(form.request())
    if refusals:
        # A field with an error has another value in its place: the registered one for what is refused now.
        add_refusals(form, [one for one in refusals if one.field not in wrong])
        plan = decide(form.request())[1] if plan else None
    if plan and (plan.made or plan.requested):
        return plan
    # A reason is asked of who changes something.
    if form.errors.keys() == {"reason"}:
        del form.errors["reason"]
    return None


def _take_missing(form: RegistrationForm) -> list[BoundField]:
    """Take the errors of fields that were empty at first and are still, and return these fields."""
    missing = []
    for name, errors in [*form.errors.as_data().items()]:
        is_empty = all(error.code in LATER for error in errors) and not form.initial.get(name)
        if is_empty and name not in _marked(form):
            del form.errors[name]
            missing.append(form[name])
    return missing


def _marked(form: RegistrationForm) -> list[str]:
    return [name for name in form.data.get("marked", "").split() if name in form.fields]


def outcome_of(typed: Mapping[str, Any], *, today: date) -> RegistrationOutcome | None:
    """Return the outcome for the dates typed so far, or None without a first day."""
    start, end = (_day(str(typed.get(name) or "")) for name in ("start", "end"))
    if start is None:
        return None
    # Its deadlines have to be dates, too: the last list that takes the report is months later.
    end = end if end and start <= end < date.max - timedelta(days=400) else start
    wanted = Conditions(
        federation_code="",
        name="",
        kind="",
        base_seconds=0,
        increment_seconds=0,
        start=start,
        end=end,
        decided_by=str(typed.get("decided_by") or ""),
        is_hybrid=bool(typed.get("is_hybrid")),
        is_official=bool(typed.get("is_official")),
    )
    is_closed = not wanted.is_reported_by_staff and start < today
    return RegistrationOutcome(
        today=today,
        start=start,
        end=end,
        is_closed=is_closed,
        is_late=is_late(wanted, today) and not is_closed,
        waits=registration_for(wanted, on=today) == Registration.WAITING and not is_closed,
        is_exempt=wanted.is_reported_by_staff,
    )


def _day(text: str) -> date | None:
    """Return a date within the range of list calendars, None for anything else."""
    day = read_day(text)
    return day if day and date.min.year + 1 < day.year < date.max.year - 1 else None


def _time_fact(text: str) -> Iterator[str]:
    # The text is read with every key that is typed: its length is bounded before it is parsed.
    control = parse_time_control(text.strip()[:LONGEST_CONTROL])
    total = control.base + MINUTES_A_GAME * control.increment if control else 0
    if kind := regulations.kind_of(total):
        minutes = f"{total // 60}" if total % 60 == 0 else f"{total // 60}:{total % 60:02}"
        words = {"minutes": minutes, "kind": Kind(kind).label}
        yield _("%(minutes)s minutes for 60 moves: %(kind)s (article 1.1).") % words


def _schedule_fact(rounds: Sequence[Round]) -> Iterator[str]:
    if rounds:
        most = max(Counter(day for day, _start in rounds).values())
        yield _("%(total)d rounds, up to %(most)d a day.") % {"total": len(rounds), "most": most}


def is_live(request: HttpRequest) -> bool:
    """Return whether the page asks what is beside the form while it is typed. Nothing is saved."""
    return "HX-Request" in request.headers


def show_form(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Show the page of a form, or what is beside it alone."""
    return render(request, "desk/tournaments/typed_rules.html" if is_live(request) else template, context)
