"""Decisions at the desk: the reason that each needs, and the answer to whoever comes late."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.fields import TextField
from core.html.forms import PortalForm


class ReasonForm(PortalForm):
    """The reason of a decision, required."""

    reason = TextField(
        label=_l("Reason"),
        max_length=2000,
        rows=4,
        help_text=_l("Saved permanently. The rating officer sees it."),
        error_messages={"required": _l("Enter a reason. The rating officer will see it.")},
    )


def show_decided(request: HttpRequest, message: str, *, done: bool) -> None:
    """Show the message of a decision, or that a colleague came first: the service then did nothing."""
    messages.info(request, message if done else _("Another user has already decided this request."))
