"""The page of a tournament for its chief arbiter, who checks reports here."""

from __future__ import annotations

from django.db.models import Value
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from desk.access import requires_for_tournament
from desk.tournaments.handed import handed_address
from desk.tournaments.upload import ReportForm, redirect_to_findings
from players.federations import Federations
from ratings.lists import read_lists
from tournaments.files import MAX_UPLOADS
from tournaments.handover import can_be_taken, handover_refusals, keep_checked
from tournaments.models import Tournament
from tournaments.permissions import (
    arbitrated_by,
    can_hand_over,
    handed_for,
)
from tournaments.reports import Upload, handed_of
from tournaments.states import progress_of
from tournaments.steps import REPORT_STEPS


@bounded(MAX_UPLOADS)
@require_http_methods(["GET", "HEAD", "POST"])
# With whose it is, as `for_arbiter_or_user` notes it: the tabs ask several predicates.
@requires_for_tournament(
    can_hand_over, visible=lambda user: arbitrated_by(user).annotate(arbiter=Value(user.pk))
)
def arbiter(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a chief arbiter the tournament and its reports, and check a new one."""
    form = form_of(request, ReportForm, is_hybrid=tournament.is_hybrid)
    if form.is_valid():
        with refusals_shown(form):
            now = timezone.now()
            upload = Upload(
                content=form.content(),
                file_name=form.file_name(),
                by=request.user,
                on=now.date(),
                at=now,
                pgn=form.pgn_content(),
            )
            handed = keep_checked(tournament, upload)
            return redirect_to_findings(request, handed_address(tournament, handed))
    return _arbiter_page(request, tournament, form)


def _arbiter_page(request: HttpRequest, tournament: Tournament, form: ReportForm) -> HttpResponse:
    today = timezone.now().date()
    rows = handed_of(handed_for(request.user, tournament))
    progress = progress_of(tournament, read_lists(), today=today)
    waiting = next((one for one in rows if can_be_taken(one, progress)), None)
    version = progress.version
    is_over = tournament.end <= today
    # A request at the QC stops no report.
    is_due = progress.is_report_due or progress.report_step in REPORT_STEPS
    context = {
        "tournament": tournament,
        "form": form,
        "today": today,
        "rows": rows,
        "waiting": waiting,
        "refusals": [*handover_refusals(tournament, on=today, federations=Federations())],
        "is_over": is_over,
        "progress": progress,
        "is_due": is_due,
        # Nothing is due of an arbiter while the rating officer decides.
        "has_deadline": is_due and not waiting and progress.step.code != "take",
        "is_wanted": is_over and progress.report_step in ("play", *REPORT_STEPS) and not waiting,
        "uploaded": version
        and _("Version %(version)d of the report is uploaded. Send a file only if it differs.")
        % {"version": version},
    }
    return render(request, "desk/arbiter.html", context)
