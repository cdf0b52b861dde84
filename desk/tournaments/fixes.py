"""Fixes of a report: chosen on its page, shown as a difference, saved as a version."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.html.refusals import refusals_in_messages
from core.text_values import read_number
from core.web.heavy_work import heavy_if_large
from core.web.typed_forms import restore_form
from desk.access import requires_for_tournament
from desk.tournaments.reports import PHRASES, read_reasons, version_of
from players.fide_list.values import MAX_FIDE_ID
from tournaments.amendments import Amendment, Identity, Joined, Line, Result
from tournaments.models import Report, Tournament
from tournaments.permissions import can_report
from tournaments.queries.marked_report import SEVERITIES
from tournaments.services import drafts
from tournaments.services.corrected_versions import apply_changes
from tournaments.services.worksheet import certain_amendments
from tournaments.trf import Report as TrfReport
from tournaments.trf import limits, read_report

# With more lines than this, the page has no edit fields.
MAX_LINES = 200


@require_POST
@requires_for_tournament(can_report)
def choose(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Save what was typed and chosen on the page of a version, and show the page again at the same place."""
    report = version_of(tournament, version)
    # Whichever button was pressed: reasons that are typed and not yet saved would be lost.
    drafts.keep_reasons(report, {**read_reasons(request.POST), **_phrase(request.POST)})
    page = _address(request.POST, tournament, version)
    with heavy_if_large(request, report.content), refusals_in_messages(request):
        place = _choose(request.POST, report, read_report(bytes(report.content)))
        # The place was sent by the browser and becomes a part of an address.
        return redirect(f"{page}#{place}" if re.fullmatch(r"[a-z0-9.-]{1,80}", place) else page)
    # What was refused is said at the top of the page, out of sight from the place of the button.
    return redirect(page)


def _phrase(form: QueryDict) -> dict[str, str]:
    """Return the reason of the pressed button, by the code of the warning; nothing for another button."""
    code, _colon, number = form.get("phrase", "").rpartition(":")
    places = {str(place): str(phrase) for place, phrase in enumerate(PHRASES)}
    return {code: places[number]} if code and number in places else {}


def _address(form: QueryDict, tournament: Tournament, version: int) -> str:
    """Return the URL of the version, with the player search if one was requested."""
    page = reverse("desk:report", args=[tournament.event_id, version])
    line, severity = form.get("find", ""), form.get("severity", "")
    shown = {"line": line, "words": form.get(f"words-{line}", "")[:100]} if line.isdecimal() else {}
    if severity in SEVERITIES:
        shown["severity"] = severity
    return f"{page}?{urlencode(shown)}" if shown else page


# The buttons of the page, and what names their place on it where that is no amendment.
BUTTONS = dict.fromkeys(("use", "same", "clear", "decide", "join", "fix", "undo"), "") | {
    "find": "identity",
    "phrase": "reason",
    "certain": "code",
    "leave": "code",
    "fill": "code",
}


def _choose(form: QueryDict, report: Report, read: TrfReport) -> str:
    """Do what the pressed button says, its name the action and its value the choice; return its place on the page."""
    today = timezone.now().date()
    name = next((name for name in form if name in BUTTONS), "")
    value = form.get(name, "")
    if name == "undo":
        drafts.take_back(report, value)
        # Rows of players are named by who the line is.
        return re.sub(r"^line-", "identity-", value)
    amendments = _amendments(name, value, report, read, on=today)
    if amendments:
        drafts.choose(report, read, amendments, on=today)
    if kind := BUTTONS.get(name):
        return f"{kind}-{value.partition(':')[0]}"
    return amendments[0].key if amendments else ""


def _amendments(name: str, value: str, report: Report, read: TrfReport, *, on: date) -> Sequence[Amendment]:
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
        case "join":
            return [Joined(second, into=first)]
        case "fix":
            return [drafts.offered_fix(report, read, value)]
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
    """Show the lines that the chosen fixes change, save edits of them, or save them as a new version."""
    report = version_of(tournament, version)
    with heavy_if_large(request, report.content):
        return _fix(request, tournament, report)


def _fix(request: HttpRequest, tournament: Tournament, report: Report) -> HttpResponse:
    read = read_report(bytes(report.content))
    if request.method != "POST":
        return _fix_page(request, tournament, report, read, typed=restore_form(request))
    # Browsers send line ends as CR LF, whatever the file has.
    typed = {name: str(text).replace("\r\n", "\n") for name, text in request.POST.items() if _is_line(name)}
    edited = {int(name[5:]): text for name, text in typed.items()}
    # The page of the fixes has no fields for reasons.
    if any(name == "acknowledgement" or name.startswith("reason-") for name in request.POST):
        drafts.keep_reasons(report, read_reasons(request.POST))
    with refusals_in_messages(request):
        if edited:
            keep_edited(report, read, edited)
        if "look" in request.POST:
            return redirect("desk:fix", tournament.event_id, report.version)
        return _save(request, tournament, report, read)
    return _fix_page(request, tournament, report, read, typed=request.POST)


def _is_line(name: str) -> bool:
    return name.startswith("line-") and read_number(name[5:], most=limits.MAX_LINES) is not None


def keep_edited(report: Report, read: TrfReport, texts: dict[int, str]) -> None:
    """Save the lines whose text differs from the chosen fixes."""
    # The fields come filled with the chosen fixes: only what differs from them was typed.
    today = timezone.now().date()
    proposed = {change.line: change.new for change in drafts.chosen_changes(report, read, on=today).lines}
    edited = [
        Line(line, text.rstrip())
        for line, text in texts.items()
        if 1 <= line <= len(read.lines) and text.rstrip() != proposed.get(line, read.lines[line - 1]).rstrip()
    ]
    if edited:
        drafts.choose(report, read, edited, on=today)


def _save(request: HttpRequest, tournament: Tournament, report: Report, read: TrfReport) -> HttpResponse:
    now = timezone.now()
    changes = drafts.chosen_changes(report, read, on=now.date()).lines
    made, is_new = apply_changes(report, read, changes, by=request.user, on=now.date(), at=now)
    text = (
        _("Version %(version)d was created and checked.")
        if is_new
        else _("This is already version %(version)d.")
    )
    messages.success(request, text % {"version": made.version})
    return redirect("desk:report", tournament.event_id, made.version)


def _fix_page(
    request: HttpRequest, tournament: Tournament, report: Report, read: TrfReport, *, typed: QueryDict | None
) -> HttpResponse:
    chosen = drafts.chosen_changes(report, read, on=timezone.now().date())
    typed = typed or QueryDict()
    lines = {int(name[5:]) for name in typed if _is_line(name)}
    chosen_line = request.GET.get("line", "")
    lines |= {int(chosen_line)} if _is_line(f"line-{chosen_line}") else set()
    # These are shown as changes already.
    lines -= {change.line for change in chosen.lines}
    context = {
        "tournament": tournament,
        "report": report,
        "chosen": chosen,
        "added": [
            {"line": line, "text": typed.get(f"line-{line}", read.lines[line - 1])}
            for line in sorted(lines)
            if 1 <= line <= len(read.lines)
        ],
        "shown": [
            {"change": change, "text": typed.get(f"line-{change.line}", change.new)}
            for change in chosen.lines[:MAX_LINES]
        ],
        "not_shown": max(0, len(chosen.lines) - MAX_LINES),
    }
    return render(request, "desk/tournaments/fix.html", context)
