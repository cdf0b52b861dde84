"""The page of tools: what readers, arbiters and programs can use."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.web.etags import public_page


@require_safe
@public_page
def tools(request: HttpRequest) -> HttpResponse:
    """Show the calculators and the report check."""
    return render(request, "public/tools.html")
