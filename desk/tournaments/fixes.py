"""Fixes of a report: chosen on its page, shown as a difference, saved as a version or as a file of the arbiter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.html.refusals import refusals_in_messages, refusals_shown
from core.text_values import read_number
from core.web.heavy_work import heavy_if_large
from desk.access import requires_for_tournament
from desk.tournaments.handed import handed_address, handed_or_404, keep_remark, show_handed
from desk.tournaments.line import EDIT, TEXT, line_form, place_of
from desk.tournaments.reports import PHRASES, read_reasons, show_report, version_of
from players.fide_list.values import MAX_FIDE_ID
from tournaments import drafts
from tournaments.amendments import Amendment, Identity, Joined, Line, OfLine, Result
from tournaments.corrected_versions import apply_changes
from tournaments.handover import keep_fixed
from tournaments.line_changes import ChangedLine
from tournaments.marked_report import SEVERITIES
from tournaments.models import HandedReport, Report, Tournament
from tournaments.permissions import arbitrated_by, can_hand_over, can_report
from tournaments.trf import Report as TrfReport
from tournaments.trf import pairing_of, read_report
from tournaments.trf.limits import MAX_ROUNDS
from tournaments.worksheet import certain_amendments

# With more lines than this, the page shows only their number.
MAX_LINES = 200


@require_POST
@requires_for_tournament(can_report)
def choose(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Save what was typed and chosen on the page of a version, and show the page again at the same place."""
    report = version_of(tournament, version)
    _keep_reasons(report, request.POST)
    page = reverse("desk:report", args=[tournament.event_id, version])
    return _choose(request, report, page, lambda form: show_report(request, tournament, report, fields=form))


@require_POST
@requires_for_tournament(can_hand_over, visible=arbitrated_by)
def choose_handed(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Save what a chief arbiter chose for a report that was not sent."""
    found = handed_or_404(request, tournament, number)
    # It has no field while fixes wait to be saved.
    if "remark" in request.POST:
        keep_remark(request, tournament, request.POST["remark"])
    page = handed_address(tournament, found)
    return _choose(request, found, page, lambda form: show_handed(request, tournament, found, fields=form))


def _choose(
    request: HttpRequest, report: Report | HandedReport, page: str, show: Callable[[Any], HttpResponse]
) -> HttpResponse:
    """Do what the pressed button says; `show` shows the page again with the fields of a line that are refused."""
    fix_page = f"{page}fix"
    page += _query(request.POST)
    with heavy_if_large(request, report.content):
        read = read_report(bytes(report.content))
        line, issue = place_of(request.POST)
        form = line_form(report, read, line, request.POST) if EDIT not in request.POST else None
        if form:
            if form.is_valid():
                if form.line == form.original and not form.has_changed():
                    messages.info(request, _("Nothing was changed."))
                    return redirect(page)
                with refusals_shown(form):
                    change = Line(line, form.written(as_text=TEXT in request.POST))
                    drafts.choose(report, read, [change], on=timezone.now().date())
                    return redirect(f"{page}#{issue}")
            return show(form)
        # The fields of a line come into view by the one that has the focus.
        if EDIT in request.POST:
            return redirect(page)
        with refusals_in_messages(request):
            place = issue or _press(request.POST, report, read)
            if "show" in request.POST:
                return redirect(fix_page)
            # The place was sent by the browser and becomes a part of an address.
            return redirect(f"{page}#{place}" if re.fullmatch(r"[A-Za-z0-9.-]{1,80}", place) else page)
    # What was refused is said at the top of the page, out of sight from the place of the button.
    return redirect(page)


def _keep_reasons(report: Report, form: QueryDict) -> None:
    """Keep the reasons that were typed, whichever button was pressed; the page of the fixes has no fields for them."""
    if any(name in ("acknowledgement", "phrase") or name.startswith("reason-") for name in form):
        drafts.keep_reasons(report, {**read_reasons(form), **_phrase(form)})


def _phrase(form: QueryDict) -> dict[str, str]:
    """Return the reason of the pressed button, by the code of the warning; nothing for another button."""
    code, _colon, number = form.get("phrase", "").rpartition(":")
    places = {str(place): str(phrase) for place, phrase in enumerate(PHRASES)}
    return {code: places[number]} if code and number in places else {}


def _query(form: QueryDict) -> str:
    """Return the query string of the page, with the player search or the fields of a line if they were requested."""
    line, severity = form.get("find", ""), form.get("severity", "")
    shown = {"line": line, "words": form.get(f"words-{line}", "")[:100]} if line.isdecimal() else {}
    if EDIT in form and place_of(form)[0]:
        shown[EDIT] = form.get(EDIT, "")
    if severity in SEVERITIES:
        shown["severity"] = severity
    return f"?{urlencode(shown)}" if shown else ""


# The buttons of the page, and what names their place on it where that is no amendment.
BUTTONS = dict.fromkeys(("use", "same", "clear", "decide", "colour", "join", "fix", "undo"), "") | {
    "find": "identity",
    "phrase": "reason",
    "certain": "code",
    "leave": "code",
    "fill": "code",
}


def _press(form: QueryDict, report: Report | HandedReport, read: TrfReport) -> str:
    """Do what the pressed button says, its name the action and its value the choice; return its place on the page."""
    today = timezone.now().date()
    name = next((name for name in form if name in BUTTONS), "")
    value = form.get(name, "")
    if name == "undo":
        drafts.take_back(report, value)
        # Rows of players are named by who the line is. What was taken back together has the place of the first.
        return "" if value == drafts.ALL else re.sub(r"^line-", "identity-", value.partition(" ")[0])
    amendments = _amendments(name, value, report, read, on=today)
    if amendments:
        drafts.choose(report, read, amendments, on=today)
    if kind := BUTTONS.get(name):
        return f"{kind}-{value.partition(':')[0]}"
    return amendments[0].key if amendments else ""


def _amendments(
    name: str, value: str, report: Report | HandedReport, read: TrfReport, *, on: date
) -> Sequence[Amendment]:
    """Return what the pressed button chooses, nothing for one that chooses nothing."""
    numbers, _colon, result = value.partition(":")
    first, second = _numbers(numbers)
    match name:
        case "use":
            return [Identity(first, second)]
        case "same":
            reported = next((one.fide_id for one in read.players if one.line == first), None)
            return [Identity(first, reported or 0, is_whole=True)]
        case "clear":
            return [Identity(first)]
        case "decide":
            return [Result(first, second, result)]
        case "colour":
            return drafts.coloured(
                report, read, (first, second), read_number(result, most=MAX_ROUNDS) or 0, on=on
            )
        case "join":
            return [Joined(second, into=first)]
        case "fix":
            return drafts.fixes_of(report, read, value)
        case "leave":
            return drafts.left_out_rounds(report, read, value)
        case "fill":
            return drafts.filled_records(report, read)
        case "certain":
            return certain_amendments(report, read, value, on=on)
    return []


def _numbers(text: str) -> tuple[int, int]:
    """Return the two numbers of a button's value, zeros for an invalid value."""
    first, _dash, second = text.partition("-")
    return read_number(first, most=MAX_FIDE_ID) or 0, read_number(second, most=MAX_FIDE_ID) or 0


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def fix(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Show the lines that the chosen fixes change, or save them as a new version."""
    report = version_of(tournament, version)
    _keep_reasons(report, request.POST)
    name = _("Version %(version)s") % {"version": version}
    here = {"here": name, "report_url": reverse("desk:report", args=[tournament.event_id, version])}
    choose_url = reverse("desk:choose", args=[tournament.event_id, version])
    return _fix(request, report, here | {"choose_url": choose_url}, _save_version)


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_hand_over, visible=arbitrated_by)
def fix_handed(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the lines that the fixes of a chief arbiter change, or save them as a new file to send."""
    found = handed_or_404(request, tournament, number)
    name = _("Report %(number)s") % {"number": number}
    here = {"here": name, "report_url": handed_address(tournament, found)}
    choose_url = reverse("desk:handed-choose", args=[tournament.event_id, number])
    return _fix(request, found, here | {"choose_url": choose_url}, _save_handed)


def _fix(
    request: HttpRequest,
    report: Report | HandedReport,
    here: dict[str, str],
    save: Callable[..., HttpResponse],
) -> HttpResponse:
    with heavy_if_large(request, report.content):
        read = read_report(bytes(report.content))
        chosen = drafts.chosen_changes(report, read, on=timezone.now().date())
        if request.method == "POST":
            with refusals_in_messages(request):
                return save(request, report, read, chosen.lines)
        keys = _keys_by_line(report.amendments, read)
        context = {
            **here,
            "tournament": report.tournament,
            "is_arbiters": isinstance(report, HandedReport),
            "chosen": chosen,
            "number": len(report.amendments),
            "shown": [(one, keys.get(one.line, "")) for one in chosen.lines[:MAX_LINES]],
            "not_shown": max(0, len(chosen.lines) - MAX_LINES),
        }
        return render(request, "desk/tournaments/fix.html", context)


def _keys_by_line(amendments: Iterable[Amendment], read: TrfReport) -> Mapping[int, str]:
    """Return the keys of the amendments that change each line, as the button to undo them has them."""
    keys: dict[int, str] = {}
    numbers = read.by_number
    for one in amendments:
        lines: list[int] = []
        if isinstance(one, Result):
            pairing = pairing_of(read, round_number=one.round, white=one.white)
            lines = [numbers[number].line for number in (pairing.white, pairing.black)] if pairing else []
        elif isinstance(one, OfLine):
            lines = [one.line, one.into] if isinstance(one, Joined) else [one.line]
        for line in lines:
            keys[line] = f"{keys.get(line, '')} {one.key}".lstrip()
    return keys


def _save_version(
    request: HttpRequest, report: Report, read: TrfReport, changes: Sequence[ChangedLine]
) -> HttpResponse:
    now = timezone.now()
    made, is_new = apply_changes(report, read, changes, by=request.user, on=now.date(), at=now)
    text = (
        _("Version %(version)d was created and checked.")
        if is_new
        else _("This is already version %(version)d.")
    )
    messages.success(request, text % {"version": made.version})
    return redirect("desk:report", made.tournament.event_id, made.version)


def _save_handed(
    request: HttpRequest, found: HandedReport, read: TrfReport, changes: Sequence[ChangedLine]
) -> HttpResponse:
    now = timezone.now()
    made = keep_fixed(found, read, changes, by=request.user, on=now.date(), at=now)
    messages.success(request, _("Report %(number)d was created and checked.") % {"number": made.number})
    return redirect(handed_address(made.tournament, made))
