"""Sentences that rows stored in English, as codes and parameters (`core.stated`)."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.db import models

BATCH = 1_000
DAYS = ("date", "today", "meant", "later", "missing", "previous")
MONTHS = ("month",)
KINDS = ("kind", "named")
NUMBERS = ("number", "limit", "width", "seconds")
DAY_FORMATS = ("%Y-%m-%d", "%d %B %Y", "%Y-%m", "%B %Y")
Items = list[dict[str, Any]]
Recognise = Callable[[str], Items | None]


def recogniser(templates: Mapping[str, str]) -> Recognise:
    """Return a function that gives the items of a text; None where it is none of the sentences, or several."""
    patterns = {code: re.compile(_pattern(template)) for code, template in templates.items()}
    are_numbers = {code: set(re.findall(r"%\((\w+)\)d", template)) for code, template in templates.items()}

    def recognise(text: str) -> Items | None:
        for code, pattern in patterns.items():
            if match := pattern.fullmatch(text):
                return [item(code, match)]
        for code, pattern in patterns.items():
            match = pattern.match(text)
            if match and text[match.end() :].startswith(" ") and (rest := recognise(text[match.end() + 1 :])):
                return [item(code, match), *rest]
        return None

    def item(code: str, match: re.Match[str]) -> dict[str, Any]:
        return {"code": code} | {
            name: _value(name, text, is_number=name in are_numbers[code])
            for name, text in match.groupdict().items()
        }

    def _value(name: str, text: str, *, is_number: bool) -> Any:
        if is_number:
            return int(text)
        if name in (*DAYS, *MONTHS):
            return _day(text)
        return (recognise(text) or text) if name == "reason" else text

    return recognise


def _pattern(template: str) -> str:
    first, *parts = re.split(r"%\((\w+)\)([sd])", template)
    found = re.escape(first)
    for name, kind, literal in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        found += f"(?P<{name}>{_pattern_of_value(name, kind)}){re.escape(literal)}"
    return found


def _pattern_of_value(name: str, kind: str) -> str:
    if kind == "d" or name in NUMBERS:
        return r"\d+"
    if name in DAYS:
        return r"\d{4}-\d\d-\d\d|\d{1,2} [A-Z][a-z]+ \d{4}"
    if name in MONTHS:
        return r"\d{4}-\d\d|[A-Z][a-z]+ \d{4}"
    return "standard|rapid|blitz" if name in KINDS else ".+?"


def _day(text: str) -> str:
    for form in DAY_FORMATS:
        with suppress(ValueError):
            return datetime.strptime(text, form).date().isoformat()
    raise ValueError(text)


def state_texts(rows: models.QuerySet[Any], field: str, state: Recognise) -> None:
    """Fill the column `stated` of the rows with a text that is recognised, a batch at a time."""
    left = rows.filter(stated__isnull=True).exclude(**{field: ""}).order_by("pk")
    for some in batches(left.only("pk", field)):
        changed = []
        for row in some:
            row.stated = state(getattr(row, field))
            changed += [row] if row.stated else []
        rows.model.objects.bulk_update(changed, ["stated"])


def batches(rows: models.QuerySet[Any], size: int = BATCH) -> Iterator[list[Any]]:
    """Yield rows in the order of their keys."""
    last = 0
    while some := list(rows.filter(pk__gt=last)[:size]):
        last = some[-1].pk
        yield some
