"""The fields in which a person's name is entered, and the part of a page that shows it as it will be listed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from players.name_doubts import NameDoubt, doubt_about, name_of_fields
from players.name_refusals import doubt_in_words, name_refusals
from players.person_names import split_name

LONGEST_NAME = 100


class PersonNameFields(forms.Form):
    """A form with a person's name: surname and given names. The cleaned `name` is the name as it is listed.

    A name that looks wrong is asked about. The name that was probably meant is taken with a button, which sends
    nothing else than the filled form; the name as typed is confirmed with a tick.
    """

    surname = forms.CharField(
        label=_l("Surname"), max_length=LONGEST_NAME, help_text=_l("As in the passport, for example Klein.")
    )
    given_names = forms.CharField(
        label=_l("Given names"), max_length=LONGEST_NAME, required=False, help_text=_l("For example Paul.")
    )
    confirmed_name = forms.CharField(required=False, max_length=2 * LONGEST_NAME, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, files: Any = None, *args: Any, **kwargs: Any) -> None:
        if data is not None and "take" in data:
            name = split_name(data["take"])
            kwargs["initial"] = {**data.dict(), "surname": name.surname, "given_names": name.given}
            # Unbound: a form that was only filled in has no errors to show.
            data = files = None
        super().__init__(data, files, *args, **kwargs)

    @property
    def name_fields(self) -> list[forms.BoundField]:
        return [self["surname"], self["given_names"]]

    @property
    def other_fields(self) -> list[forms.BoundField]:
        """The fields after those of the player and the name."""
        return [one for one in self.visible_fields() if one.name not in ("player", "surname", "given_names")]

    def whole_name(self, surname: str, given: str) -> str:
        """Return the name that the texts of the two fields make."""
        return name_of_fields(surname, given).listed

    @property
    def listed_name(self) -> str:
        return self.whole_name(*(str(field.value() or "")[:LONGEST_NAME] for field in self.name_fields))

    @property
    def doubt(self) -> NameDoubt | None:
        """Why the name looks wrong."""
        return doubt_about(self.listed_name) if self.listed_name else None

    @property
    def question(self) -> str:
        """The question about a name that looks wrong."""
        return doubt_in_words(self.doubt) if self.doubt else ""

    @property
    def is_name_confirmed(self) -> bool:
        """Whether the name as typed was confirmed."""
        # Of this very name: one that is changed afterwards is asked about again.
        return bool(self.listed_name) and self["confirmed_name"].value() == self.listed_name

    def clean(self) -> dict[str, Any]:
        """Put the fields of the name together."""
        cleaned = super().clean() or self.cleaned_data
        confirmed = cleaned.pop("confirmed_name", "")
        name = self.whole_name(cleaned.pop("surname", ""), cleaned.pop("given_names", ""))
        if name and "surname" not in self.errors:
            try:
                name_of(name)
            except forms.ValidationError as error:
                self.add_error("surname", error)
        return cleaned | {"name": name, "is_name_confirmed": bool(name) and confirmed == name}


def is_name_check(request: HttpRequest) -> bool:
    """Whether the page asks, while a name is typed, how it will be listed."""
    return request.method == "GET" and request.headers.get("HX-Target") == "listed-name"


def shown_name(request: HttpRequest, form: PersonNameFields) -> HttpResponse:
    """Return the part of the page that shows how a name will be listed, and asks about one that looks wrong."""
    return render(request, "partials/listed_name.html", {"form": form})


def name_of(text: str) -> str:
    """Return a name as it is listed. Raise ValidationError if the name is not allowed."""
    name = split_name(text).listed
    if name.startswith(","):
        raise forms.ValidationError(_("Enter the surname."), code="surname-missing")
    wrong = [forms.ValidationError(one.message, code=one.code) for one in name_refusals(name, by_staff=True)]
    if len(name) > LONGEST_NAME:
        message = _("The name must have %(most)d characters or fewer.")
        params = {"most": LONGEST_NAME}
        wrong.append(forms.ValidationError(message, code="name-too-long", params=params))
    if wrong:
        raise forms.ValidationError(wrong)
    return name
