from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from arenas.models import Arena, ArenaToken
from arenas.parameters import faults_of
from arenas.services.parameters import begin_categories
from arenas.services.tokens import issue_token, revoke_token
from players.admin.staff import StaffAdmin


class ArenaForm(forms.ModelForm[Arena]):
    """An arena; its parameters are checked against its system."""

    class Meta:
        model = Arena
        fields = ["slug", "name", "system", "parameters"]
        help_texts = {
            "parameters": _l(
                'A JSON object. time_controls: categories with their time controls, as {"blitz": ["3+2", "5+0"]}; '
                "for foa-rbb a part of those of the regulations. series_window_hours: for flyordie, 24 without it. "
                "No system leaves K open."
            )
        }

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


@admin.register(ArenaToken)
class ArenaTokenAdmin(StaffAdmin[ArenaToken]):
    """Tokens with which an arena's server posts games: made here, shown once, revoked by the action."""

    list_display = ["arena", "name", "created_at", "last_used_at", "revoked_at"]
    list_filter = ["arena"]
    list_select_related = ["arena"]
    fields = ["arena", "name", "created_at", "last_used_at", "revoked_at"]
    actions = ["revoke"]

    def get_readonly_fields(self, request: HttpRequest, obj: ArenaToken | None = None) -> list[str]:
        dates = ["created_at", "last_used_at", "revoked_at"]
        return ["arena", "name", *dates] if obj else dates

    def has_delete_permission(self, request: HttpRequest, obj: ArenaToken | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: ArenaToken, form: Any, change: bool) -> None:
        """Make the token and show it this once."""
        if change:
            return
        token, made = issue_token(obj.arena, name=obj.name, at=timezone.now())
        obj.pk = made.pk
        text = _("The token of %(arena)s, shown this once and stored nowhere: %(token)s")
        messages.warning(request, text % {"arena": obj.arena.slug, "token": token})

    def response_change(self, request: HttpRequest, obj: ArenaToken) -> HttpResponse:
        return self.response_post_save_change(request, obj)

    @admin.action(description=_l("Revoke the chosen tokens"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ArenaToken]) -> None:
        """End tokens; they stay as evidence of who could post games."""
        now = timezone.now()
        number = sum(revoke_token(token, at=now) for token in queryset)
        messages.success(request, _("Tokens revoked: %(number)d.") % {"number": number})
