from __future__ import annotations

from datetime import date

import pytest
from django.utils import translation
from django.utils.html import strip_tags

from core.html import dates

JULY, SEPTEMBER = date(2026, 7, 2), date(2026, 9, 30)


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["Thu 2 Jul 2026", "Thu 2", "2 Jul", "30 Sep 2026", "Jul 2026"]),
        ("fr", ["jeu. 2 juil. 2026", "jeu. 2", "2 juil.", "30 sept. 2026", "juil. 2026"]),
        ("es", ["jue 2 jul 2026", "jue 2", "2 jul", "30 sept 2026", "jul 2026"]),
        ("de", ["Do., 2. Juli 2026", "Do., 2.", "2. Juli", "30. Sept. 2026", "Juli 2026"]),
    ],
)
def test_short_days_and_months_are_those_of_cldr(language: str, texts: list[str]) -> None:
    with translation.override(language):
        shown = [dates.day_text(JULY), dates.weekday_day(JULY), dates.short_day(JULY)]
        assert dates.month_name(JULY) == texts[2].split(maxsplit=1)[1]
        assert [*shown, dates.short_date(SEPTEMBER), dates.short_month(JULY)] == texts


@pytest.mark.parametrize(
    ("language", "within", "across"),
    [
        ("en", "2–5 Jul 2026", "2 Jul – 30 Sep 2026"),
        ("fr", "2–5 juil. 2026", "2 juil. – 30 sept. 2026"),
        ("es", "2–5 jul 2026", "2 jul – 30 sept 2026"),
        ("de", "2.–5. Juli 2026", "2. Juli – 30. Sept. 2026"),
    ],
)
def test_several_days_name_their_month_once(language: str, within: str, across: str) -> None:
    with translation.override(language):
        shown = [dates.days_element(JULY, end) for end in (date(2026, 7, 5), SEPTEMBER)]
        assert [strip_tags(text).replace("\xa0", " ") for text in shown] == [within, across]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Thursday, 2 July 2026"),
        ("fr", "jeudi 2 juillet 2026"),
        ("es", "jueves, 2 de julio de 2026"),
        ("de", "Donnerstag, 2. Juli 2026"),
    ],
)
def test_the_day_of_an_email_is_written_as_in_its_language(language: str, text: str) -> None:
    with translation.override(language):
        assert dates.long_day(JULY) == text
