"""Correcting what is recorded of a player: the effect first, and its differences on the next list (D-11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError
from players.models import Player
from players.queries.federations import unlisted_codes
from players.services.names import rewrite_name_words
from ratings.choices import EntryStatus, Origin
from ratings.models import Calculation, Correction, ListEntry, RatingList
from ratings.queries.in_force import load_adoptions
from ratings.services.corrections.birth_years import FIELD, with_birth_year
from ratings.services.corrections.lines import Line, line_of
from ratings.services.corrections.recalculation import periods_of
from ratings.services.publication.periods import bar_of
from ratings.services.publication.publish import PUBLISHED_KINDS
from ratings.systems.otb.period import calculate
from ratings.systems.registry import Adoptions
from tournaments.list_calendar import ListCalendar

# What staff correct: what lists publish or what decides what they show; the birth date stays private.
PUBLIC = ("name", "federation_id", "sex", "birth_year", "died_on")
FIELDS = (*PUBLIC, "birth_date")


@dataclass(frozen=True, slots=True)
class NextEntry:
    """What the next list of a kind shows of a player before and after: K, and why not listed (empty: listed)."""

    kind: str
    k: tuple[int | None, int | None]
    barred: tuple[str, str]

    @property
    def differs(self) -> bool:
        return self.k[0] != self.k[1] or self.barred[0] != self.barred[1]


@dataclass(frozen=True, slots=True)
class PlayerEffect:
    """What a correction of a player's data does: the fields with both values, lines of lists, the next entries."""

    player: Player
    changes: Mapping[str, tuple[Any, Any]]
    lines: tuple[Line, ...]
    next_entries: tuple[NextEntry, ...]


def correct_player(
    player: Player, data: Mapping[str, Any], *, reason: str, by: Any, at: datetime, is_dry_run: bool = False
) -> PlayerEffect:
    """Correct recorded data of a player (keys of `FIELDS`) and return the effect; a dry run writes nothing.

    Published lists stay; differences of K by a wrong year of birth go into the next list (D-4, D-11).
    `RefusedError` where the reason is missing, nothing changes, or the player was merged into another.
    """
    with transaction.atomic():
        locked = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
        changes = _changes(locked, data)
        _refuse(locked, changes, reason)
        texts = load_adoptions()
        lines = _lines(locked, changes[FIELD][1], texts) if FIELD in changes else ()
        entries = tuple(_next_entry(kind, locked, changes, texts, at.date()) for kind in PUBLISHED_KINDS)
        effect = PlayerEffect(locked, changes, lines, tuple(entry for entry in entries if entry.differs))
        if not is_dry_run:
            _record(effect, reason=reason, by=by, at=at)
    return effect


def _changes(player: Player, data: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    pairs = {name: (getattr(player, name), data[name]) for name in FIELDS if name in data}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _refuse(player: Player, changes: Mapping[str, Any], reason: str) -> None:
    if not reason.strip():
        raise RefusedError(
            [Refusal("reason-missing", _("Give the reason; it is kept and published."), "reason")]
        )
    if player.merged_into_id:
        message = _("This FIDE ID was merged into %(successor)s: correct that one.")
        raise RefusedError([Refusal("merged", message % {"successor": player.merged_into_id})])
    if not changes:
        raise RefusedError([Refusal("nothing-changes", _("This is what is recorded already."))])


def _lines(player: Player, year: int | None, texts: Adoptions) -> tuple[Line, ...]:
    """Return the difference on each of the portal's own lists that rated the player with a K by the wrong year."""
    lists = RatingList.objects.filter(
        pk__in=Calculation.objects.filter(player=player).values("rating_list"), origin=Origin.PUBLISHED
    )
    found = (_line(player, rating_list, year, texts) for rating_list in lists.order_by("date", "kind"))
    return tuple(line for line in found if line is not None)


def _line(player: Player, rating_list: RatingList, year: int | None, texts: Adoptions) -> Line | None:
    period = periods_of(rating_list, [player.pk], texts)[player.pk]
    before, after = calculate(period), calculate(with_birth_year(period, rating_list, player.pk, year))
    newest = ListEntry.objects.filter(
        rating_list=RatingList.objects.latest_of(rating_list.kind),
        player=player,
        status__in=[EntryStatus.LISTED, EntryStatus.WITHHELD],
    )
    return line_of(player.pk, rating_list, before, after, is_rated_now=newest.exists())


def _next_entry(
    kind: str,
    player: Player,
    changes: Mapping[str, tuple[Any, Any]],
    texts: Adoptions,
    today: date,
) -> NextEntry:
    newest = RatingList.objects.latest_of(kind)
    list_date = ListCalendar(today, published=frozenset({newest.date} if newest else ())).following
    entry = ListEntry.objects.filter(rating_list=newest, player=player, rating__isnull=False).first()
    values = [
        {name: changes.get(name, (getattr(player, name),) * 2)[side] for name in FIELDS} for side in (0, 1)
    ]
    unlisted = unlisted_codes(list_date)
    bars = [bar_of(of["federation_id"], of["died_on"], list_date, unlisted) for of in values]
    ks = [_k(entry, of["birth_year"], list_date, texts) for of in values]
    return NextEntry(kind, (ks[0], ks[1]), (bars[0], bars[1]))


def _k(entry: ListEntry | None, year: int | None, list_date: date, texts: Adoptions) -> int | None:
    if entry is None:
        return None
    found = texts.text_on(list_date).list_k(
        birth_year=year,
        completed=entry.completed_games,
        reached_2300=entry.reached_2300,
        reached_2400=entry.reached_2400,
        on=list_date,
    )
    return found.k


def _record(effect: PlayerEffect, *, reason: str, by: Any, at: datetime) -> None:
    player = effect.player
    for name, (_before, after) in effect.changes.items():
        setattr(player, name, after)
    player.save(update_fields=list(effect.changes))
    if "name" in effect.changes:
        rewrite_name_words([(player.fide_id, player.name)])
    public = {name: pair for name, pair in effect.changes.items() if name in PUBLIC}
    if not public:
        return
    data = {name: [_text(before), _text(after)] for name, (before, after) in public.items()}
    correction = Correction.objects.create(player=player, data=data, reason=reason.strip(), by=by, at=at)
    for line in effect.lines:
        row = line.as_row()
        row.correction = correction
        row.save(force_insert=True)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)
