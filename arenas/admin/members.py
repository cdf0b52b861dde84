from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from arenas.models import ArenaList, Member
from players.admin.staff import EvidenceAdmin, StaffAdmin


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
