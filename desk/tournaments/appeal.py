"""The appeal of a tournament, as the officer submits it (FIDE R&B 2024, 0.4)."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_safe

from core.html.fields import FilesField, TextField
from core.html.forms import PortalForm, fill_text
from core.html.refusals import refusals_shown
from core.web.downloads import file_response
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from desk.access import requires_for_tournament
from desk.case_parts import PARTS
from players.choices import CaseKind
from tournaments import regulations
from tournaments.appeals import (
    AppealRequest,
    communicated_on,
    decision_not_to_rate,
    lodge_appeal,
    lodging_refusals,
    newest_appeal,
)
from tournaments.choices import AppealGround
from tournaments.evidence import MAX_FILE_BYTES, MAX_FILES
from tournaments.files import MEBIBYTE
from tournaments.models import Tournament
from tournaments.permissions import can_appeal, can_see_drafts


class AppealForm(PortalForm):
    """An appeal with its organiser, grounds, statement and files (0.4)."""

    # While one is empty, the button is drawn as one with nothing to send; the page checks nothing itself.
    use_required_attribute = True

    organiser = forms.CharField(
        label=_l("Organiser who appeals"),
        max_length=120,
        help_text=_l("The organiser has the right to appeal. You submit the appeal for them (article 0.4)."),
    )
    ground = forms.ChoiceField(
        label=_l("Grounds"),
        choices=AppealGround.choices,
        widget=forms.RadioSelect,
    )
    statement = TextField(
        label=_l("Why the tournament should be rated"),
        max_length=8000,
        rows=8,
        error_messages={"required": _l("Explain why the tournament should be rated.")},
    )
    evidence = FilesField(
        label=_l("Files"),
        required=False,
        error_messages={"empty": _l("A file is empty. Select another file.")},
        help_text=fill_text(
            _l(
                "Up to %(number)d PDF, PNG or JPEG files of %(size)d MiB each. Only FIDE Council and your federation "
                "can see them."
            ),
            number=MAX_FILES,
            size=MAX_FILE_BYTES // MEBIBYTE,
        ),
    )

    def request(self) -> AppealRequest:
        """Return the appeal of a valid form."""
        values = self.cleaned_data
        return AppealRequest(
            ground=values["ground"],
            statement=values["statement"],
            organiser=values["organiser"],
            files=[(file.name, file.read()) for file in values["evidence"]],
        )


@bounded({"evidence": MAX_FILE_BYTES})
@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_appeal)
def lodge(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the appeal form with its deadline, and submit the appeal."""
    now = timezone.now()
    form = form_of(request, AppealForm, initial={"organiser": tournament.organiser})
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            lodge_appeal(tournament, form.request(), by=request.user, at=now)
            messages.success(request, _("The appeal was submitted. FIDE Council decides."))
            return redirect("desk:appeal", tournament.event_id)
    decision = decision_not_to_rate(tournament)
    context = {
        "form": form,
        "tournament": tournament,
        "decision": decision,
        "today": now.date(),
        "appeal_ends": regulations.appeal_ends(communicated_on(decision)) if decision else None,
        "refusals": [*lodging_refusals(tournament, decision, on=now.date())],
        "appeal": newest_appeal(tournament),
        "part": PARTS[CaseKind.APPEAL],
    }
    return render(request, "desk/tournaments/appeal_form.html", context)


@require_safe
@requires_for_tournament(can_see_drafts)
def download(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return a file of the appeal as a download. Browsers must not display it."""
    found = newest_appeal(tournament)
    if found is None:
        raise Http404(_("No appeal was submitted."))
    file = get_object_or_404(found.files, number=number)
    return file_response(bytes(file.content), name=file.file_name)
