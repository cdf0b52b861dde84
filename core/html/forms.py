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

    # The browser's own words for an empty field would be in its language, and hide ours.
    use_required_attribute = False
    default_renderer = PortalFormRenderer()

    @property
    def folded(self) -> int:
        """How many fields beyond the first are filled in: of filters, those behind the fold."""
        return sum(bool(self[name].value()) for name in [*self.fields][1:])
