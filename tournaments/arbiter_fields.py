"""Fields of a form for the arbiters of a tournament, by FIDE ID or by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

EMPTY_ROWS = 2
MAX_DEPUTIES = 20
LONGEST_NAME = 120


class ArbiterInput(forms.TextInput):
    """A text field with suggestions; without a script it takes a FIDE ID or a name as it is typed."""

    template_name = "partials/arbiter_input.html"


class DeputiesInput(forms.Widget):
    """A text field for each deputy."""

    template_name = "partials/deputies.html"
    use_fieldset = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        """Return what is in the fields; a program may send one text, parted by semicolons."""
        sent = data.getlist(name) if hasattr(data, "getlist") else str(data.get(name) or "").split(";")
        # One more than allowed, so that the field refuses it instead of dropping it.
        return list(sent[: MAX_DEPUTIES + 1])

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Return the filled fields, and an empty one at least."""
        context = super().get_context(name, value, attrs)
        filled = [text for text in value or () if text.strip()]
        context["widget"]["rows"] = filled + [""] * max(1, EMPTY_ROWS - len(filled))
        return context

    def id_for_label(self, id_: str) -> str:
        """Return none: each field has its own label."""
        return ""


class DeputiesField(forms.Field):
    """The deputies as they are typed, each by FIDE ID or by name with FIDE ID."""

    widget = DeputiesInput

    def to_python(self, value: Sequence[str] | None) -> list[str]:
        """Return the fields that are not empty, bounded in number and length."""
        texts = [text.strip() for text in value or () if text.strip()]
        if len(texts) > MAX_DEPUTIES:
            message = _("Enter at most %(limit)d deputies.")
            raise forms.ValidationError(message, code="too-many", params={"limit": MAX_DEPUTIES})
        return [text[:LONGEST_NAME] for text in texts]
