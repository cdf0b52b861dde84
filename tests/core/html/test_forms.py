from __future__ import annotations

from django import forms

from core.html.forms import PortalForm


class Asked(PortalForm):
    text = forms.CharField()


def test_an_empty_field_is_refused_in_our_words_and_not_by_the_browser() -> None:
    assert "required" not in str(Asked()["text"])
