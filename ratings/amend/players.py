"""Correcting what is recorded of a player, by staff or as a federation asked: first the effect on lists (D-11)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from copy import copy
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from core.acts import Act, carrying_out
from core.errors import RefusedError, refused
from players.cases import RULES
from players.choices import CaseKind
from players.data_changes import FIELDS as ASKED_FIELDS
from players.data_changes import change_rules, death_refusals
from players.models import ChangeRequest, Player
from players.name_refusals import doubt_refusals, name_refusals, rename_players
from players.own_matters import decides_alone, record_alone
from players.permissions import refuse_merged
from ratings.amend.effect import Effect, NextEntry, parts_between
from ratings.amend.lines import chains_of, record_lines, store_as_rated
from ratings.choices import PUBLISHED_KINDS
from ratings.in_force import InForce
from ratings.ledger.inputs import FIELD
from ratings.ledger.stored import bar_of
from ratings.lists import lock_kinds
from ratings.models import Correction, ListEntry
from ratings.systems.registry import Adoptions
from tournaments.amendments import Datum

# What staff correct: what lists publish or what decides what they show; the birth date stays private.
PUBLIC = ("name", "federation_id", "sex", "birth_year", "died_on")
FIELDS = (*PUBLIC, "birth_date")
# What lists that are published would have rated otherwise.
ON_LISTS = {FIELD, "died_on"}


def player_seen(player: Player) -> str:
    """Return what a form carries as the data that its author saw."""
    return hashlib.sha256(repr([_text(getattr(player, name)) for name in FIELDS]).encode()).hexdigest()


def amend_player(
    player: Player,
    amendments: Iterable[Datum],
    act: Act,
    *,
    seen: str | None = None,
    is_name_confirmed: bool = False,
    is_dry_run: bool = False,
) -> Effect:
    """Correct recorded data of a player (`FIELDS`) and return the effect; a dry run writes nothing.

    Published lists stay; differences of K by a wrong year of birth go into the next list (D-4, D-11), and so do results
    on lists from which the player was left out by a death that is undone (D-74). A corrected federation has always been
    so, exclusions included; who moved to another is transferred. `RefusedError` where the reason is missing, nothing
    changes, another name looks wrong and is not confirmed, the day of death is impossible, the player was merged into
    another, the data are not those that the author has `seen` (None skips this check), or the author is officer of the
    player's federation where another could decide (D-131).
    """
    data = {one.field: _value(one) for one in amendments}
    federations = {player.federation_id, data.get("federation_id", player.federation_id)}
    is_alone = decides_alone(act.by, federations, asked_by=None)
    with carrying_out(is_dry_run=is_dry_run):
        # No list is published while one is calculated again: it takes the correction, or comes before it (D-104).
        # The lists first, then the player: the order in which a merger locks them, too.
        if _changes(Player.objects.get(pk=player.pk), data).keys() & ON_LISTS:
            lock_kinds(PUBLISHED_KINDS)
        locked = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
        if seen is not None and seen != player_seen(locked):
            message = _(
                "The data of the player were changed meanwhile. Nothing was saved. Open the page again and compare "
                "your changes with the current data."
            )
            raise refused("changed-meanwhile", message)
        changes = _changes(locked, data)
        _refuse(locked, changes, act.reason, today=act.on, is_name_confirmed=is_name_confirmed)
        in_force = InForce()
        entries = _next_entries(locked, changes, in_force, act.on)
        kinds = PUBLISHED_KINDS if changes.keys() & ON_LISTS else ()
        before = chains_of(kinds, [locked.pk], in_force.adoptions)
        correction = _record(locked, changes, act)
        # By K of the right year, or by results after a death that is undone.
        after = chains_of(kinds, [locked.pk], in_force.adoptions)
        made = tuple(Datum(field=name, before=pair[0], after=pair[1]) for name, pair in changes.items())
        parts = parts_between(before, after)
        effect = Effect(locked, made, next_entries=entries, made=correction, **parts)
        if correction is not None:
            record_lines(correction, effect.lines)
            store_as_rated(after)
        if is_alone and not is_dry_run:
            record_alone(locked.pk, by=act.by, at=act.at)
        return effect


def data_amendments(data: Mapping[str, Any]) -> list[Datum]:
    """Return data of a player, by field, as amendments."""
    return [Datum(field=name, after=value) for name, value in data.items()]


def _value(amendment: Datum) -> Any:
    """Return what a datum is to be; JSON has days as text. `RefusedError` for one that nobody corrects."""
    if amendment.field not in FIELDS:
        raise refused("not-corrected", _("This datum cannot be corrected."), amendment.field)
    value = amendment.after
    is_day = amendment.field in ("died_on", "birth_date") and isinstance(value, str) and value
    return date.fromisoformat(value) if is_day else value


def _changes(player: Player, data: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    pairs = {name: (getattr(player, name), data[name]) for name in FIELDS if name in data}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _refuse(
    player: Player, changes: Mapping[str, Any], reason: str, *, today: date, is_name_confirmed: bool = True
) -> None:
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved and published."), "reason")
    refuse_merged(player, field="")
    if "name" in changes:
        name = str(changes["name"][1])
        wrong = [*name_refusals(name, by_staff=True, field="surname")]
        if wrong := wrong or ([] if is_name_confirmed else [*doubt_refusals(name, field="surname")]):
            raise RefusedError(wrong)
    if not changes:
        raise refused("nothing-changes", _("These data are already recorded."))
    # A day of death is tested against the birth as it will be after the correction.
    if changes.keys() & {"died_on", "birth_date", FIELD}:
        names = ("died_on", "birth_date", FIELD)
        died, born, year = (changes.get(name, (None, getattr(player, name)))[1] for name in names)
        if impossible := [*death_refusals(died, born, year, today)]:
            raise RefusedError(impossible)


def _next_entries(
    player: Player, changes: Mapping[str, tuple[Any, Any]], in_force: InForce, today: date
) -> tuple[NextEntry, ...]:
    """Return what the next list of each kind shows differently of a player."""
    newest = {kind: in_force.lists.newest(kind) for kind in PUBLISHED_KINDS}
    shown = [item.pk for item in newest.values() if item]
    rows = ListEntry.objects.filter(rating_list__in=shown, player=player, rating__isnull=False).order_by()
    entries = {row.rating_list_id: row for row in rows}
    values = [
        {name: changes.get(name, (getattr(player, name),) * 2)[side] for name in FIELDS} for side in (0, 1)
    ]
    found = []
    for kind, newest_list in newest.items():
        day = in_force.lists.following(kind, today)
        entry, unlisted = entries.get(newest_list.pk) if newest_list else None, in_force.unlisted.on(day)
        bars = [bar_of(of["federation_id"], of["died_on"], day, unlisted) for of in values]
        ks = [_k(entry, of["birth_year"], day, in_force.adoptions) for of in values]
        found.append(NextEntry(kind, (ks[0], ks[1]), (bars[0], bars[1])))
    return tuple(entry for entry in found if entry.differs)


def _k(entry: ListEntry | None, year: int | None, list_date: date, texts: Adoptions) -> int | None:
    if entry is None:
        return None
    return texts.text_on(list_date).list_k(entry, birth_year=year, on=list_date).k


def _record(player: Player, changes: Mapping[str, tuple[Any, Any]], act: Act) -> Correction | None:
    """Change the player and record the public part; None where there is none."""
    former = copy(player)
    for name, (_before, after) in changes.items():
        setattr(player, name, after)
    player.save(update_fields=list(changes), by=act.by, at=act.at, reason=act.reason, former=former)
    if "name" in changes:
        rename_players([(player.fide_id, player.name, changes["name"][0])])
    public = {name: pair for name, pair in changes.items() if name in PUBLIC}
    # The birth date alone changes nothing that anybody may see, so that the public log has no line of it.
    if not public:
        return None
    said = [
        Datum(field=name, before=_text(before), after=_text(after))
        for name, (before, after) in public.items()
    ]
    values = {"by": act.by, "at": act.at, **Correction.columns_of(act.reason)}
    return Correction.objects.create(player=player, amendments=said, **values)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)


def effect_of(request: ChangeRequest, *, at: datetime) -> Effect:
    """Return what granting a request would do; nothing is written. `RefusedError` where nothing would change."""
    act = Act(None, at, request.reason)
    return amend_player(request.player, data_amendments(data_of(request)), act, is_dry_run=True)


def _grant(request: ChangeRequest, reason: str, *, by: Any, at: datetime) -> None:
    """Correct the data of the player; the reason is published with the correction."""
    amend_player(request.player, data_amendments(data_of(request)), Act(by, at, reason))


RULES[CaseKind.CHANGE] = change_rules(_grant)


def data_of(request: ChangeRequest) -> dict[str, Any]:
    """Return the data that a request asks for, by field; the year of birth with the birth date."""
    values = {name: getattr(request, name) for name in ASKED_FIELDS}
    data = {name: value for name, value in values.items() if value}
    if request.birth_date is not None:
        # Lists show the year alone, and K depends on it (7.3.3).
        data["birth_year"] = request.birth_date.year
    return data
