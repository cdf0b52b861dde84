"""The live check of a registration form, complete or not: the rules that apply, and the steps that follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from core.html.charts.days import DayMark
from core.html.charts.ruler import Zone, ruler_svg
from core.html.dates import day_text
from core.html.figures import colon
from core.text_values import read_day
from desk.access import requires
from players.permissions import can_register
from tournaments import regulations
from tournaments.choices import Kind
from tournaments.conditions import MINUTES_A_GAME
from tournaments.schedule_field import Round, typed_rounds
from tournaments.steps import ReportDays
from tournaments.trf import parse_time_control

NOTICE, GOOD, WARNING, ERROR = "info", "success", "warning", "error"
LONGEST_CONTROL = 60


@dataclass(frozen=True, slots=True)
class RuleNote:
    """One sentence with its level: info, success, warning or error.

    `kind` is the rating type that solves it, `part` the part of the form with its fields.
    """

    level: str
    text: str
    kind: str = ""
    part: str = "dates"


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
    """The contents of the panel beside the form."""

    rules: Sequence[RuleNote]
    outcome: RegistrationOutcome | None

    @property
    def errors(self) -> int:
        """The number of broken rules."""
        return sum(rule.level == ERROR for rule in self.rules)


def check_values(data: Mapping[str, str], rounds: Sequence[Round], *, today: date) -> RegistrationCheck:
    """Return the rules and the outcome for the values typed so far. `today` is the UTC date."""
    return RegistrationCheck(rules_for(data, rounds, today=today), outcome_of(data, today=today))


def rules_for(typed: Mapping[str, str], rounds: Sequence[Round] = (), *, today: date) -> list[RuleNote]:
    """Return the rules that apply to the values typed so far (0.2, 1.1, 3.1). `today` is the UTC date."""
    return [
        *_time_rules(typed.get("time_control", ""), typed.get("kind", "")),
        *_day_rules(typed.get("start", ""), today, is_exempt=_is_exempt(typed)),
        *_hybrid_rules(typed),
        *_schedule_rules([day for day, _start in rounds], _kind(typed)),
    ]


def outcome_of(typed: Mapping[str, str], *, today: date) -> RegistrationOutcome | None:
    """Return the outcome for the dates typed so far, or None without a first day."""
    start, end = _day(typed.get("start", "")), _day(typed.get("end", ""))
    if start is None:
        return None
    is_exempt = _is_exempt(typed)
    is_late = not is_exempt and not regulations.is_registered_in_time(start, today)
    is_closed = not is_exempt and start < today
    return RegistrationOutcome(
        today=today,
        start=start,
        # Its deadlines have to be dates, too: the last list that takes the report is months later.
        end=end if end and start <= end < date.max - timedelta(days=400) else start,
        is_closed=is_closed,
        is_late=is_late and not is_closed,
        waits=(is_late or (bool(typed.get("is_hybrid")) and not is_exempt)) and not is_closed,
        is_exempt=is_exempt,
    )


def _day(text: str) -> date | None:
    """Return a date within the range of list calendars, None for anything else."""
    day = read_day(text)
    return day if day and date.min.year + 1 < day.year < date.max.year - 1 else None


def _is_exempt(typed: Mapping[str, str]) -> bool:
    return bool(typed.get("is_official") or typed.get("decided_by"))


def _kind(typed: Mapping[str, str]) -> str:
    control = parse_time_control(typed.get("time_control", "").strip()[:LONGEST_CONTROL])
    found = regulations.kind_of(control.base + MINUTES_A_GAME * control.increment) if control else None
    return found or typed.get("kind", "")


def _time_rules(text: str, chosen: str) -> Iterator[RuleNote]:
    # The text is checked with every key that is typed: its length is bounded before it is parsed.
    control = parse_time_control(text.strip()[:LONGEST_CONTROL])
    if control is None:
        return
    total = control.base + MINUTES_A_GAME * control.increment
    kind = regulations.kind_of(total)
    minutes = f"{total // 60}" if total % 60 == 0 else f"{total // 60}:{total % 60:02}"
    if kind is None:
        message = _(
            "%(minutes)s minutes for 60 moves: neither rapid nor blitz, so it cannot be registered "
            "(article 1.1)."
        )
        yield RuleNote(ERROR, message % {"minutes": minutes}, part="games")
        return
    words = {"minutes": minutes, "kind": Kind(kind).label}
    if chosen and chosen != kind:
        message = _(
            "%(minutes)s minutes for 60 moves: the rating type is %(kind)s. Select that type (article 1.1)."
        )
        yield RuleNote(ERROR, message % words, kind, part="games")
    else:
        message = _("%(minutes)s minutes for 60 moves: %(kind)s (article 1.1).")
        yield RuleNote(GOOD, message % words, part="games")


def _day_rules(text: str, today: date, *, is_exempt: bool) -> Iterator[RuleNote]:
    start = read_day(text)
    if start is None:
        return
    if is_exempt:
        yield RuleNote(GOOD, _("Official events have no registration deadline (articles 0.2, 0.3)."))
        return
    days = (start - today).days
    if days < 0:
        yield RuleNote(ERROR, _("Registration closed on the first day of the tournament (article 0.2)."))
        return
    left = ngettext("%(days)d UTC day", "%(days)d UTC days", days) % {"days": days}
    if regulations.is_registered_in_time(start, today):
        yield RuleNote(GOOD, _("%(left)s until the first day: on time (article 0.2).") % {"left": left})
    else:
        message = _("%(left)s until the first day. Fewer than 3, so the QC decides (article 0.2).")
        yield RuleNote(WARNING, message % {"left": left})


def _hybrid_rules(typed: Mapping[str, str]) -> Iterator[RuleNote]:
    if typed.get("is_hybrid"):
        yield RuleNote(WARNING, _("Hybrid tournament: the QC must approve it (article 0.2)."), part="type")
    if typed.get("has_unequal_times"):
        yield RuleNote(
            WARNING, _("Games with different playing times are not rated (article 1.2)."), part="games"
        )


def _schedule_rules(days: Sequence[str], kind: str) -> Iterator[RuleNote]:
    limit = regulations.ROUNDS_A_DAY.get(kind)
    if not days:
        return
    most = max(Counter(days).values())
    words_of_it = {"total": len(days), "most": most, "limit": limit}
    # Without a time control the rating type is not known, and so neither is the limit.
    if limit is None:
        yield RuleNote(NOTICE, _("%(total)d rounds, up to %(most)d a day.") % words_of_it)
    elif most > limit:
        message = _("%(most)d rounds on one day, but at most %(limit)d are rated (article 3.1).")
        yield RuleNote(ERROR, message % words_of_it)
    else:
        message = _("%(total)d rounds, up to %(most)d a day. The limit is %(limit)d a day (article 3.1).")
        yield RuleNote(GOOD, message % words_of_it)


@require_POST
@requires(can_register)
def typed_rules(request: HttpRequest) -> HttpResponse:
    """Show the rules that apply to the values typed so far. Nothing is saved."""
    now = timezone.now()
    check = check_values(request.POST.dict(), typed_rounds(request.POST), today=now.date())
    context = {"check": check, "today": now.date(), "checked_at": date_format(now, "H:i:s")}
    return render(request, "desk/tournaments/typed_rules.html", context)
