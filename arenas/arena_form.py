"""The form of an arena in the admin, with a typed field for each parameter of its system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from arenas.choices import RatingSystem
from arenas.entries import TIME_CONTROL
from arenas.models import Arena
from arenas.systems import SYSTEMS, TIME_CONTROLS, WINDOW, System

# A year: within it every series of a member has to be remembered.
LONGEST_WINDOW = 24 * 366
LONGEST_NAME = 20
MAX_CATEGORIES = 12
MAX_CONTROLS = 100
LONGEST_TEXT = 20_000
MOST_FAULTS = 10
HOURS = _l("Series window: enter a whole number of hours from 1 to 8784.")
Controls = dict[str, list[str]]


class ControlsField(forms.CharField):
    """Categories with their time controls, a line each: `blitz: 3+2, 5+0`."""

    widget = forms.Textarea(attrs={"rows": 6, "cols": 60, "spellcheck": "false"})

    def prepare_value(self, value: Any) -> Any:
        """Return stored categories as the lines to edit."""
        if not isinstance(value, Mapping):
            return value
        return "\n".join(f"{name}: {', '.join(listed)}" for name, listed in value.items())

    def has_changed(self, initial: Any, data: Any) -> bool:
        # Browsers send the lines of a text area with CRLF.
        return super().has_changed(self.prepare_value(initial), (data or "").replace("\r\n", "\n"))

    def to_python(self, value: Any) -> Controls:  # type: ignore[override]
        """Return the categories of the lines; each fault names its line."""
        found: Controls = {}
        # Reading stops at so many faults: a pasted file must not become a page of errors.
        faults = [*islice(_read_lines((super().to_python(value) or "")[:LONGEST_TEXT], found), MOST_FAULTS)]
        if len(found) > MAX_CATEGORIES:
            faults.append(_("Time controls: enter at most %(most)d categories.") % {"most": MAX_CATEGORIES})
        if faults:
            raise ValidationError(faults)
        return found


def _read_lines(text: str, found: Controls) -> Iterator[str]:
    """Add the category of each line to those found and yield what is wrong."""
    known: set[str] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        name, colon, rest = (part.strip() for part in line.partition(":"))
        listed = rest.replace(",", " ").split()
        for fault in _line_faults(name, listed if colon else [], {*found}, known):
            yield _("Time controls, line %(line)d: %(fault)s") % {"line": number, "fault": fault}
        found[name] = listed
        known.update(listed)


def _line_faults(name: str, listed: Sequence[str], names: set[str], known: set[str]) -> Iterator[str]:
    if not name.isidentifier() or len(name) > LONGEST_NAME:
        yield _("“%(name)s” is not a category name. Use 20 letters or fewer.") % {"name": name[:60]}
    elif name in names:
        yield _("%(name)s appears more than once.") % {"name": name}
    if not 1 <= len(listed) <= MAX_CONTROLS:
        yield _("enter a category, a colon and its time controls, for example “blitz: 3+2, 5+0”.")
    for control in listed:
        if TIME_CONTROL.fullmatch(control) is None:
            yield _(
                "“%(control)s” is not a time control. Enter minutes plus seconds per move, for example 10+5."
            ) % {"control": control[:60]}
    for control in sorted({one for one in listed if one in known or listed.count(one) > 1}):
        yield _("%(name)s appears more than once.") % {"name": control}


class ArenaForm(forms.ModelForm[Arena]):
    """An arena; its parameters are those of its system."""

    series_window_hours = forms.IntegerField(
        label=_l("Series window (hours)"),
        required=False,
        min_value=1,
        max_value=LONGEST_WINDOW,
        help_text=_l(
            "FlyOrDie only: games of the same two players within this time are one series. "
            "From 1 to 8784 hours. Empty: 24 hours."
        ),
        error_messages={"invalid": HOURS, "min_value": HOURS, "max_value": HOURS},
    )
    time_controls = ControlsField(
        label=_l("Time controls"),
        required=False,
        max_length=LONGEST_TEXT,
        help_text=_l(
            "One line for each category, for example “blitz: 3+2, 5+0” (minutes plus seconds per move). "
            "Games with other time controls are not rated. Empty: as in the regulations."
        ),
    )

    class Meta:
        model = Arena
        fields = ["slug", "name", "system"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in (WINDOW, TIME_CONTROLS):
            self.initial[name] = self.instance.parameters.get(name)
        if self.instance.pk and not has_window(self.instance.system):
            del self.fields[WINDOW]

    def clean(self) -> dict[str, Any]:
        """Show at each field what its system does not allow."""
        values = super().clean() or {}
        slug = values.get("system") or self.instance.system
        if slug not in SYSTEMS:
            return values
        if values.get(WINDOW) is not None and not has_window(slug):
            message = _("Series window: this rating system has none. Leave the field empty.")
            self.add_error(WINDOW, ValidationError(message, code="no-series"))
        for fault in _system_faults(SYSTEMS[slug], values.get(TIME_CONTROLS) or {}):
            self.add_error(TIME_CONTROLS, fault)
        return values

    def save(self, commit: bool = True) -> Arena:
        """Store the parameters that are set."""
        chosen = {name: self.cleaned_data.get(name) for name in (TIME_CONTROLS, WINDOW)}
        self.instance.parameters = {name: value for name, value in chosen.items() if value}
        saved: Arena = super().save(commit)
        return saved


def has_window(system: str) -> bool:
    """Return whether a rating system counts games of two players as series (D-60)."""
    return system == RatingSystem.FLYORDIE


def _system_faults(system: System, controls: Controls) -> Iterator[str]:
    """Yield which time controls the system's regulations do not list; systems without a list allow all."""
    for name, listed in controls.items():
        for control in listed if system.has_own_categories else ():
            if control not in system.time_controls.get(name, ()):
                yield _("Time controls: the regulations do not list %(control)s under %(name)s.") % {
                    "control": control,
                    "name": name,
                }
