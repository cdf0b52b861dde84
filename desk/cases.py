"""Cases: all that a user sees, and the page of one, where it is decided or cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import RefusedError
from core.html.fields import TextField
from core.html.forms import PortalForm
from core.html.paging import Keyset
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from desk.decisions import show_decided
from desk.players.changes import label_changes
from players.choices import CaseKind, CaseState
from players.models import Case
from players.permissions import can_use_desk, is_staff
from players.services.cases import (
    RULES,
    CaseRules,
    bar_of,
    cancel,
    cases_of,
    decide,
    open_cases,
    row_name,
    row_of,
)
from players.services.merging import shown_differences
from ratings.services.corrections.players import effect_of
from tournaments.permissions import can_report, can_see_case, can_see_queue
from tournaments.queries.cases import MAKERS
from tournaments.queries.waiting import CASES

VERDICTS = {"grant": CaseState.APPROVED, "refuse": CaseState.REFUSED, "cancel": CaseState.WITHDRAWN}
NEWEST_FIRST = Keyset(("-asked_at", "-number"))
SHOWN = 50


def _nothing(row: Any, user: Any) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class CasePart:
    """What the page of a case says of its kind: the words of both decisions, and what follows from them.

    `template`, where there is one, shows more of what is asked for by the values of `context(row, user)`.
    """

    grant: str | Promise
    if_granted: str | Promise
    if_refused: str | Promise
    template: str = ""
    context: Callable[[Any, Any], Mapping[str, Any]] = _nothing


def _differences(row: Any, user: Any) -> Mapping[str, Any]:
    """Return in what two records differ, for staff alone: it says what lists do not."""
    return {"differences": shown_differences(row.differences)} if is_staff(user) else {}


def _effect_of_change(row: Any, user: Any) -> Mapping[str, Any]:
    """Return the changed fields and the effect on lists, or the refusals that block the request, for who decides."""
    if row.state != CaseState.WAITING or not is_staff(user):
        return {}
    try:
        # What was requested may have become impossible since, as by another change of the player.
        effect = effect_of(row, at=timezone.now())
    except RefusedError as error:
        return {"against": error.refusals}
    return {"effect": effect, "changes": label_changes(effect.changes)}


PARTS = {
    CaseKind.APPLICATION: CasePart(
        _l("Assign a FIDE ID"),
        _l("The player is registered with a new FIDE ID."),
        _l("The player is not registered. The federation sees the reason."),
        "desk/cases/application.html",
    ),
    CaseKind.TRANSFER: CasePart(
        _l("Approve transfer"),
        _l("The next list shows the new federation. Published lists do not change."),
        _l("The player stays in the federation. The other side sees the reason."),
    ),
    CaseKind.CHANGE: CasePart(
        _l("Change the data"),
        _l("The data are changed now, and the reason is published with the correction."),
        _l("The data stay. Only the rating officer sees the reason."),
        "desk/cases/change.html",
        _effect_of_change,
    ),
    CaseKind.MERGE: CasePart(
        _l("Confirm merge"),
        _l("The duplicate redirects to the kept FIDE ID permanently. Later lists combine games and ratings."),
        _l("Both players stay as they are."),
        "desk/cases/merge.html",
        _differences,
    ),
}


class VerdictForm(PortalForm):
    """The reason of a decision; the button says which one it is."""

    reason = TextField(label=_l("Reason"), max_length=400, rows=3)

    def __init__(self, *args: Any, rules: CaseRules, verdict: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["reason"]
        field.required = CaseState.APPROVED in rules.with_reason and verdict != "cancel"
        if not field.required:
            field.condition = _("for a refusal")  # type: ignore[attr-defined]


@require_safe
@requires(can_use_desk)
def cases(request: HttpRequest) -> HttpResponse:
    """Show the cases that the user sees, those that wait first, of one kind or of all."""
    kind = request.GET.get("kind", "")
    if kind and kind not in RULES:
        raise Http404
    every = cases_of(request.user)
    rows = every.filter(kind=kind) if kind else every
    waiting = rows.filter(state=CaseState.WAITING).order_by("asked_at", "pk")[:SHOWN]
    page = NEWEST_FIRST.page(rows.exclude(state=CaseState.WAITING), request.GET, size=SHOWN)
    there = set(every.order_by().values_list("kind", flat=True).distinct())
    context = {
        "kind": kind,
        "kinds": [(one, one.label) for one in CaseKind if one in there],
        "waiting": _shown(waiting, request.user),
        "page": page,
        "decided": _shown(page.rows, request.user),
    }
    return render(request, "desk/cases/cases.html", context)


def _shown(found: Iterable[Case], user: Any) -> list[Any]:
    """Return the rows of cases, each with the `address` of the page where the user reads it."""
    rows = [row_of(case) for case in found]
    for row in rows:
        row.address = _address(row, user)
    return rows


def _address(row: Any, user: Any) -> str:
    if row.kind in MAKERS or (row.kind == CaseKind.INFORMATION and not can_report(user, row.tournament)):
        name = "desk:decision" if can_see_case(user) else "desk:tournament"
        return reverse(name, args=[row.tournament.event_id])
    return CASES[row.kind].page(row)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_use_desk)
def case(request: HttpRequest, case_number: int) -> HttpResponse:
    """Show a case, and grant, refuse or cancel it."""
    found: Case = get_object_or_404(cases_of(request.user).filter(kind__in=[*PARTS]), pk=case_number)
    row, part = row_of(found), PARTS[CaseKind(found.kind)]
    verdict = request.POST.get("verdict", "")
    form = form_of(request, VerdictForm, rules=RULES[found.kind], verdict=verdict)
    if request.method == "POST" and verdict not in VERDICTS:
        form.add_error(None, _("Select a decision."))
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            return _carry_out(request, row, form)
    bar = bar_of(row, request.user)
    is_waiting = found.state == CaseState.WAITING
    context = {
        "case": row,
        "kind": CaseKind(found.kind),
        "part": part,
        "form": form,
        "bar": bar,
        "may_decide": is_waiting and bar is None,
        "may_cancel": is_waiting and RULES[found.kind].bar_to_cancel(request.user, row) is None,
        **part.context(row, request.user),
    }
    return render(request, "desk/cases/case.html", context)


def _carry_out(request: HttpRequest, row: Any, form: forms.Form) -> HttpResponse:
    who: dict[str, Any] = {"by": request.user, "at": timezone.now()}
    state = VERDICTS[request.POST["verdict"]]
    if state == CaseState.WITHDRAWN:
        show_decided(request, _("The request was cancelled."), done=cancel(row, **who))
        return redirect("desk:case", row.number)
    done = decide(row, state, answer=form.cleaned_data["reason"], **who)
    show_decided(request, _("The request was decided."), done=done)
    # With each decision a person goes through the cases without coming back to the list.
    waiting = open_cases(request.user, timezone.now().date()).filter(kind__in=[*PARTS])
    mine = (row_of(one) for one in waiting[:SHOWN] if one.is_mine)
    following = next((one for one in mine if bar_of(one, request.user) is None), None)
    if following is None:
        return redirect("dashboard")
    messages.info(request, _("This is the next case: %(name)s.") % {"name": following.about})
    return redirect("desk:case", following.number)


@require_safe
@requires(can_see_queue)
def former_queue(request: HttpRequest) -> HttpResponse:
    """Lead from the former page of the QC to the tasks, which have its cases."""
    return redirect("dashboard")


@require_safe
@requires(can_use_desk)
def former(request: HttpRequest, kind: str, request_id: int = 0) -> HttpResponse:
    """Lead from an address that a kind of cases had of its own, or one of them, to where they are now."""
    if not request_id:
        return redirect(f"{reverse('desk:cases')}?kind={kind}")
    rows = cases_of(request.user).filter(kind=kind)
    row = get_object_or_404(rows, **{f"{row_name(kind)}__id": request_id})
    return redirect("desk:case", row.number)
