"""Decisions at the desk: the reason that each needs, and the answer to whoever comes late."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.fields import TextField
from core.html.forms import PortalForm
from players.choices import CaseState
from players.models import Case


class ReasonForm(PortalForm):
    """The reason of a decision, required."""

    reason = TextField(
        label=_l("Reason"),
        max_length=2000,
        rows=4,
        help_text=_l("Saved permanently. The rating officer sees it."),
        error_messages={"required": _l("Enter a reason. The rating officer will see it.")},
    )


def decision_message(row: Any, state: CaseState) -> str:
    """Return what was decided on a case, by its kind, a link to what it is about, and its new state."""
    page = ("desk:tournament", row.tournament.event_id) if row.tournament else ("desk:case", row.number)
    about = format_html('<a href="{}">{}</a>', reverse(page[0], args=[page[1]]), row.about)
    words = {"kind": capfirst(row.get_kind_display()), "state": row.STATES.get(state) or state.label}
    return format_html(_("{kind} ({about}): {state}"), about=about, **words)


def show_decided(request: HttpRequest, row: Any, message: str, *, done: bool, text: str = "") -> None:
    """Show the message of a decision, or who came first, and the typed `text`: the service then did nothing."""
    if done:
        messages.success(request, message)
        return
    found = Case.objects.select_related("decided_by").get(number=row.number)
    words = {
        "who": found.decided_by or "–",
        "state": row.STATES.get(found.state) or CaseState(found.state).label,
    }
    message = _("%(who)s has already decided this request: %(state)s. Nothing was saved.") % words
    if text:
        message += " " + _("Your text: “%(text)s”") % {"text": text}
    messages.info(request, message)
