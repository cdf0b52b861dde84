"""Filter and search forms, whose values are in the query string."""

from __future__ import annotations

from html import escape
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.http import HttpRequest, QueryDict
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from core.html.fields import sort_key
from core.web.etags import is_anonymous
from players.members import numbered_ids
from players.models import Federation

ALL: tuple[str, str | Promise] = ("", _("all"))


class PlainSelect(forms.Select):
    """A select without templates: with one template per option, 200 federations cost more than the list."""

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        given = self.build_attrs(self.attrs, attrs)
        chosen = str(value or "")
        options = (
            f'<option value="{escape(str(key))}"{" selected" if str(key) == chosen else ""}>'
            f"{escape(str(label))}</option>"
            for key, label in self.choices
        )
        return format_html(
            '<select name="{}"{}>{}</select>', name, flatatt(given), mark_safe("".join(options))
        )


class FilterForm(forms.Form):
    """A form of the query string. No field is required, and no label ends with a colon."""

    use_required_attribute = False

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data, label_suffix="", auto_id="filter-%s")
        for field in self.fields.values():
            field.required = False
        if "federation" in self.fields:
            self.fields["federation"].choices = [ALL, *federation_choices()]  # type: ignore[attr-defined]


class SearchForm(FilterForm):
    """A search by name or FIDE ID."""

    q = forms.CharField(label=_("Name or FIDE ID"), max_length=100)

    def words(self) -> str:
        """Return the search text, "" if it is invalid."""
        return str(self.cleaned_data["q"]) if self.is_valid() else ""


def numbered_for(request: HttpRequest, words: str) -> list[int]:
    """Return the players with a national number, which officers find of their federations and nobody else."""
    return [] if is_anonymous(request) else numbered_ids(request.user, words)


def federation_choices() -> list[tuple[str, str]]:
    """Return the federations as choices by name, in one query."""
    rows = ((one.code, str(one)) for one in Federation.objects.only("code", "name").order_by())
    return sorted(rows, key=lambda row: sort_key(row[1]))
