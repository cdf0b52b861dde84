"""Federations, players and appointments in the admin."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import PAGE_VAR
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.fields import sort_key
from core.html.refusals import add_refusals
from players.choices import Continent
from players.exclusions import ExclusionEffect, exclude_federation, preview_exclusion
from players.fide_list.fields import YEARS
from players.members import numbered_ids
from players.models import (
    Appointment,
    ChangeRequest,
    Federation,
    FederationExclusion,
    Membership,
    Player,
    TitleGrant,
)
from players.name_fields import PersonNameFields, is_name_check, shown_name
from players.name_refusals import doubt_refusals, rename_players, write_name_words
from players.names import find_ids
from players.own_matters import own_matter
from players.registration import player_registered
from players.staff_admin import EvidenceAdmin, Row, StaffAdmin


@admin.register(Appointment)
class AppointmentAdmin(EvidenceAdmin[Appointment]):
    """Roles of users. They are assigned and removed on the desk's page of people, with confirmation and emails."""

    list_display = ["user", "role", "federation"]
    list_filter = ["role"]
    list_select_related = ["user", "federation"]
    search_fields = ["user__email__istartswith", "federation__code__iexact"]


@admin.register(ChangeRequest)
class ChangeRequestAdmin(EvidenceAdmin[ChangeRequest]):
    """What federations asked to have changed; decided at the desk."""

    list_display = ["player", "federation_code", "state", "asked_at", "decided_at"]
    list_filter = ["state"]
    list_select_related = ["player"]
    search_fields = ["player__fide_id", "federation__code__iexact"]


@admin.register(TitleGrant)
class TitleGrantAdmin(EvidenceAdmin[TitleGrant]):
    """Titles with their day; entered at the desk."""

    list_display = ["player", "title", "granted_on", "reference", "at"]
    list_filter = ["title"]
    list_select_related = ["player"]
    search_fields = ["player__fide_id", "reference__icontains"]


@admin.register(Membership)
class MembershipAdmin(EvidenceAdmin[Membership]):
    """National numbers and clubs with their days; entered at the desk or imported with a register."""

    list_display = ["player", "federation_code", "number", "club", "district", "since", "until"]
    list_select_related = ["player"]
    search_fields = ["player__fide_id", "number__iexact", "federation__code__iexact"]


class ListedPlayersAdmin(StaffAdmin[Row]):
    """Rows that decide whether the players of a federation are listed (9.1): the effect is shown before it is saved."""

    def get_form(
        self, request: HttpRequest, obj: Row | None = None, change: bool = False, **options: Any
    ) -> Any:
        """Tell the form who sends it: officers of the federation leave it to others (D-131)."""
        form = super().get_form(request, obj, change=change, **options)
        form.by = request.user
        return form

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        if request.method == "POST" and "confirm" not in request.POST:
            obj = self.get_object(request, object_id) if object_id else None
            is_allowed = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
            form = self.get_form(request, obj, change=obj is not None)(request.POST, instance=obj)
            # Any other form goes to Django's own page, which shows what is wrong with it.
            if is_allowed and form.is_valid() and (effect := self.effect_of(form.instance)):
                return self._effect_page(request, effect)
        return super().changeform_view(request, object_id, form_url, extra_context)

    def effect_of(self, row: Row) -> dict[str, Any]:
        """Return what the page of the effect says of a row that is to be saved; nothing where nobody is concerned."""
        raise NotImplementedError

    def _effect_page(self, request: HttpRequest, values: dict[str, Any]) -> HttpResponse:
        # The page of the effect sends all of it again, with a token of its own.
        typed = [(name, value) for name, value in request.POST.items() if name != "csrfmiddlewaretoken"]
        context = {
            **self.admin_site.each_context(request),
            **values,
            "opts": self.opts,
            "effect": preview_exclusion(values["federation"]),
            "typed": typed,
        }
        return render(request, "admin/players/listed_effect.html", context)


class ContinentFilter(admin.AllValuesFieldListFilter):
    """The continents in the language of the page; federations without one have a dash."""

    def choices(self, changelist: Any) -> Any:
        """Return the links of the filter."""
        names: dict[Any, Any] = dict(Continent.choices)
        for choice in super().choices(changelist):
            yield {**choice, "display": names.get(choice["display"], choice["display"]) or "–"}


class FederationForm(forms.ModelForm[Federation]):
    """A federation: its code is part of addresses and files, and half an affiliation is an error of the empty field.

    What decides whether its players are listed and its tournaments rated, its officers leave to others (D-131).
    """

    by: Any = None

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not re.fullmatch("[A-Z]{3}", code):
            raise ValidationError(
                _("Enter the code of 3 capital letters, for example SUI."), code="federation"
            )
        return code

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        territory, decision = cleaned.get("territory_of"), cleaned.get("affiliation_reference")
        if territory and not decision:
            message = _("Enter the decision of FIDE Council (article 0.2).")
            self.add_error("affiliation_reference", ValidationError(message, code="decision-missing"))
        elif decision and not territory:
            message = _("Select the federation (article 0.2).")
            self.add_error("territory_of", ValidationError(message, code="federation-missing"))
        decides = {"is_member", "listing_reference", "territory_of", "affiliation_reference"}
        if decides & {*self.changed_data} and (bar := own_matter(self.by, {self.instance.pk})):
            add_refusals(self, [bar])
        return cleaned


@admin.register(Federation)
class FederationAdmin(ListedPlayersAdmin[Federation]):
    """Federations; they have a code for ever, so that none is deleted."""

    form = FederationForm
    list_display = ["code", "name_in_words", "continent_in_words", "is_member", "officer_name"]
    list_filter = ["is_member", "hides_birth_years_of_minors", ("continent", ContinentFilter)]
    search_fields = ["code__iexact", "name__icontains"]
    allowed = ("add", "change")

    @admin.display(description=_l("name"), ordering="name")
    def name_in_words(self, row: Federation) -> str:
        """Return the name in the language of the page."""
        return row.shown_name

    @admin.display(description=_l("continent"), ordering="continent", empty_value="–")
    def continent_in_words(self, row: Federation) -> str:
        """Return the continent in the language of the page."""
        return row.continent_name

    def effect_of(self, row: Federation) -> dict[str, Any]:
        stored = Federation.objects.filter(pk=row.pk).first()
        if stored is None or stored.is_listed == row.is_listed:
            return {}
        title, button = _("Effect of the change"), _("Save federation")
        return {"title": title, "federation": row, "is_listed": row.is_listed, "button": button}

    def get_readonly_fields(self, request: HttpRequest, obj: Federation | None = None) -> list[str]:
        # The code is the key of the row: with another one Django would store a second federation.
        return ["code"] if obj else []


class ExclusionForm(forms.ModelForm[FederationExclusion]):
    """An exclusion; errors of the table about its end are shown at the field."""

    by: Any = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        # Of a stored exclusion the first day is read-only, and so not among the fields.
        begins, ends = cleaned.get("excluded_from", self.instance.excluded_from), cleaned.get("until")
        if begins and ends and ends <= begins:
            message = _("Enter a day after the first day of the exclusion.")
            self.add_error("until", ValidationError(message, code="end-before-start"))
        named = cleaned.get("federation")
        if bar := own_matter(self.by, {named.pk if named else self.instance.federation_id}):
            add_refusals(self, [bar])
        return cleaned


@admin.register(FederationExclusion)
class FederationExclusionAdmin(ListedPlayersAdmin[FederationExclusion]):
    """Exclusions with their decision (9.1) and who recorded them; an exclusion ends, it is not deleted."""

    list_display = ["federation", "excluded_from", "until", "reference"]
    list_select_related = ["federation"]
    search_fields = ["federation__code__iexact", "federation__name__icontains"]
    fields = ["federation", "excluded_from", "until", "reference", "recorded_by", "recorded_at"]
    form = ExclusionForm
    allowed = ("add", "change")

    def get_readonly_fields(self, request: HttpRequest, obj: FederationExclusion | None = None) -> list[str]:
        recorded = ["recorded_by", "recorded_at"]
        return ["federation", "excluded_from", *recorded] if obj else recorded

    def effect_of(self, row: FederationExclusion) -> dict[str, Any]:
        values = {"title": _("Effect of the exclusion"), "exclusion": row, "button": _("Save exclusion")}
        effect = self._exclude(row, by=None, is_dry_run=True)
        return values | {"federation": row.federation, "corrected": effect.corrected}

    def save_model(self, request: HttpRequest, obj: FederationExclusion, form: Any, change: bool) -> None:
        obj.pk = self._exclude(obj, by=request.user, is_dry_run=False).exclusion.pk

    def _exclude(self, row: FederationExclusion, *, by: Any, is_dry_run: bool) -> ExclusionEffect:
        return exclude_federation(
            row.federation,
            excluded_from=row.excluded_from,
            until=row.until,
            reference=row.reference,
            by=by,
            at=timezone.now(),
            is_dry_run=is_dry_run,
        )


class NewPlayerForm(PersonNameFields, forms.ModelForm[Player]):
    """A new player of staff, with surname and given names apart."""

    def clean(self) -> dict[str, Any]:
        """Ask about a name that looks wrong, as the desk does."""
        cleaned = super().clean()
        if name := cleaned["name"]:
            self.instance.name = name
            if not cleaned["is_name_confirmed"]:
                add_refusals(self, doubt_refusals(name, field="surname"))
        return cleaned


CORRECTED = ["name", "federation", "sex", "birth_year", "birth_date", "died_on"]


class FederationFilter(admin.RelatedFieldListFilter):
    """The federations that have players, by name, in a select box: as links they are hundreds."""

    template = "admin/filter_select.html"

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        """Return the federations, and keep the other filters of the list for the form."""
        others = request.GET.lists()
        self.kept = [
            (name, values[-1])
            for name, values in others
            if name not in (*self.expected_parameters(), PAGE_VAR)
        ]
        having = Federation.objects.filter(Exists(Player.objects.filter(federation=OuterRef("pk"))))
        return sorted(
            ((one.pk, str(one)) for one in having.order_by()), key=lambda choice: sort_key(choice[1])
        )


@admin.register(Player)
class PlayerAdmin(StaffAdmin[Player]):
    """Players. Results and ratings hang on them, so that none is deleted."""

    list_display = ["name", "fide_id", "federation_code", "title", "birth_year"]
    list_filter = [("federation", FederationFilter)]
    search_fields = ["fide_id"]
    search_help_text = _l("Name, FIDE ID or national number")
    ordering = ["fide_id"]
    allowed = ("add", "change")
    change_form_template = "admin/players/player_form.html"
    add_form_template = "admin/players/player_add.html"

    def add_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        """Show, while a name is typed, how it will be listed."""
        if is_name_check(request) and self.has_add_permission(request):
            return shown_name(request, self.get_form(request)(initial=request.GET.dict()))
        return super().add_view(request, *args, **options)

    def get_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        if obj:
            kept = self.get_readonly_fields(request, obj)
            return [*kept, *(name for name in super().get_fields(request, obj) if name not in kept)]
        own = ["fide_id", "surname", "given_names"]
        others = super().get_fields(request, obj)
        return [*own, *(name for name in others if name not in (*own, "name", "confirmed_name"))]

    def get_form(
        self, request: HttpRequest, obj: Player | None = None, change: bool = False, **options: Any
    ) -> Any:
        """Enter the name of a new player in two fields, and refuse years of birth that the table refuses."""
        options = options if obj else {"form": NewPlayerForm, **options}
        form = super().get_form(request, obj, change=change, **options)
        if obj and "title" in form.base_fields:
            form.base_fields["title"].help_text = _("Correct a wrong title here. Add a new one under Titles.")
        if "birth_year" in form.base_fields:
            form.base_fields["birth_year"].validators.append(MinValueValidator(YEARS.start))
        return form

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> list[str]:
        # Merging moves games and ratings too, and what lists publish is corrected with its effect (D-11): both are
        # more than a field.
        return ["fide_id", "merged_into", *CORRECTED] if obj else ["merged_into"]

    def view_on_site(self, obj: Player) -> str:
        """Return the address of the public page."""
        return reverse("players:player", args=[obj.pk])

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """Find by words of the name or by FIDE ID; neither scans the table."""
        if not search_term.strip():
            return queryset, False
        numbered = numbered_ids(request.user, search_term)
        return queryset.filter(pk__in=[*find_ids(search_term)[0], *numbered]), False

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Keep the words by which the player is found with the name."""
        with transaction.atomic():
            super().save_model(request, obj, form, change)
            if change:
                rename_players([(obj.fide_id, str(obj.name), str(form.initial.get("name", obj.name)))])
            else:
                write_name_words([(obj.fide_id, str(obj.name))])
                player_registered.send(Player, player=obj, at=timezone.now(), dispatch=None)
