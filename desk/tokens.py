"""Tokens of officers' tools at the desk: made, shown once, revoked."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from desk.access import requires
from desk.token_form import TokenForm
from tournaments.errors import RefusedError
from tournaments.permissions import can_register_any
from tournaments.queries.tokens import tokens_of
from tournaments.registration_form import add_refusals
from tournaments.services.tokens import issue_token, revoke_token


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register_any)
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the person's tokens and the form for a new one; a new one is shown this once."""
    form = TokenForm(request.POST or None, user=request.user)
    made = ""
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            made = issue_token(
                request.user,
                values["federation"],
                name=values["name"],
                verbs=values["verbs"],
                at=timezone.now(),
            )
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            form = TokenForm(user=request.user)
    context = {"form": form, "made": made, "tokens": tokens_of(request.user)}
    return render(request, "desk/tokens.html", context)


@require_http_methods(["POST"])
@requires(can_register_any)
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke one of the person's own tokens."""
    token = get_object_or_404(tokens_of(request.user), pk=pk)
    revoke_token(token, at=timezone.now())
    messages.success(request, _("The token “%(name)s” is revoked.") % {"name": token.name})
    return redirect("desk:tokens")
