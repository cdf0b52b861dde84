"""What staff may set for an arena beside its system: the window of a series, and the time controls of rated games.

None of the three systems leaves K open, so that no arena has a K of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from arenas.entries import TIME_CONTROL
from arenas.systems import SYSTEMS, TIME_CONTROLS, WINDOW, System

LONGEST_WINDOW = 24 * 366
LONGEST_NAME = 20
MAX_CATEGORIES = 12
MAX_CONTROLS = 100


def faults_of(system: str, parameters: Any) -> list[str]:
    """Return what is wrong with an arena's parameters, a sentence a fault."""
    if not isinstance(parameters, Mapping):
        return [_("Enter a JSON object, for example {}.")]
    known = [TIME_CONTROLS, *([WINDOW] if system == "flyordie" else [])]
    unknown = sorted(set(map(str, parameters)) - set(known))
    faults = [
        _("“%(name)s” is not a parameter of this system. Valid parameters: %(known)s.")
        % {"name": name, "known": ", ".join(known)}
        for name in unknown
    ]
    if WINDOW in parameters and WINDOW in known:
        faults += _window_faults(parameters[WINDOW])
    if TIME_CONTROLS in parameters:
        faults += _control_faults(SYSTEMS[system], parameters[TIME_CONTROLS])
    return faults


def _window_faults(hours: Any) -> Iterator[str]:
    if type(hours) is not int or not 1 <= hours <= LONGEST_WINDOW:
        yield _("series_window_hours: enter a whole number of hours from 1 to %(most)s.") % {
            "most": LONGEST_WINDOW
        }


def _control_faults(system: System, controls: Any) -> Iterator[str]:
    if not isinstance(controls, Mapping) or not 1 <= len(controls) <= MAX_CATEGORIES:
        yield _(
            'time_controls: enter categories with their time controls, for example {"blitz": ["3+2", "5+0"]}.'
        )
        return
    for name, listed in controls.items():
        if not isinstance(name, str) or not name.isidentifier() or len(name) > LONGEST_NAME:
            yield _("time_controls: “%(name)s” is not a category name. Use 20 letters or fewer.") % {
                "name": name
            }
        yield from _listed_faults(system, name, listed)
    every = [control for listed in controls.values() if isinstance(listed, list) for control in listed]
    for control in sorted({str(control) for control in every if every.count(control) > 1}):
        yield _("time_controls: %(control)s appears more than once.") % {"control": control}


def _listed_faults(system: System, category: Any, listed: Any) -> Iterator[str]:
    if not isinstance(listed, Sequence) or isinstance(listed, str) or not 1 <= len(listed) <= MAX_CONTROLS:
        yield _("time_controls: %(name)s has no list of time controls.") % {"name": category}
        return
    for control in listed:
        if not isinstance(control, str) or TIME_CONTROL.fullmatch(control) is None:
            yield _(
                "time_controls: “%(control)s” is not a time control. Enter minutes plus seconds "
                "per move, for example 10+5."
            ) % {"control": control}
        elif system.has_own_categories and system.category_of(control) != category:
            yield _("time_controls: the regulations do not list %(control)s under %(name)s.") % {
                "control": control,
                "name": category,
            }
