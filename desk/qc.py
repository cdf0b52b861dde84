"""The QC's queue, its cases, and what it does with them."""

from __future__ import annotations

from datetime import timedelta

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.web.typed import typed
from desk.access import requires, requires_for_tournament
from desk.case_forms import AskForm, ClearForm, NoteForm, QuestionForm
from desk.decision_forms import DecisionForm
from players.permissions import is_staff
from tournaments.errors import RefusedError
from tournaments.models import Tournament
from tournaments.permissions import can_decide, can_decide_on, can_question, can_see_case, can_see_queue
from tournaments.queries.cases import cases, cases_of, deadline_of_question
from tournaments.queries.indicators import indicators_of
from tournaments.registration_form import add_refusals
from tournaments.services.decisions import decide, possible_actions
from tournaments.services.information import add_note, ask_for_information
from tournaments.services.questions import clear_question, is_questionable, raise_question

DAYS_TO_ANSWER = 7
CASE_FORMS: dict[str, tuple[type[forms.Form], str]] = {
    "note": (NoteForm, "desk:qc-note"),
    "ask": (AskForm, "desk:qc-ask"),
    "question": (QuestionForm, "desk:qc-question"),
    "clear": (ClearForm, "desk:qc-clear"),
}


@require_safe
@requires(can_see_queue)
def queue(request: HttpRequest) -> HttpResponse:
    """Show what waits for the QC, the case with the fewest days left at the head."""
    today = timezone.now().date()
    may_decide = can_decide(request.user) or is_staff(request.user)
    context = {"queue": cases(today=today), "today": today, "may_decide": may_decide}
    return render(request, "desk/qc/queue.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_see_case, among=cases_of)
def decision(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a case with what speaks about it, and take the decision."""
    if request.method == "POST" and not can_decide_on(request.user, tournament):
        raise PermissionDenied
    form = DecisionForm(request.POST or typed(request), tournament=tournament)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            decide(
                tournament,
                form.action(),
                reason=values["reason"],
                is_public=values["is_public"],
                by=request.user,
                at=timezone.now(),
            )
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            message = _("Decided: %(name)s is %(state)s.")
            state = tournament.get_registration_display()
            messages.success(request, message % {"name": tournament.name, "state": state})
            return redirect("desk:qc")
    return _case_page(request, tournament, **_typed_before(request, tournament), decision=form)


@require_POST
@requires_for_tournament(can_see_case, among=cases_of)
def note(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Keep a note that the QC and FIDE staff alone read."""
    form = NoteForm(request.POST)
    if not form.is_valid():
        return _case_page(request, tournament, note=form)
    add_note(tournament, form.cleaned_data["text"], by=request.user, at=timezone.now())
    messages.success(request, _("The note is kept."))
    return redirect("desk:decision", tournament.event_id)


@require_POST
@requires_for_tournament(can_decide_on, among=cases_of)
def ask(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask the officer for information."""
    form = AskForm(request.POST)
    if not form.is_valid():
        return _case_page(request, tournament, ask=form)
    now, values = timezone.now(), form.cleaned_data
    try:
        ask_for_information(
            tournament, values["text"], due_on=values["due_on"], by=request.user, on=now.date(), at=now
        )
    except RefusedError as error:
        add_refusals(form, error.refusals)
        return _case_page(request, tournament, ask=form)
    messages.success(request, _("The officer is asked; the answer appears here."))
    return redirect("desk:decision", tournament.event_id)


@require_POST
@requires_for_tournament(can_question, among=cases_of)
def question(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Put the report under question."""
    form = QuestionForm(request.POST)
    if not form.is_valid():
        return _case_page(request, tournament, question=form)
    try:
        raise_question(tournament, reason=form.cleaned_data["reason"], by=request.user, at=timezone.now())
    except RefusedError as error:
        add_refusals(form, error.refusals)
        return _case_page(request, tournament, question=form)
    messages.success(request, _("The report is under question; no list takes it until that is closed."))
    return redirect("desk:decision", tournament.event_id)


@require_POST
@requires_for_tournament(can_decide_on, among=cases_of)
def clear(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Close the question without a decision against the tournament."""
    form = ClearForm(request.POST)
    if not form.is_valid():
        return _case_page(request, tournament, clear=form)
    try:
        clear_question(tournament, reason=form.cleaned_data["reason"], by=request.user, at=timezone.now())
    except RefusedError as error:
        add_refusals(form, error.refusals)
        return _case_page(request, tournament, clear=form)
    messages.success(request, _("The question is closed."))
    return redirect("desk:qc")


def _typed_before(request: HttpRequest, tournament: Tournament) -> dict[str, forms.Form]:
    """Return the other forms of the case that were sent when the session had ended."""
    found = {
        name: (form, typed(request, to=reverse(view, args=[tournament.event_id])))
        for name, (form, view) in CASE_FORMS.items()
    }
    return {name: form(data) for name, (form, data) in found.items() if data}


def _case_page(request: HttpRequest, tournament: Tournament, **bound: forms.Form) -> HttpResponse:
    today = timezone.now().date()
    if bound and request.method == "POST":
        tournament.refresh_from_db()
    may_decide = can_decide_on(request.user, tournament)
    information = list(tournament.information_requests.select_related("asked_by", "answered_by"))
    questions = list(tournament.questions.select_related("raised_by", "closed_by"))
    is_asked = any(row.answered_at is None for row in information)
    due = today + timedelta(days=DAYS_TO_ANSWER)
    context = {
        "form": bound.get("decision") or DecisionForm(tournament=tournament),
        "note_form": bound.get("note") or NoteForm(),
        "ask_form": bound.get("ask") or AskForm(initial={"due_on": due.isoformat()}),
        "question_form": bound.get("question") or QuestionForm(),
        "clear_form": bound.get("clear") or ClearForm(),
        "bound": next(iter(bound), ""),
        "tournament": tournament,
        "today": today,
        "notes": tournament.notes.select_related("by"),
        "information": information,
        "questions": questions,
        "indicators": indicators_of(tournament),
        "is_waiting": tournament.registration == "waiting",
        "question_deadline": deadline_of_question(tournament, today=today),
        "is_possible": may_decide and bool(possible_actions(tournament)),
        "may_ask": may_decide and not is_asked and bool(possible_actions(tournament)),
        "may_question": is_questionable(tournament),
        "may_clear": may_decide and any(row.closed_at is None for row in questions),
        "may_decide": may_decide,
    }
    return render(request, "desk/qc/decision.html", context)
