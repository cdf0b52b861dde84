"""A case of the QC: the tournament with its evidence, and what the QC does about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import refused
from core.html.dates import day_text
from core.html.fields import DayInput, TextField
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.typed_forms import restore_form
from desk.access import requires_for_tournament
from desk.case_parts import REASON_DECIDED
from desk.decisions import ReasonForm, decision_message
from players.cases import decide as decide_case
from players.cases import row_of
from players.choices import HOLDS, CaseKind, CaseState
from players.models import Case, LogEntry
from ratings.events import effect_of_restoring, rated_so_far
from ratings.lists import read_lists
from tournaments.case_queue import cases_of, next_case, tasks_about
from tournaments.changed_fields import shown_changes
from tournaments.changed_meanwhile import refuse_unseen
from tournaments.choices import Action, Registration, RequestSort, Stage
from tournaments.holds import OUTLIERS, can_be_held, held_or_flagged, place_hold, release_hold
from tournaments.indicators import indicators_of, registration_indicators
from tournaments.information_requests import ask_for_information, last_day_to_answer
from tournaments.marked_report import finding_text
from tournaments.models import InformationRequest, Report, Tournament
from tournaments.permissions import can_decide, can_see_case, handed_for
from tournaments.progress import with_days
from tournaments.qc import TO, add_note, decide, possible_actions
from tournaments.registration import day_warnings
from tournaments.registration_changes import restore_registration
from tournaments.reports import handed_of, versions_of
from tournaments.requested_changes import waiting_request
from tournaments.states import progress_of
from tournaments.time_line import time_line
from tournaments.trf import read_report
from tournaments.trf.checks.pairings import HALF_POINTS

QC_VERBS = {
    Action.ALLOW: _l("Approve: the tournament may be played and reported"),
    Action.REFUSE: _l("Refuse: no report is accepted"),
    Action.NOT_RATE: _l("Do not rate: the organiser may appeal within 7 days (article 0.4)"),
}
GRANT, DENY = "grant", "deny"
REQUEST_VERBS = {
    RequestSort.CHANGE: _l("Approve: the registration is changed as requested"),
    RequestSort.WITHDRAWAL: _l("Approve: the registration is withdrawn"),
}
DAYS_TO_ANSWER, MAX_LETTERS = 7, 4000


class DecisionForm(ReasonForm):
    """A QC decision that the state of the tournament allows, with its reason."""

    decision = forms.ChoiceField(label=_l("Decision"), widget=forms.RadioSelect)
    # The head of the sheet says it.
    decision.has_hidden_label = True  # type: ignore[attr-defined]
    is_public = forms.BooleanField(
        label=_l("Show the reason on the public page"),
        required=False,
        help_text=_l("Do not name people in a public reason."),
    )
    field_order = ["decision", "reason", "is_public"]

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = REASON_DECIDED
        possible = possible_actions(tournament)
        # Another user may have decided meanwhile.
        message = _("No longer possible: “%(decision)s”. The reason below was entered for it.")
        chosen = QC_VERBS.get(self.data.get("decision", ""), "–")
        self.fields["decision"].error_messages["invalid_choice"] = message % {"decision": chosen}
        self.fields["decision"].choices = [  # type: ignore[attr-defined]
            (action, verb) for action, verb in QC_VERBS.items() if action in possible
        ]

    def action(self) -> Action:
        """Return the decision of a valid form."""
        return Action(self.cleaned_data["decision"])


def _text_field(label: Any, help_text: Any = "") -> forms.CharField:
    """Return a multi-line field for the notes and reasons of a case."""
    return TextField(label=label, max_length=MAX_LETTERS, help_text=help_text)


class NoteForm(PortalForm):
    """A note that only the QC and FIDE staff read."""

    prefix = "note"
    text = _text_field(_l("Internal note"), _l("Only the QC and FIDE staff see it. Saved permanently."))


class AskForm(PortalForm):
    """An information request with its deadline."""

    prefix = "ask"
    text = _text_field(_l("Information request to the rating officer"))
    due_on = forms.DateField(
        label=_l("Deadline"), widget=DayInput, help_text=_l("Until the end of that day (UTC).")
    )


class HoldForm(PortalForm):
    """The reason for putting a report on hold."""

    prefix = "hold"
    reason = _text_field(
        _l("Reason for the hold"),
        _l("The rating officer sees it. No list includes the tournament until you release the hold."),
    )


class ReleaseForm(PortalForm):
    """The reason for releasing a report from hold, or for dismissing the flags of the checks, which block nothing."""

    prefix = "release"
    reason = _text_field(
        _l("Reason for releasing the hold"),
        _l("The rating officer sees it. The next possible list includes the tournament."),
    )

    def __init__(self, *args: Any, is_held: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_held:
            reason = self.fields["reason"]
            reason.label, reason.help_text = (
                _("Reason for dismissing the flags"),
                _("The rating officer sees it."),
            )


class RequestForm(PortalForm):
    """The decision on a rating officer's request, with its reason (D-80, D-81)."""

    prefix = "request"
    decision = forms.ChoiceField(
        label=_l("Decision"),
        widget=forms.RadioSelect,
        choices=[
            (GRANT, REQUEST_VERBS[RequestSort.CHANGE]),
            (DENY, _l("Refuse: the registration does not change")),
        ],
    )
    decision.has_hidden_label = True  # type: ignore[attr-defined]
    reason = _text_field(REASON_DECIDED, _l("The rating officer sees it. It is saved with the decision."))


class RestoreForm(PortalForm):
    """The reason for restoring a withdrawn registration (D-81)."""

    prefix = "restore"
    reason = _text_field(
        _l("Reason for restoring the registration"),
        _l("The rating officer sees it. The registration is the same as before the withdrawal."),
    )


CASE_FORMS: dict[str, tuple[type[forms.Form], str]] = {
    "note": (NoteForm, "desk:qc-note"),
    "ask": (AskForm, "desk:qc-ask"),
    "hold": (HoldForm, "desk:qc-hold"),
    "release": (ReleaseForm, "desk:qc-release"),
    "request": (RequestForm, "desk:qc-request"),
    "restore": (RestoreForm, "desk:qc-restore"),
}


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_see_case, visible=cases_of)
def decision(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a case with its evidence, and decide it."""
    if request.method == "POST" and not can_decide(request.user, tournament):
        raise PermissionDenied
    # Only the text of a form is kept over a sign-in: the decision has to be sent again (ADR 13).
    typed = request.POST if request.method == "POST" else restore_form(request)
    # The links of the task list select a decision; it is made here, with its reason.
    form = DecisionForm(typed, tournament=tournament, initial={"decision": request.GET.get("decision", "")})
    if request.method == "POST" and _is_valid(form, request, tournament):
        values = form.cleaned_data
        with refusals_shown(form):
            reason, is_public = values["reason"], values["is_public"]
            decide(tournament, form.action(), reason=reason, is_public=is_public, **_author(request))
            message = _("Decision recorded: %(name)s is %(state)s.")
            state = tournament.get_registration_display()
            messages.success(request, message % {"name": tournament.name, "state": state})
            return _to_next_case(request, tournament)
    return _case_page(request, tournament, **_restore_forms(request, tournament), decision=form)


@require_safe
@requires_for_tournament(can_see_case, visible=cases_of)
def indicators(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the indicators of a case. A separate request, because they read up to a year of games."""
    found = indicators_of(tournament)
    if held_or_flagged(tournament).exists():
        # The case says them first of all.
        found = [one for one in found if one.code not in OUTLIERS]
    context = {"tournament": tournament, "indicators": found}
    return render(request, "desk/qc/indicators.html", context)


@require_POST
@requires_for_tournament(can_see_case, visible=cases_of)
def note(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Add a note that only the QC and FIDE staff read."""
    form = NoteForm(request.POST)
    if not form.is_valid():
        return _case_page(request, tournament, note=form)
    add_note(tournament, form.cleaned_data["text"], by=request.user, at=timezone.now())
    messages.success(request, _("The note was added."))
    return redirect("desk:decision", tournament.event_id)


@require_POST
@requires_for_tournament(can_decide, visible=cases_of)
def ask(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Send an information request to the rating officer."""
    form = AskForm(request.POST)
    if _is_valid(form, request, tournament):
        values, author = form.cleaned_data, _author(request)
        with refusals_shown(form):
            due_on, today = values["due_on"], author["at"].date()
            ask_for_information(tournament, values["text"], due_on=due_on, on=today, **author)
            messages.success(
                request, _("The information request was sent to the rating officer. The reply appears here.")
            )
            return redirect("desk:decision", tournament.event_id)
    return _case_page(request, tournament, ask=form)


@require_POST
@requires_for_tournament(can_see_case, visible=cases_of)
def hold(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Put the report on hold."""
    form = HoldForm(request.POST)
    if _is_valid(form, request, tournament):
        with refusals_shown(form):
            place_hold(tournament, reason=form.cleaned_data["reason"], **_author(request))
            messages.success(
                request, _("The report is on hold. No list includes it until the hold is released.")
            )
            return redirect("desk:decision", tournament.event_id)
    return _case_page(request, tournament, hold=form)


@require_POST
@requires_for_tournament(can_decide, visible=cases_of)
def release(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Release the report without a decision against the tournament."""
    is_held = tournament.cases.filter(kind=CaseKind.HOLD, state=CaseState.WAITING).exists()
    form = ReleaseForm(request.POST, is_held=is_held)
    if _is_valid(form, request, tournament):
        with refusals_shown(form):
            release_hold(tournament, reason=form.cleaned_data["reason"], **_author(request))
            messages.success(
                request, _("The hold was released.") if is_held else _("The flags were dismissed.")
            )
            return _to_next_case(request, tournament)
    return _case_page(request, tournament, release=form)


@require_POST
@requires_for_tournament(can_decide, visible=cases_of)
def decide_on_request(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Approve or refuse a rating officer's request (D-80, D-81)."""
    form, waiting = RequestForm(request.POST), waiting_request(tournament)
    if _is_valid(form, request, tournament):
        with refusals_shown(form):
            state = CaseState.APPROVED if form.cleaned_data["decision"] == GRANT else CaseState.REFUSED
            reason, author = form.cleaned_data["reason"], _author(request)
            if waiting is None or not decide_case(waiting, state, answer=reason, **author):
                raise refused("decided", _("This request has already been decided."))
            messages.success(request, decision_message(waiting, state))
            return _to_next_case(request, tournament)
    return _case_page(request, tournament, request=form)


@require_POST
@requires_for_tournament(can_see_case, visible=cases_of)
def restore(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Restore a withdrawn registration (D-81)."""
    form = RestoreForm(request.POST)
    if _is_valid(form, request, tournament):
        with refusals_shown(form):
            restore_registration(tournament, reason=form.cleaned_data["reason"], **_author(request))
            messages.success(request, _("The registration was restored."))
            return redirect("desk:decision", tournament.event_id)
    return _case_page(request, tournament, restore=form)


def _to_next_case(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Go on to the most urgent case that is left, which a message names, or back to the queue."""
    # After a decision the QC goes through the queue without coming back to it.
    following = next_case(request.user, read_lists(), timezone.now().date(), after=str(tournament.event_id))
    if following is None:
        return redirect("dashboard")
    message = _("This is the next case: %(name)s. It has to be decided by %(day)s.")
    messages.info(request, message % {"name": following.tournament.name, "day": day_text(following.deadline)})
    return redirect("desk:decision", following.event_id)


def _is_valid(form: forms.Form, request: HttpRequest, tournament: Tournament) -> bool:
    """Return whether a form is valid. If its author has not seen the newest step, add that error first."""
    if _step_seen(request) != str(tournament.seen):  # type: ignore[attr-defined]
        with refusals_shown(form):
            refuse_unseen(tournament, _step_seen(request))
    # A service that refuses a valid form has seen a newer state than this page.
    tournament.needs_reload = form.is_valid()  # type: ignore[attr-defined]
    return form.is_valid()


def _step_seen(request: HttpRequest) -> str:
    """Return the newest step that the author of the form saw, or "", which is refused."""
    return request.POST.get("seen", "")


def _author(request: HttpRequest) -> dict[str, Any]:
    """Return who acts, when, and having seen which step."""
    return {"by": request.user, "at": timezone.now(), "seen": _step_seen(request)}


def _restore_forms(request: HttpRequest, tournament: Tournament) -> dict[str, forms.Form]:
    """Return the other forms of the case that were sent after the session had ended."""
    found = {
        name: (form, restore_form(request, to=reverse(view, args=[tournament.event_id])))
        for name, (form, view) in CASE_FORMS.items()
    }
    return {name: form(data) for name, (form, data) in found.items() if data}


def _case_page(http: HttpRequest, tournament: Tournament, **bound: forms.Form) -> HttpResponse:
    today = timezone.now().date()
    if getattr(tournament, "needs_reload", False):
        # The refused form is shown beside the newest steps, so that its author can look at them.
        tournament = cases_of(http.user).select_related("federation").get(pk=tournament.pk)
    waiting, reports = waiting_request(tournament), versions_of(tournament)
    entries = list(tournament.log_entries.select_related("by", "appeal").order_by("at", "pk"))
    is_withdrawn, lists = tournament.registration == Registration.WITHDRAWN, read_lists()
    progress = progress_of(tournament, lists, today=today, entries=entries)
    information = list(
        InformationRequest.objects.filter(tournament=tournament).select_related("asked_by", "decided_by")
    )
    held = tournament.cases.filter(kind__in=HOLDS).select_related("asked_by", "decided_by")
    holds = [row_of(case) for case in held.order_by("-asked_at", "-pk")]
    waits = {row.kind for row in holds if row.state == CaseState.WAITING}
    is_held = CaseKind.HOLD in waits
    preset, last_day = today + timedelta(DAYS_TO_ANSWER), last_day_to_answer(tournament, waiting, today)
    ask_form = bound.get("ask") or AskForm(initial={"due_on": min(preset, last_day)})
    if last_day < preset:
        text = _("The QC decides by the first day of play, so the latest day is %(day)s.")
        ask_form.fields["due_on"].help_text = text % {"day": day_text(last_day)}
    request_form: Any = bound.get("request") or RequestForm()
    if waiting:
        verb, refusal = request_form.fields["decision"].choices
        request_form.fields["decision"].choices = [
            (verb[0], REQUEST_VERBS[RequestSort(waiting.sort)]),
            refusal,
        ]
    tasks, taken = tasks_about(tournament, lists, today), _taken(tournament, entries)
    context = {
        "form": bound.get("decision") or DecisionForm(tournament=tournament),
        "note_form": bound.get("note") or NoteForm(),
        "ask_form": ask_form,
        "hold_form": bound.get("hold") or HoldForm(),
        "release_form": bound.get("release") or ReleaseForm(is_held=is_held),
        "request_form": request_form,
        "restore_form": bound.get("restore") or RestoreForm(),
        # The page unfolds the form that came back with an error.
        "bound": next(iter(bound), ""),
        "tasks": tasks,
        "seen": tournament.seen,  # type: ignore[attr-defined]
        "flagged": [*_flagged(reports[-1])] if waits else [],
        "indicators": registration_indicators(tournament) if tournament.stage == Stage.PLANNED else None,
        "asked": waiting,
        "asked_changes": [*shown_changes(waiting.changes)] if waiting else [],
        "asked_warnings": [*_warnings_of(tournament, waiting.changes)] if waiting else [],
        "progress": progress,
        "taken": taken,
        # A decision that nothing asks to look at again is changed in a folded form.
        "is_settled": taken is not None and not tasks,
        "reports": reports[::-1],
        "handed": handed_of(handed_for(http.user, tournament)),
        "events": [one for one in time_line(entries, reports, progress) if one.at],
        "tournament": tournament,
        "today": today,
        "notes": tournament.notes.select_related("by"),
        "information": information,
        "holds": holds,
        "is_held": is_held,
        "files": tournament.files.defer("content"),
        "rated": rated_so_far(tournament),
        "restored": effect_of_restoring(tournament, lists, today=today) if is_withdrawn else None,
        "may_hold": can_be_held(tournament) and not is_held,
        **_allowed_acts(http.user, tournament, information, holds),
    }
    return render(http, "desk/qc/case.html", context)


def _taken(tournament: Tournament, entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the decision by which the registration is as it is, None where there is none."""
    decisions = [entry for entry in entries if (entry.action, tournament.registration) in TO.items()]
    return decisions[-1] if decisions else None


def _flagged(report: Report) -> Iterator[tuple[str, Any, list[Any]]]:
    """Yield each result that the checks flagged: the text, the player's line, the rounds with opponent and points."""
    flags = [one for one in report.findings if one["code"] in OUTLIERS]
    read = read_report(bytes(report.content)) if flags else None
    numbers = read.by_number if read else {}
    lines = {player.line: player for player in numbers.values()}
    for one in flags:
        player = lines.get(one.get("line"))
        rounds = player.results if player else ()
        games = [(game, numbers.get(game.opponent or 0), HALF_POINTS.get(game.code, 0)) for game in rounds]
        yield finding_text(one), player, games


def _warnings_of(tournament: Tournament, changes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what may be wrong with the days that a request asks for, as its officer was told."""
    values = {one["field"]: one["after"] for one in changes}
    if values.keys() & {"start", "end", "schedule"}:
        asked = with_days(tournament, changes)
        days = values.get("schedule", tournament.schedule)
        rounds = [str(day) for day in days]
        yield from day_warnings(asked.start, asked.end, rounds, entry_until=tournament.entry_until)


def _allowed_acts(
    user: Any, tournament: Tournament, information: list[InformationRequest], holds: list[Case]
) -> dict[str, bool]:
    """Return what the user may do on the case."""
    may_decide = can_decide(user, tournament)
    is_possible = may_decide and bool(possible_actions(tournament))
    is_asked = any(row.is_open for row in information)
    waiting = {row.kind for row in holds if row.state == CaseState.WAITING}
    return {
        "is_asked": is_asked,
        "is_possible": is_possible,
        "may_ask": is_possible and not is_asked,
        "may_release": may_decide and bool(waiting),
        "is_flagged": may_decide and waiting == {CaseKind.FLAGS},
        "may_decide": may_decide,
        "may_restore": tournament.registration == Registration.WITHDRAWN,
    }
