"""The versions of a tournament's report: check results, acceptance, and the file as uploaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.downloads import file_response
from core.web.heavy_work import heavy_if_large
from core.web.typed_forms import restore_form
from desk.access import requires_for_tournament
from desk.tournaments.line import LineForm, line_form, line_search, place_of, show_fields
from ratings.lists import read_lists
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import ReportState
from tournaments.crosstable import changed_games
from tournaments.drafts import MAX_LETTERS, keep_reasons, line_refusals
from tournaments.exchange import exchange_reports
from tournaments.holds import HOLDABLE, allowed_games, are_allowed
from tournaments.line_changes import differences_of
from tournaments.lookups import Lookups
from tournaments.marked_report import FindingGroup, ShownPart, marked_text
from tournaments.models import OriginalFile, Report, Tournament
from tournaments.permissions import can_report, can_see_drafts, reported_by
from tournaments.portal_reasons import SENTENCES
from tournaments.registration_changes import is_changeable
from tournaments.report_barriers import acknowledgement_of, version_barriers
from tournaments.reports import (
    accept_report,
    acceptance_of,
    check_again,
    same_accepted_elsewhere,
    with_same_elsewhere,
)
from tournaments.states import progress_of
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity, read_report, write_trf26
from tournaments.trf.findings import ANSWERED_ALONE, LIFTED_BY_QC, LIFTED_BY_REASON, OF_ANOTHER_NAME
from tournaments.worksheet import with_choices


class AcceptForm(PortalForm):
    """The acceptance of a report. Each group of warnings needs a reason, its own or the general one."""

    acknowledgement = forms.CharField(
        label=_l("One reason for all other warnings"), required=False, max_length=MAX_LETTERS
    )

    def __init__(self, *args: Any, codes: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.codes = codes
        if not codes:
            del self.fields["acknowledgement"]
        for code in codes:
            self.fields[f"reason-{code}"] = forms.CharField(required=False, max_length=MAX_LETTERS)

    def clean(self) -> dict[str, Any]:
        """Refuse warnings without a reason, each in its own field."""
        cleaned = super().clean() or self.cleaned_data
        codes = [code for code in self.codes if code in ANSWERED_ALONE or not cleaned.get("acknowledgement")]
        for name in [f"reason-{code}" for code in codes]:
            if not cleaned.get(name) and name not in self.errors:
                message = _("Enter a reason for this warning. It is saved with the report.")
                self.add_error(name, forms.ValidationError(message, code="required"))
        return cleaned

    def sentence(self) -> str:
        """Return the reasons for storage: that of each group with its code, the general one last."""
        own = {code: str(self.cleaned_data.get(f"reason-{code}", "")) for code in self.codes}
        return acknowledgement_of(own, str(self.cleaned_data.get("acknowledgement", "")))


def read_reasons(post: QueryDict) -> dict[str, str]:
    """Return the typed reasons by warning code, the general one by ""."""
    own = {name.removeprefix("reason-"): str(post[name]) for name in post if name.startswith("reason-")}
    return own | {"": post.get("acknowledgement", "")}


@require_safe
@requires_for_tournament(can_see_drafts)
def detail(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Show a version of the report with its check results."""
    # With the version in one query: only the few that are there twice are looked up.
    report = version_of(tournament, version, among=with_same_elsewhere(tournament.reports.all()))
    with heavy_if_large(request, report.content):
        trf, lookups = read_report(bytes(report.content)), Lookups()
        check_again(report, trf, on=timezone.now().date(), lookups=lookups)
        typed = _restore_typed(request, tournament, version, _warning_codes(report))
        form = _accept_form(report, typed)
        return _report_page(request, tournament, report, trf, form, lookups, typed=typed)


def _accept_form(report: Report, typed: QueryDict | None = None) -> AcceptForm:
    initial = {f"reason-{code}": text for code, text in report.reasons.items()}
    initial["acknowledgement"] = initial.pop("reason-", "")
    return AcceptForm(typed, codes=_warning_codes(report), initial=initial)


def _restore_typed(
    request: HttpRequest, tournament: Tournament, version: int, codes: Sequence[str]
) -> QueryDict | None:
    """Return what was typed on the page of a version before the session ended, whichever button sent it."""
    # The page of the fixes is sent to the same address, without reasons.
    reasons = ["acknowledgement", *(f"reason-{code}" for code in codes)]
    for name, field in (("choose", ""), ("accept", ""), *(("fix", reason) for reason in reasons)):
        address = reverse(f"desk:{name}", args=[tournament.event_id, version])
        if typed := restore_form(request, to=address, having=field):
            return typed
    return None


def _read_search(typed: QueryDict) -> dict[str, str]:
    """Return the player search that was typed, as the page's query string has it."""
    searches = [(name[6:], text) for name, text in typed.items() if name.startswith("words-") and text]
    return {"line": searches[0][0], "words": str(searches[0][1])} if searches else {}


@require_http_methods(["POST"])
@requires_for_tournament(can_report)
def accept(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Accept a version of the report, or show on its page why it is refused."""
    report = version_of(tournament, version)
    if "exchange" in request.POST:
        return _exchange(request, tournament, report)
    with heavy_if_large(request, report.content):
        return _accept(request, tournament, report)


def _accept(request: HttpRequest, tournament: Tournament, report: Report) -> HttpResponse:
    # Read once for the acceptance and for the page that says why it is refused.
    trf = read_report(bytes(report.content))
    form = AcceptForm(request.POST, codes=_warning_codes(report))
    if form.is_valid():
        now = timezone.now()
        with refusals_shown(form):
            seen, by, on = request.POST.get("seen", ""), request.user, now.date()
            accept_report(report, acknowledgement=form.sentence(), seen=seen, by=by, on=on, at=now, trf=trf)
            messages.success(request, _("The report is accepted. You can leave this page."))
            return redirect("desk:tournament", tournament.event_id)
    # A refused acceptance must not cost what was typed; another browser finds it, too.
    keep_reasons(report, read_reasons(request.POST))
    lookups = Lookups()
    check_again(report, trf, on=timezone.now().date(), lookups=lookups)
    return _report_page(request, tournament, report, trf, form, lookups, typed=request.POST)


def show_report(
    request: HttpRequest, tournament: Tournament, report: Report, *, fields: LineForm
) -> HttpResponse:
    """Show the page of a version again with the fields of a line that are refused."""
    trf, form = read_report(bytes(report.content)), _accept_form(report)
    return _report_page(request, tournament, report, trf, form, Lookups(), typed=request.POST, fields=fields)


def _exchange(request: HttpRequest, tournament: Tournament, report: Report) -> HttpResponse:
    """Exchange the report with that of the event whose file this version is."""
    # PostgreSQL refuses the character in a query.
    wanted = request.POST["exchange"].replace("\x00", "")
    other = get_object_or_404(reported_by(request.user), event_id=wanted)
    form, now = AcceptForm(request.POST, codes=()), timezone.now()
    with refusals_shown(form):
        exchange_reports(
            tournament,
            other,
            reason=request.POST.get("exchange-reason", ""),
            by=request.user,
            on=now.date(),
            at=now,
            seen=request.POST.get("seen", ""),
        )
        messages.success(request, _("The reports were exchanged. Both are rated again."))
        return redirect("desk:tournament", tournament.event_id)
    trf = read_report(bytes(report.content))
    return _report_page(request, tournament, report, trf, form, Lookups(), typed=request.POST)


@require_safe
@requires_for_tournament(can_see_drafts)
def download(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Return the file of a version as uploaded, with `as=trf26` as new TRF, with `as=original` the crosstable."""
    report = version_of(tournament, version)
    content, name = bytes(report.content), report.file_name
    if request.GET.get("as") == "trf26":
        content, name = write_trf26(read_report(content)).encode(), f"{PurePath(name).stem}-trf26.trf"
    elif request.GET.get("as") == "original":
        original = get_object_or_404(OriginalFile, report=report)
        content, name = bytes(original.content), original.file_name
    return file_response(content, name=name)


def version_of(tournament: Tournament, version: int, *, among: QuerySet[Report] | None = None) -> Report:
    """Return a version of a tournament's report with its bytes, or raise Http404. `among` limits the versions.

    It has the number of the `newest` one, and its instant, `newest_at`.
    """
    newest = Report.objects.filter(tournament=OuterRef("tournament")).order_by("-version")
    every = tournament.reports.all() if among is None else among
    reports = every.select_related("submitted_by", "corrected_from", "original").defer(
        "pgn", "corrected_from__content", "corrected_from__pgn", "original__content"
    )
    values = {"newest": "version", "newest_at": "submitted_at"}
    rows = reports.annotate(**{name: Subquery(newest.values(value)[:1]) for name, value in values.items()})
    return get_object_or_404(rows, version=version)


def _warning_codes(report: Report) -> list[str]:
    """Return the codes of a version that a reason answers, without repetitions, in the order of the page."""
    return [*dict.fromkeys(item["code"] for item in report.findings if _takes_reason(**item))]


def _takes_reason(*, severity: str, code: str, **_others: Any) -> bool:
    return severity == Severity.WARNING or code in LIFTED_BY_REASON


def _report_page(
    request: HttpRequest,
    tournament: Tournament,
    report: Report,
    trf: TrfReport,
    form: AcceptForm,
    lookups: Lookups,
    *,
    typed: QueryDict | None,
    fields: LineForm | None = None,
) -> HttpResponse:
    """Show a version; `typed` are the fields of the page that came back, `fields` those of a line."""
    today = timezone.now().date()
    values = request.GET if request.method == "GET" else request.POST
    code, severity = request.GET.get("code", ""), values.get("severity", "")
    marked = marked_text(trf, _standing_findings(report), ShownPart("all" in request.GET, code, severity))
    # As `version_of` counts it.
    is_newest = report.version >= getattr(report, "newest", 0)
    is_open = is_newest and report.state == ReportState.CHECKED and can_report(request.user, tournament)
    editing = ""
    if is_open:
        # Candidates are searched only for who may choose one: an auditor's page needs no such queries.
        search = line_search(_read_search(typed) if typed is not None else request.GET.dict())
        marked = with_choices(marked, report, trf, search, on=today, lookups=lookups)
        place = place_of(request.GET if typed is None else typed)
        editing = show_fields(marked, place, fields or line_form(report, trf, place[0], typed))
    choices = len(report.amendments) if is_open else 0
    missing = [*version_barriers(tournament, report, trf, lookups=lookups)] if is_open else []
    if is_open:
        lines = [item["line"] for item in report.findings if item["code"] in OF_ANOTHER_NAME]
        count = len(trf.players)
        missing += line_refusals(lines, players=count, acknowledgement="", tournament=tournament)
    errors = [
        one for one in marked.groups if one.severity == Severity.ERROR and one.code not in LIFTED_BY_REASON
    ]
    lists = read_lists()
    progress = progress_of(tournament, lists, today=today)
    # An accepted version keeps its day.
    of_accepted = None if progress.report_step else progress.expected_list
    expected_list = of_accepted or lists.expected(
        tournament, accepted_on=max(today, tournament.end), today=today
    )
    context = {
        "tournament": tournament,
        "report": report,
        "read": trf,
        **_compare_upload(report, trf),
        "marked": marked,
        "counts": marked.counts,
        "form": form,
        "editing": editing,
        "seen": seen_of(tournament),
        **_missing_reasons(form, marked.groups),
        "choices": choices,
        "barriers": missing,
        "stops": sum(group.open_count > 0 for group in errors) + len(missing),
        "shifted": errors[0].one_shift if len(errors) == 1 and not missing else None,
        "may_accept": is_open and not errors and not choices and not missing,
        "may_upload": is_open,
        "may_change": is_open and is_changeable(tournament),
        "may_correct": can_report(request.user, tournament)
        and (is_open or report.state == ReportState.ACCEPTED),
        "expected_list": expected_list,
        "elsewhere": (elsewhere := same_accepted_elsewhere(report)),
        "may_exchange": is_open
        and elsewhere is not None
        and can_report(request.user, elsewhere.tournament)
        and tournament.stage in HOLDABLE,
        "acceptance": acceptance_of(report),
        "acknowledgement": _acknowledge(report, marked.groups),
        "today": today,
        # A version has days of its own, however long ago the report was due (D-128).
        "progress": progress,
    }
    return render(request, "desk/tournaments/report.html", context)


def _compare_upload(report: Report, trf: TrfReport) -> dict[str, Any]:
    """Return the version before an uploaded one, and in how many games they differ; nothing of one made by fixes."""
    if report.version == 1 or report.corrected_from_id:
        return {}
    before = report.tournament.reports.filter(version__lt=report.version).defer("pgn").latest("version")
    return {"before": before.version, "changed_games": changed_games(read_report(bytes(before.content)), trf)}


def _standing_findings(report: Report) -> list[dict[str, Any]]:
    """Return the findings of a version without those that the QC has allowed (D-129)."""
    if not any(item["code"] in LIFTED_BY_QC for item in report.findings):
        return list(report.findings)
    allowed = allowed_games(report.tournament)
    return [
        item
        for item in report.findings
        if item["code"] not in LIFTED_BY_QC or not are_allowed(item["code"], item["params"], allowed)
    ]


def _acknowledge(report: Report, groups: Iterable[FindingGroup]) -> str:
    """Give each group of issues the reason with which it was acknowledged; return what was written for all others."""
    if report.state != ReportState.ACCEPTED:
        return report.why_acknowledged
    items = report.acknowledgement_stated or []
    own = {item["finding"]: item["reason"] for item in items if item.get("code") == "answer"}
    for group in groups:
        group.acknowledged = own.pop(group.code, "")
    others = [item for item in items if item.get("code") != "answer" or item["finding"] in own]
    return SENTENCES.show(others) if items else report.acknowledgement


# What officers write most about a warning; one click puts it into the field.
PHRASES = (_l("Checked with the chief arbiter"), _l("Correct as reported"))


def _missing_reasons(form: AcceptForm, groups: Iterable[FindingGroup]) -> dict[str, Any]:
    """Give each group of warnings its field for a reason; return which codes still need one, and how to say so.

    `missing_texts` has the sentence for one reason, for two, and so on, for the page to count down while one types.
    """
    warnings = [group for group in groups if _takes_reason(severity=group.severity, code=group.code)]
    for group in warnings:
        name = f"reason-{group.code}"
        group.reason = form[name] if name in form.fields else None
        if group.reason:
            group.reason.label = group.title
        is_general = "acknowledgement" in form.fields and group.code not in ANSWERED_ALONE
        general = form["acknowledgement"].value() if is_general else ""
        own = group.reason.value() if group.reason else ""
        group.is_reasoned = bool((own or "").strip() or (general or "").strip())
    missing = [group.code for group in warnings if not group.is_reasoned and group.solved < group.count]
    texts = [
        ngettext("%(number)d reason missing", "%(number)d reasons missing", number) % {"number": number}
        for number in range(1, len(warnings) + 1)
    ]
    return {
        "warnings": warnings,
        "missing_reasons": missing,
        "missing_texts": texts,
        "missing_url": f"#reason-{missing[0]}" if missing else "#problems",
        "missing_text": texts[max(0, len(missing) - 1)] if texts else "",
        "phrases": PHRASES,
    }


@require_safe
@requires_for_tournament(can_see_drafts)
def difference(request: HttpRequest, tournament: Tournament, version: int, other: int) -> HttpResponse:
    """Show the lines in which two versions differ."""
    former = get_object_or_404(tournament.reports.defer("pgn"), version=version)
    later = get_object_or_404(tournament.reports.defer("pgn"), version=other)
    with heavy_if_large(request, later.content):
        lines = [read_report(bytes(one.content)).lines for one in (former, later)]
        found = differences_of(*lines)
    context = {"tournament": tournament, "former": former, "later": later, "found": found}
    return render(request, "desk/tournaments/difference.html", context)
