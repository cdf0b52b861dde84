from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from simple_history.admin import SimpleHistoryAdmin

from players.admin.staff import StaffAdmin
from players.models import Player
from players.queries.names import find_ids
from players.services.names import rewrite_name_words


@admin.register(Player)
class PlayerAdmin(StaffAdmin[Player], SimpleHistoryAdmin):
    """Players with the history of every change. Results and ratings hang on them, so that none is deleted."""

    list_display = ["fide_id", "name", "federation_id", "title", "birth_year", "died_on"]
    search_fields = ["fide_id"]
    search_help_text = "FIDE ID, or the beginnings of the words of the name"
    autocomplete_fields = ["federation"]
    ordering = ["fide_id"]
    history_list_display = ["name", "federation_id", "title"]

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> list[str]:
        # Merging moves games and ratings too; it is more than this field.
        return ["fide_id", "merged_into"] if obj else ["merged_into"]

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False

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
