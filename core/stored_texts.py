"""Sentences of the portal that rows store in English, and pages show in their language."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db import models
from django.utils.formats import date_format
from django.utils.translation import gettext, override


class StoredTexts:
    """Sentences of the portal among stored texts of people: stored in English, read in the language of the page.

    A sentence is found anywhere in a text. One without a full stop is the whole text. `choices` have the labels that a
    placeholder can be. The placeholders `days` are dates, see `day_in_words`.
    """

    _PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")
    _DAY = re.compile(r"\d{4}-\d\d(?:-\d\d)?|(?:\d{1,2} )?[A-Z][a-z]+ \d{4}")

    def __init__(
        self, *templates: str, days: Collection[str] = (), **choices: type[models.TextChoices]
    ) -> None:
        self.templates, self.days, self.choices = templates, days, choices

    @staticmethod
    def fill_in(template: str, **values: Any) -> str:
        with override("en"):
            return template % values

    def translate(self, text: str) -> str:
        """Return a stored text with the sentences of the portal in the language of the page."""
        for template in self.templates:
            text = self._translate_text(template, text)
        return text

    def _translate_text(self, template: str, text: str) -> str:
        parts, done = [], 0
        while done < len(text) and (found := self._find_sentence(template, text, done)):
            begin, end, values = found
            parts += [text[done:begin], self._translate_sentence(template, values)]
            done = end
        return "".join([*parts, text[done:]])

    def _find_sentence(self, template: str, text: str, begin: int) -> tuple[int, int, dict[str, str]] | None:
        """Return where a sentence begins and ends, with its values, each as short as can be; None if it is not there.

        Not by a regular expression: one that may begin anywhere reads to the end of the text from each place.
        """
        (first, *literals), names = (
            self._PLACEHOLDER.split(template)[::2],
            self._PLACEHOLDER.split(template)[1::2],
        )
        is_whole = not template.endswith(".")
        while True:
            begin = text.find(first, begin)
            if begin < 0 or (is_whole and begin > 0):
                return None
            end, values = begin + len(first), {}
            for number, (name, literal) in enumerate(zip(names, literals, strict=True), start=1):
                stop = _end_of_value(text, literal, end + 1, is_last=number == len(names), is_whole=is_whole)
                if stop < 0:
                    return None
                values[name], end = text[end:stop], stop + len(literal)
            starts_here = not begin or text[begin - 1].isspace()
            if starts_here and _ends_word(text, end) and all(map(self._can_be, values, values.values())):
                return begin, end, values
            begin += 1

    def _can_be(self, name: str, value: str) -> bool:
        if name in self.days:
            return bool(self._DAY.fullmatch(value))
        return name not in self._labels or value in self._labels[name]

    def _translate_sentence(self, template: str, values: dict[str, Any]) -> str:
        values |= {
            name: labels.get(values[name], "") for name, labels in self._labels.items() if name in values
        }
        values |= {name: day_in_words(values[name]) for name in self.days if name in values}
        # A number is read as text.
        return self._PLACEHOLDER.sub(r"%(\1)s", gettext(template)) % values

    @cached_property
    def _labels(self) -> dict[str, dict[str, Any]]:
        with override("en"):
            return {
                name: {str(one.label): one.label for one in choices} for name, choices in self.choices.items()
            }


def _ends_word(text: str, place: int) -> bool:
    return place == len(text) or text[place].isspace()


def _end_of_value(text: str, literal: str, start: int, *, is_last: bool, is_whole: bool) -> int:
    """Return where the text after a value begins, at or after `start`; -1 if there is none."""
    if is_last and is_whole:
        stop = len(text) - len(literal)
        return stop if stop >= start and text.endswith(literal) else -1
    stop = text.find(literal, start)
    while is_last and stop >= 0 and not _ends_word(text, stop + len(literal)):
        stop = text.find(literal, stop + 1)
    return stop


# How dates are in stored sentences, and how a page shows them.
_DAY_FORMATS = {
    "%Y-%m-%d": "DATE_FORMAT",
    "%d %B %Y": "DATE_FORMAT",
    "%Y-%m": "YEAR_MONTH_FORMAT",
    "%B %Y": "YEAR_MONTH_FORMAT",
}


def day_in_words(text: str) -> str:
    """Return a day or month in the language of the page, given as `2026-02-01`, or as in English sentences."""
    for stored, shown in _DAY_FORMATS.items():
        with suppress(ValueError):
            return date_format(datetime.strptime(text, stored).date(), shown)  # noqa: DTZ007 - no instant
    return text
