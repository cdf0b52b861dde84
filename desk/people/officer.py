"""The designated rating officer of a federation, as published (FIDE R&B 2024, 8.3)."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.web.typed_forms import form_of
from desk.access import requires
from players.models import Federation
from players.permissions import (
    can_manage_people,
    officer_federations,
)


class DesignatedOfficerForm(forms.ModelForm[Federation]):
    """The designated rating officer of a federation, as published (8.3)."""

    class Meta:
        model = Federation
        fields = ("officer_name", "officer_details")
        help_texts = {"officer_details": _l("Public. Use an office address, not a private one.")}
        # Of more words than a line of a phone has.
        widgets = {"officer_details": forms.Textarea(attrs={"rows": 2})}

    def clean_officer_details(self) -> str:
        """Return the details in one line, as pages and files show them."""
        return " ".join(self.cleaned_data["officer_details"].split())


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_manage_people)
def officer(request: HttpRequest, code: str) -> HttpResponse:
    """Show and change the designated officer of a federation (FIDE R&B 2024, 8.3)."""
    # PostgreSQL refuses the character in a query.
    federation = get_object_or_404(officer_federations(request.user), code=code.replace("\x00", ""))
    form = form_of(request, DesignatedOfficerForm, instance=federation)
    if request.method == "POST" and form.is_valid():
        form.save(commit=False).save(by=request.user, at=timezone.now())
        messages.success(request, _("The federation page shows this rating officer."))
        return redirect("people:people")
    return render(request, "desk/people/officer.html", {"form": form, "federation": federation})
