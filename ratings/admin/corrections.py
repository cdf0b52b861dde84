from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import RefusedError
from core.web.sessions import restore_form
from players.permissions import is_staff
from players.staff_admin import EvidenceAdmin, EvidenceInline
from ratings.admin.correcting import CorrectionForm, player_page, with_players
from ratings.admin.correcting_tournaments import conditions_page, game_page
from ratings.models import Correction, CorrectionLine
from ratings.services.corrections.correct import Effect, correct_report


class CorrectionLineInline(EvidenceInline):
    model = CorrectionLine
    fields = ["player", "corrected_list", "kind", "difference_hundredths", "games_difference", "taken_by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[CorrectionLine]:
        return super().get_queryset(request).defer("corrected_list__manifest", "taken_by__manifest")


@admin.register(Correction)
class CorrectionAdmin(EvidenceAdmin[Correction]):
    """Reports and players' data that were corrected, with the lines that the next list takes (D-11)."""

    list_display = ["at", "tournament", "player", "reason", "by"]
    list_select_related = ["tournament", "player", "by"]
    search_fields = ["tournament__event_id__istartswith"]
    inlines = [CorrectionLineInline]
    change_list_template = "admin/ratings/corrections.html"

    def get_urls(self) -> list[URLPattern]:
        own = [
            path(f"{name}/", self.admin_site.admin_view(page), name=f"ratings_correction_{name}")
            for name, page in (
                ("correct", self.correct),
                ("game", self.game),
                ("player", self.player),
                ("conditions", self.conditions),
            )
        ]
        return [*own, *super().get_urls()]

    def game(self, request: HttpRequest) -> HttpResponse:
        """Show what a decision on one game would do; when confirmed, carry it out (4.1, D-11)."""
        return game_page(self, request)

    def player(self, request: HttpRequest) -> HttpResponse:
        """Show what correcting a player's data would do; when confirmed, do it (D-11)."""
        return player_page(self, request)

    def conditions(self, request: HttpRequest) -> HttpResponse:
        """Show what other conditions of a tournament would do; when confirmed, correct them (D-82)."""
        return conditions_page(self, request)

    def correct(self, request: HttpRequest) -> HttpResponse:
        """Show what a correction would do; when confirmed, do it."""
        if not is_staff(request.user):
            raise PermissionDenied
        sent = (request.POST or restore_form(request), request.FILES or None)
        form = CorrectionForm(*sent, initial={"event_id": request.GET.get("event", "")})
        effect = None
        if request.method == "POST" and form.is_valid():
            is_confirmed = "confirm" in request.POST
            effect = _effect(form, by=request.user, is_dry_run=not is_confirmed)
            if effect and is_confirmed:
                messages.success(request, _done(effect))
                return redirect("admin:ratings_correction_changelist")
        context = {
            **self.admin_site.each_context(request),
            "title": _("Correct a published report"),
            "form": form,
            "effect": effect,
            "rows": with_players(effect.lines) if effect else [],
            "opts": self.opts,
        }
        return render(request, "admin/ratings/correct.html", context)


def _effect(form: CorrectionForm, *, by: Any, is_dry_run: bool) -> Effect | None:
    now = timezone.now()
    try:
        return correct_report(
            form.tournament,
            form.content,
            file_name=form.file_name,
            reason=form.cleaned_data["reason"],
            by=by,
            on=now.date(),
            at=now,
            seen=form.seen_before(is_dry_run=is_dry_run),
            is_dry_run=is_dry_run,
        )
    except RefusedError as error:
        for refusal in error.refusals:
            form.add_error(None, refusal.message)
        return None


def _done(effect: Effect) -> str:
    done = ngettext(
        "The report was corrected. The next list includes %(number)d adjustment.",
        "The report was corrected. The next list includes %(number)d adjustments.",
        len(effect.lines),
    )
    return done % {"number": len(effect.lines)}
