from __future__ import annotations

from django.contrib import admin

from players.admin.staff import EvidenceAdmin
from players.models import ChangeRequest, TitleGrant


@admin.register(ChangeRequest)
class ChangeRequestAdmin(EvidenceAdmin[ChangeRequest]):
    """What federations asked to have changed; decided at the desk."""

    list_display = ["player", "federation_id", "state", "asked_at", "decided_at"]
    list_filter = ["state"]
    list_select_related = ["player"]
    search_fields = ["player__fide_id", "federation__code__iexact"]


@admin.register(TitleGrant)
class TitleGrantAdmin(EvidenceAdmin[TitleGrant]):
    """Titles with their day; entered at the desk."""

    list_display = ["player", "title", "granted_on", "reference", "at"]
    list_filter = ["title"]
    list_select_related = ["player"]
    search_fields = ["player__fide_id", "reference__icontains"]
