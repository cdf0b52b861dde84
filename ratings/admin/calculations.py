from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from core.html.figures import signed_hundredths
from players.staff_admin import EvidenceAdmin, EvidenceInline
from ratings.choices import Work
from ratings.due_runs import make_due
from ratings.models import Calculation, ParticipantRating, PoolEvent, TournamentRating


@admin.register(Calculation)
class CalculationAdmin(EvidenceAdmin[Calculation]):
    """From the previous rating to the new one; found by FIDE ID."""

    list_display = [
        "player",
        "rating_list",
        "previous_rating",
        "games",
        "change",
        "new_rating",
        "result",
    ]
    list_select_related = ["player", "rating_list"]
    search_fields = ["player__fide_id__exact"]
    ordering = ["-pk"]

    @admin.display(description=_l("Rating change"), ordering="change_hundredths")
    def change(self, row: Calculation) -> str:
        """Return the change by the games of the period in points."""
        return signed_hundredths(row.change_hundredths)


@admin.register(PoolEvent)
class PoolEventAdmin(EvidenceAdmin[PoolEvent]):
    """Events of players who are not rated yet; found by FIDE ID."""

    list_display = ["player", "kind", "tournament", "added_by", "is_disregarded", "closed_by"]
    list_select_related = ["player", "tournament", "added_by", "closed_by"]
    list_filter = ["kind"]
    search_fields = ["player__fide_id__exact", "tournament__event_id__exact"]
    ordering = ["-pk"]


class ParticipantRatingInline(EvidenceInline):
    model = ParticipantRating
    fields = [
        "number",
        "player",
        "start_rating",
        "own_rating",
        "own_k",
        "games",
        "half_points",
        "change_hundredths",
    ]


@admin.register(TournamentRating)
class TournamentRatingAdmin(EvidenceAdmin[TournamentRating]):
    """How a report was rated, participant by participant."""

    list_display = ["tournament", "rules", "counted_games", "rated_at", "included_in"]
    list_select_related = ["report__tournament", "included_in"]
    search_fields = ["report__tournament__event_id__istartswith"]
    inlines = [ParticipantRatingInline]
    ordering = ["-pk"]
    actions = ["rate_again"]

    @admin.action(description=_l("Recalculate unpublished tournaments"))
    def rate_again(self, request: HttpRequest, queryset: QuerySet[TournamentRating]) -> None:
        """Note the reports of the chosen ratings as due to be rated again."""
        # What a list has taken is evidence, and is not rated again.
        chosen = list(queryset.filter(included_in=None))
        for rating in chosen:
            make_due(Work.RATE, str(rating.report_id), at=timezone.now())
        message = ngettext(
            "%(number)d report queued for recalculation.",
            "%(number)d reports queued for recalculation.",
            len(chosen),
        )
        messages.success(request, message % {"number": len(chosen)})

    @admin.display(description="tournament")
    def tournament(self, rating: TournamentRating) -> str:
        """Return the tournament's name and event ID."""
        return str(rating.report.tournament)
