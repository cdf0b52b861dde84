"""Arenas, members and games in the admin, with the parameters of an arena.

These are the window of a series, and the time controls of rated games. All three systems define K, so no arena sets it.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from arenas.arena_form import ArenaForm, has_window
from arenas.games import cancel_game, preview_cancellation, reason_in_words
from arenas.members import begin_categories
from arenas.models import Arena, ArenaList, ArenaToken, Game, Member
from arenas.systems import TIME_CONTROLS, WINDOW
from arenas.tokens import check_token_name, issue_token, revoke_token
from core.html.fields import ExpiryField
from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.proofs import proved
from core.web.typed_forms import form_of
from players.permissions import is_staff
from players.staff_admin import EvidenceAdmin, StaffAdmin


@admin.register(Member)
class MemberAdmin(StaffAdmin[Member]):
    """Members. They come in by `import_members`, which gives first ratings; here staff note who left."""

    list_display = ["handle", "arena", "fide_id_of_player", "is_full_member", "joined", "left"]
    list_filter = ["arena", "is_full_member"]
    list_select_related = ["arena"]
    search_fields = ["handle__istartswith", "player__fide_id__exact"]
    fields = ["arena", "handle", "player", "is_full_member", "joined", "left"]
    readonly_fields = ["arena", "handle", "player", "joined"]
    # Only the import gives first ratings by the lists in force on joining.
    allowed = ("change",)


@admin.register(ArenaList)
class ArenaListAdmin(EvidenceAdmin[ArenaList]):
    """Monthly lists, as they were published."""

    list_display = ["arena", "date", "listed", "published_at"]
    list_filter = ["arena"]
    list_select_related = ["arena"]


class CancelForm(PortalForm):
    """Why a game is cancelled; shown to everybody beside it."""

    reason = forms.CharField(label=_l("Reason (public)"), max_length=200)


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
        "reason_unrated",
        "is_late",
        "cancelled_at",
    ]
    list_filter = ["arena", "is_late"]
    list_select_related = ["arena", "white", "black"]
    search_fields = ["arena_game_id__exact"]
    ordering = ["-pk"]
    change_form_template = "admin/arenas/game.html"

    @admin.display(description=_l("reason why the game is not rated"), ordering="unrated", empty_value="")
    def reason_unrated(self, game: Game) -> str:
        """Return the reason in words instead of its key."""
        return reason_in_words(game.arena.rules, game)

    def get_urls(self) -> list[URLPattern]:
        own = path("<int:number>/cancel/", self.admin_site.admin_view(self.cancel), name="arenas_game_cancel")
        return [own, *super().get_urls()]

    def cancel(self, request: HttpRequest, number: int) -> HttpResponse:
        """Ask for the reason and show the effect. Reverse the game by new entries when it is confirmed."""
        if not is_staff(request.user):
            raise PermissionDenied
        game = Game.objects.select_related("arena", "white", "black").filter(pk=number).first()
        if game is None:
            raise Http404
        form, effect = form_of(request, CancelForm), None
        if request.method == "POST" and form.is_valid() and "confirm" not in request.POST:
            effect = preview_cancellation(game, at=timezone.now())
        elif request.method == "POST" and form.is_valid():
            is_done = cancel_game(game, reason=form.cleaned_data["reason"], at=timezone.now())
            text = _("The game is cancelled.") if is_done else _("The game is already cancelled.")
            messages.success(request, text)
            return redirect(reverse("admin:arenas_game_change", args=[game.pk]))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Cancel game"),
            "form": form,
            "effect": effect,
            "game": game,
            "opts": self.opts,
        }
        return render(request, "admin/arenas/cancel.html", context)


@admin.register(Arena)
class ArenaAdmin(StaffAdmin[Arena]):
    """Arenas. Slug and system stay: games are rated by them, addresses carry them."""

    form = ArenaForm
    list_display = ["slug", "name", "system", "day_done"]
    search_fields = ["slug__istartswith", "name__icontains"]
    allowed = ("add", "change")

    def get_fields(self, request: HttpRequest, obj: Arena | None = None) -> Any:
        window = [WINDOW] if obj is None or has_window(obj.system) else []
        return ["slug", "name", "system", *window, TIME_CONTROLS, "day_done"]

    def get_readonly_fields(self, request: HttpRequest, obj: Arena | None = None) -> list[str]:
        return ["slug", "system", "day_done"] if obj else ["day_done"]

    def save_model(self, request: HttpRequest, obj: Arena, form: Any, change: bool) -> None:
        """Give members a rating in new categories."""
        # An arena with a category in which members have no rating could not rate its games.
        with transaction.atomic():
            super().save_model(request, obj, form, change)
            begin_categories(obj)


class ArenaTokenForm(forms.ModelForm[ArenaToken]):
    """A new token, and how long it opens its arena."""

    days = ExpiryField()

    def clean(self) -> dict[str, Any]:
        """Refuse a second token from a form that is sent again."""
        cleaned = super().clean() or self.cleaned_data
        if "arena" in cleaned and "name" in cleaned:
            with refusals_shown(self):
                check_token_name(cleaned["arena"], cleaned["name"], at=timezone.now())
        return cleaned


@admin.register(ArenaToken)
class ArenaTokenAdmin(StaffAdmin[ArenaToken]):
    """Tokens with which an arena's server posts games: made here, shown once, revoked by the action."""

    form = ArenaTokenForm
    list_display = ["arena", "name", "created_at", "last_used_at", "expires_at", "revoked_at"]
    list_filter = ["arena"]
    list_select_related = ["arena"]
    actions = ["revoke"]
    allowed = ("add", "change")

    def get_fields(self, request: HttpRequest, obj: ArenaToken | None = None) -> Any:
        return self.get_readonly_fields(request, obj) if obj else ["arena", "name", "days"]

    def get_readonly_fields(self, request: HttpRequest, obj: ArenaToken | None = None) -> list[str]:
        return ["arena", "name", "created_at", "last_used_at", "expires_at", "revoked_at"] if obj else []

    # A token works without a second factor: a session that was left open must not be enough to make one.
    @method_decorator(proved)
    def add_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        """Make a token after a fresh proof of who asks for it."""
        with refusals_in_messages(request):
            return super().add_view(request, *args, **options)
        return redirect("admin:arenas_arenatoken_changelist")

    def save_model(self, request: HttpRequest, obj: ArenaToken, form: Any, change: bool) -> None:
        """Make the token and show it this once."""
        if change:
            return
        days = int(form.cleaned_data["days"])
        token, made = issue_token(obj.arena, name=obj.name, at=timezone.now(), days=days, by=request.user)
        # The service has stored the row: the admin logs and leads on by its key.
        obj.pk = made.pk
        text = _("API token for %(arena)s: %(token)s. Copy it now. You cannot see it again.")
        messages.warning(request, text % {"arena": obj.arena, "token": token})

    def response_change(self, request: HttpRequest, obj: ArenaToken) -> HttpResponse:
        return self.response_post_save_change(request, obj)

    @admin.action(description=_l("Revoke selected tokens"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ArenaToken]) -> None:
        """End tokens; they stay as evidence of who could post games."""
        now = timezone.now()
        number = sum(revoke_token(token, at=now, by=request.user) for token in queryset)
        messages.success(request, _("Tokens revoked: %(number)d.") % {"number": number})
