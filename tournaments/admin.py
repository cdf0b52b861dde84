"""Tournaments, their reports and their audit log in the admin."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext

from core.html.states import state_badge
from players.models import LogEntry
from players.staff_admin import EvidenceAdmin, EvidenceInline, StaffAdmin, in_folds, written
from tournaments.choices import Action, Registration, Stage
from tournaments.hooks import existing_lists
from tournaments.identity import committed_values, is_another_text
from tournaments.log import record_action
from tournaments.models import HandedReport, Report, RequestedChange, Tournament
from tournaments.progress import shown_state
from tournaments.states import load_progress, progress_of
from tournaments.towns import match_towns

EDITABLE = ("city", "chief_arbiter", "organiser", "decision_reference")


class SpellingForm(forms.ModelForm[Tournament]):
    """Corrects the spelling of texts; other values are changed at the desk, with a reason (D-127)."""

    def clean(self) -> dict[str, Any]:
        """Refuse texts that say something else."""
        values: dict[str, Any] = super().clean() or {}
        # What was changed little by little since is compared with what was registered by the deadline.
        former = {**self.initial, **committed_values(self.instance)}
        for name in {"city", "chief_arbiter", "organiser"} & values.keys():
            if is_another_text(former[name], values[name]):
                message = _(
                    "Only the spelling can be corrected here. Change it on the dashboard, with a reason "
                    "(decision D-127)."
                )
                self.add_error(name, ValidationError(message, code="other-event-D-127"))
        return values


class AuditInline(EvidenceInline):
    model = LogEntry
    fields = ["at", "what", "state", "why", "by"]
    readonly_fields = ["what", "state", "why"]

    @admin.display(description=_l("registration after the action"))
    def state(self, entry: LogEntry) -> str:
        return str(dict(Registration.choices).get(entry.after, ""))


class ReportInline(EvidenceInline):
    model = Report
    fields = ["version", "state", "file_name", "submitted_at", "accepted_on"]
    show_change_link = True

    def get_queryset(self, request: HttpRequest):  # type: ignore[no-untyped-def]
        # Megabytes for each row, of which the table shows nothing.
        return super().get_queryset(request).defer("content", "pgn", "findings")


@admin.register(Tournament)
class TournamentAdmin(StaffAdmin[Tournament]):
    """Tournaments. Decisions are made on the desk pages; a few texts can be corrected here until publication."""

    list_display = ["name", "event_id", "federation_code", "kind", "start", "state"]
    list_filter = ["kind", "registration", "stage", "is_official", "is_hybrid"]
    date_hierarchy = None
    search_fields = ["event_id__istartswith", "name__icontains", "federation__code__iexact"]
    form = SpellingForm
    inlines = [ReportInline, AuditInline]
    list_select_related = ["federation"]
    change_form_template = "admin/tournaments/tournament_form.html"
    # Registrations are checked by rules that the admin does not know (0.2).
    allowed = ("change",)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Read the progress of all tournaments of the page at once, by which the desk names their states."""
        page = super().get_changelist_instance(request)
        lists, today = existing_lists.answer(), timezone.now().date()
        progress = load_progress(page.result_list, lists, today=today)
        for tournament in page.result_list:
            tournament.progress = progress[tournament.pk]
        return page

    @admin.display(description=_l("state"), ordering="registration")
    def state(self, tournament: Tournament) -> SafeString:
        """Return the state as the desk names it."""
        return state_badge(shown_state(tournament, getattr(tournament, "progress", None)))

    @admin.display(description=_l("on the dashboard"))
    def desk(self, tournament: Tournament) -> SafeString:
        """Return the link to the tournament's page at the desk."""
        url = reverse("desk:tournament", args=[tournament.event_id])
        name = format_html('<span class="hidden"> {}</span>', tournament.event_id)
        return format_html('<a href="{}">{}{}</a>', url, pgettext("link", "View"), name)

    @admin.display(description=_l("Next step"))
    def next_step(self, tournament: Tournament) -> SafeString:
        """Return the next step, whose turn it is, until when, and the list expected."""
        today = timezone.now().date()
        context = {"progress": progress_of(tournament, existing_lists.answer(), today=today), "today": today}
        return render_to_string("partials/next_step.html", context)

    def get_readonly_fields(self, request: HttpRequest, obj: Tournament | None = None) -> list[Any]:
        return [
            "desk",
            "next_step",
            *(field.name for field in Tournament._meta.fields if field.name not in EDITABLE),
            *(written(field, in_folds) for field in self.json_fields()),
        ]

    def has_change_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        # Corrections of what is published show their effect first (D-11).
        is_published = obj is not None and obj.stage == Stage.PUBLISHED
        return not is_published and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Tournament, form: Any, change: bool) -> None:
        """Save a tournament with the town of its city."""
        match_towns([obj])
        super().save_model(request, obj, form, change)
        changes = [
            {"field": name, "before": form.initial[name], "after": form.cleaned_data[name]}
            for name in form.changed_data
        ]
        if changes:
            record_action(obj, Action.CHANGE, reason="", by=request.user, at=timezone.now(), changes=changes)


@admin.register(LogEntry)
class LogEntryAdmin(EvidenceAdmin[LogEntry]):
    """Who did what, when and why."""

    list_display = ["at", "about", "what", "by", "why"]
    list_filter = ["area"]
    list_select_related = ["tournament", "by", "account"]
    search_fields = ["tournament__event_id__istartswith", "by__email__istartswith"]
    search_help_text = _l("Start of the event ID or of the email")
    ordering = ["-pk"]

    @admin.display(description=_l("subject"))
    def about(self, entry: LogEntry) -> str:
        return str(entry.tournament or entry.subject or entry.account or "")


@admin.register(Report)
class ReportAdmin(EvidenceAdmin[Report]):
    """Uploaded reports. Their bytes and findings are read at the desk."""

    list_display = ["tournament", "version", "state", "submitted_at", "submitted_by", "accepted_on", "desk"]
    list_filter = ["state"]
    list_select_related = ["tournament", "submitted_by"]
    search_fields = ["tournament__event_id__istartswith", "sha256__istartswith"]
    search_help_text = _l("Start of the event ID or of the SHA-256")
    exclude = ["content", "pgn", "findings"]
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return super().get_queryset(request).defer("content", "pgn", "findings")

    @admin.display(description=_l("on the dashboard"))
    def desk(self, report: Report) -> SafeString:
        """Return the link to the report with its findings."""
        url = reverse("desk:report", args=[report.tournament.event_id, report.version])
        return format_html('<a href="{}">{}</a>', url, _l("text and issues"))


@admin.register(HandedReport)
class HandedReportAdmin(EvidenceAdmin[HandedReport]):
    """Reports that chief arbiters handed over. Their bytes and findings are read at the desk."""

    list_display = ["tournament", "number", "state_shown", "checked_at", "checked_by"]
    list_filter = ["handover__state"]
    list_select_related = ["tournament", "checked_by", "handover"]
    search_fields = ["tournament__event_id__istartswith", "sha256__istartswith"]
    search_help_text = _l("Start of the event ID or of the SHA-256")
    exclude = ["content", "original", "pgn", "findings"]
    ordering = ["-pk"]

    @admin.display(description=_l("state"))
    def state_shown(self, handed: HandedReport) -> str:
        """Return the state in words."""
        return handed.get_state_display()

    def get_queryset(self, request: HttpRequest) -> QuerySet[HandedReport]:
        return super().get_queryset(request).defer("content", "original", "pgn", "findings")


@admin.register(RequestedChange)
class RequestedChangeAdmin(EvidenceAdmin[RequestedChange]):
    """What officers ask of the QC once a tournament has begun; decided at the desk (D-80, D-81)."""

    list_display = ["tournament", "sort", "state", "asked_at", "asked_by", "decided_at", "decided_by"]
    list_filter = ["state", "sort"]
    list_select_related = ["tournament", "asked_by", "decided_by"]
    search_fields = ["tournament__event_id__istartswith"]
    ordering = ["-pk"]
