"""API tokens of officers: created, shown once, revoked."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.html.fields import ExpiryField, SortedChoiceField
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.proofs import proved
from core.web.typed_forms import form_of
from desk.access import requires
from players.models import Federation
from players.permissions import can_register, federations_of, is_staff
from tournaments.choices import Verb
from tournaments.tokens import issue_token, revoke_token, tokens_of


class TokenForm(PortalForm):
    """A new token: its name, federation and scopes."""

    name = forms.CharField(
        label=_l("Name"), max_length=60, help_text=_l("The program and the machine that will use it.")
    )
    federation = SortedChoiceField(Federation.objects.none(), label=_l("Federation"))
    days = ExpiryField()
    verbs = forms.MultipleChoiceField(
        label=_l("Permissions"), choices=Verb, widget=forms.CheckboxSelectMultiple, initial=[Verb.READ.value]
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        everybody = Federation.objects.order_by()
        mine = everybody if is_staff(user) else everybody.filter(pk__in=federations_of(user))
        self.fields["federation"].offer(mine)  # type: ignore[attr-defined]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
@proved
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the user's tokens, and create one. The new token is shown only once."""
    form = form_of(request, TokenForm, user=request.user)
    made = ""
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with refusals_shown(form):
            # No redirect: only the hash is stored, so this answer alone can show the token.
            made = issue_token(
                request.user,
                values["federation"],
                name=values["name"],
                verbs=values["verbs"],
                days=int(values["days"]),
                at=timezone.now(),
            )
            # An empty form beside the new token: the same one sent again would only be refused.
            form = TokenForm(user=request.user)
    context = {"form": form, "made": made, "tokens": tokens_of(request.user)}
    return render(request, "desk/tokens.html", context)


@require_http_methods(["POST"])
@requires(can_register)
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke one of the user's tokens."""
    token = get_object_or_404(tokens_of(request.user), pk=pk)
    revoke_token(token, at=timezone.now())
    messages.success(request, _("The token “%(name)s” was revoked.") % {"name": token.name})
    return redirect("desk:tokens")
