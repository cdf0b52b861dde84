"""Django's forms in the portal's look: `{{ form }}` and `{{ field.as_field_group }}` use our partials."""

from __future__ import annotations

from django.forms.renderers import TemplatesSetting


class PortalFormRenderer(TemplatesSetting):
    """Renders forms and fields with `partials/form.html` and `partials/field.html`."""

    form_template_name = "partials/form.html"
    field_template_name = "partials/field.html"
