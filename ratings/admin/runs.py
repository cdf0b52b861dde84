from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext, pgettext_lazy

from core.html.figures import NONE
from core.html.states import state_badge
from players.staff_admin import EvidenceAdmin
from ratings.choices import RunState, Work
from ratings.due_runs import RUNS, make_due
from ratings.models import Run
from tournaments.models import Report

BADGES = {
    RunState.DUE: "draft",
    RunState.RUNNING: "running",
    RunState.DONE: "accepted",
    RunState.FAILED: "failed",
}

# Jobs about a list that is published.
OF_LISTS = (Work.VERIFY, Work.ARCHIVE, Work.MAIL)
NEXT_STEPS = {
    RunState.DUE: _l("Queued. If no worker starts it, it is queued again within a minute."),
    RunState.RUNNING: _l(
        "Running. If the worker was killed, nothing was saved and the job is queued again within 2 minutes."
    ),
    RunState.DONE: _l("Done. Nothing to do."),
    RunState.FAILED: _l(
        "Failed, nothing was saved. It retries within 2 minutes. Fix the cause named in the error, for "
        "example a full disk."
    ),
}
LAST_STEP = _l(
    "Failed, nothing was saved, and it does not retry. Fix the cause named in the error, then select "
    "this job in the list and run “Retry failed jobs”."
)


@admin.register(Run)
class RunAdmin(EvidenceAdmin[Run]):
    """Work that is due, running, done or failed; what failed can be made due again."""

    list_display = [
        "shown_work",
        "shown_about",
        "shown_state",
        "created_at",
        "shown_error",
    ]
    list_filter = ["state", "work"]
    search_fields = ["subject__exact"]
    fields = [
        "shown_subject",
        "shown_state",
        "attempts",
        "created_at",
        "claimed_at",
        "finished_at",
        "shown_error",
        "next_step",
    ]
    readonly_fields = ["shown_subject", "shown_state", "shown_error", "next_step"]
    ordering = ["-created_at", "-pk"]
    actions = ["retry"]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Find the tournaments whose reports the jobs of the page rate, in one query."""
        page = super().get_changelist_instance(request)
        numbers = [run.subject for run in page.result_list if run.work == Work.RATE]
        reports = Report.objects.filter(pk__in=numbers).select_related("tournament").only("tournament")
        tournaments = {str(report.pk): report.tournament for report in reports}
        for run in page.result_list:
            run.tournament = tournaments.get(run.subject) if run.work == Work.RATE else None
        return page

    def get_actions(self, request: HttpRequest) -> Any:
        """Offer to retry where a job failed."""
        actions = super().get_actions(request)
        return actions if actions and Run.objects.filter(state=RunState.FAILED).exists() else {}

    @admin.display(description=_l("work"), ordering="work")
    def shown_work(self, run: Run) -> str:
        return capfirst(run.get_work_display())

    @admin.display(description=pgettext_lazy("job", "Subject"), ordering="subject")
    def shown_about(self, run: Any) -> SafeString | str:
        """Return the tournament or list as a link; a check of everything has none."""
        if run.tournament:
            url, name = reverse("desk:tournament", args=[run.tournament.event_id]), run.tournament.name
        elif run.work in OF_LISTS:
            kind, _space, day = run.subject.partition(" ")
            url, name = reverse("ratings:list", args=[kind, date.fromisoformat(day)]), run.subject_in_words
        else:
            return self.shown_subject(run)
        return format_html('<a href="{}">{}</a>', url, capfirst(name))

    @admin.display(description=pgettext_lazy("job", "Subject"))
    def shown_subject(self, row: Run) -> str:
        # The number of a row is known to nobody.
        return NONE if row.subject.isdecimal() else row.subject_in_words or NONE

    @admin.display(description=_l("state"), ordering="state")
    def shown_state(self, run: Run) -> SafeString:
        """Return the state as word, shape and colour."""
        return state_badge(BADGES[RunState(run.state)], label=run.get_state_display())

    @admin.display(description=_l("error"), ordering="error")
    def shown_error(self, run: Run) -> str:
        """Return the error in the language of the page."""
        return run.why or NONE

    @admin.display(description=_l("next step"))
    def next_step(self, run: Run) -> str:
        """Return whether the job continues without action, or what staff can do."""
        return str(NEXT_STEPS[RunState(run.state)] if RUNS.goes_on(run) else LAST_STEP)

    @admin.action(description=_l("Retry failed jobs"))
    def retry(self, request: HttpRequest, queryset: QuerySet[Run]) -> HttpResponse | None:
        """Ask, then make the failed ones among the chosen runs due again."""
        failed = list(queryset.filter(state=RunState.FAILED))
        # Django runs an action at once: a job that publishes is asked about first.
        if "confirmed" not in request.POST:
            context = {
                **self.admin_site.each_context(request),
                "title": _("Retry failed jobs"),
                "failed": failed,
                "left_alone": queryset.count() - len(failed),
                "opts": self.opts,
            }
            return render(request, "admin/ratings/retry.html", context)
        for run in failed:
            make_due(Work(run.work), run.subject, at=timezone.now(), by=request.user)
            self.log_change(request, run, _("queued again"))
        done = ngettext("%(number)d job queued again.", "%(number)d jobs queued again.", len(failed))
        messages.success(request, done % {"number": len(failed)})
        return None
