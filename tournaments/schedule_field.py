"""The field of a form for the schedule of a tournament: a date for each round, and its start."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time, timedelta
from itertools import islice, zip_longest
from operator import itemgetter
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from core.text_values import read_day, read_number
from tournaments.trf.limits import MAX_ROUNDS

ROWS = 3
MORE_ROWS = 5
MAX_ROWS = 400
# Among the initial values of a form: the number of the first row that was added just now, which gets the focus.
FIRST_NEW = "first_new_round"
LINE = re.compile(r"(\d{4}-\d{2}-\d{2}):?\s+(?:(\d{1,2})|(\d{1,2}:\d{2}))", re.ASCII)
# The ISO date of a round and its start as HH:MM, empty where it is not known.
Round = tuple[str, str]


class ScheduleInput(forms.Widget):
    """A row for each round with its date and its start; it works without a script."""

    template_name = "partials/schedule.html"
    use_fieldset = True
    first_new = 0
    # The ISO dates against which a rule is.
    wrong_days: Sequence[str] = ()

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return the rows as pairs, or the text that a program or a CSV file has in their place."""
        if name in data or not hasattr(data, "getlist"):
            return data.get(name, "")
        # One row more than allowed, so that the field can refuse it.
        days, times = (data.getlist(f"{name}_{part}")[: MAX_ROWS + 1] for part in ("day", "time"))
        return [*zip_longest(days, times, fillvalue="")]

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        rows = [*(read_lines(value) if isinstance(value, str) else value or ())][:MAX_ROWS]
        context["widget"] |= {"first_new": self.first_new, "wrong_days": self.wrong_days}
        context["widget"]["is_wrong"] = "aria-invalid" in context["widget"]["attrs"]
        wanted = min(self.first_new - 1 + MORE_ROWS, MAX_ROWS) if self.first_new else ROWS
        context["widget"]["rows"] = rows + [("", "")] * (wanted - len(rows))
        return context

    def id_for_label(self, id_: str) -> str:
        return ""


class ScheduleField(forms.Field):
    """The rounds of a tournament in their order. The form decides whether one is required."""

    widget = ScheduleInput

    def to_python(self, value: Any) -> list[Round]:
        """Return the rounds; `ValidationError` names the first line or row that cannot be read."""
        rounds = _rounds_of_text(value) if isinstance(value, str) else _rounds_of_rows(value or ())
        if len(rounds) > MAX_ROWS:
            message = _("Enter at most %(limit)d rounds.")
            raise forms.ValidationError(message, code="too-many", params={"limit": MAX_ROWS})
        # Whoever adds a round at the end need not put it at its place; the rounds of a day stay in their order.
        return sorted(rounds, key=itemgetter(0))

    def validate(self, value: Any) -> None:
        """Accept an empty schedule: the form can use the number of rounds of a single day."""


def read_lines(text: str) -> Iterator[Round]:
    """Return the rounds of the lines that can be read, at most one more than there may be."""
    rounds = (one for line in text.splitlines() for one in _rounds_of(line))
    return islice(rounds, MAX_ROWS + 1)


def readable_rounds(value: str | Sequence[Round] | None) -> list[Round]:
    """Return the rounds that can be read in a value of the field."""
    if isinstance(value, str):
        return [*read_lines(value)]
    return [(day, start) for day, start in _with_days(value or ()) if read_day(day)]


def typed_rounds(data: Any) -> list[Round]:
    """Return the rounds that can be read in what was typed so far; on a single day their number is enough."""
    found = readable_rounds(ScheduleInput().value_from_datadict(data, {}, "schedule"))
    return found or (wanted_rounds(data) if data.get("start") == data.get("end") else [])


def with_rounds(data: QueryDict, rounds: Sequence[Round], *, scheduled_for: str) -> QueryDict:
    """Return what a page sent with other rows of the schedule, which was made for a first day."""
    data = data.copy()
    data.pop("schedule", None)
    data["scheduled_for"] = scheduled_for
    for part, values in zip(("day", "time"), zip(*rounds, strict=True), strict=False):
        data.setlist(f"schedule_{part}", [*values])
    return data


def spread_rounds(number: int, first: date, last: date) -> list[Round]:
    """Return so many rounds on the days of a tournament, as evenly as possible, more of them on the first days."""
    days = min((last - first).days + 1, number)
    each, left = divmod(number, days)
    return [
        ((first + timedelta(days=place)).isoformat(), "")
        for place in range(days)
        for _round in range(each + (place < left))
    ]


def schedule_rows(days: Sequence[Any], times: Sequence[str]) -> list[Round]:
    """Return a stored schedule as rows of the table."""
    return [(str(day), start or "") for day, start in zip_longest(days, times, fillvalue="") if day]


def days_of_schedule(tournament: Any) -> Iterator[tuple[date, list[tuple[int, str, list[str]]]]]:
    """Yield each day with its rounds: those that have times, then the others. See `_rounds_in_words`."""
    days: dict[str, list[int]] = {}
    for number, day in enumerate(tournament.schedule, 1):
        if day:
            days.setdefault(str(day), []).append(number)
    times = {number: time for number, time in enumerate(tournament.round_times, 1) if time}
    for day, rounds in days.items():
        parts = [one for one in rounds if one in times], [one for one in rounds if one not in times]
        yield date.fromisoformat(day), [_rounds_in_words(part, times) for part in parts if part]


def _rounds_in_words(rounds: Sequence[int], times: Mapping[int, str]) -> tuple[int, str, list[str]]:
    """Return how many rounds there are, their numbers as `1–4` or `1, 3`, and the times that are known."""
    first, last = rounds[0], rounds[-1]
    is_run = last - first + 1 == len(rounds) > 1
    written = f"{first}–{last}" if is_run else ", ".join(map(str, rounds))
    return len(rounds), written, [times[one] for one in rounds if one in times]


def wanted_rounds(data: Mapping[str, Any]) -> list[Round]:
    """Return the rounds spread over the days that were typed, none where a date or the number is missing."""
    first, last = (read_day(data.get(name, "")) for name in ("start", "end"))
    number = read_number(str(data.get("rounds", "")).strip(), most=MAX_ROUNDS)
    return spread_rounds(number, first, last) if number and first and last and first <= last else []


def _rounds_of_text(text: str) -> list[Round]:
    rounds: list[Round] = []
    for number, line in enumerate(text.splitlines(), 1):
        found = _rounds_of(line)
        if line.strip() and not found:
            message = _("Line %(line)d: enter a date and its number of rounds, for example 2026-03-07 5.")
            raise forms.ValidationError(message, code="line", params={"line": number})
        rounds += found
        if len(rounds) > MAX_ROWS:
            break
    return rounds


def _rounds_of(line: str) -> list[Round]:
    """Return the rounds of a line: a day with its number of rounds, or one with the start of a round."""
    match = LINE.fullmatch(line.strip())
    if match is None or not read_day(match[1]):
        return []
    if match[3] is None:
        return [(match[1], "")] * int(match[2])
    start = f"{match[3]:0>5}"
    return [(match[1], start)] if _is_time(start) else []


def _rounds_of_rows(rows: Sequence[Round]) -> list[Round]:
    rounds = [*_with_days(rows)]
    for number, (day, start) in enumerate(rounds, 1):
        if not read_day(day):
            message = _("Row %(row)d: enter the date as YYYY-MM-DD, for example 2026-03-07.")
            raise forms.ValidationError(message, code="day", params={"row": number})
        if start and not _is_time(start):
            message = _("Row %(row)d: enter the start as HH:MM, for example 10:00.")
            raise forms.ValidationError(message, code="time", params={"row": number})
    # Some browsers send a time with its seconds.
    return [(day, start[:5]) for day, start in rounds]


def _with_days(rows: Sequence[Round]) -> Iterator[Round]:
    """Yield the rows that are not empty; one without a date is on the day of the row before it."""
    former = ""
    for day, start in ((day.strip(), start.strip()) for day, start in rows):
        if day or start:
            former = day or former
            yield former, start


def _is_time(text: str) -> bool:
    try:
        return bool(re.match(r"\d\d:\d\d", text, re.ASCII)) and time.fromisoformat(text) is not None
    except ValueError:
        return False
