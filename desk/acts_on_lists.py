"""The buttons of an act on whole lists: confirm and cancel (D-131). `desk.urls` says of which act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.cache import cache
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from core.acts import Act
from core.html.refusals import refusals_in_messages
from core.html.tables import Label
from desk.access import requires
from desk.dashboard import counts_key
from players.own_matters import own_matter
from players.permissions import is_staff
from ratings.lists import read_lists


def who_confirms(user: Any, asked_by: int | None) -> dict[str, Any]:
    """Return why the user does not confirm an act that a person prepared, or whether they do so alone (D-131)."""
    bar = own_matter(user, frozenset(), asked_by=asked_by)
    return {"bar": bar, "is_alone": bar is None and user.pk == asked_by}


@require_POST
@requires(is_staff)
def decide(
    request: HttpRequest,
    pk: int,
    *,
    kind: type[Model],
    do: Callable[..., object],
    done: Label,
    page: str,
    has_seen: bool = False,
) -> HttpResponse:
    """Confirm or cancel an act as the reader, say so, and lead back to its page; `has_seen`: by the effect seen."""
    item = get_object_or_404(kind, pk=pk)
    seen = {"seen": request.POST.get("seen", "")} if has_seen else {}
    with refusals_in_messages(request):
        do(item, Act(request.user, timezone.now(), request.POST.get("reason", "")), **seen)
        messages.success(request, str(done))
        cache.delete(counts_key(read_lists(), timezone.now().date()))
        return redirect(page, item.pk)
    if request.POST.get("reason", "?").strip():
        return redirect(page, item.pk)
    # The form of the reason stays open, with the error at its field.
    return redirect(f"{reverse(page, args=[item.pk])}?reason=missing#reason")
