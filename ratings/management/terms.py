"""The terms of a tournament as options of `submit_report` and as columns of a manifest, by the same names."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from core.commands import iso_day
from ratings.submission import Terms
from tournaments.choices import DecidedBy, Kind, LineAnswer
from tournaments.conditions import Conditions
from tournaments.trf.fields import whole
from tournaments.trf.limits import MAX_LINES
from tournaments.trf.time_control import TimeControl, parse_time_control

FLAG = "yes"


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a report; `read` converts its text to a value, a flag has none.

    `condition` is the condition of the tournament that has this value.
    """

    name: str
    read: Callable[[str], Any] | None
    help: str = ""
    condition: str = ""
    is_required: bool = False
    default: str | None = ""

    def add_to(self, parser: CommandParser) -> None:
        """Add the option to a command."""
        name = f"--{self.name.replace('_', '-')}"
        if self.read is None:
            parser.add_argument(name, action="store_true", help=self.help)
        else:
            parser.add_argument(
                name, type=self.read, required=self.is_required, default=self.default, help=self.help
            )

    def value(self, text: str) -> Any:
        """Return the value of a cell; `ArgumentTypeError` where it is none."""
        if self.read is None:
            if text not in ("", FLAG):
                raise ArgumentTypeError(f"{text!r} is not {FLAG!r} or empty")
            return text == FLAG
        if text:
            return self.read(text)
        if self.is_required:
            raise ArgumentTypeError("is missing")
        return self.default


def _one_of(choices: list[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ArgumentTypeError(f"{text!r} is not valid. Valid values: {', '.join(choices)}")
        return text

    return read


def _time_control(text: str) -> TimeControl:
    parsed = parse_time_control(text)
    if parsed is None:
        raise ArgumentTypeError(f"{text!r} is not a time control. Use minutes+seconds, for example 15+10")
    return parsed


def _reasons(text: str) -> dict[str, str]:
    parts = [part.partition("=") for part in text.strip("; ").split(";")]
    if not all(code.strip() and reason.strip() for code, _equals, reason in parts):
        raise ArgumentTypeError(f"{text!r} is not CODE=reason, or several of them with ; between")
    return {code.strip(): reason.strip() for code, _equals, reason in parts}


def _lines(text: str) -> dict[str, str]:
    lines = _reasons(text)
    if not all(1 <= (whole(line) or 0) <= MAX_LINES for line in lines) or not set(lines.values()) <= {
        *LineAnswer.values
    }:
        raise ArgumentTypeError(f"{text!r} is not LINE=same or LINE=other, or several of them with ; between")
    return lines


def _number(text: str) -> int:
    number = whole(text)
    if not number:
        raise ArgumentTypeError(f"{text!r} is not a number of 1 or more")
    return number


OPTIONS = (
    Option("kind", _one_of(Kind.values), "rapid or blitz", "kind", is_required=True),
    Option("time_control", _time_control, "minutes+seconds, for example 15+10", is_required=True),
    Option(
        "federation", str.upper, "code of the registering federation", "federation_code", is_required=True
    ),
    Option("registered_on", iso_day, "registration date, for example 2026-02-01", is_required=True),
    Option("submitted_on", iso_day, "submission date, for example 2026-02-01", is_required=True),
    Option(
        "event_id",
        str,
        "event ID of the tournament (default: a new one, from its registration data)",
        "event_id",
    ),
    Option("official", None, "official FIDE or continental event (article 0.3)", "is_official"),
    Option(
        "continental",
        None,
        "official event of a continent (articles 0.3 and 6.1.3, decision D-115)",
        "is_continental",
    ),
    Option(
        "continues",
        str,
        "event ID of the part before, of an event reported in monthly parts (decision D-117)",
        "continues",
    ),
    Option("match", None, "match (article 5)", "is_match"),
    Option("match_waiver", str, "reference of the waiver (article 5.2)", "match_waiver"),
    Option(
        "games_per_match",
        _number,
        "games per match (article 5.2, decision D-84)",
        "games_per_match",
        default=None,
    ),
    Option("hybrid", None, "hybrid tournament (article 2.1)", "is_hybrid"),
    Option("pgn", Path, "PGN file of a hybrid tournament (article 8.4)", default=None),
    Option("qc_approved", str, "reason of the QC for the approval (article 0.2)"),
    Option(
        "reasons",
        _reasons,
        "reasons for issues that each need their own: CODE=reason, separated by semicolons",
        default=None,
    ),
    Option(
        "lines",
        _lines,
        "answers for lines with the FIDE ID of a player of another name, separated by semicolons: LINE=same or "
        "LINE=other (decision D-130)",
        default=None,
    ),
    Option(
        "decided_by",
        _one_of(DecidedBy.values),
        "who decided that it is rated: council (FIDE Council) or president (article 0.2)",
        "decided_by",
        default=None,
    ),
    Option("reference", str, "reference of the decision", "decision_reference"),
)


def kept_registration(result: Mapping[str, Any]) -> Iterator[str]:
    """Yield what stays in the portal of a refused report, where it has registered its tournament or found it there."""
    if result["tournament"]:
        yield (
            f"{result['tournament']}: the registration is kept. Submit the report again with this event ID, or "
            "withdraw the registration."
        )


def read_cells(cells: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the values of a manifest's row by option, and what is wrong with it."""
    values: dict[str, Any] = {}
    problems = []
    for option in OPTIONS:
        try:
            values[option.name] = option.value(cells.get(option.name, ""))
        except ArgumentTypeError as error:
            problems.append(f"{option.name}: {error}")
    return values, problems


def terms_of(values: Mapping[str, Any], *, pgn: bytes | None = None) -> Terms:
    """Return the terms by the values of all options."""
    control: TimeControl = values["time_control"]
    base, increment = control.flat
    conditions = {option.condition: values[option.name] for option in OPTIONS if option.condition}
    conditions |= {
        "base_seconds": base,
        "increment_seconds": increment,
        "time_control_text": control.written,
        "has_unequal_times": control.is_unequal,
        # Whoever writes that an event is a continent's has said that it is official (D-115).
        "is_official": values["official"] or values["continental"],
        "decided_by": values["decided_by"] or "",
        "continues": values["continues"].strip(),
    }
    on = values["submitted_on"]
    return Terms(
        # The report says the name and the days.
        conditions=Conditions(name="", start=on, end=on, **conditions),
        registered_on=values["registered_on"],
        submitted_on=on,
        pgn=pgn,
        qc_approved=values["qc_approved"],
        reasons=values["reasons"] or {},
        lines=values["lines"] or {},
    )
