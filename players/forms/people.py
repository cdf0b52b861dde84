"""Forms for people: an invitation, its acceptance, and the designated officer of a federation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from players.choices import FEDERATION_ROLES, Role
from players.models import Federation
from players.permissions import is_staff, officer_federations
from portal.ui.forms import PortalFormRenderer


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


class AcceptanceForm(forms.Form):
    """Name and password of a new account."""

    default_renderer = PortalFormRenderer()

    first_name = forms.CharField(label=_l("First name"), max_length=150)
    last_name = forms.CharField(label=_l("Last name"), max_length=150)
    password = forms.CharField(
        label=_l("Password"),
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_l("At least 12 characters."),
    )

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email = email

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        names = {name: self.cleaned_data.get(name, "") for name in ("first_name", "last_name")}
        try:
            validate_password(password, get_user_model()(email=self.email, **names))
        except ValidationError as error:
            raise forms.ValidationError(error.messages) from error
        return password


class DesignatedOfficerForm(forms.ModelForm[Federation]):
    """The rating officer whom a federation names, as everybody reads it (8.3)."""

    default_renderer = PortalFormRenderer()

    class Meta:
        model = Federation
        fields = ("officer_name", "officer_details")
        help_texts = {
            "officer_details": _l("Shown to everybody: an address of the office, not a private one.")
        }
