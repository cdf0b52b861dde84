"""Fields of the portal's forms that Django does not have."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.forms.models import ModelChoiceIterator
from django.utils.translation import gettext_lazy as _l

from core.tokens import LONGEST_DAYS


def sort_key(text: str) -> str:
    """Return what sorts a text as people do: `É` beside `E`, small letters beside capitals."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


class SortedChoices(ModelChoiceIterator):  # type: ignore[type-arg]
    """The rows to choose from by their labels, the empty choice first."""

    def __iter__(self) -> Iterator[Any]:
        choices = super().__iter__()
        # Widgets ask for the first choice alone, which takes no query then.
        if self.field.empty_label is not None:
            yield next(choices)
        yield from sorted(choices, key=lambda choice: sort_key(str(choice[1])))


class SortedChoiceField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A federation, by its name in the language of the page."""

    iterator = SortedChoices

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"empty_label": _l("Select a federation"), **options})

    def offer(self, rows: Any) -> None:
        """Let choose among rows; one that is alone is chosen."""
        self.queryset = rows
        # Two are enough to know that there is a choice.
        if len(keys := rows.values_list("pk", flat=True)[:2]) == 1:
            self.initial, self.empty_label = keys[0], None


class DayInput(forms.DateInput):
    """A date in the browser's own control, always written as 2026-01-31."""

    input_type = "date"

    def __init__(self) -> None:
        # In any language, browsers read the value of a date control in this form alone.
        super().__init__(format="%Y-%m-%d")


class TextField(forms.CharField):
    """A text of several lines, `rows` of which are seen at once."""

    def __init__(self, *, rows: int = 3, **options: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": rows}), **options)


class FilesInput(forms.ClearableFileInput):
    """A control that takes several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files; the service limits their number, size and formats."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Return the uploaded files, an empty list without one where none is required."""
        files = [one for one in (data if isinstance(data, list | tuple) else [data]) if one]
        if not files and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        return [super(FilesField, self).clean(one, initial) for one in files]


class ExpiryField(forms.TypedChoiceField):
    """After how many days a token expires: a number, a year at most and without a choice."""

    def __init__(self) -> None:
        super().__init__(
            label=_l("Expires after"),
            choices=[(30, _l("30 days")), (90, _l("90 days")), (LONGEST_DAYS, _l("one year"))],
            initial=LONGEST_DAYS,
            empty_value=str(LONGEST_DAYS),
            coerce=int,
            required=False,
        )


class WebAddressField(forms.CharField):
    """A web address that may be left out, of at most 200 letters."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=200, required=False, **kwargs)
        message = _l("Enter an address that begins with http:// or https://.")
        self.validators.append(URLValidator(["http", "https"], message=message))
