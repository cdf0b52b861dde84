"""The check of a report with a rating preview, without an account. Nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Annotated, Any

import msgspec
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.html.forms import PortalFormRenderer, fill_text
from core.html.refusals import refusals_shown
from core.web.downloads import file_response
from core.web.rates import limited
from core.web.uploads import bounded, refuse_large_file
from players.choices import Role
from players.minors import Minors, minors_for
from players.permissions import has_role
from ratings.in_force import InForce
from ratings.preview import NO_PREVIEW, Preview, preview_report, shown_preview, tournament_told_by
from tournaments import drafts
from tournaments.checking import CheckedReport, check_in_public
from tournaments.choices import Kind
from tournaments.corrected_versions import corrected_name
from tournaments.crosstable import CrosstableBoard
from tournaments.files import EMPTY_FILE, MAX_UPLOADS, MEBIBYTE, ONE_REPORT, safe_file_name
from tournaments.line_changes import ChangedLine, merged_changes
from tournaments.lookups import Lookups
from tournaments.marked_report import marked_text
from tournaments.models import Tournament
from tournaments.regulations import kind_of
from tournaments.reports import tournaments_of_arbiter
from tournaments.trf import Report
from tournaments.trf.changed_lines import coloured_line
from tournaments.trf.findings import ABOUT_PEOPLE
from tournaments.trf.limits import MAX_FINDINGS, MAX_LINES
from tournaments.trf.text import lines_of
from tournaments.uploaded_files import read_trf, require_trf
from tournaments.worksheet import add_person, people_found


class Offered(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A fix that the page offers: the line as it should be."""

    key: str
    code: str
    is_certain: bool
    line: int
    after: str


class Work(msgspec.Struct, forbid_unknown_fields=True):
    """What the page sends along with the text, as nothing is stored: what it offers, and the lines before their fixes.

    Whoever sends something else changes no more than the own text.
    """

    file_name: str = ""
    is_lf: bool = False
    offered: list[Offered] = []
    before: dict[Annotated[int, msgspec.Meta(ge=1, le=MAX_LINES)], str] = {}

    def pressed(self, lines: Sequence[str], *, fix: str, certain: str, undo: str) -> list[str]:
        """Return the lines with the fixes that a button means, or as they were before."""
        keys, pressed = {*fix.split()}, [*lines]
        changes = [
            ChangedLine(one.line, lines[one.line - 1], one.after, "")
            for one in self.offered[:MAX_FINDINGS]
            if 1 <= one.line <= len(lines) and "\n" not in one.after
            if max(len(lines[one.line - 1]), len(one.after)) <= drafts.LONGEST_LINE
            if one.key in keys or (one.is_certain and drafts.is_meant({"code": one.code}, certain))
        ]
        for change in merged_changes(changes).lines:
            self.before.setdefault(change.line, change.old)
            pressed[change.line - 1] = change.new
        for line in [*self.before]:
            if undo in (drafts.ALL, str(line)) and line <= len(lines):
                pressed[line - 1] = self.before.pop(line)
        return pressed

    def changes(self, lines: Sequence[str]) -> Iterator[ChangedLine]:
        """Yield the lines that fixes changed, in order."""
        for line, before in sorted(self.before.items()):
            if line <= len(lines):
                yield ChangedLine(line, before, lines[line - 1], "")


class CheckForm(forms.Form):
    """The report as a file or as text. With a rating type, its ratings are previewed."""

    read: Report
    default_renderer = PortalFormRenderer()

    report = forms.FileField(
        label=_l("Report (TRF)"),
        required=False,
        error_messages={"empty": EMPTY_FILE, "too-large": ONE_REPORT},
        help_text=fill_text(
            _l("The text file that the pairing program exports, up to %(size)d MiB."),
            size=MAX_UPLOADS["report"] // MEBIBYTE,
        ),
    )
    text = forms.CharField(
        label=_l("Or paste the text"),
        required=False,
        # The columns of a line begin with its first character.
        strip=False,
        max_length=MAX_UPLOADS["report"],
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "class": "mono"}),
    )
    kind = forms.ChoiceField(
        label=_l("Rating type for the preview"),
        required=False,
        choices=[("", _l("by the time control")), *Kind.choices],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["report"].condition = _("or its text below")  # type: ignore[attr-defined]
        self.fields["text"].condition = _("instead of the file")  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Require exactly one of file and text."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not cleaned.get("report") and not cleaned.get("text", "").strip():
            message = _("Select the report file, or paste its text.")
            self.add_error("report", forms.ValidationError(message, code="required"))
        elif not self.errors:
            with refusals_shown(self):
                require_trf(self.content(), self.file_name())
                self.read = read_trf(self.content(), self.file_name(), on=timezone.now().date())
        return cleaned

    def content(self) -> bytes:
        sent = self.cleaned_data.get("report")
        if sent:
            # `clean` has read it already.
            sent.seek(0)
        return bytes(sent.read()) if sent else str(self.cleaned_data["text"]).encode()

    def file_name(self) -> str:
        """Return the name of the file, "" for a pasted text."""
        sent = self.cleaned_data.get("report")
        return str(sent.name) if sent else ""


@never_cache
@bounded(MAX_UPLOADS)
@require_http_methods(["GET", "HEAD", "POST"])
@limited("open")
def check(request: HttpRequest) -> HttpResponse:
    """Show the form, and the issues of a report. With a rating type, preview the ratings."""
    context: dict[str, Any] = {
        "form": CheckForm(),
        "arbitrated": tournaments_of_arbiter(request.user) if has_role(request.user, Role.ARBITER) else [],
        "checked": None,
    }
    if request.method != "POST":
        return render(request, "public/check.html", context)
    work = _read_work(request.POST.get("work", ""))
    data = request.POST.copy()
    if {"fix", "certain", "undo"} & data.keys():
        press = {name: data.get(name, "") for name in ("fix", "certain", "undo")}
        data["text"] = "\n".join(work.pressed(lines_of(data.get("text", "")), **press))
    form = CheckForm(data, request.FILES)
    refuse_large_file(request, form)
    context["form"] = form
    if form.is_valid():
        if request.FILES:
            content = form.content()
            work = Work(form.file_name(), b"\r" not in content)
        if "download" in data:
            ends = "\n" if work.is_lf else "\r\n"
            text = "".join(f"{line}{ends}" for line in form.read.lines)
            return file_response(text.encode(), name=corrected_name(safe_file_name(work.file_name)))
        context["form"] = CheckForm(initial={"kind": form.cleaned_data["kind"]})
        context |= _check(form.read, work, form.cleaned_data["kind"], minors=minors_for(request))
    return render(request, "public/check.html", context)


def _read_work(text: str) -> Work:
    try:
        return msgspec.json.decode(text, type=Work)
    except ValueError:
        return Work()


def _check(read: Report, work: Work, kind: str, *, minors: Minors) -> dict[str, Any]:
    lookups, on = Lookups(), timezone.now().date()
    previewed = kind or _told_kind(read)
    tournament = tournament_told_by(read, kind=previewed or Kind.RAPID, on=on)
    checked = check_in_public(read, tournament, minors=minors, lookups=lookups)
    findings = checked.findings_as_json()
    marked = marked_text(read, findings)
    people = people_found(findings, read, own="", on=on, players=lookups.players)
    work.offered = []
    for finding in [one for group in marked.groups for one in group.every]:
        key, is_certain = drafts.fix_of_problem(read, finding)
        finding |= {"key": key, "place": key.partition(" ")[0], "certain": is_certain, "is_chosen": False}
        for fix in drafts.offered_fixes(read, [finding, *finding.get("same_problem", ())]):
            work.offered.append(Offered(fix.key, finding["code"], is_certain, fix.line, fix.after))
        if finding["code"] == "colours-same" and "game" in finding:
            finding["whites"] = [*_whites(read, finding["game"], work.offered)]
        if finding["code"] in ABOUT_PEOPLE:
            add_person(finding, people.get(finding["line"], ()))
            if (best := finding["best"]) and best.fix:
                finding["key"] = f"use-{finding['line']}-{best.player.fide_id}"
                work.offered.append(
                    Offered(finding["key"], finding["code"], best.is_sure, finding["line"], best.fix)
                )
    preview = _preview(checked, tournament, on=on, lookups=lookups) if previewed else None
    other_time, counts = _other_time(read), marked.open_counts
    return {
        "checked": checked,
        "marked": marked,
        # Nothing is stored, so the buttons that use fixes send the text along.
        "text": "\n".join(read.lines),
        "work": msgspec.json.encode(work).decode(),
        "file_name": corrected_name(safe_file_name(work.file_name)) if work.before else work.file_name,
        "changes": [*work.changes(read.lines)],
        "kind": kind,
        "kinds": Kind.choices,
        "previewed": previewed,
        "other_time": other_time,
        # No finding of a report says it, because a registered tournament has a rating type.
        "counts": {**counts, "error": counts["error"] + bool(other_time)},
        "preview": preview,
        "shown": shown_preview(preview) if preview else NO_PREVIEW,
        # A preview that is missing says why.
        "first_day": None if checked.errors else lookups.of(InForce).adoptions.first_day,
    }


def _whites(read: Report, game: CrosstableBoard, offered: list[Offered]) -> Iterator[tuple[str, str]]:
    """Yield both players of a game whose lines have one colour, with the key of the fix by which each had White."""
    number, boards = game.pairing.round, (game.white, game.black)
    for player, other in (boards, boards[::-1]):
        has_white = player.results[number - 1].colour == "w"
        wrong, colour = (other, "b") if has_white else (player, "w")
        after = coloured_line(read.lines[wrong.line - 1], wrong, number, colour)
        key = f"white-{player.line}-{number}"
        offered.append(Offered(key, "colours-same", False, wrong.line, after))
        yield player.name, key


def _told_kind(read: Report) -> str:
    """Return the rating type that the time control of a report tells, "" for none."""
    _tag, _text, control = read.told_time
    return kind_of(control.total) or "" if control else ""


def _other_time(read: Report) -> str:
    """Return the time control of a report where it is that of neither rapid nor blitz."""
    _tag, text, control = read.told_time
    return text if control and not kind_of(control.total) else ""


def _preview(checked: CheckedReport, tournament: Tournament, *, on: date, lookups: Lookups) -> Preview | None:
    """Return the preview, or None if there are errors, no players, or no regulations yet on that date (D-13)."""
    is_rated = lookups.of(InForce).adoptions.has_text_on(tournament.start)
    if checked.errors or not checked.report.players or not is_rated:
        return None
    return preview_report(checked, tournament, on=on, lookups=lookups)
