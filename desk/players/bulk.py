"""A federation's register from a file: its columns, its effect, the import."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_safe

from core.html.fields import SortedChoiceField
from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.csv import csv_response
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from desk.access import requires
from players.models import Federation
from players.permissions import can_register, registering_federations
from players.register_file import COLUMNS, SENTENCES, keys_of
from ratings.choices import RunState
from ratings.imports.browser import (
    cancel_import,
    confirm_import,
    progress_of_import,
    read_register,
    register_hints,
    request_register,
    restart_import,
)
from ratings.models import RegisterImport, Run

MAX_UPLOAD = 64 << 20
SHOWN_IMPORTS, SHOWN_ROWS = 10, 200
STAGES = {
    "columns": ("waiting", _l("columns to select")),
    "reading": ("running", _l("reading")),
    "ready": ("waiting", _l("waiting for confirmation")),
    "empty": ("withdrawn", _l("nothing to import")),
    "importing": ("running", _l("importing")),
    "done": ("accepted", _l("imported")),
    "refused": ("refused", _l("refused")),
    "cancelled": ("withdrawn", _l("cancelled")),
}
LABELS = {
    "fide_id": _l("FIDE ID"),
    "number": _l("National number"),
    "name": _l("Surname, given names"),
    "surname": _l("Surname"),
    "given": _l("Given names"),
    "sex": _l("Sex"),
    "birth": _l("Date or year of birth"),
    "federation": _l("Federation"),
    "club": _l("Club"),
    "district": _l("District"),
    "title": _l("Title"),
}
EXAMPLES = (
    ("", "10023", "Musterfrau", "Petra", "F", "2011-05-30", "SC Musterstadt", "North"),
    ("new", "10024", "Exempel", "Karl", "M", "2009-11-02", "SC Musterstadt", "North"),
)
HEADS = ("fide_id", "national_number", "surname", "given_names", "sex", "birth_date", "club", "district")
ACTS = {"confirm": confirm_import, "cancel": cancel_import, "restart": restart_import}


class RegisterForm(PortalForm):
    """The file of a register, and the federation whose it is."""

    federation = SortedChoiceField(Federation.objects.none(), label=_l("Federation"))
    rows_file = forms.FileField(
        label=_l("File"),
        help_text=_l("CSV or XLSX with any number of rows, up to 64 MiB."),
        error_messages={"required": _l("Select a file."), "empty": _l("The file is empty.")},
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["federation"].offer(registering_federations(user).order_by())  # type: ignore[attr-defined]


@require_safe
@requires(can_register)
def template(request: HttpRequest) -> HttpResponse:
    """Return a CSV with the column names and two example rows."""
    return csv_response("register.csv", [HEADS, *EXAMPLES])


@bounded({"rows_file": MAX_UPLOAD})
@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def bulk(request: HttpRequest) -> HttpResponse:
    """Take the file of a register, and show the latest ones."""
    form = form_of(request, RegisterForm, user=request.user)
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            federation, file = form.cleaned_data["federation"], form.cleaned_data["rows_file"]
            made = request_register(file, federation, by=request.user, at=timezone.now())
            return redirect("people:register-import", made.pk)
    latest = _imports(request).select_related("by")[:SHOWN_IMPORTS]
    waiting = _imports(request).filter(confirmed_at=None, cancelled_at=None)[:SHOWN_IMPORTS]
    context = {
        "form": form,
        "latest": [(item, _stage(item)) for item in latest],
        "waiting": [(item, _stage(item)[1]) for item in waiting],
        "hints": register_hints(),
    }
    return render(request, "desk/players/bulk.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def register_import(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the columns of a register, then its effect, then its result; do the next step."""
    # Another federation's register is not there.
    item = _imports(request).select_related("federation", "by", "cancelled_by").filter(pk=pk).first()
    if item is None:
        raise Http404
    step = request.POST.get("step", "")
    if request.method == "POST":
        with refusals_in_messages(request):
            if step == "read":
                _read(request, item)
            elif act := ACTS.get(step):
                act(item, by=request.user, at=timezone.now())
        return redirect("people:register-import", item.pk)
    run = Run.objects.filter(work=item.work, subject=str(item.pk)).first()
    context = {
        "item": item,
        "stage": _stage(item),
        "is_moving": item.stage in ("reading", "importing"),
        "has_failed": run is not None and run.state == RunState.FAILED,
        "run": run,
        "progress": progress_of_import(item),
        "columns": _columns(item),
        "labels": LABELS,
        **_effect(item),
    }
    return render(request, "desk/players/register_import.html", context)


@require_safe
@requires(can_register)
def left_out(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the rows of a register that were left out under their own head, each with what to do in a last cell.

    The file is imported again as it is, once its rows are corrected.
    """
    item = _imports(request).filter(pk=pk).first()
    if item is None:
        raise Http404
    found = item.result or item.preview or {}
    heads, left = found.get("heads", []), found.get("left", [])
    problems = defaultdict[int, list[str]](list)
    for row in (*found.get("doubtful", ()), *found.get("wrong", ())):
        ids = ", ".join(map(str, row.get("candidates", ())))
        problems[row["line"]].append(f"{SENTENCES.show(row['why'])}{f' ({ids})' if ids else ''}")
    width = max((len(cells) for cells in (heads, *(cells for _line, cells in left))), default=0)

    def widened(cells: list[str], last: str) -> list[str]:
        return [*cells, *[""] * (width - len(cells)), last]

    rows = [widened(cells, " ".join(problems[line])) for line, cells in left]
    return csv_response("left-out.csv", [*([widened(heads, _("Problem"))] if heads else []), *rows])


def _imports(request: HttpRequest) -> Any:
    return RegisterImport.objects.filter(federation__in=registering_federations(request.user))


def _stage(item: RegisterImport) -> tuple[str, Any]:
    """Return the state of an import: `empty` is one whose file changes nothing, so that nobody can confirm it."""
    changes = [(item.preview or {}).get(name) for name in ("created", "changed", "asked")]
    return STAGES["empty" if item.stage == "ready" and not any(changes) else item.stage]


def _read(request: HttpRequest, item: RegisterImport) -> None:
    """Have a register read with the columns that were selected, each of which is one column of the file."""
    fields: dict[str, str] = {}
    for place, column in enumerate(_columns(item)):
        name = request.POST.get(f"column-{place}", "")
        if name in COLUMNS and name not in fields.values():
            fields[column["key"]] = name
    is_right = "is_name_right" in request.POST
    read_register(item, fields, is_name_right=is_right, by=request.user, at=timezone.now())


def _columns(item: RegisterImport) -> list[dict[str, Any]]:
    """Return the columns of a file: its head, what it is taken for, and its first cells."""
    heads, fields = item.columns.get("heads", []), item.columns.get("fields", {})
    cells = [*zip_longest(*item.columns.get("sample", []), fillvalue="")]
    keys, found = keys_of(heads), []
    for place in range(max(len(heads), len(cells))):
        head, key = (heads[place], keys[place]) if place < len(heads) else ("", str(place + 1))
        sample = cells[place] if place < len(cells) else ()
        found.append({"key": key, "head": head or key, "field": fields.get(key, ""), "cells": sample})
    return found


def _effect(item: RegisterImport) -> dict[str, Any]:
    found = item.result or item.preview
    if found is None:
        return {"found": None}
    doubtful = [(row, SENTENCES.show(row["why"])) for row in found["doubtful"][:SHOWN_ROWS]]
    # A row may have several problems.
    wrong = [
        (line, [(row, LABELS[row["column"]], SENTENCES.show(row["why"])) for row in rows])
        for line, rows in groupby(found["wrong"][:SHOWN_ROWS], key=itemgetter("line"))
    ]
    return {
        "found": found,
        "hints": register_hints(found["columns"].values()),
        "doubtful": doubtful,
        "wrong": wrong,
        "is_cut": bool(found["doubtful"][SHOWN_ROWS:] or found["wrong"][SHOWN_ROWS:]),
    }
