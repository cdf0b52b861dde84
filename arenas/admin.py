"""Arenas, members and games in the admin, and what staff may set for an arena beside its system.

That is the window of a series, and the time controls of rated games. None of the three systems leaves K open, so that
no arena has a K of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from arenas.entries import TIME_CONTROL
from arenas.models import Arena, ArenaList, ArenaToken, Game, Member
from arenas.services.games import cancel_game
from arenas.services.members import begin_categories, issue_token, revoke_token
from arenas.systems import SYSTEMS, TIME_CONTROLS, WINDOW, System
from core.html.forms import ExpiryField
from core.web.sessions import has_fresh_proof, restore_form
from players.permissions import is_staff
from players.staff_admin import EvidenceAdmin, StaffAdmin


@admin.register(Member)
class MemberAdmin(StaffAdmin[Member]):
    """Members. They come in by `import_members`, which gives first ratings; here staff note who left."""

    list_display = ["handle", "arena", "player_id", "is_full_member", "joined", "left"]
    list_filter = ["arena", "is_full_member"]
    list_select_related = ["arena"]
    search_fields = ["handle__istartswith", "player__fide_id__exact"]
    fields = ["arena", "handle", "player", "is_full_member", "joined", "left"]
    readonly_fields = ["arena", "handle", "player", "joined"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Member | None = None) -> bool:
        return False


@admin.register(ArenaList)
class ArenaListAdmin(EvidenceAdmin[ArenaList]):
    """Monthly lists, as they were published."""

    list_display = ["arena", "date", "listed", "published_at"]
    list_filter = ["arena"]
    list_select_related = ["arena"]


class CancelForm(forms.Form):
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
            text = _("The game is cancelled.") if is_done else _("The game is already cancelled.")
            messages.success(request, text)
            return redirect(reverse("admin:arenas_game_change", args=[game.pk]))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Cancel game"),
            "form": form,
            "game": game,
            "opts": self.opts,
        }
        return render(request, "admin/arenas/cancel.html", context)


class ArenaForm(forms.ModelForm[Arena]):
    """An arena; its parameters are checked against its system."""

    class Meta:
        model = Arena
        fields = ["slug", "name", "system", "parameters"]
        help_texts = {
            "parameters": _l(
                "A JSON object. time_controls: categories with their time controls, for example "
                '{"blitz": ["3+2", "5+0"]}. For foa-rbb, a subset of those in the regulations. '
                "series_window_hours: for flyordie, 24 by default. No parameter changes K."
            )
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Django adds a hidden copy with ARIA attributes, which HTML does not allow.
        self.fields["parameters"].show_hidden_initial = False

    def clean(self) -> dict[str, Any]:
        """Say at the field what is wrong with the parameters."""
        values = super().clean() or {}
        system = values.get("system") or self.instance.system
        for fault in faults_of(system, values.get("parameters", {})) if system else ():
            self.add_error("parameters", fault)
        return values

    def clean_parameters(self) -> Any:
        """An empty field is no parameter."""
        return self.cleaned_data["parameters"] or {}


@admin.register(Arena)
class ArenaAdmin(StaffAdmin[Arena]):
    """Arenas. Slug and system stay: games are rated by them, addresses carry them."""

    form = ArenaForm
    list_display = ["slug", "name", "system", "day_done"]
    search_fields = ["slug__istartswith", "name__icontains"]
    fields = ["slug", "name", "system", "parameters", "day_done"]

    def get_readonly_fields(self, request: HttpRequest, obj: Arena | None = None) -> list[str]:
        return ["slug", "system", "day_done"] if obj else ["day_done"]

    def has_delete_permission(self, request: HttpRequest, obj: Arena | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Arena, form: Any, change: bool) -> None:
        """Let members have a rating in categories that are new."""
        with transaction.atomic():
            super().save_model(request, obj, form, change)
            begin_categories(obj)


class ArenaTokenForm(forms.ModelForm[ArenaToken]):
    """A new token, and how long it opens its arena."""

    days = ExpiryField()


@admin.register(ArenaToken)
class ArenaTokenAdmin(StaffAdmin[ArenaToken]):
    """Tokens with which an arena's server posts games: made here, shown once, revoked by the action."""

    form = ArenaTokenForm
    list_display = ["arena", "name", "created_at", "last_used_at", "expires_at", "revoked_at"]
    list_filter = ["arena"]
    list_select_related = ["arena"]
    actions = ["revoke"]

    def get_fields(self, request: HttpRequest, obj: ArenaToken | None = None) -> Any:
        return self.get_readonly_fields(request, obj) if obj else ["arena", "name", "days"]

    def get_readonly_fields(self, request: HttpRequest, obj: ArenaToken | None = None) -> list[str]:
        return ["arena", "name", "created_at", "last_used_at", "expires_at", "revoked_at"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: ArenaToken | None = None) -> bool:
        return False

    def add_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        """Make a token after a fresh proof of who asks for it."""
        if request.method == "POST" and not has_fresh_proof(request):
            raise ReauthenticationRequired
        return super().add_view(request, *args, **options)

    def save_model(self, request: HttpRequest, obj: ArenaToken, form: Any, change: bool) -> None:
        """Make the token and show it this once."""
        if change:
            return
        token, made = issue_token(
            obj.arena, name=obj.name, at=timezone.now(), days=int(form.cleaned_data["days"])
        )
        obj.pk = made.pk
        text = _("API token for %(arena)s: %(token)s. Copy it now. You cannot see it again.")
        messages.warning(request, text % {"arena": obj.arena.slug, "token": token})

    def response_change(self, request: HttpRequest, obj: ArenaToken) -> HttpResponse:
        return self.response_post_save_change(request, obj)

    @admin.action(description=_l("Revoke selected tokens"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ArenaToken]) -> None:
        """End tokens; they stay as evidence of who could post games."""
        now = timezone.now()
        number = sum(revoke_token(token, at=now) for token in queryset)
        messages.success(request, _("Tokens revoked: %(number)d.") % {"number": number})


LONGEST_WINDOW = 24 * 366
LONGEST_NAME = 20
MAX_CATEGORIES = 12
MAX_CONTROLS = 100


def faults_of(system: str, parameters: Any) -> list[str]:
    """Return what is wrong with an arena's parameters, a sentence a fault."""
    if not isinstance(parameters, Mapping):
        return [_("Enter a JSON object, for example {}.")]
    known = [TIME_CONTROLS, *([WINDOW] if system == "flyordie" else [])]
    unknown = sorted(set(map(str, parameters)) - set(known))
    faults = [
        _("“%(name)s” is not a parameter of this system. Valid parameters: %(known)s.")
        % {"name": name, "known": ", ".join(known)}
        for name in unknown
    ]
    if WINDOW in parameters and WINDOW in known:
        faults += _window_faults(parameters[WINDOW])
    if TIME_CONTROLS in parameters:
        faults += _control_faults(SYSTEMS[system], parameters[TIME_CONTROLS])
    return faults


def _window_faults(hours: Any) -> Iterator[str]:
    if type(hours) is not int or not 1 <= hours <= LONGEST_WINDOW:
        yield _("series_window_hours: enter a whole number of hours from 1 to %(most)s.") % {
            "most": LONGEST_WINDOW
        }


def _control_faults(system: System, controls: Any) -> Iterator[str]:
    if not isinstance(controls, Mapping) or not 1 <= len(controls) <= MAX_CATEGORIES:
        yield _(
            'time_controls: enter categories with their time controls, for example {"blitz": ["3+2", "5+0"]}.'
        )
        return
    for name, listed in controls.items():
        if not isinstance(name, str) or not name.isidentifier() or len(name) > LONGEST_NAME:
            yield _("time_controls: “%(name)s” is not a category name. Use 20 letters or fewer.") % {
                "name": name
            }
        yield from _listed_faults(system, name, listed)
    every = [control for listed in controls.values() if isinstance(listed, list) for control in listed]
    for control in sorted({str(control) for control in every if every.count(control) > 1}):
        yield _("time_controls: %(control)s appears more than once.") % {"control": control}


def _listed_faults(system: System, category: Any, listed: Any) -> Iterator[str]:
    if not isinstance(listed, Sequence) or isinstance(listed, str) or not 1 <= len(listed) <= MAX_CONTROLS:
        yield _("time_controls: %(name)s has no list of time controls.") % {"name": category}
        return
    for control in listed:
        if not isinstance(control, str) or TIME_CONTROL.fullmatch(control) is None:
            yield _(
                "time_controls: “%(control)s” is not a time control. Enter minutes plus seconds "
                "per move, for example 10+5."
            ) % {"control": control}
        elif system.has_own_categories and system.category_of(control) != category:
            yield _("time_controls: the regulations do not list %(control)s under %(name)s.") % {
                "control": control,
                "name": category,
            }
