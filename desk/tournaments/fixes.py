"""Fixes of a report: chosen on its page, shown as a difference, saved as a version."""

from __future__ import annotations

import re
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
from tournaments.models import Report, Tournament
from tournaments.permissions import can_report
from tournaments.queries.marked_report import SEVERITIES
from tournaments.services.corrected_versions import apply_changes
from tournaments.services.drafts import (
    DECISIONS,
    FIXES,
    IDS,
    JOINS,
    LINES,
    chosen_changes,
    clear_id,
    decide_result,
    edit_lines,
    fill_records,
    join_lines,
    keep_owner,
    keep_reasons,
    leave_out_rounds,
    registered_records,
    undo_choice,
    use_fixes,
    use_players,
)
from tournaments.services.worksheet import certain_keys, owner_of, sure_players
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
    keep_reasons(report, {**read_reasons(request.POST), **_phrase(request.POST)})
    place = _address_of_place(request, tournament, version)
    with heavy_if_large(request, report.content), refusals_in_messages(request):
        _choose(request, report, read_report(bytes(report.content)))
        return redirect(place)
    # What was refused is said at the top of the page, out of sight from the place of the button.
    return redirect(place.partition("#")[0])


def _phrase(form: QueryDict) -> dict[str, str]:
    """Return the reason of the pressed button, by the code of the warning; nothing for another button."""
    code, _colon, number = form.get("phrase", "").rpartition(":")
    places = {str(place): str(phrase) for place, phrase in enumerate(PHRASES)}
    return {code: places[number]} if code and number in places else {}


def _choose(request: HttpRequest, report: Report, read: TrfReport) -> None:
    """Run the action of the pressed button: its name is the action, its value the choice."""
    form = request.POST
    if "use" in form:
        line, fide_id = _numbers(form["use"])
        use_players(report, read, {line: fide_id})
    elif "same" in form:
        line, _rest = _numbers(form["same"])
        owner = owner_of(report, read, line, on=timezone.now().date())
        if owner is not None:
            keep_owner(report, read, line, owner)
    elif "clear" in form:
        clear_id(report, read, _numbers(form["clear"])[0])
    elif "decide" in form:
        game, _colon, result = form["decide"].partition(":")
        round_number, white = _numbers(game)
        decide_result(report, read, round_number=round_number, white=white, result=result)
    elif "fix" in form:
        use_fixes(report, read, [form["fix"]])
    elif "join" in form:
        join_lines(report, read, *_numbers(form["join"]))
    elif "leave" in form:
        leave_out_rounds(report, read, form["leave"])
    elif "fill" in form:
        fill_records(report, read, registered_records(report.tournament))
    elif "undo" in form:
        kind, _colon, key = form["undo"].partition(":")
        undo_choice(report, kind, key)
    elif "certain" in form:
        _choose_certain(report, read, form["certain"])


def _choose_certain(report: Report, read: TrfReport, code: str) -> None:
    """Choose every certain fix for the issues of one code. Earlier choices are not changed."""
    players, keys = (
        sure_players(report, read, code, on=timezone.now().date()),
        certain_keys(report, read, code),
    )
    if players:
        use_players(report, read, players)
    if keys:
        use_fixes(report, read, keys)


def _numbers(text: str) -> tuple[int, int]:
    """Return the two numbers of a button's value, zeros for an invalid value."""
    first, _dash, second = text.partition("-")
    return read_number(first, most=MAX_FIDE_ID) or 0, read_number(second, most=MAX_FIDE_ID) or 0


def _address_of_place(request: HttpRequest, tournament: Tournament, version: int) -> str:
    """Return the URL of the version at the place of the button, with the player search if one was requested."""
    page = reverse("desk:report", args=[tournament.event_id, version])
    line, severity = request.POST.get("find", ""), request.POST.get("severity", "")
    shown = {"severity": severity} if severity in SEVERITIES else {}
    if not line.isdecimal():
        return f"{page}{'?' if shown else ''}{urlencode(shown)}{_place(request.POST)}"
    words = request.POST.get(f"words-{line}", "")[:100]
    return f"{page}?{urlencode({'line': line, 'words': words, **shown})}#row-{line}"


def _place(form: QueryDict) -> str:
    """Return the URL fragment for the row, game or fix of the button, or ""."""
    kind, _colon, key = form.get("undo", "").partition(":")
    if code := form.get("phrase", "").rpartition(":")[0]:
        return f"#reason-{code}" if re.fullmatch(r"[a-z0-9.-]{1,60}", code) else ""
    names = {
        "row": form.get("use", "").partition("-")[0]
        or form.get("same", "")
        or form.get("clear", "")
        or (key if kind in (IDS, LINES) else ""),
        "game": form.get("decide", "").partition(":")[0] or (key if kind == DECISIONS else ""),
        "fix": form.get("fix", "") or form.get("join", "") or (key if kind in (FIXES, JOINS) else ""),
        "code": form.get("certain", "") or form.get("fill", "") or form.get("leave", ""),
    }
    name, value = next(((name, value) for name, value in names.items() if value), ("", ""))
    # The value was sent by the browser and becomes a part of an address.
    return f"#{name}-{value}" if re.fullmatch(r"[a-z0-9.-]{1,60}", value) else ""


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
        keep_reasons(report, read_reasons(request.POST))
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
    proposed = {change.line: change.new for change in chosen_changes(report, read).lines}
    other = {
        line: text
        for line, text in texts.items()
        if 1 <= line <= len(read.lines) and text.rstrip() != proposed.get(line, read.lines[line - 1]).rstrip()
    }
    if other:
        edit_lines(report, read, other)


def _save(request: HttpRequest, tournament: Tournament, report: Report, read: TrfReport) -> HttpResponse:
    now = timezone.now()
    changes = chosen_changes(report, read).lines
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
    chosen = chosen_changes(report, read)
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
