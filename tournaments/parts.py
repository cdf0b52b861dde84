"""Monthly parts of an event longer than 30 days, each an event of its own that continues the part before (D-117)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import Refusal
from tournaments.choices import OPEN_REGISTRATIONS
from tournaments.conditions import Conditions
from tournaments.models import Tournament

LONGEST_IN_ONE = timedelta(days=30)
# Nobody plays an event of so many months; it also ends a circle.
MAX_PARTS = 36


def part_before(event_id: str, federation_code: str) -> Tournament | None:
    """Return the event of a federation that another part continues, None without one."""
    standing = Tournament.objects.filter(registration__in=OPEN_REGISTRATIONS, federation=federation_code)
    return standing.filter(event_id=event_id).first()


def first_part(part: Tournament) -> Tournament:
    """Return the first part of the event to which a part belongs."""
    for _number in range(MAX_PARTS):
        if part.continues is None:
            break
        part = part.continues
    return part


def part_refusals(wanted: Conditions) -> Iterator[Refusal]:
    """Yield the reasons against a part: it begins after the part before, and the event is longer than 30 days."""
    if not wanted.continues:
        return
    before = part_before(wanted.continues, wanted.federation_code)
    if before is None:
        message = _("No registered tournament of this federation has event ID %(event)s.")
        yield Refusal("part-unknown", message % {"event": wanted.continues}, "continues")
        return
    values = {"name": before.name, "end": date_format(before.end)}
    if wanted.kind != before.kind:
        message = _("%(name)s has another rating type. All parts of an event have the same.")
        yield Refusal("part-kind", message % values, "continues")
    if wanted.start <= before.end:
        message = _("%(name)s ends on %(end)s. Each part begins after the last one ends.")
        yield Refusal("part-overlaps-D-117", message % values, "start")
    # By the whole event: a last part of three days is right where the parts before it fill a month.
    elif wanted.end - first_part(before).start < LONGEST_IN_ONE:
        message = _("The parts are not longer than 30 days together: register one tournament.")
        yield Refusal("part-short-D-117", message, "continues")
    # A withdrawn continuation leaves its place to the next one.
    others = before.continuations.filter(registration__in=OPEN_REGISTRATIONS)
    if other := others.exclude(event_id=wanted.event_id).first():
        message = _("%(name)s is continued by %(event)s already.")
        yield Refusal("part-taken", message % {**values, "event": other.event_id}, "continues")
