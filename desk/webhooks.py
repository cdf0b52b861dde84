"""Webhooks to a federation's own systems: create, test, resume, remove, and their deliveries."""

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
from django.views.decorators.http import require_http_methods, require_safe

from core.html.fields import SortedChoiceField
from core.html.forms import PortalForm
from core.html.paging import Keyset
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.outbound import MAX_URL_LENGTH
from core.web.proofs import proved
from core.web.rates import limited
from core.web.typed_forms import form_of
from desk.access import requires
from players import webhooks as service
from players.models import Federation
from players.permissions import can_register, registering_federations, webhooks_of

NEWEST_FIRST = Keyset(("-created_at", "-pk"))


class WebhookForm(PortalForm):
    """A new webhook with its federation and URL."""

    federation = SortedChoiceField(Federation.objects.none(), label=_l("Federation"))
    url = forms.CharField(
        label=_l("Address"),
        max_length=MAX_URL_LENGTH,
        help_text=_l("For example https://example.org/rating-portal. The server must be public."),
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["federation"].offer(registering_federations(user).order_by())  # type: ignore[attr-defined]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
# Each new webhook looks up the name of its server, which may hold a thread for three seconds.
@limited("open")
@requires(can_register)
@proved
def webhooks(request: HttpRequest) -> HttpResponse:
    """Show the webhooks of the user's federations, and create one. A new secret is shown only once."""
    form = form_of(request, WebhookForm, user=request.user)
    made, secret = None, ""
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with refusals_shown(form):
            # No redirect: no later page can show the secret.
            made, secret = service.create_webhook(
                request.user, values["federation"], url=values["url"], at=timezone.now()
            )
            form = WebhookForm(user=request.user)
    page = NEWEST_FIRST.page(webhooks_of(request.user), request.GET, size=50)
    context = {"form": form, "made": made, "secret": secret, "page": page}
    return render(request, "desk/webhooks/webhooks.html", context)


@require_safe
@requires(can_register)
def webhook(request: HttpRequest, webhook_id: int) -> HttpResponse:
    """Show a webhook and its deliveries, newest first."""
    chosen = get_object_or_404(webhooks_of(request.user), pk=webhook_id)
    page = NEWEST_FIRST.page(chosen.deliveries.all(), request.GET, size=50)
    context = {"webhook": chosen, "page": page, "attempts": service.DELIVERIES.max_attempts}
    return render(request, "desk/webhooks/webhook.html", context)


@require_http_methods(["POST"])
@requires(can_register)
def test(request: HttpRequest, webhook_id: int) -> HttpResponse:
    """Send a test delivery."""
    chosen = get_object_or_404(webhooks_of(request.user), pk=webhook_id)
    with refusals_in_messages(request):
        service.send_test(chosen, by=request.user, at=timezone.now())
        messages.success(request, _("The test delivery is queued. Reload the page to see the answer."))
    return redirect("desk:webhook", chosen.pk)


@require_http_methods(["POST"])
@requires(can_register)
def resume(request: HttpRequest, webhook_id: int) -> HttpResponse:
    chosen = get_object_or_404(webhooks_of(request.user), pk=webhook_id)
    service.resume_webhook(chosen, by=request.user, at=timezone.now())
    messages.success(request, _("The webhook was resumed."))
    return redirect("desk:webhook", chosen.pk)


@require_http_methods(["POST"])
@requires(can_register)
def remove(request: HttpRequest, webhook_id: int) -> HttpResponse:
    """Remove a webhook permanently."""
    chosen = get_object_or_404(webhooks_of(request.user), pk=webhook_id)
    service.remove_webhook(chosen, by=request.user, at=timezone.now())
    messages.success(request, _("The webhook was removed."))
    return redirect("desk:webhooks")


@require_http_methods(["POST"])
@requires(can_register)
def again(request: HttpRequest, webhook_id: int, delivery_id: int) -> HttpResponse:
    """Resend a finished delivery."""
    chosen = get_object_or_404(webhooks_of(request.user), pk=webhook_id)
    delivery = get_object_or_404(chosen.deliveries.select_related("webhook"), pk=delivery_id)
    with refusals_in_messages(request):
        service.send_again(delivery, by=request.user, at=timezone.now())
        messages.success(request, _("The delivery is queued."))
    return redirect("desk:webhook", chosen.pk)
