"""Imports of FIDE lists through the browser: choose a file, look at what it would change, import it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.core.files import File
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.fields import DayInput
from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages, refusals_shown
from core.html.states import state_badge
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from players.models import Player
from players.staff_admin import EvidenceAdmin
from ratings.choices import SENTENCES, ListKind, RunState
from ratings.imports.browser import (
    OVERRIDDEN,
    ImportRequest,
    cancel_import,
    confirm_import,
    file_in_folder,
    folder_files,
    override_refusal,
    progress_of_import,
    request_import,
    restart_import,
    takes_reason,
)
from ratings.imports.decided import TITLES
from ratings.lists import read_lists
from ratings.models import FideImport, Run

MAX_UPLOAD = 60 << 20
STAGES = {
    "reading": ("running", _l("reading")),
    "ready": ("waiting", _l("waiting for confirmation")),
    "importing": ("running", _l("importing")),
    "done": ("accepted", _l("imported")),
    "refused": ("refused", _l("refused")),
    "cancelled": ("withdrawn", _l("cancelled")),
}
ACTS: dict[str, Callable[..., None]] = {
    "confirm": confirm_import,
    "cancel": cancel_import,
    "restart": restart_import,
    "override": override_refusal,
}


class ImportForm(PortalForm):
    """A file from this computer or from the folder of fetched lists, and the list that it is."""

    file = forms.FileField(
        label=_l("File from your computer"),
        required=False,
        help_text=_l("TXT or XML, uncompressed, .gz or .zip, up to 60 MiB."),
        error_messages={"too-large": _l("Put it into the folder instead.")},
    )
    path = forms.ChoiceField(
        label=_l("Or a file in the folder of fetched lists"),
        required=False,
        help_text=_l("Files of any size."),
    )
    date = forms.DateField(
        label=_l("Date of the list"), widget=DayInput, help_text=_l("The first day of a month.")
    )
    kind = forms.ChoiceField(
        label=_l("Rating type"),
        required=False,
        choices=[("", _l("All rating types in the file")), *ListKind.choices],
    )
    force = forms.CharField(
        label=_l("Reason to import a file that was refused"),
        required=False,
        max_length=400,
        help_text=_l(
            "For a file with another date or rating type, or without many players (decisions D-72 and D-137)."
        ),
    )
    adopt = forms.CharField(
        label=_l("Reason to use the FIDE list instead of the list of the portal"),
        required=False,
        max_length=400,
        help_text=_l("The list of the portal is then kept for comparison only (decision D-73)."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if files := [(name, name) for name in folder_files()]:
            self.fields["path"].choices = [("", "–"), *files]  # type: ignore[attr-defined]
        else:
            del self.fields["path"]
            self.fields["file"].required = True

    def clean(self) -> dict[str, Any]:
        """Ask for one file."""
        cleaned = super().clean() or self.cleaned_data
        if bool(cleaned.get("file")) == bool(cleaned.get("path")) and not {"file", "path"} & set(self.errors):
            self.add_error("file", forms.ValidationError(_("Select one file."), code="one-file"))
        if self.errors and cleaned.get("file"):
            self.add_error("file", forms.ValidationError(_("Select the file again."), code="again"))
        return cleaned

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name not in ("force", "adopt")]

    @property
    def exceptions(self) -> list[forms.BoundField]:
        """The fields that a page folds, as they are rarely filled in."""
        return [self["force"], self["adopt"]]

    def request(self) -> ImportRequest:
        """Return what was entered beside the file of a valid form."""
        return ImportRequest(**{name: self.cleaned_data[name] for name in ("date", "kind", "force", "adopt")})


@admin.register(FideImport)
class FideImportAdmin(EvidenceAdmin[FideImport]):
    """Imports through the browser, each with a page that shows its progress and its effect."""

    list_display = ["at", "file_name", "date", "shown_stage", "uploaded_by", "confirmed_by"]
    list_select_related = ["by", "confirmed_by"]
    exclude = ["path", "size", "preview", "contained", "result", "refusals"]
    readonly_fields = ["shown_size"]
    change_list_template = "admin/ratings/imports.html"
    change_form_template = "admin/ratings/import_row.html"

    @admin.display(description=_l("Uploaded by"), ordering="by")
    def uploaded_by(self, item: FideImport) -> Any:
        return item.by

    @admin.display(description=_l("Size"))
    def shown_size(self, item: FideImport) -> str:
        return filesizeformat(item.size)

    @admin.display(description=_l("state"))
    def shown_stage(self, item: FideImport) -> SafeString:
        """Return the stage as word, shape and colour."""
        name, label = STAGES[item.stage]
        return state_badge(name, label=label)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("start/", bounded({"file": MAX_UPLOAD})(view(self.start)), name="ratings_fideimport_start"),
            path("<int:pk>/progress/", view(self.progress), name="ratings_fideimport_progress"),
        ]
        return [*own, *super().get_urls()]

    def start(self, request: HttpRequest) -> HttpResponse:
        """Ask for a file and its date, and have it read."""
        # The list of this month is the one that tasks ask for.
        month = timezone.now().date().replace(day=1)
        form = form_of(request, ImportForm, initial={"date": request.GET.get("date", "")[:10] or month})
        if request.method == "POST" and form.is_valid():
            with refusals_shown(form):
                made = _request(request, form)
                return redirect("admin:ratings_fideimport_progress", made.pk)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Import a FIDE list"),
            "form": form,
            "opts": self.opts,
        }
        return render(request, "admin/ratings/import_start.html", context)

    def progress(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show how far an import is and what it changes; confirm, cancel or restart it."""
        item = FideImport.objects.select_related("by", "confirmed_by").filter(pk=pk).first()
        if item is None:
            raise Http404
        if request.method == "POST" and (act := ACTS.get(request.POST.get("step", ""))):
            values: dict[str, Any] = {"by": request.user, "at": timezone.now()}
            if act is override_refusal:
                values["reason"] = request.POST.get("reason", "")[:400]
            if act is confirm_import:
                values["contained"] = request.POST.getlist("contained")
            with refusals_in_messages(request):
                act(item, **values)
            # Reloading the page of progress must not send the step once more.
            return redirect("admin:ratings_fideimport_progress", item.pk)
        run = Run.objects.filter(work=item.work, subject=str(item.pk)).first()
        is_moving = item.stage in ("reading", "importing")
        context = {
            **self.admin_site.each_context(request),
            "title": _("Import of %(file)s") % {"file": item.file_name},
            "item": item,
            "found": _describe_outcome(item),
            "state": self.shown_stage(item),
            "progress": progress_of_import(item),
            "run": run,
            "has_failed": run is not None and run.state == RunState.FAILED,
            "is_moving": is_moving,
            "may_force": takes_reason(item),
            # A first import locks the tables that the counts of the rail are made of.
            "may_count": not is_moving,
            # A worker has just imported what was a task.
            "counts_anew": item.stage == "done",
            "opts": self.opts,
        }
        return render(request, "admin/ratings/import_progress.html", context)


def _request(request: HttpRequest, form: ImportForm) -> FideImport:
    now = timezone.now()
    if form.cleaned_data["file"]:
        return request_import(form.cleaned_data["file"], form.request(), by=request.user, at=now)
    chosen = file_in_folder(form.cleaned_data.get("path", ""))
    with chosen.open("rb") as file:
        return request_import(File(file, name=chosen.name), form.request(), by=request.user, at=now)


def _describe_outcome(item: FideImport) -> dict[str, Any] | None:
    """Return what reading or importing found, its lists beside the lists before them."""
    found: dict[str, Any] | None = item.result or item.preview
    if found is None:
        return None
    changes, kept = (_labelled(found.get(name, ())) for name in ("changes", "kept"))
    lists = [_beside(row, item, is_compared=False) for row in found["lists"]]
    lists += [_beside(row, item, is_compared=True) for row in found["compared"]]
    problems = [{**row, "message": SENTENCES.show(row["message"])} for row in found["problems"]]
    # What a reason overrides is above the effect, with the reason.
    warnings, notices = (
        [
            SENTENCES.show(said)
            for said in found["notices"]
            if (said[0].get("code") in OVERRIDDEN) is overridden
        ]
        for overridden in (True, False)
    )
    return {
        **found,
        "changes": changes,
        "kept": kept,
        "lists": lists,
        "problems": problems,
        "notices": notices,
        "warnings": warnings,
    }


def _labelled(changes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return changes of players with the labels of the fields, and the page on which staff take the list's values."""
    labels = {field.attname: field.verbose_name for field in Player._meta.concrete_fields}
    return [
        {
            **change,
            "fields": [(labels[name], before, after) for name, before, after in change["fields"]],
            "take": _page_to_take(change),
        }
        for change in changes
    ]


def _page_to_take(change: dict[str, Any]) -> str:
    values = {name: "" if other is None else other for name, _own, other in change["fields"]}
    if values.keys() <= TITLES:
        return reverse("admin:players_player_change", args=[change["fide_id"]])
    page = reverse("admin:ratings_correction_player")
    return f"{page}?{urlencode({'fide_id': change['fide_id'], **values})}"


def _beside(row: dict[str, Any], item: FideImport, *, is_compared: bool) -> dict[str, Any]:
    """Return a list of the file with the one before it."""
    before = read_lists().before(row["kind"], item.date)
    kind = ListKind(row["kind"]).label
    return {**row, "kind": kind, "code": row["kind"], "before": before, "is_compared": is_compared}
