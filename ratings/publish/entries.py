"""The entries of a new list: those of the list before, carried over or calculated, and the newcomers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import product
from typing import Any

from django.db.models import BooleanField, Case, Exists, F, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Cast, Coalesce, Greatest, Least

from core.bulk import batched, insert_from_query, write_rows
from core.sql import ids_subquery
from players.federations import unlisted_codes
from players.models import Player
from ratings.choices import EntryStatus
from ratings.ledger.figures import ENTRY_FIELDS, PERSON, ROW_FIELDS
from ratings.ledger.periods import Periods
from ratings.ledger.stored import bar_of, entry_from, entry_values
from ratings.models import Calculation, ListAdjustment, ListEntry, RatingList
from ratings.systems.otb.adjustment import Adjustment
from ratings.systems.otb.listing import EntryFigures, Listing, next_entry
from ratings.systems.otb.period import PeriodResult
from ratings.systems.otb.values import PlayerState
from ratings.systems.registry import Adoptions

# What the date of the new list does not decide stays.
KEPT = tuple(name for name in ENTRY_FIELDS if name not in ("games", "k_factor", "k_reason", "is_inactive"))
IS_UNRATED = Q(status=EntryStatus.UNRATED)
# The parts of the key by which entries share their K. Games beyond a newcomer's change nothing.
YEAR, GAMES = 256, 4


def carry_entries(rating_list: RatingList, listing: Listing, unlisted: frozenset[str]) -> None:
    """Write the entries of players who have no calculation and need none; the caller opens the transaction."""
    if rating_list.previous_id is None:
        return
    calculated = Calculation.objects.filter(rating_list=rating_list, player=OuterRef("player"))
    rows = _adjusted(rating_list, listing).filter(
        IS_UNRATED | _stays(rating_list, listing, unlisted), ~Exists(calculated)
    )
    rows = rows.annotate(k_key=_k_key(listing))
    # By FIDE ID, as imports write them: the index by list and player grows at its end.
    insert_from_query(rows.order_by("player_id"), ListEntry, _columns(rating_list, listing))


def _stays(rating_list: RatingList, listing: Listing, unlisted: frozenset[str]) -> Q:
    """Match listed entries at or over the floor of the new list (D-14), of players that it may show (9.1, 9.2)."""
    is_barred = Q(player__died_on__lt=rating_list.date) | Q(player__federation__in=unlisted)
    return Q(status=EntryStatus.LISTED, adjusted__gte=listing.rules.floor) & ~is_barred


def entries_not_carried(
    rating_list: RatingList, listing: Listing, unlisted: frozenset[str]
) -> QuerySet[ListEntry]:
    """Return the previous entries that need a calculation: withheld, under the floor, deceased or excluded."""
    is_plain = IS_UNRATED | _stays(rating_list, listing, unlisted)
    return _adjusted(rating_list, listing).exclude(status=EntryStatus.DECEASED).filter(~is_plain)


def _adjusted(rating_list: RatingList, listing: Listing) -> QuerySet[ListEntry]:
    """Return the previous entries with `adjusted`, the rating as the list adjusts it (D-133).

    In SQL, as an adjustment concerns most players of a list, and few of them have a calculation.
    """
    previous = ListEntry.objects.filter(rating_list=rating_list.previous_id).order_by()
    return previous.annotate(adjusted=_by_formula(listing.adjustment))


def _by_formula(formula: Adjustment | None) -> Any:
    if formula is None:
        return F("rating")
    # The rating is a small integer in the database, which the product would overflow.
    rating = Cast(F("rating"), IntegerField())
    numerator, denominator = formula.share.as_integer_ratio()
    gap = (rating - formula.limit) if formula.is_above else (formula.limit - rating)
    # Of numbers from 0 on, adding half of the divisor rounds halves away from zero.
    points = (gap * (2 * numerator) + denominator) / Value(2 * denominator)
    adjusted: Any = rating - points if formula.is_above else rating + points
    if formula.least is not None:
        adjusted = Greatest(adjusted, Value(formula.least))
    side = {"rating__gt" if formula.is_above else "rating__lt": formula.limit}
    changed = When(status=EntryStatus.LISTED, then=adjusted, **side)
    return Case(changed, default=F("rating"), output_field=IntegerField())


def _has_reached(listing: Listing) -> dict[str, Any]:
    """Return the conditions of having reached a rating: what the list before knows, and what this one shows (D-112)."""
    rules = listing.rules
    bounds = {"reached_2300": rules.reached_low, "reached_2400": rules.reached_high}
    if listing.adjustment is None:
        return {name: Q(**{name: True}) for name in bounds}
    shown = Q(status=EntryStatus.LISTED)
    return {name: Q(**{name: True}) | (shown & Q(adjusted__gte=bound)) for name, bound in bounds.items()}


def _columns(rating_list: RatingList, listing: Listing) -> dict[str, Any]:
    """Return the new entry's columns: the person of today, what is kept, and what the new list's date decides."""
    is_inactive = Q(last_played=None) | Q(last_played__lt=listing.active_since)
    return {
        "rating_list_id": Value(rating_list.pk, IntegerField()),
        "player_id": F("player_id"),
        **{name: F(f"player__{name}") for name in PERSON},
        **{name: F(name) for name in KEPT},
        **_adjusted_columns(listing),
        "games": Value(0),
        **_factor(listing),
        "is_inactive": Case(
            When(IS_UNRATED, then=F("is_inactive")),
            When(is_inactive, then=True),
            default=False,
            output_field=BooleanField(),
        ),
    }


def _adjusted_columns(listing: Listing) -> dict[str, Any]:
    """Return the columns that an adjustment of the list changes: the rating, and what has been reached."""
    if listing.adjustment is None:
        return {}
    reached = {
        name: Case(When(condition, then=True), default=False, output_field=BooleanField())
        for name, condition in _has_reached(listing).items()
    }
    return {"rating": F("adjusted"), **reached}


def _k_key(listing: Listing) -> CombinedExpression:
    """Return all that the K of an entry depends on beside the date, as one number."""
    reached = _has_reached(listing)
    return (
        Coalesce(F("player__birth_year"), 0) * YEAR
        + Least(F("completed_games"), listing.rules.newcomer_games) * GAMES
        + Case(When(reached["reached_2300"], then=2), default=0)
        + Case(When(reached["reached_2400"], then=1), default=0)
    )


def _factor(listing: Listing) -> dict[str, Case]:
    """Return K of an entry and why by its key, for all keys that there can be: the entries need not be read for them.

    The rule stays in the text of the regulations alone: in SQL it would have to be said a second time for each text.
    """
    by_factor = defaultdict(list)
    for key in _keys(listing):
        # The K of all entries with a key on the new list's date (D-4).
        birth_year, rest = divmod(key, YEAR)
        completed, reached = divmod(rest, GAMES)
        state = PlayerState(
            completed=completed, reached_2300=bool(reached & 2), reached_2400=bool(reached & 1)
        )
        by_factor[listing.k_of(state, birth_year or None)].append(key)
    # Most keys have one and the same K, which is then what none of the others have.
    most = max(by_factor, key=lambda factor: (len(by_factor[factor]), factor))
    others = sorted(factor for factor in by_factor if factor != most)
    return {
        column: Case(
            When(IS_UNRATED, then=F(column)),
            *(When(k_key__in=by_factor[factor], then=Value(factor[place])) for factor in others),
            default=Value(most[place]),
        )
        for place, column in enumerate(("k_factor", "k_reason"))
    }


def _keys(listing: Listing) -> Iterator[int]:
    """Yield every key of a player with any of the years of birth that there are."""
    years = Player.objects.order_by().values_list("birth_year", flat=True).distinct()
    for year in {year or 0 for year in years} | {0}:
        for completed, reached in product(range(listing.rules.newcomer_games + 1), range(GAMES)):
            yield year * YEAR + completed * GAMES + reached


PERSON_FIELDS = (*PERSON, "died_on")
NAME, RATING = ROW_FIELDS.index("name"), ROW_FIELDS.index("rating")
CHUNK = 5_000
BATCH = 20_000


def listing_of(kind: str, list_date: date, adoptions: Adoptions) -> Listing:
    """Return the new list's date, and that of the oldest list on which a game keeps a player active (D-10)."""
    active_lists = adoptions.text_on(list_date).active_lists
    earlier = RatingList.objects.filter(kind=kind, date__lt=list_date).order_by("-date")
    dates = list(earlier.values_list("date", flat=True)[: active_lists - 1])
    # The list itself is one of the 12 (D-10).
    formula = ListAdjustment.objects.formulas(kind).get(list_date)
    return Listing(list_date, min(dates, default=list_date), adoptions, formula)


def write_entries(rating_list: RatingList, sources: Periods, results: Mapping[int, PeriodResult]) -> None:
    """Write the list's entries after the calculations; the caller opens the transaction."""
    listing = listing_of(rating_list.kind, rating_list.date, sources.adoptions)
    unlisted = unlisted_codes(rating_list.date)
    carry_entries(rating_list, listing, unlisted)
    found = _entries_to_calculate(rating_list, listing, unlisted, results, sources.entries)
    rows = _rows(rating_list, listing, unlisted, results, found)
    # They go between those carried over: in list order each index but one is gone through from end to end.
    write_rows(ListEntry, ROW_FIELDS, sorted(rows, key=lambda row: (-(row[RATING] or 0), row[NAME])))


def _rows(
    rating_list: RatingList,
    listing: Listing,
    unlisted: frozenset[str],
    results: Mapping[int, PeriodResult],
    found: Iterable[tuple[int, tuple[Any, ...], EntryFigures | None]],
) -> Iterator[tuple[Any, ...]]:
    for player_id, person, entry in found:
        *data, died_on = person
        birth_year = data[-1]
        barred = bar_of(data[1], died_on, rating_list.date, unlisted)
        new = next_entry(results.get(player_id), entry, listing, birth_year=birth_year, barred=barred)
        if new is not None:
            yield (rating_list.pk, player_id, *data, *entry_values(new))


def _entries_to_calculate(
    rating_list: RatingList,
    listing: Listing,
    unlisted: frozenset[str],
    results: Mapping[int, PeriodResult],
    known: Mapping[int, EntryFigures],
) -> Iterator[tuple[int, tuple[Any, ...], EntryFigures | None]]:
    """Yield id, personal data of today and previous entry of those with results, and of whom SQL does not carry."""
    for batch in batched(sorted(results), BATCH):
        people = Player.objects.filter(pk__in=ids_subquery(batch)).order_by("pk")
        for player_id, *person in people.values_list("pk", *PERSON_FIELDS):
            yield player_id, tuple(person), known.get(player_id)
    rows = entries_not_carried(rating_list, listing, unlisted)
    values = rows.values_list("player_id", *(f"player__{name}" for name in PERSON_FIELDS), *ENTRY_FIELDS)
    width = len(PERSON_FIELDS) + 1
    for row in values.iterator(chunk_size=CHUNK):
        if row[0] not in results:
            yield row[0], row[1:width], entry_from(row[width:])
