"""Forms for people: an invitation and the designated officer of a federation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from players.choices import FEDERATION_ROLES, Role
from players.models import Federation
from players.permissions import is_staff, officer_federations


class InvitationForm(forms.Form):
    """Whom to invite and to what. Officers see the roles that they give."""

    default_renderer = PortalFormRenderer()

    email = forms.EmailField(label=_l("E-mail address"), max_length=254)
    role = forms.ChoiceField(label=_l("Role"))
    federation = forms.ModelChoiceField(
        Federation.objects.none(), label=_l("Federation"), required=False, empty_label="–"
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        roles: Any = Role if is_staff(user) else (Role.DEPUTY, Role.ARBITER)
        choices = [(role.value, role.label) for role in roles]
        self.fields["role"].choices = choices  # type: ignore[attr-defined]
        federations = officer_federations(user).order_by("name")
        self.fields["federation"].queryset = federations  # type: ignore[attr-defined]
        if is_staff(user):
            self.fields["federation"].help_text = _("For rating officers, deputies and chief arbiters.")
        elif len(own := federations.values_list("pk", flat=True)[:2]) == 1:
            self.fields["federation"].initial = own[0]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        role, federation = cleaned.get("role"), cleaned.get("federation")
        if role in FEDERATION_ROLES and federation is None and "federation" not in self.errors:
            self.add_error("federation", _("Choose the federation of this role."))
        if role and role not in FEDERATION_ROLES and federation is not None:
            self.add_error("federation", _("This role is held for FIDE: leave the federation empty."))
        return cleaned


class DesignatedOfficerForm(forms.ModelForm[Federation]):
    """The rating officer whom a federation names, as everybody reads it (8.3)."""

    default_renderer = PortalFormRenderer()

    class Meta:
        model = Federation
        fields = ("officer_name", "officer_details")
        help_texts = {
            "officer_details": _l("Shown to everybody: an address of the office, not a private one.")
        }
