from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from players.admin.staff import EvidenceAdmin
from portal.ui.states import state_badge
from ratings.choices import RunState, Work
from ratings.models import Run
from ratings.services.runs import make_due

BADGES = {
    RunState.DUE: "draft",
    RunState.RUNNING: "running",
    RunState.DONE: "accepted",
    RunState.FAILED: "failed",
}


@admin.register(Run)
class RunAdmin(EvidenceAdmin[Run]):
    """Work that is due, running, done or failed; what failed can be made due again."""

    list_display = [
        "created_at",
        "work",
        "subject",
        "shown_state",
        "attempts",
        "started_at",
        "finished_at",
        "error",
    ]
    list_filter = ["state", "work"]
    search_fields = ["subject__exact"]
    fields = [
        *("work", "subject", "shown_state", "attempts", "created_at", "started_at", "finished_at", "error"),
    ]
    readonly_fields = ["shown_state"]
    ordering = ["-created_at", "-pk"]
    actions = ["retry"]

    @admin.display(description=_l("state"), ordering="state")
    def shown_state(self, run: Run) -> SafeString:
        """Return the state as word, shape and colour."""
        return state_badge(BADGES[RunState(run.state)], label=run.get_state_display())

    @admin.action(description=_l("Try again what failed"))
    def retry(self, request: HttpRequest, queryset: QuerySet[Run]) -> HttpResponse | None:
        """Ask, then make the failed ones among the chosen runs due again."""
        failed = list(queryset.filter(state=RunState.FAILED))
        if "confirmed" not in request.POST:
            context = {
                **self.admin_site.each_context(request),
                "title": _("Try again what failed"),
                "failed": failed,
                "left_alone": queryset.count() - len(failed),
                "opts": self.opts,
            }
            return render(request, "admin/ratings/retry.html", context)
        for run in failed:
            make_due(Work(run.work), run.subject, at=timezone.now())
            self.log_change(request, run, _("tried again"))
        done = ngettext("%(number)d run is due again.", "%(number)d runs are due again.", len(failed))
        messages.success(request, done % {"number": len(failed)})
        return None
