"""Cases: all that a user sees, and the page of one, where it is decided or cancelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count, Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from core.html.fields import TextField
from core.html.forms import PortalForm
from core.html.paging import Keyset
from core.html.refusals import refusals_shown
from core.pages import Page
from core.web.typed_forms import form_of
from desk.access import requires, requires_for_tournament, tournament_url
from desk.case_parts import DECISION, PARTS, CasePart
from desk.decisions import decision_message, show_decided
from desk.rail import has_tasks
from players.cases import (
    RULES,
    bar_of,
    cancel,
    cases_of,
    decide,
    open_cases,
    row_name,
    row_of,
)
from players.choices import CaseKind, CaseState
from players.claims import revoke_claim
from players.models import Case, LogEntry
from players.permissions import can_use_desk
from ratings.lists import read_lists
from tournaments.case_queue import KINDS, tasks_of
from tournaments.case_queue import cases as queue_cases
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import TAKEN_BACK, TAKING_BACK, Action, Registration, RequestSort
from tournaments.inbox import DeskTask, correction_list, facts_of, played_on
from tournaments.models import Tournament
from tournaments.overview import DECISIONS_SHOWN_DAYS, decided_since, decisions_received
from tournaments.permissions import can_decide, can_see_case, can_see_drafts, can_see_queue, reported_by
from tournaments.states import load_progress
from tournaments.steps import Progress

GRANT, REFUSE, CANCEL, END = "grant", "refuse", "cancel", "end"
VERDICTS = {GRANT: CaseState.APPROVED, REFUSE: CaseState.REFUSED}
SELECT, CHOICE_ERRORS = _l("Select a decision."), ("required", "invalid_choice")
NEWEST_FIRST = Keyset(("-asked_at", "-number"))
SHOWN, SHOWN_WAITING = 50, 200
# Reasons of more letters have a larger field.
LONG = 2000


# What waits for the QC without a request, as it follows from the state of a tournament: kinds of the filter alone.
OF_STATE = {"registration": _l("registration"), "report": _l("report not accepted")}
# What belongs to a case of the QC.
OF_A_CASE = (CaseKind.HANDED, CaseKind.INFORMATION)
REGISTRATION_DECISIONS = (Action.ALLOW, Action.REFUSE, Action.NOT_RATE, Action.RESTORE)
OPEN = pgettext_lazy("case", "Open case")
KIND_OF_CODE = {
    **dict.fromkeys(("late", "changed", "hybrid"), "registration"),
    **dict.fromkeys(("change", "withdrawal"), CaseKind.REQUEST.value),
    "undecided": "report",
    "hold": CaseKind.HOLD.value,
    "flags": CaseKind.FLAGS.value,
}


class VerdictForm(PortalForm):
    """A decision, where there is more than one to choose from, with its reason."""

    verdict = forms.ChoiceField(
        label=DECISION, widget=forms.RadioSelect, error_messages=dict.fromkeys(CHOICE_ERRORS, SELECT)
    )
    reason = TextField(rows=3)

    def __init__(
        self, *args: Any, part: CasePart, is_decision: bool, is_required: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choices = [(GRANT, part.grant, part.if_granted), (REFUSE, part.refuse, part.if_refused)]
        self.fields["verdict"].choices = [  # type: ignore[attr-defined]
            (name, format_html('<span>{}<small class="quiet block light">{}</small></span>', verb, follows))
            for name, verb, follows in choices
            if follows
        ]
        # The head of the sheet says it.
        self.fields["verdict"].has_hidden_label = True  # type: ignore[attr-defined]
        if not is_decision:
            del self.fields["verdict"]
        elif not part.if_refused:
            self.fields["verdict"].widget = forms.HiddenInput()
        field = self.fields["reason"] = TextField(
            label=part.reason,
            max_length=part.most_letters,
            rows=3 if part.most_letters < LONG else 6,
            help_text=part.reason_help,
            required=is_required,
            error_messages={"required": part.reason_missing},
        )
        if not is_required:
            field.condition = _("needed for a refusal")  # type: ignore[attr-defined]


@require_safe
@requires(can_use_desk)
def cases(request: HttpRequest) -> HttpResponse:
    """Show the cases that the user sees, those that wait first by their deadlines, of one kind or of all."""
    every, user, today = cases_of(request.user), request.user, timezone.now().date()
    waits = Count("pk", filter=Q(state=CaseState.WAITING))
    numbers = dict(every.order_by().values_list("kind").annotate(waits=waits))
    # A link names a kind of which there is none yet, too.
    kind = request.GET.get("kind", "")
    sees_queue = can_see_queue(user)
    if kind and kind not in RULES and kind not in OF_STATE:
        raise Http404
    rows = every.filter(kind=kind) if kind else every
    # Whether the QC waits for an answer belongs to its cases.
    wanted = every.filter(kind__in=(kind, CaseKind.INFORMATION)) if kind else every
    waiting = wanted.filter(state=CaseState.WAITING).order_by("asked_at", "pk")[:SHOWN_WAITING]
    own: list[Tournament] = []
    if not sees_queue and kind in ("", "registration"):
        # One that was valid waits for its change.
        changes = LogEntry.objects.filter(
            tournament=OuterRef("pk"), action=Action.CHANGE, after=Registration.WAITING
        )
        registrations = reported_by(user).filter(registration=Registration.WAITING)
        registrations = registrations.annotate(is_change=Exists(changes.exclude(before="")))
        own = list(registrations.order_by("start", "event_id")[:SHOWN_WAITING])
    mine, others = _waiting(list(waiting), user, today, own, kind=kind)
    numbers |= Counter(task.code for task in (*mine, *others) if task.code in OF_STATE)
    if not sees_queue:
        numbers["registration"] = len(own)
    labels = [*OF_STATE.items(), *CaseKind.choices]
    page = NEWEST_FIRST.page(rows.exclude(state=CaseState.WAITING), request.GET, size=SHOWN)
    decided = _shown(page.rows, user)
    if kind in ("", "registration") and page.previous_url is None:
        decided += _decided_registrations(user, today)
        decided.sort(key=lambda one: one.decided_at or one.asked_at, reverse=True)
    context = {
        "kind": kind,
        "kinds": [(name, label, numbers.get(name)) for name, label in labels if name in {*numbers, kind}],
        "waiting": [task for task in mine if kind in ("", task.code)],
        "others": [task for task in others if kind in ("", task.code)],
        "has_tasks": has_tasks(user),
        "today": today,
        "page": page,
        "decided": decided,
    }
    return render(request, "desk/cases/cases.html", context)


def _decided_registrations(user: Any, today: date) -> list[Any]:
    """Return what was decided lately on registrations, as rows of cases; on all for who sees the queue."""
    if can_see_queue(user):
        since = timezone.now() - timedelta(days=DECISIONS_SHOWN_DAYS)
        found = decided_since(since, most=SHOWN)
    else:
        found = decisions_received(reported_by(user), today=today)
    return [
        SimpleNamespace(
            about=entry.tournament.name,
            address=reverse("desk:tournament", args=[entry.tournament.event_id]),
            get_kind_display=entry.what if entry.action == Action.NOT_RATE else OF_STATE["registration"],
            state=TAKEN_BACK if (entry.action, entry.before) == TAKING_BACK else entry.after,
            answer=entry.why,
            decided_at=entry.at,
            decided_as=entry.by or entry.by_name,
        )
        for entry in found
        if entry.action in REGISTRATION_DECISIONS and entry.tournament
    ]


def _waiting(
    found: Sequence[Case], user: Any, today: date, own: Sequence[Tournament], *, kind: str
) -> tuple[list[DeskTask], list[DeskTask]]:
    """Return what waits for the user and what waits for others, by deadlines, with the kind of each in `code`.

    These are cases, and what else waits for the QC if it is seen. Those that the user decides have the button of the
    task, all others one that opens them. `own` are registrations of an officer that wait for the QC. Without a `kind` a
    tournament with a case of the QC has one row: that of the case, to its officer that of what the QC asked.
    """
    sees_queue = can_see_queue(user)
    of_queue = KINDS if sees_queue else ()
    asked = [case for case in found if case.kind not in of_queue]
    # Their deadlines are those of their tournaments, or of the list that takes a correction.
    of_tournament = (CaseKind.HANDED, CaseKind.REQUEST)
    has_deadlines = any(case.kind in (*of_tournament, CaseKind.RESULT) for case in asked)
    lists: Any = read_lists() if sees_queue or own or has_deadlines else None
    queue = queue_cases(lists, today, found) if sees_queue else []
    mine = open_cases(user, today).filter(is_mine=True, number__in=[case.number for case in asked])
    numbers = {*mine.values_list("number", flat=True)} if asked else set()
    if not kind:
        of_officer = {case.tournament_id for case in asked if case.kind == CaseKind.INFORMATION}
        shown_in = {case.tournament.pk for case in queue} if sees_queue else of_officer
        beside: Iterable[str] = OF_A_CASE if sees_queue else KINDS
        own = [row for row in own if row.pk not in shown_in]
        asked = [
            case
            for case in asked
            if case.number in numbers or case.kind not in beside or case.tournament_id not in shown_in
        ]
    followed = [*own, *(case.tournament for case in asked if case.kind in of_tournament)]
    progress = load_progress(followed, lists, today=today) if followed else {}
    tasks: list[DeskTask] = []
    others = [_own_registration(row, progress[row.pk]) for row in own]
    if queue:
        read: dict[str, Any] = {} if can_decide(user) else {"action": str(OPEN), "shortcut": None}
        name = "desk:decision" if can_see_case(user) else "desk:tournament"
        for case, made in zip(queue, tasks_of(queue, today), strict=True):
            page = Page(name, case.event_id)
            shown = replace(made, code=KIND_OF_CODE[case.code], page=page, about_page=None, **read)
            if not read and not case.waits_for_others(today):
                tasks.append(shown)
                continue
            until, who = case.waits_until(today)
            facts = [(_("Waiting for"), who), *shown.facts]
            others.append(replace(shown, deadline=until, facts=facts))
    for row in _shown(asked, user):
        what, state = capfirst(row.get_kind_display()), row.get_state_display()
        why = " · ".join(str(part) for part in (state, row.asked_as) if part)
        about = {"about": row.about, "why": why, "facts": facts_of(row), "code": row.kind}
        task = RULES[row.kind].task if row.number in numbers else None
        action = str(task.action if task else OPEN)
        deadline = row.due_on
        if row.kind in of_tournament:
            own_progress = progress[row.tournament_id]
            is_handed = row.kind == CaseKind.HANDED
            deadline = own_progress.next_deadline if is_handed else own_progress.deadline_of("request")
        elif taken_by := correction_list(row, lists, today):
            deadline = taken_by - timedelta(days=1)
        made = DeskTask(what, action, page=row.address, deadline=deadline, since=row.asked_at, **about)
        (tasks if task else others).append(made)
    return sorted(tasks, key=lambda one: one.order), sorted(others, key=lambda one: one.order)


def _own_registration(row: Tournament, progress: Progress) -> DeskTask:
    """Return a registration of an officer that waits for the QC."""
    is_change = row.is_change  # type: ignore[attr-defined]
    return DeskTask(
        str(capfirst(RequestSort.CHANGE.label if is_change else OF_STATE["registration"])),
        str(OPEN),
        about=row.name,
        page=Page("desk:tournament", row.event_id),
        why=f"{row.get_registration_display()} · {played_on(row)}",
        deadline=progress.deadline_of("decide"),
        code="registration",
    )


def _shown(found: Iterable[Case], user: Any) -> list[Any]:
    """Return the rows of cases, each with the `address` of the page where the user reads it."""
    rows = [row_of(case) for case in found]
    for row in rows:
        row.address = _address(row, user)
    return rows


def _address(row: Any, user: Any) -> str:
    task = RULES[row.kind].task
    if task is None:
        name = "desk:decision" if can_see_case(user) else "desk:tournament"
        return reverse(name, args=[row.tournament.event_id])
    return str(task.page(row))


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_use_desk)
def case(request: HttpRequest, case_number: int) -> HttpResponse:
    """Show a case, and grant, refuse, cancel or end it."""
    found: Case = get_object_or_404(cases_of(request.user).filter(kind__in=[*PARTS]), pk=case_number)
    row, part, rules = row_of(found), PARTS[CaseKind(found.kind)], RULES[found.kind]
    verdict = request.POST.get("verdict", "")
    is_waiting = found.state == CaseState.WAITING
    is_decision = verdict not in (CANCEL, END) and (is_waiting or request.method == "POST")
    gives_reason = CaseState.APPROVED in rules.with_reason and not part.repeats_reason
    is_required = verdict == END or (gives_reason and verdict != CANCEL)
    initial = {"verdict": GRANT if not part.if_refused else ""}
    words = {"part": part, "is_decision": is_decision, "is_required": is_required}
    form = form_of(request, VerdictForm, **words, initial=initial)
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            return _carry_out(request, row, form)
    bar, tournament = bar_of(row, request.user), row.tournament
    is_ours = bar is None
    context = {
        "case": row,
        "kind": CaseKind(found.kind),
        "part": part,
        "form": form,
        "bar": bar,
        "today": timezone.now().date(),
        "tournament_url": tournament_url(request.user, tournament) if tournament else "",
        "seen": seen_of(tournament) if tournament and is_waiting else "",
        "may_decide": is_waiting and is_ours,
        # A correction that its author carried out at once was no request.
        "is_own": row.kind == CaseKind.RESULT and row.asked_at == row.decided_at,
        "may_cancel": is_waiting and rules.bar_to_cancel(request.user, row) is None,
        "may_end": found.state == CaseState.APPROVED and is_ours and bool(part.end),
        **part.context(request, row),
    }
    return render(request, "desk/cases/case.html", context)


def _carry_out(request: HttpRequest, row: Any, form: forms.Form) -> HttpResponse:
    who: dict[str, Any] = {"by": request.user, "at": timezone.now()}
    verdict, reason = request.POST["verdict"], form.cleaned_data["reason"]
    if verdict == END:
        done = row.kind == CaseKind.CLAIM and revoke_claim(row, reason=reason, **who)
        show_decided(request, row, _("The claim was ended."), done=done, text=reason)
        return redirect("desk:case", row.number)
    if verdict == CANCEL:
        show_decided(request, row, _("The request was cancelled."), done=cancel(row, **who))
        return redirect("desk:case", row.number)
    state = VERDICTS[verdict]
    if verdict == GRANT and PARTS[CaseKind(row.kind)].repeats_reason:
        reason = reason or row.reason
    # What is about a tournament is decided by who has seen its newest step.
    seen = request.POST.get("seen", "") if row.tournament else None
    done = decide(row, state, answer=reason, seen=seen, **who)
    show_decided(request, row, decision_message(row, state), done=done, text=reason)
    if not done:
        return redirect("desk:case", row.number)
    # With each decision a person goes through the cases without coming back to the list.
    waiting = open_cases(request.user, timezone.now().date()).filter(kind__in=[*PARTS])
    mine = (row_of(one) for one in waiting[:SHOWN] if one.is_mine)
    following = next((one for one in mine if bar_of(one, request.user) is None), None)
    if following is None:
        return redirect("dashboard")
    messages.info(request, _("This is the next case: %(name)s.") % {"name": following.about})
    return redirect("desk:case", following.number)


@require_safe
@requires_for_tournament(can_see_drafts)
def of_tournament(request: HttpRequest, tournament: Tournament, kind: str) -> HttpResponse:
    """Lead to the newest case of a kind about a tournament, or to the tournament where there is none."""
    newest = (
        cases_of(request.user).filter(kind=kind, tournament=tournament).order_by("-asked_at", "-pk").first()
    )
    if newest is None:
        return redirect("desk:tournament", tournament.event_id)
    return redirect("desk:case", newest.number)


@require_safe
@requires(can_see_queue)
def former_queue(request: HttpRequest) -> HttpResponse:
    """Lead from the former page of the QC to the tasks, which have its cases."""
    return redirect("dashboard")


@require_safe
@requires(can_use_desk)
def former(request: HttpRequest, kind: str, **named: int) -> HttpResponse:
    """Lead from an address that a kind of cases had of its own, or one of them, to where they are now."""
    if not named:
        return redirect(f"{reverse('desk:cases')}?kind={kind}")
    rows = cases_of(request.user).filter(kind=kind)
    row = get_object_or_404(rows, **{f"{row_name(kind)}__id": next(iter(named.values()))})
    return redirect("desk:case", row.number)
