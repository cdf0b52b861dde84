"""All arenas."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arenas.members import arenas_with_activity
from core.web.etags import public_page


@require_safe
@public_page
def arenas(request: HttpRequest) -> HttpResponse:
    return render(request, "public/arenas/arenas.html", {"arenas": list(arenas_with_activity())})
