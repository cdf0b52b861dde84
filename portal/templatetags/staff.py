"""The template library `staff`: what the first page of the admin shows."""

from __future__ import annotations

from django import template
from django.utils import timezone

from ratings.admin.overview import Overview, overview

register = template.Library()


@register.simple_tag
def staff_overview() -> Overview:
    """Return what needs staff today."""
    return overview(today=timezone.now().date())
