"""What the portal itself states: kept as codes and parameters, made into sentences when it is shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.db import models
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, override


class Stated(str):
    """Sentences as text in one language, with the `items` from which they are shown in any language.

    An item is one sentence of the portal (`code` and its parameters, of which one may be items again), or the `words`
    of a person, a server or a library.
    """

    items: list[dict[str, Any]]

    def __new__(cls, text: str, items: list[dict[str, Any]]) -> Stated:
        made = super().__new__(cls, text)
        made.items = items
        return made

    def strip(self, chars: str | None = None, /) -> Stated:
        """Return the same: sentences have no blanks around them, and keep their items."""
        return self


class Sentences:
    """Sentences of the portal by code; those in `lines` end a line, as a person's words do.

    Parameters in `days` are dates, those in `months` the first days of months, those in `choices` stored values. Codes
    of `titles` are what was found so often: as one and many, or the only one.
    """

    def __init__(
        self,
        templates: Mapping[str, str],
        *,
        days: Collection[str] = (),
        months: Collection[str] = (),
        lines: Collection[str] = (),
        titles: Mapping[str, tuple[str, str] | str] | None = None,
        **choices: type[models.TextChoices],
    ) -> None:
        self.templates, self.choices = templates, choices
        self.days, self.months, self.lines, self.titles = days, months, lines, titles or {}

    def say(self, code: str, **values: Any) -> Stated:
        """Return the sentence of a code in the language of the page, as a refusal says it."""
        items = [{"code": code, **{name: _plain(value) for name, value in values.items()}}]
        return Stated(self.show(items), items)

    def state(self, code: str, *, words: str = "", **values: Any) -> Stated:
        """Return the sentence of a code in English, as rows store it, with the words of a person after it."""
        with override("en"):
            return self.join(self.say(code, **values).items, words)

    def join(self, items: Iterable[Mapping[str, Any]], words: str = "") -> Stated:
        """Return several sentences in English as one reason."""
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

    def apart(self, items: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
        """Return the sentences in the language of the page, and what a person wrote, apart."""
        stated, words = (
            [item for item in items if ("words" in item) is written] for written in (False, True)
        )
        return self.show(stated), self.show(words)

    def _show_item(self, item: Mapping[str, Any]) -> str:
        if "words" in item:
            return str(item["words"])
        if item["code"] not in self.templates:
            title, number = self.titles[item["code"]], item["number"]
            return f"{gettext(title) if isinstance(title, str) else ngettext(*title, number) % number}."
        values = {name: self._show_value(name, value) for name, value in item.items() if name != "code"}
        return gettext(self.templates[item["code"]]) % values

    def _show_value(self, name: str, value: Any) -> Any:
        if isinstance(value, list):
            return self.show(value)
        if name in self.days:
            return date_format(date.fromisoformat(value), "DATE_FORMAT")
        if name in self.months:
            return date_format(date.fromisoformat(value), "YEAR_MONTH_FORMAT")
        return self.choices[name](value).label if name in self.choices else value


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else stated_items(value) or value


def stated_items(text: Any) -> list[dict[str, Any]] | None:
    """Return what a text keeps beside it; None where the portal states nothing in it.

    `players.fide_list`, which imports nothing of the portal, has a class like `Stated` of its own.
    """
    return getattr(text, "items", None) if isinstance(text, str) else None


def items_of(text: str) -> list[dict[str, Any]]:
    """Return a text as items, one without any as words."""
    return stated_items(text) or [{"words": str(text)}]


def stated_by(error: Exception) -> list[dict[str, Any]] | None:
    """Return what the message of an error keeps; None for an error of a library."""
    return stated_items(error.args[0]) if error.args else None


def join_stated(texts: Iterable[str], between: str = " ") -> Stated:
    """Return several texts as one, with the items of all of them."""
    parts = list(texts)
    return Stated(between.join(map(str, parts)), [item for part in parts for item in items_of(part)])
