"""Accounts in the administration, with what the portal keeps about a person."""

from __future__ import annotations

from typing import Any

import allauth.account.admin
import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.figures import NONE
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.html.states import state_badge
from core.text_values import read_number
from core.web.proofs import proved
from core.web.typed_forms import form_of
from players.choices import Area, Deed
from players.fide_list.values import MAX_FIDE_ID
from players.models import Player
from players.models.log import record_act
from players.permissions import is_staff
from players.staff_admin import in_short, in_words, written
from portal.accounts.lost_factor import ask_for_reset, confirm_reset, waiting_request
from portal.models import User
from portal.personal_data import data_file, data_of_account, data_of_player, remove_account

# Addresses and second factors are their owner's alone: the library's pages would change them for others.
# Groups grant nothing: roles decide.
for hidden in (Authenticator, EmailAddress, Group, UserSession):
    admin.site.unregister(hidden)


class PersonForm(PortalForm):
    """A person, by the email address of the account or the FIDE ID of the player."""

    person = forms.CharField(label=_l("Email address or FIDE ID"), max_length=254)

    def clean_person(self) -> User | Player:
        typed = str(self.cleaned_data["person"]).strip()
        fide_id = read_number(typed, most=MAX_FIDE_ID)
        found: User | Player | None = (
            User.objects.filter(email__iexact=typed).first()
            if fide_id is None
            else Player.objects.filter(pk=fide_id).first()
        )
        if found is None:
            raise forms.ValidationError(
                _("No account or player has this email address or FIDE ID."), code="unknown"
            )
        return found


class ReasonForm(PortalForm):
    """Why an account is removed, or its two-factor authentication reset."""

    reason = forms.CharField(label=_l("Reason"), max_length=400)


class ConfirmationForm(forms.Form):
    """The request for a reset that a second person has seen."""

    seen = forms.IntegerField(widget=forms.HiddenInput)


@admin.register(User)
class EmailUserAdmin(UserAdmin[User]):
    """Accounts, by e-mail address: staff correct names and close accounts.

    Nobody sets another's password or address: the one is reset by mail, the other changed by its owner. Accounts come
    from invitations. Those of other staff are closed by superusers.
    """

    ordering = ["email"]
    list_display = [
        "name",
        "email",
        "roles",
        "state",
        written(User._meta.get_field("last_login"), in_short),
    ]
    list_filter = ["appointments__role", "is_active"]
    show_facets = admin.ShowFacets.NEVER
    search_fields = ["email", "first_name", "last_name"]
    fieldsets = [
        (None, {"fields": ["email", "roles", "administers", "is_above_all", "last_login", "date_joined"]}),
        (_l("Person"), {"fields": ["first_name", "last_name", "is_active"]}),
    ]
    readonly_fields = ["email", "roles", "administers", "is_above_all", "last_login", "date_joined"]

    change_list_template = "admin/portal/users.html"
    change_form_template = "admin/portal/user.html"

    @admin.display(description=_l("Name"), ordering="last_name")
    def name(self, user: User) -> str:
        return str(user)

    @admin.display(description=_l("roles"))
    def roles(self, user: User) -> str:
        """Return the roles, each with its federation."""
        roles = [
            f"{one.get_role_display()} ({one.federation_id})" if one.federation_id else one.get_role_display()
            for one in user.appointments.all()
        ]
        return ", ".join(roles) or NONE

    @admin.display(description=_l("Site administration"))
    def administers(self, user: User) -> str:
        return in_words(user.is_staff)

    @admin.display(description=User._meta.get_field("is_superuser").verbose_name)
    def is_above_all(self, user: User) -> str:
        """Return whether the account may do all; of others nothing is said."""
        return in_words(True) if user.is_superuser else NONE

    @admin.display(description=_l("state"), ordering="is_active")
    def state(self, user: User) -> SafeString:
        return (
            state_badge("approved", label=_("active"))
            if user.is_active
            else state_badge("withdrawn", label=_("inactive"))
        )

    def get_form(
        self, request: HttpRequest, obj: User | None = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change=change, **options)
        if "is_active" in form.base_fields:
            form.base_fields["is_active"].help_text = _("An inactive account cannot sign in.")
        return form

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("appointments")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("data/", view(self.data), name="portal_user_data"),
            path("<int:pk>/remove/", view(self.remove), name="portal_user_remove"),
            path("<int:pk>/two-factor/", view(self.reset_factor), name="portal_user_factor"),
        ]
        return [*own, *super().get_urls()]

    @method_decorator(proved)
    def data(self, request: HttpRequest) -> HttpResponse:
        """Ask for a person, and send what the portal keeps about them; the audit log notes who asked."""
        form = form_of(request, PersonForm)
        if not is_staff(request.user):
            raise PermissionDenied
        if request.method == "POST" and form.is_valid():
            found: User | Player = form.cleaned_data["person"]
            subject = found.email if isinstance(found, User) else str(found.pk)
            record_act(Area.ACCOUNT, Deed.EXPORT, subject, by=request.user, at=timezone.now())
            data = data_of_account(found) if isinstance(found, User) else data_of_player(found)
            return data_file(data)
        lead = _("Enter the email address of an account or the FIDE ID of a player.")
        return self._page(request, form, _("Export personal data"), lead, _("Download data"))

    @method_decorator(proved)
    def remove(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for the reason; when it is given, remove the account."""
        user = User.objects.filter(pk=pk).first()
        if user is None:
            raise Http404
        if not self.has_change_permission(request, user):
            raise PermissionDenied
        form = form_of(request, ReasonForm)
        if request.method == "POST" and form.is_valid():
            with refusals_shown(form):
                remove_account(user, reason=form.cleaned_data["reason"], by=request.user, at=timezone.now())
                messages.success(request, _("The account is removed."))
                return redirect("admin:portal_user_changelist")
        lead = _(
            "Roles, tokens, name and address of %(who)s are removed. The audit log keeps the actions of the "
            "account under its number. This "
            "cannot be undone."
        ) % {"who": user}
        return self._page(request, form, _("Remove account"), lead, _("Remove account"))

    @method_decorator(proved)
    def reset_factor(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for the reset of a lost two-factor authentication; show another person the request, to confirm it."""
        if not is_staff(request.user):
            raise PermissionDenied
        user = User.objects.filter(pk=pk).first()
        if user is None:
            raise Http404
        at = timezone.now()
        waiting = waiting_request(user, at=at)
        # What was sent says what it is: somebody may have asked or confirmed since the page was shown.
        is_confirmed = "seen" in request.POST if request.method == "POST" else waiting is not None
        form = form_of(request, ConfirmationForm if is_confirmed else ReasonForm)
        if request.method == "POST" and form.is_valid():
            with refusals_shown(form):
                if is_confirmed:
                    confirm_reset(user, seen=form.cleaned_data["seen"], by=request.user, at=at)
                    messages.success(request, _("Two-factor authentication was reset"))
                else:
                    ask_for_reset(user, reason=form.cleaned_data["reason"], by=request.user, at=at)
                    messages.success(request, _("Requested. Another member of FIDE staff must confirm it."))
                return redirect("admin:portal_user_changelist")
        title = _("Reset two-factor authentication")
        if waiting is None:
            lead = _("For %(who)s, who lost phone or keys. Another member of FIDE staff must confirm it.")
            return self._page(request, form, title, lead % {"who": user}, _("Request reset"))
        lead = _("%(who)s asked to reset the two-factor authentication of %(account)s. Reason: %(reason)s")
        lead %= {"who": waiting.by, "account": user, "reason": waiting.reason}
        if waiting.by_id == request.user.pk:
            wait = _("Another member of FIDE staff must confirm your request.")
            return self._page(request, forms.Form(), title, f"{lead} {wait}", "")
        if not form.is_bound:
            form.initial["seen"] = waiting.pk
        return self._page(request, form, title, lead, _("Confirm reset"))

    def _page(
        self, request: HttpRequest, form: forms.Form, title: str, lead: str, button: str
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "lead": lead,
            "form": form,
            "button": button,
            "opts": self.opts,
        }
        return render(request, "admin/portal/person.html", context)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_staff(request.user)

    def has_view_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return is_staff(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        if request.user.is_superuser or obj is None:
            return is_staff(request.user)
        return is_staff(request.user) and not obj.is_staff and not obj.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Refuse: a password is only ever reset by mail to its owner."""
        raise PermissionDenied
