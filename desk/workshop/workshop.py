"""The workshop: proposals of the QC and FIDE staff, tried on published lists."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from desk.texts.texts import month_choices
from desk.texts.trial import describe_months
from ratings.models import TextTrial
from ratings.permissions import can_propose, can_see_workshop, proposals_of
from ratings.services.text_proposals import MAX_NAME, share_proposal, try_proposal
from ratings.systems.registry import known_texts, rules_named
from ratings.systems.variants import BOUNDS, Parameters

SHOWN = 50
MAX_COMPARED = 3


def _bounded(name: str, label: Any) -> forms.IntegerField:
    least, most = BOUNDS[name]
    return forms.IntegerField(label=label, min_value=least, max_value=most, required=False)


class ProposalForm(PortalForm):
    """A text, the parameters that a proposal changes, and the published months for the trial."""

    name = forms.CharField(label=_l("Name"), max_length=MAX_NAME, help_text=_l("For example: cap 500, K 30."))
    text = forms.ChoiceField(
        label=_l("Text"),
        help_text=_l("If a field below is empty, the value of this text applies."),
        widget=forms.RadioSelect,
    )
    cap = _bounded("cap", _l("Largest rating difference that counts"))
    k = _bounded("k", _l("K-factor of all players"))
    floor = _bounded("floor", _l("Lowest published rating"))
    # The parameter `initial`. It does not use `forms.Form.initial`.
    initial = forms.ChoiceField(  # type: ignore[assignment]
        label=_l("Initial rating by"), required=False, widget=forms.RadioSelect
    )
    active_lists = _bounded("active_lists", _l("Months until a player is inactive"))
    months = forms.MultipleChoiceField(label=_l("Months"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(rules.slug, rules.title) for rules in known_texts()]
        self.fields["text"].choices = named  # type: ignore[attr-defined]
        self.fields["initial"].choices = [("", _l("The same text")), *named]  # type: ignore[attr-defined]
        self.fields["months"].choices = month_choices()  # type: ignore[attr-defined]

    @property
    def parameters(self) -> Parameters:
        names = ("text", "cap", "k", "floor", "active_lists")
        return Parameters(
            **{name: self.cleaned_data[name] for name in names}, initial=self.cleaned_data["initial"] or None
        )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_see_workshop)
def workshop(request: HttpRequest) -> HttpResponse:
    """Show the proposals visible to the user, and try a new one on published months."""
    # Council reads shared proposals and tries none.
    if request.method == "POST" and not can_propose(request.user):
        raise PermissionDenied
    form = form_of(request, ProposalForm)
    if request.method == "POST" and form.is_valid():
        months = [date.fromisoformat(day) for day in form.cleaned_data["months"]]
        with refusals_shown(form):
            made = try_proposal(
                form.cleaned_data["name"], form.parameters, months, by=request.user, at=timezone.now()
            )
            return redirect("desk:proposal", made.pk)
    proposals = proposals_of(request.user)[:SHOWN]
    context = {
        "form": form if can_propose(request.user) else None,
        "proposals": [(item, describe_parameters(item)) for item in proposals],
        "most": MAX_COMPARED,
    }
    return render(request, "desk/workshop/workshop.html", context)


@never_cache
@require_safe
@requires(can_see_workshop)
def proposal(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the results of a proposal's trial so far."""
    item = get_object_or_404(proposals_of(request.user), pk=pk)
    context = {
        "trial": item,
        "parameters": describe_parameters(item),
        "is_author": item.by_id == request.user.pk,
        **describe_months(item),
    }
    return render(request, "desk/workshop/proposal.html", context)


@require_POST
@requires(can_see_workshop)
def share(request: HttpRequest, pk: int) -> HttpResponse:
    """Share one of the user's own proposals with the QC, FIDE staff and FIDE Council."""
    item = get_object_or_404(proposals_of(request.user), pk=pk)
    with refusals_in_messages(request):
        share_proposal(item, by=request.user, at=timezone.now())
        messages.success(request, _("The proposal is shared. Send the link of this page."))
    return redirect("desk:proposal", pk)


def describe_parameters(item: TextTrial) -> list[tuple[str, str]]:
    """Return the parameters that a proposal changes, as pairs of label and value."""
    row = Parameters.from_row(item.parameters).as_row()
    titles = {"text", "initial"}
    labels = {name: str(field.label) for name, field in ProposalForm.base_fields.items()}
    return [
        (labels[name], rules_named(value).title if name in titles else str(value))
        for name, value in row.items()
    ]
