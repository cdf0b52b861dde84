from __future__ import annotations

from django.contrib import admin

from players.admin.staff import EvidenceAdmin, EvidenceInline
from ratings.models import Correction, CorrectionLine


class CorrectionLineInline(EvidenceInline):
    model = CorrectionLine
    fields = ["player", "corrected_list", "kind", "difference_hundredths", "games_difference", "taken_by"]


@admin.register(Correction)
class CorrectionAdmin(EvidenceAdmin[Correction]):
    """Published reports that were replaced or withdrawn, with the lines that the next list takes (D-11)."""

    list_display = ["at", "tournament", "reason", "by"]
    list_select_related = ["tournament", "by"]
    search_fields = ["tournament__event_id__istartswith"]
    inlines = [CorrectionLineInline]
