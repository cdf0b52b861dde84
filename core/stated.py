"""Reasons that the portal itself gives: kept as codes and parameters, made into sentences when they are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.db import models
from django.utils.formats import date_format
from django.utils.translation import gettext, override


class Stated(str):
    """A reason as text in English, with the `items` from which it is shown in any language.

    An item is one sentence of the portal (`code` and its parameters), or the `words` of a person beside it.
    """

    items: list[dict[str, Any]]

    def __new__(cls, text: str, items: list[dict[str, Any]]) -> Stated:
        made = super().__new__(cls, text)
        made.items = items
        return made


class Sentences:
    """Sentences of the portal by code; those in `lines` end a line, as a person's words do.

    Parameters in `days` are dates, those in `months` the first days of months, those in `choices` stored values.
    """

    def __init__(
        self,
        templates: Mapping[str, str],
        *,
        days: Collection[str] = (),
        months: Collection[str] = (),
        lines: Collection[str] = (),
        **choices: type[models.TextChoices],
    ) -> None:
        self.templates, self.choices = templates, choices
        self.days, self.months, self.lines = days, months, lines

    def state(self, code: str, *, words: str = "", **values: Any) -> Stated:
        """Return the sentence of a code with the words of a person after it."""
        plain = {
            name: value.isoformat() if isinstance(value, date) else value for name, value in values.items()
        }
        return self.join([{"code": code, **plain}], words)

    def join(self, items: Iterable[Mapping[str, Any]], words: str = "") -> Stated:
        """Return several sentences as one reason."""
        kept = [dict(item) for item in items]
        if words.strip():
            kept.append({"words": words.strip()})
        with override("en"):
            return Stated(self.show(kept), kept)

    def show(self, items: Sequence[Mapping[str, Any]]) -> str:
        """Return the sentences in the language of the page, and what a person wrote as it was written."""
        ends = ("\n" if "words" in item or item.get("code") in self.lines else " " for item in items)
        return "".join(
            f"{self._show_item(item)}{end}" for item, end in zip(items, ends, strict=True)
        ).rstrip()

    def _show_item(self, item: Mapping[str, Any]) -> str:
        if "words" in item:
            return str(item["words"])
        values = {name: self._show_value(name, value) for name, value in item.items() if name != "code"}
        return gettext(self.templates[item["code"]]) % values

    def _show_value(self, name: str, value: Any) -> Any:
        if name in self.days:
            return date_format(date.fromisoformat(value), "DATE_FORMAT")
        if name in self.months:
            return date_format(date.fromisoformat(value), "YEAR_MONTH_FORMAT")
        return self.choices[name](value).label if name in self.choices else value


def stated_items(reason: str) -> list[dict[str, Any]] | None:
    """Return what a reason keeps beside its text; None where a person wrote all of it."""
    return reason.items if isinstance(reason, Stated) else None
