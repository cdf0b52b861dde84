"""Markup filled in at once: what Django's own way of it gives, whatever the values are."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy
from hypothesis import given
from hypothesis import strategies as st

from core.html.figures import filled

VALUES = st.one_of(st.text(), st.integers(), st.none(), st.booleans(), st.text().map(mark_safe))


class Title(str):
    """A text of another kind than `str` itself."""

    __slots__ = ()


@given(VALUES, VALUES)
def test_it_gives_what_django_gives(one: Any, other: Any) -> None:
    markup = '<td title="{}">{named}</td>'
    assert filled(markup, one, named=other) == format_html(markup, one, named=other)


@pytest.mark.parametrize("hostile", ["<script>", Title("<script>"), "\"'&><"])
def test_a_text_is_escaped_and_markup_is_not(hostile: str) -> None:
    cell = filled("<td>{}</td>", hostile)
    assert isinstance(cell, SafeString)
    assert "<script>" not in cell
    assert filled("<tr>{}</tr>", cell) == f"<tr>{cell}</tr>"


def test_lazy_texts_and_other_numbers_are_filled_in_as_they_read() -> None:
    assert filled("{} {}", gettext_lazy("Rapid"), Decimal("0.5")) == "Rapid 0.5"


def test_braces_of_a_value_are_no_places_to_fill() -> None:
    assert filled("<td>{name}</td>", name="{0} {name}") == "<td>{0} {name}</td>"
