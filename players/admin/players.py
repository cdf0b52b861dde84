from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from simple_history.admin import SimpleHistoryAdmin

from players.admin.staff import StaffAdmin
from players.models import Player
from players.queries.names import find_ids
from players.services.names import rewrite_name_words

CORRECTED = ["name", "federation", "sex", "birth_year", "birth_date", "died_on"]


@admin.register(Player)
class PlayerAdmin(StaffAdmin[Player], SimpleHistoryAdmin):
    """Players with the history of every change. Results and ratings hang on them, so that none is deleted."""

    list_display = ["fide_id", "name", "federation_id", "title", "birth_year", "died_on"]
    search_fields = ["fide_id"]
    search_help_text = "FIDE ID, or the beginnings of the words of the name"
    autocomplete_fields = ["federation"]
    ordering = ["fide_id"]
    history_list_display = ["name", "federation_id", "title"]
    change_form_template = "admin/players/player_form.html"

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> list[str]:
        # Merging moves games and ratings too, and what lists publish is corrected with its effect (D-11): both are
        # more than a field.
        return ["fide_id", "merged_into", *CORRECTED] if obj else ["merged_into"]

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False

    def revert_disabled(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return True

    def history_form_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        """Show an earlier state; nobody goes back to it as a whole: what was wrong then would be wrong again."""
        if request.method == "POST":
            raise PermissionDenied
        return super().history_form_view(request, *args, **options)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """Find by words of the name or by FIDE ID; neither scans the table."""
        if not search_term.strip():
            return queryset, False
        return queryset.filter(pk__in=find_ids(search_term)[0]), False

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Keep the words by which the player is found with the name."""
        with transaction.atomic():
            super().save_model(request, obj, form, change)
            rewrite_name_words([(obj.fide_id, str(obj.name))])
