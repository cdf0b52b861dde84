from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from core.html.figures import NONE
from core.html.states import state_badge
from core.text_values import read_number
from players.fide_list.values import MAX_FIDE_ID
from players.permissions import is_staff
from players.staff_admin import EvidenceAdmin, EvidenceInline, StaffAdmin
from ratings.choices import PUBLISHED_KINDS, Origin, RunState, Work
from ratings.due_runs import RUNS, make_all_due, make_due, name_of, names_of_month
from ratings.lists import read_lists
from ratings.models import (
    FeeRate,
    FeeStatement,
    FideList,
    ListArchive,
    ListEntry,
    ListFile,
    RatingList,
    Run,
)
from ratings.movements import pending_corrections, requested_corrections
from ratings.publish.checklist import publication_checklist
from ratings.publish.prospect import prospect_of
from ratings.systems.registry import rules_named
from ratings.verifications import verifications_of
from tournaments.list_dates import lists_after

# Reports that the page of a publication shows for each list.
MAX_ROWS = 100


def title_of_text(slug: str) -> str:
    """Return the title of a text of the regulations, a dash without one (D-92)."""
    return rules_named(slug).title if slug else NONE


def checksum(sha256: str, *, label: str = "") -> SafeString | str:
    """Return both ends of a checksum with the button that copies the whole."""
    return render_to_string("partials/checksum.html", {"sha256": sha256, "label": label}) if sha256 else NONE


class FileInline(EvidenceInline):
    """Files of a list with their sizes and checksums as people read them; their paths follow from the list."""

    readonly_fields = ["shown_file", "shown_size", "shown_checksum"]

    @admin.display(description=_l("file"))
    def shown_file(self, row: ListFile | ListArchive) -> SafeString:
        """Return the name of the file as the link that downloads it."""
        name, of = row.path.rpartition("/")[2], row.rating_list
        return format_html(
            '<a href="{}">{}</a>', reverse("ratings:file", args=[of.kind, of.date, name]), name
        )

    @admin.display(description=_l("size"))
    def shown_size(self, row: ListFile | ListArchive) -> str:
        return filesizeformat(row.size)

    @admin.display(description="SHA-256")
    def shown_checksum(self, row: ListFile | ListArchive) -> SafeString | str:
        return checksum(row.sha256, label=row.path.rpartition("/")[2])


class ListFileInline(FileInline):
    model = ListFile
    fields = ["shown_file", "shown_size", "shown_checksum"]


class ListArchiveInline(FileInline):
    model = ListArchive
    fields = ["shown_file", "shown_size", "shown_checksum"]


@admin.register(RatingList)
class RatingListAdmin(EvidenceAdmin[RatingList]):
    """Lists with their files; a published list is never altered. Here staff have a month's lists published."""

    list_display = ["__str__", "verification", "listed", "published_at"]
    list_filter = ["kind", "origin"]
    readonly_fields = ["verification"]
    writes = {"rules": title_of_text, "manifest_sha256": checksum}
    inlines = [ListFileInline, ListArchiveInline]
    change_list_template = "admin/ratings/lists.html"
    actions = ["verify"]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Find the verifications of the lists of the page, in one query."""
        page = super().get_changelist_instance(request)
        found = verifications_of(page.result_list)
        for one in page.result_list:
            one.found = found[one.pk]
        return page

    @admin.display(description=_l("Verification"))
    def verification(self, row: Any) -> SafeString:
        """Return what the last check of the list found, or that it is imported."""
        return state_badge((getattr(row, "found", None) or verifications_of([row])[row.pk]).state)

    def get_fields(self, request: HttpRequest, obj: RatingList | None = None) -> Any:
        return [
            "verification",
            *(name for name in super().get_fields(request, obj) if name != "verification"),
        ]

    def view_on_site(self, obj: RatingList) -> str:
        """Return the address of the list's public page."""
        return reverse("ratings:list", args=[obj.kind, obj.date])

    @admin.action(description=_l("Verify selected lists"))
    def verify(self, request: HttpRequest, queryset: QuerySet[RatingList]) -> HttpResponse:
        """Note the verification of the chosen lists as due, and show how far it is."""
        # An imported list has no reports from which it could be calculated again.
        chosen = list(queryset.filter(origin=Origin.PUBLISHED))
        for rating_list in chosen:
            make_due(Work.VERIFY, name_of(rating_list), at=timezone.now())
        message = ngettext(
            "%(number)d list is being verified. Done means every byte is as published. Failed shows "
            "the first difference.",
            "%(number)d lists are being verified. Done means every byte is as published. Failed shows "
            "the first difference.",
            len(chosen),
        )
        messages.success(request, message % {"number": len(chosen)})
        return redirect(f"{reverse('admin:ratings_run_changelist')}?work__exact={Work.VERIFY}")

    def get_urls(self) -> list[URLPattern]:
        own = path("publish/", self.admin_site.admin_view(self.publish), name="ratings_ratinglist_publish")
        return [own, *super().get_urls()]

    def publish(self, request: HttpRequest) -> HttpResponse:
        """Show what a month's lists would take, then how far their publication is; when confirmed, make it due."""
        if not is_staff(request.user):
            raise PermissionDenied
        today, lists = timezone.now().date(), read_lists()
        months = lists.months_due(PUBLISHED_KINDS, today)
        there = [row.date for kind in PUBLISHED_KINDS for row in lists.of_kind(kind)]
        known = {day.isoformat(): day for day in (*there, *months)}
        # Only months that are there or due: anything else in the address shows the first of these.
        chosen = known.get(request.POST.get("month") or request.GET.get("month", ""))
        month = chosen or (months[0] if months else None)
        prospect = prospect_of(month, today=today) if month else None
        names = names_of_month(month) if month else []
        runs = list(Run.objects.filter(work=Work.PUBLISH, subject__in=names).order_by("subject"))
        moving = [run for run in runs if run.state in (RunState.DUE, RunState.RUNNING)]
        failed = [run for run in runs if run.state == RunState.FAILED]
        is_moving = bool(moving) and month in months
        if request.method == "POST" and prospect and chosen in months and not prospect.refusals:
            # A second click finds the publication on its way.
            if not is_moving:
                make_all_due(Work.PUBLISH, names, at=timezone.now(), by=request.user)
            return redirect(f"{reverse('admin:ratings_ratinglist_publish')}?month={prospect.month}")
        context = {
            **self.admin_site.each_context(request),
            "title": _("Next publication"),
            "months": months,
            "today": today,
            "prospect": prospect,
            "is_published": month is not None and month not in months,
            "run": next(iter([*moving, *failed, *runs]), None),
            "is_moving": is_moving,
            "has_failed": bool(failed) and not is_moving and month in months,
            "is_tried_again": all(map(RUNS.goes_on, failed)),
            "max_rows": MAX_ROWS,
            "opts": self.opts,
        }
        if prospect is None:
            coming = next(lists_after(today))
            context |= {
                "check": publication_checklist(lists, coming, today),
                "requested": requested_corrections().count(),
                "corrections": pending_corrections().count(),
            }
        return render(request, "admin/ratings/publish.html", context)


@admin.register(FideList)
class FideListAdmin(EvidenceAdmin[FideList]):
    """FIDE's lists of kinds that the portal publishes, kept for comparison (D-73)."""

    list_display = ["kind", "date", "listed", "source", "kept_at"]
    list_filter = ["kind"]


@admin.register(ListEntry)
class ListEntryAdmin(EvidenceAdmin[ListEntry]):
    """Players on lists; found by FIDE ID."""

    list_display = [
        "fide_id_of_player",
        "name",
        "rating_list",
        "status",
        "rating",
        "k_factor",
        "games",
        "federation_code",
    ]
    list_select_related = ["rating_list"]
    search_fields = ["player__fide_id__exact"]
    search_help_text = _l("FIDE ID")
    ordering = ["-pk"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[ListEntry], search_term: str
    ) -> tuple[QuerySet[ListEntry], bool]:
        """Search only by FIDE ID and list by list: the index of entries starts with the list."""
        term = search_term.strip()
        if not term:
            return queryset, False
        fide_id = read_number(term, most=MAX_FIDE_ID)
        if fide_id is None:
            return queryset.none(), False
        lists = list(RatingList.objects.values_list("pk", flat=True))
        return queryset.filter(rating_list__in=lists, player_id=fide_id), False


@admin.register(FeeRate)
class FeeRateAdmin(StaffAdmin[FeeRate]):
    """The rates of fees. Those by which a statement was made stay as they are."""

    list_display = ["valid_from", "currency", "per_tournament", "per_player"]

    def has_change_permission(self, request: HttpRequest, obj: FeeRate | None = None) -> bool:
        return super().has_change_permission(request, obj) and not _is_used(obj)

    def has_delete_permission(self, request: HttpRequest, obj: FeeRate | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not _is_used(obj)


@admin.register(FeeStatement)
class FeeStatementAdmin(EvidenceAdmin[FeeStatement]):
    """What each federation owes for each list."""

    list_display = ["rating_list", "federation", "tournaments", "players", "amount", "rate"]
    list_select_related = ["rating_list", "federation", "rate"]
    search_fields = ["federation__code__iexact"]


def _is_used(rate: FeeRate | None) -> bool:
    return rate is not None and FeeRate.objects.used().filter(pk=rate.pk).exists()
