"""The mark of a form whose fields outlive the session."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.web.typed import MARK, sign_form

register = template.Library()


@register.simple_tag(takes_context=True)
def keep_typed(context: Context, page: str = "") -> SafeString:
    """Return the mark as a hidden field; `page` where the form stands at another address than it is shown at."""
    request = context["request"]
    if not request.user.is_authenticated:
        return SafeString("")
    return format_html(
        '<input type="hidden" name="{}" value="{}">', MARK, sign_form(request.user, page or request.path)
    )
