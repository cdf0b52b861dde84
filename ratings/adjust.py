"""Adjusting a whole list by a formula (D-133): shown by bands, prepared by one person, confirmed by another (D-131)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from django.db import transaction
from django.db.models import Count, Min
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.acts import Act
from core.errors import Refusal, RefusedError, refused, stated_refusal
from players.models import Player
from players.own_matters import decides_alone, is_staff_there
from ratings.acts_on_lists import (
    cancel_act,
    confirm_act,
    prepare_act,
    refuse_others,
    refuse_without_reason,
)
from ratings.choices import PUBLISHED_KINDS, SENTENCES
from ratings.in_force import load_adoptions
from ratings.lists import lock_kind, read_lists
from ratings.models import ListAdjustment, ListEntry, RatingList
from ratings.systems.otb.adjustment import Adjustment

BAND = 100
LIMITS = range(100, 4001)
# Shares are decimals or small fractions; SQL multiplies ratings by both parts within 32 bits.
MOST_PARTS = 10_000


@dataclass(frozen=True, slots=True)
class Band:
    """Ratings of the list before from `low` on, 100 points wide: how many change, and one of them as the example."""

    low: int
    players: int
    points: int
    example: int
    before: int
    after: int
    name: str = ""

    @property
    def high(self) -> int:
        return self.low + BAND - 1

    @property
    def mean(self) -> Fraction:
        """The points that a player of the band gains or loses on average."""
        return Fraction(self.points, self.players)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a formula does to the ratings of the newest list: games of the coming one are not in it yet."""

    basis: RatingList | None
    bands: tuple[Band, ...] = ()
    leaving: int = 0

    @property
    def players(self) -> int:
        return sum(band.players for band in self.bands)

    @property
    def points(self) -> int:
        return sum(band.points for band in self.bands)


def show(kind: str, list_date: date, formula: Adjustment) -> Shown:
    """Return what a formula does, by bands of 100 points of the newest list before; three queries for any list.

    `leaving` are the listed who would be under the floor of the new list.
    """
    basis = read_lists().before(kind, list_date)
    if basis is None:
        return Shown(None)
    floor = load_adoptions().nearest_text(list_date).floor
    rows = ListEntry.objects.filter(rating_list=basis.pk).listed().order_by("rating").values("rating")
    bands: dict[int, Band] = {}
    leaving = 0
    for row in rows.annotate(players=Count("pk"), example=Min("player")):
        before = row["rating"] or 0
        after = formula.adjusted(before)
        leaving += row["players"] if after < floor else 0
        if after == before:
            continue
        low = before - before % BAND
        points, known = (after - before) * row["players"], bands.get(low)
        bands[low] = Band(
            low=low,
            players=row["players"] + (known.players if known else 0),
            points=points + (known.points if known else 0),
            example=known.example if known else row["example"],
            before=known.before if known else before,
            after=known.after if known else after,
        )
    names = dict(
        Player.objects.filter(pk__in=[band.example for band in bands.values()]).values_list("pk", "name")
    )
    named = tuple(replace(band, name=names.get(band.example, "")) for band in bands.values())
    return Shown(basis, named, leaving)


def prepare(
    kind: str, list_date: date, formula: Adjustment, act: Act, *, reference: str, by_name: str = ""
) -> ListAdjustment:
    """Enter an adjustment of a list that is not published yet; `RefusedError` names what is wrong.

    The same one again is returned as it is. What nobody else could confirm is confirmed at once, alone (D-131):
    only the operator of the installation, who has no account, prepares it without an account.
    """
    refuse_others(act.by)
    with transaction.atomic():
        if kind in PUBLISHED_KINDS:
            lock_kind(kind, waits=True)
        if refusals := [*_refusals(kind, list_date, formula, act.reason, reference)]:
            raise RefusedError(refusals)
        if (found := standing_on(kind, list_date)) is not None:
            if found.formula == formula:
                return found
            raise refused("adjusted-already", _other(found), "list_date")
        made = ListAdjustment(
            kind=kind,
            list_date=list_date,
            limit=formula.limit,
            is_above=formula.is_above,
            share=str(formula.share),
            least=formula.least,
        )
        prepare_act(made, act, reference=reference, by_name=by_name)
        if act.by is None and not is_staff_there():
            confirm_act(made, act, by_name=by_name, is_alone=True)
    return made


def refuse_preparing(kind: str, list_date: date, formula: Adjustment, *, reason: str, reference: str) -> None:
    """Raise `RefusedError` where an adjustment cannot be entered; write nothing."""
    if refusals := [*_refusals(kind, list_date, formula, reason, reference)]:
        raise RefusedError(refusals)


def confirm(adjustment: ListAdjustment, act: Act) -> ListAdjustment:
    """Confirm an adjustment as another person than the one who prepared it; its list then takes it."""
    refuse_others(act.by)
    is_alone = decides_alone(act.by, frozenset(), asked_by=adjustment.prepared_by_id)
    with transaction.atomic():
        found = _waiting(adjustment)
        if found.confirmed_at is None:
            confirm_act(found, act, by_name="", is_alone=is_alone)
    return found


def cancel(adjustment: ListAdjustment, act: Act) -> ListAdjustment:
    """Cancel an adjustment before its list is published, confirmed or not; `RefusedError` afterwards."""
    refuse_others(act.by)
    refuse_without_reason(act)
    with transaction.atomic():
        found = _waiting(adjustment)
        cancel_act(found, act)
    return found


def standing_on(kind: str, list_date: date) -> ListAdjustment | None:
    """Return the adjustment of a list that was not cancelled, confirmed or not."""
    return ListAdjustment.objects.standing().filter(kind=kind, list_date=list_date).first()


def is_settled(adjustment: ListAdjustment) -> bool:
    """Whether its list is there already: then nothing of the act changes any more."""
    return RatingList.objects.filter(kind=adjustment.kind, date=adjustment.list_date).exists()


def _waiting(adjustment: ListAdjustment) -> ListAdjustment:
    """Lock the lists of the kind and return the adjustment as it is; `RefusedError` where it is settled."""
    lock_kind(adjustment.kind, waits=True)
    found = ListAdjustment.objects.get(pk=adjustment.pk)
    if found.cancelled_at is not None:
        raise refused("cancelled", _("The adjustment was cancelled."))
    if is_settled(found):
        raise refused("list-published", _there(found.list_date))
    return found


def _refusals(
    kind: str, list_date: date, formula: Adjustment, reason: str, reference: str
) -> Iterator[Refusal]:
    if kind not in PUBLISHED_KINDS:
        message = _(
            "The portal does not publish lists of this rating type, and imported lists are never adjusted."
        )
        yield Refusal("kind-imported", message, "kind")
    elif list_date.day != 1:
        yield stated_refusal(SENTENCES, "list-date-6.1", "list_date")
    elif (newest := read_lists().newest(kind)) is not None and newest.date >= list_date:
        found = standing_on(kind, list_date)
        if found is not None and found.formula == formula:
            # Entered again: nothing changes.
            return
        yield Refusal("list-published", _there(list_date), "list_date")
    if formula.limit not in LIMITS:
        yield Refusal("limit", _("Enter a limit from 100 to 4000."), "limit")
    if not 0 < formula.share <= 1 or formula.share.denominator > MOST_PARTS:
        yield Refusal("share", _("Enter a share over 0 and up to 1, for example 0.4 or 2/5."), "share")
    if formula.least is not None and (formula.least not in LIMITS or formula.least > formula.limit):
        yield Refusal("least", _("Enter a least rating from 100 up to the limit."), "least")
    if not reason.strip():
        yield Refusal("reason-missing", _("Enter a reason. It is saved and published."), "reason")
    if not reference.strip():
        yield Refusal("reference-missing", _("Enter the reference of the decision."), "reference")


def _there(list_date: date) -> str:
    message = _("A list of %(date)s or later exists already. Only a list that is not published is adjusted.")
    return message % {"date": date_format(list_date)}


def _other(found: ListAdjustment) -> str:
    message = _("An adjustment of the list of %(date)s is entered already. Cancel it first.")
    return message % {"date": date_format(found.list_date)}
