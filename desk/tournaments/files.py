"""Files of a tournament: waiver requests, reasons for late registrations, reports of the chief arbiter."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from core.html.fields import FilesField
from core.html.forms import PortalForm, fill_text
from core.html.refusals import refusals_shown
from core.web.downloads import file_response
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from desk.access import requires_for_tournament, tournament_url
from tournaments.choices import FilePurpose, Stage
from tournaments.evidence import MAX_FILE_BYTES, MAX_FILES, add_files
from tournaments.files import MEBIBYTE
from tournaments.models import Tournament
from tournaments.permissions import (
    can_see_handed,
    file_purposes_for,
    files_for,
    for_arbiter_or_user,
)


class FilesForm(PortalForm):
    """Files with their purpose."""

    purpose = forms.ChoiceField(label=_l("Purpose of the files"), widget=forms.RadioSelect)
    evidence = FilesField(
        label=_l("Files"),
        help_text=fill_text(
            _l("Up to %(number)d PDF, PNG or JPEG files of %(size)d MiB each."),
            number=MAX_FILES,
            size=MAX_FILE_BYTES // MEBIBYTE,
        ),
        error_messages={
            "required": _l("Select a file."),
            "empty": _l("A file is empty. Select another file."),
        },
    )

    def __init__(self, *args: Any, purposes: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        labels = [(value, label) for value, label in FilePurpose.choices if value in purposes]
        self.fields["purpose"].choices = labels  # type: ignore[attr-defined]
        if len(labels) == 1:
            self.fields["purpose"].initial = labels[0][0]


@bounded({"evidence": MAX_FILE_BYTES})
@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_see_handed, visible=for_arbiter_or_user)
def files(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the files of a tournament that the user may see, and add files."""
    purposes = file_purposes_for(request.user, tournament)
    if request.method == "POST" and not purposes:
        raise PermissionDenied
    form = form_of(request, FilesForm, purposes=purposes)
    if request.method == "POST" and form.is_valid():
        values, now = form.cleaned_data, timezone.now()
        sent = [(file.name, file.read()) for file in values["evidence"]]
        with refusals_shown(form):
            count = add_files(tournament, values["purpose"], sent, by=request.user, at=now)
            added = ngettext("%(count)d file was added.", "%(count)d files were added.", count)
            message = added % {"count": count} if count else _("These files are already there.")
            messages.success(request, message)
            return redirect("desk:files", tournament.event_id)
    context = {
        "tournament": tournament,
        "tournament_url": tournament_url(request.user, tournament),
        "form": form,
        "files": files_for(request.user, tournament).defer("content").select_related("added_by"),
        "may_add": bool(purposes) and tournament.stage != Stage.PUBLISHED,
    }
    return render(request, "desk/tournaments/files.html", context)


@require_safe
@requires_for_tournament(can_see_handed, visible=for_arbiter_or_user)
def download(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return a file as a download. Browsers must not display it."""
    file = get_object_or_404(files_for(request.user, tournament), number=number)
    return file_response(bytes(file.content), name=file.file_name)
