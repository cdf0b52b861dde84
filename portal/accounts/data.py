"""What the portal keeps about a person, for that person."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.web.proofs import proved
from portal.personal_data import data_file, data_of_account


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@proved
def personal_data(request: HttpRequest) -> HttpResponse:
    """Show what is stored about the person, and send it as a file."""
    if request.method == "POST":
        return data_file(data_of_account(request.user))  # type: ignore[arg-type]
    # Only accounts of people with a role have any.
    roles = request.user.appointments.all()  # type: ignore[union-attr]
    return render(request, "account/data.html", {"roles": roles})
