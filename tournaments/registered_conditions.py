"""The conditions with which a tournament is registered, and in what others differ from them (D-82)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import count
from typing import Any

from django.utils.translation import gettext as _

from core.errors import Refusal
from core.html.figures import colon
from players.choices import CaseState
from tournaments.changed_fields import shown_value
from tournaments.conditions import ARBITER_IDS, RULES, SHOWN_AS, Conditions
from tournaments.identity import event_words
from tournaments.models import RequestedChange, Tournament
from tournaments.parts import part_before
from tournaments.towns import towns_at


def waiver_changes(tournament: Tournament, wanted: Conditions, *, on: date) -> list[dict[str, str | None]]:
    """Return a waiver and the day on which it is requested as changes of a tournament without it."""
    day = wanted.match_waiver_on or on
    former = tournament.match_waiver_on
    return [
        {"field": "match_waiver", "before": tournament.match_waiver, "after": wanted.match_waiver.strip()},
        {
            "field": "match_waiver_on",
            "before": former.isoformat() if former else None,
            "after": day.isoformat(),
        },
    ]


def waiver_of(tournament: Tournament) -> str:
    """Return the waiver of a tournament, the one that waits for the QC's consent included."""
    if tournament.match_waiver:
        return tournament.match_waiver
    waiting = RequestedChange.objects.filter(tournament=tournament, state=CaseState.WAITING)
    texts = [one.after for asked in waiting for one in asked.amendments if one.field == "match_waiver"]
    return str(texts[0]) if texts else ""


def event_id_for(wanted: Conditions, number: int = 1) -> str:
    """Return the id of an event that was given none, from what identifies it; `number` counts those that are alike.

    It does not depend on the order of registrations, so that ties between events (D-6) never do.
    """
    # By words, so that case, accents and punctuation make no second event of one.
    identity = f"{wanted.kind}|{wanted.start}|{wanted.end}|{' '.join(event_words(wanted.name))}"
    identity += f"|{number}" if number > 1 else ""
    digest = hashlib.sha256(identity.encode()).hexdigest()[:6].upper()
    return f"{wanted.federation_code}-{wanted.kind[0].upper()}{wanted.start:%y%m%d}-{digest}"


def free_event_id(wanted: Conditions) -> str:
    """Return the first id that no registration has, of an event that is another one than those that are alike."""
    ids = (event_id_for(wanted, number) for number in count(1))
    return next(one for one in ids if not Tournament.objects.filter(event_id=one).exists())


def registered_like(wanted: Conditions, *, among: Iterable[Tournament] | None = None) -> Tournament | None:
    """Return a registration of the same kind and days with a like name: perhaps the same event (D-135).

    `among` are the registrations of its first day where many are looked for.
    """
    if among is None:
        among = Tournament.objects.filter(federation=wanted.federation_code, start=wanted.start).order_by(
            "pk"
        )
    same = (wanted.federation_code, wanted.kind, wanted.start, wanted.end)
    words = event_words(wanted.name)
    found = (one for one in among if (one.federation_id, one.kind, one.start, one.end) == same)
    return next((one for one in found if _are_alike(event_words(one.name), words)), None)


def _are_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    return sorted(one) == sorted(other) or "".join(one) == "".join(other)


def differing(tournament: Tournament, wanted: Conditions, names: Sequence[str]) -> Iterator[str]:
    """Yield in what a registration handed in differs from the registered one: both values of each condition (D-82).

    Fields that are one condition to people, such as base time and increment, are named once.
    """
    different = (name for name in names if registered_value(tournament, name) != wanted.value(name))
    for name, shown_as in {SHOWN_AS[name]: name for name in different}.items():
        if name == "time_control":
            label, registered, handed_in = _("Time control"), tournament.time_control, wanted.time_control
        else:
            label = str(Tournament._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
            registered, handed_in = registered_value(tournament, shown_as), getattr(wanted, shown_as)
        values = {"registered": shown_value(registered), "handed_in": shown_value(handed_in)}
        yield f"{label}{colon()} " + _("registered %(registered)s, submitted %(handed_in)s") % values


def registered_value(tournament: Tournament, name: str) -> Any:
    """Return what is registered of a condition: a waiver that waits for the QC, the ID of the part before."""
    if name == "continues":
        return tournament.part_before_id
    if name == "match_waiver":
        return waiver_of(tournament)
    if name in ARBITER_IDS:
        ids = [one.player_id for one in tournament.arbiters.all() if one.is_chief == (name == "chief_id")]
        return ids if name == "deputy_ids" else next(iter(ids), None)
    return getattr(tournament, "federation_id" if name == "federation_code" else name)


def registered_conditions(tournament: Tournament, **others: Any) -> Conditions:
    """Return the conditions with which a tournament is registered, some of them replaced."""
    # What is answered at the registration is no condition of the tournament.
    names = RULES.keys() - others.keys() - {"late_reason", "is_another", "is_year_ahead"}
    return Conditions(**{name: registered_value(tournament, name) for name in names} | others)


def already_registered(wanted: Conditions, like: Tournament | None) -> Refusal:
    """Return why a tournament is not registered: it may be one that is (D-135)."""
    event_id = like.event_id if like else wanted.event_id or event_id_for(wanted)
    message = _(
        "%(name)s (%(event)s) is already registered for these dates. Open it, or confirm that this is a different "
        "tournament."
    )
    values = {"name": like.name if like else wanted.name, "event": event_id}
    return Refusal("already-registered", message % values, "is_another")


def in_columns(tournament: Tournament, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values of a registration as a tournament has them.

    The part before in place of its event ID, and the town of a new city; arbiters by FIDE ID are rows of their own.
    """
    federation = str(tournament.federation_id)
    columns = {name: value for name, value in values.items() if name not in ARBITER_IDS}
    if "continues" in columns:
        event_id = columns["continues"]
        columns["continues"] = part_before(event_id, federation) if event_id else None
    if "city" in columns:
        place = (federation, columns["city"])
        columns["town_id"] = towns_at([place]).get(place)
    return columns
