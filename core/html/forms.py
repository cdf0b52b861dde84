"""Django's forms in the portal's look: `{{ form }}` and `{{ field.as_field_group }}` use our partials."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms.renderers import DjangoTemplates
from django.template import loader
from django.utils.functional import Promise, lazy


def fill_text(text: Promise | str, **values: Any) -> Any:
    """Return a text with values in the language of the page; `%` would write it once, when the module is read."""

    def write_text() -> str:
        return str(text) % values

    return lazy(write_text, str)()


class PortalFormRenderer(DjangoTemplates):
    """Renders forms and fields with `partials/form.html` and `partials/field.html`, widgets as Django does."""

    form_template_name = "partials/form.html"
    field_template_name = "partials/field.html"

    def get_template(self, template_name: str) -> Any:
        """Return our partials from the project's templates, all else from Django's own."""
        if template_name.startswith("partials/"):
            return loader.get_template(template_name)
        return super().get_template(template_name)


class PortalForm(forms.Form):
    """A form in the portal's look."""

    default_renderer = PortalFormRenderer()


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
    """A choice among rows whose labels depend on the language of the page."""

    iterator = SortedChoices


class DayInput(forms.DateInput):
    """A date in the browser's own control, always write_text as 2026-01-31."""

    input_type = "date"

    def __init__(self) -> None:
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
