from __future__ import annotations

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from arenas.models import Game
from arenas.services.cancellations import cancel_game
from players.admin.staff import EvidenceAdmin
from players.permissions import is_staff


class CancelForm(forms.Form):
    """Why a game is cancelled; shown to everybody beside it."""

    reason = forms.CharField(label=_l("Reason, shown to everybody"), max_length=200)


@admin.register(Game)
class GameAdmin(EvidenceAdmin[Game]):
    """Games as they came in and were rated; one that was not fair is cancelled here."""

    list_display = [
        "arena_game_id",
        "arena",
        "played_at",
        "white",
        "black",
        "result",
        "unrated",
        "is_late",
        "cancelled_at",
    ]
    list_filter = ["arena", "is_late"]
    list_select_related = ["arena", "white", "black"]
    search_fields = ["arena_game_id__exact"]
    ordering = ["-pk"]
    change_form_template = "admin/arenas/game.html"

    def get_urls(self) -> list[URLPattern]:
        own = path("<int:number>/cancel/", self.admin_site.admin_view(self.cancel), name="arenas_game_cancel")
        return [own, *super().get_urls()]

    def cancel(self, request: HttpRequest, number: int) -> HttpResponse:
        """Ask for the reason; when it is given, reverse the game by entries of its own."""
        if not is_staff(request.user):
            raise PermissionDenied
        game = Game.objects.select_related("arena", "white", "black").filter(pk=number).first()
        if game is None:
            raise Http404
        form = CancelForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            is_done = cancel_game(game, reason=form.cleaned_data["reason"], at=timezone.now())
            text = _("The game is cancelled.") if is_done else _("The game was cancelled before.")
            messages.success(request, text)
            return redirect(reverse("admin:arenas_game_change", args=[game.pk]))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Cancel a game"),
            "form": form,
            "game": game,
            "opts": self.opts,
        }
        return render(request, "admin/arenas/cancel.html", context)
