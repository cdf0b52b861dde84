"""What the portal is, who runs it, whom to write to, and what happens to personal data."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.web.etags import public_page


@require_safe
@public_page
def about(request: HttpRequest) -> HttpResponse:
    """Show who runs this installation, contacts, and the protection of personal data."""
    return render(request, "public/about.html", {"environment": settings.ENVIRONMENT})
