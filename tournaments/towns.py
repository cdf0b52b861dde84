"""Towns by the spelling of their name (GeoNames)."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, IntegerField, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import ASin, Cast, Cos, Floor, Power, Radians, Sin, Sqrt

from core.bulk import BATCH, analyze_tables, batched, gc_disabled, update_rows, write_rows
from core.errors import Refusal, RefusedError, refused
from core.sql import ids_subquery, lock_until_commit
from players.fide_list import LineProblem
from players.models.federation import known_federations
from players.spelling import fold, one_edit_variants
from tournaments.geonames import TownRecord, open_towns, plain_spellings, spelling_of
from tournaments.models import Tournament, Town, TownSpelling

# Federations whose territory is a part of a country, or more than one: country and region of GeoNames.
TERRITORIES = {
    "AHO": (("BQ", ""), ("CW", ""), ("SX", "")),
    "ENG": (("GB", "ENG"),),
    "HKG": (("HK", ""),),
    "IRL": (("IE", ""), ("GB", "NIR")),
    "MAC": (("MO", ""),),
    "PLE": (("PS", ""),),
    "SCO": (("GB", "SCT"),),
    "TPE": (("TW", ""),),
    "WLS": (("GB", "WLS"),),
}
# What follows a town in the name of a place: `Luxembourg, Kirchberg`, `Halle (Saale)`, `Esch/Alzette`, `Paris - Bercy`.
ADDITION = re.compile(r"[,;(/]|\s[-–—]\s")
# A town is meant without its addition if it has so many times the inhabitants of the next one of its name.
DISTINCT = 10
SPELLINGS_A_QUERY = 500
# A longer name has too many spellings that are one typing error away.
LONGEST_SLIP = 30
# Among how many of the largest towns suggestions are chosen, and how many are found at most.
RANKED, FOUND = 200, 20
# The last letter: what begins with a text is before it.
LAST_LETTER = "\U0010ffff"


class SpelledTown(NamedTuple):
    """A town that has a spelling; the first of several is the one that is meant by it."""

    is_other_name: bool
    weight: float
    town: Town


def territories_of(federation: str) -> tuple[tuple[str, str], ...]:
    """Return the countries of a federation with the region in each, "" for all of it; none of FIDE's own codes."""
    country = known_federations().get(federation, {}).get("territory", "")
    return TERRITORIES.get(federation) or (((country, ""),) if country else ())


def towns_at(places: Collection[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """Return the towns of places, each a federation and a city: by exact spelling, or there is none.

    One query for some hundred spellings.
    """
    readings = {place: [*_readings(place[1])] for place in places if territories_of(place[0])}
    wanted = {spelling for found in readings.values() for spelling, _ in found}
    named = towns_spelled(wanted)
    found: dict[tuple[str, str], int] = {}
    for place, spellings in readings.items():
        territories = territories_of(place[0])
        for spelling, is_cut in spellings:
            here = [one for one in named.get(spelling, ()) if _is_in(one.town, territories)]
            if here:
                # An addition may be what tells towns of one name apart: without it none of them is certain (ADR 29).
                if not (is_cut and _is_doubtful(here)):
                    found[place] = here[0].town.pk
                break
    return found


def towns_spelled(spellings: Iterable[str]) -> dict[str, list[SpelledTown]]:
    """Return the towns of each spelling, those that are meant by it first: own names, then the largest."""
    rows: dict[str, list[SpelledTown]] = defaultdict(list)
    for batch in batched(sorted(spellings), SPELLINGS_A_QUERY):
        for one in TownSpelling.objects.filter(spelling__in=batch).select_related("town"):
            rows[one.spelling].append(_named(one.spelling, one.town))
    return {spelling: sorted(found, key=_order) for spelling, found in rows.items()}


def _readings(city: str) -> Iterator[tuple[str, bool]]:
    """Yield the spellings by which a place may be a town, and whether an addition to the town was cut off."""
    whole, cut = city, ADDITION.split(city.strip(), maxsplit=1)[0]
    seen = {""}
    for text, is_cut in ((whole, False), (cut, True)):
        words = spelling_of(text).split()
        # Districts and postal codes: `Paris 12e`, `75012 Paris`.
        without = (word for word in words if not any(letter.isdigit() for letter in word))
        for spelling in (" ".join(words), " ".join(without)):
            if spelling not in seen:
                seen.add(spelling)
                yield spelling, is_cut


def _named(spelling: str, town: Town) -> SpelledTown:
    """Return how much a town is meant by a spelling: its own name before a part of it, and before other names."""
    own = plain_spellings(town.name)
    if any(f"{spelling} ".startswith(f"{name} ") for name in own):
        return SpelledTown(False, town.population, town)
    is_part = any(name.startswith(f"{spelling} ") for name in own)
    return SpelledTown(not is_part, town.population / DISTINCT, town)


def _order(one: SpelledTown) -> tuple[bool, float, int]:
    return one.is_other_name, -one.weight, one.town.pk


def _is_in(town: Town, territories: Sequence[tuple[str, str]]) -> bool:
    return any(town.country == country and region in ("", town.region) for country, region in territories)


def _is_doubtful(named: Sequence[SpelledTown]) -> bool:
    first, *others = named
    return any(not one.is_other_name and one.weight * DISTINCT > first.weight for one in others)


def find_towns(text: str) -> list[Town]:
    """Return the towns that a reader may mean, the likeliest first: `Geneva`, `Paris, TX`, `Newport, WLS`.

    Behind a comma may be a federation's code or name, or a country's code.
    """
    name, _, behind = text.rpartition(",")
    spelling = spelling_of(text)
    found = towns_spelled([spelling]).get(spelling, []) if spelling else []
    if not found and name.strip() and behind.strip():
        territories = _territories_named(behind.strip())
        spelling = spelling_of(name)
        found = [
            one
            for one in towns_spelled([spelling]).get(spelling, ())
            if territories and _is_in(one.town, territories)
        ]
    likely = sorted(found, key=lambda one: (-one.weight, one.town.pk))
    # Old and foreign names of others, as Milan for Syracuse in New York, would be no help.
    return [one.town for place, one in enumerate(likely) if place == 0 or not one.is_other_name][:FOUND]


def suggest_towns(text: str, *, shown: int) -> list[Town]:
    """Return the towns whose name begins with a text: those with it as a whole word first, then by weight.

    The weight is the inhabitants, more for a town that had a tournament, less where only another name begins so.
    Districts with a number, as Paris 15, are left out unless the text has one.
    """
    begun = spelling_of(text)
    if not begun:
        return []
    spelled = TownSpelling.objects.filter(spelling__gte=begun, spelling__lt=begun + LAST_LETTER)
    largest = Town.objects.filter(pk__in=spelled.values("town"))[:RANKED]

    hosts = set(
        Tournament.objects.filter(town__in=[town.pk for town in largest]).values_list("town", flat=True)
    )

    def weight(town: Town) -> tuple[bool, float]:
        own = plain_spellings(town.name)
        is_own = any(name.startswith(begun) for name in own)
        is_whole = any(f"{name} ".startswith(f"{begun} ") for name in own)
        weighed = town.population * (DISTINCT if town.pk in hosts else 1) / (1 if is_own else DISTINCT)
        return is_whole, weighed

    found = (town for town in largest if has_digits(begun) or not has_digits(town.name))
    return sorted(found, key=weight, reverse=True)[:shown]


def similar_towns(text: str, *, shown: int) -> list[Town]:
    """Return the towns that a wrong spelling may mean: those whose name begins so, then those one typing error away."""
    begun = suggest_towns(text, shown=shown)
    spelling = spelling_of(text)
    if begun or len(spelling) > LONGEST_SLIP:
        return begun
    named = chain.from_iterable(towns_spelled(set(one_edit_variants(spelling))).values())
    likely = sorted(named, key=lambda one: (-one.weight, one.town.pk))
    return [*{one.town.pk: one.town for one in likely if not has_digits(one.town.name)}.values()][:shown]


def has_digits(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _territories_named(text: str) -> tuple[tuple[str, str], ...]:
    code = text.upper()
    if territories := territories_of(code):
        return territories
    # A country's own code, also of one that is no federation's as a whole, such as GB.
    if len(code) == 2:
        return ((code, ""),)
    for federation, row in known_federations().items():
        if fold(row["name"]) == fold(text):
            return territories_of(federation)
    return ()


# Distances between towns (GeoNames).
EARTH_KM = 6371.0088
KM_A_DEGREE = math.pi * EARTH_KM / 180


def towns_within(kilometres: int, centre: Town) -> QuerySet[Town]:
    """Return the towns within so many kilometres of one, by their distance in whole kilometres."""
    # Distances are rounded: a town up to half a kilometre beyond still counts.
    north = (kilometres + 1) / KM_A_DEGREE
    towns = Town.objects.filter(
        latitude__gte=centre.latitude - north, latitude__lte=centre.latitude + north
    ).order_by()
    poleward = math.radians(abs(centre.latitude) + north)
    # A circle around a pole has all longitudes.
    if poleward < math.pi / 2:
        radius = math.radians(north)
        east = math.degrees(math.asin(math.sin(radius) / math.cos(math.radians(centre.latitude))))
        towns = towns.filter(_between(centre.longitude - east, centre.longitude + east))
    return towns.annotate(distance=distance_from(centre)).filter(distance__lte=kilometres)


def _between(west: float, east: float) -> Q:
    """Return the condition for longitudes, also where they go past 180 degrees."""
    inside = Q(longitude__gte=west, longitude__lte=east)
    if west < -180:
        return inside | Q(longitude__gte=west + 360)
    return inside | Q(longitude__lte=east - 360) if east > 180 else inside


def distance_from(centre: Town, *, towns: str = "") -> Combinable:
    """Return the great-circle distance in whole kilometres, null without a town; `towns` leads to the town's fields."""
    latitude, longitude = F(f"{towns}latitude"), F(f"{towns}longitude")
    north = Sin(Radians(latitude - Value(centre.latitude)) / 2)
    east = Sin(Radians(longitude - Value(centre.longitude)) / 2)
    across = math.cos(math.radians(centre.latitude)) * Cos(Radians(latitude))
    # Rounding must not lead past 1, of which there is no arc sine.
    square = (Power(north, 2) + across * Power(east, 2)) * (1 - 1e-12)
    kilometres = 2 * EARTH_KM * ASin(Sqrt(square))
    return Cast(Floor(kilometres + 0.5), IntegerField())


def match_towns(tournaments: Sequence[Tournament]) -> None:
    """Set the towns of tournaments that are not written yet, by one query for some hundred."""
    towns = towns_at({(str(one.federation_id), one.city) for one in tournaments})
    for one in tournaments:
        one.town_id = towns.get((str(one.federation_id), one.city))


def match_all_towns() -> tuple[int, int]:
    """Find the towns of all tournaments again and return how many have one, and how many have none."""
    with_town = without_town = last = 0
    rows = Tournament.objects.order_by("pk").values_list("pk", "federation_id", "city", "town_id")
    # From key to key: an offset would read all rows before it again in each batch.
    while batch := list(rows.filter(pk__gt=last)[:BATCH]):
        towns = towns_at({(federation, city) for _pk, federation, city, _town in batch})
        matched = [(pk, towns.get((federation, city)), town) for pk, federation, city, town in batch]
        update_rows(Tournament, ("id", "town"), [(pk, new) for pk, new, old in matched if new != old])
        found = sum(new is not None for _pk, new, _old in matched)
        with_town, without_town = with_town + found, without_town + len(matched) - found
        last = batch[-1][0]
    return with_town, without_town


# Importing the table of towns (GeoNames).
FIELDS = ("geonames_id", "name", "country", "region", "latitude", "longitude", "population")
# The number of the lock under which one import of towns at a time writes.
LOCK = 3843
MAX_NAMED = 20


@dataclass(frozen=True, slots=True)
class TownImport:
    """What an import did: towns read, new and changed, and tournaments with a town and without one afterwards."""

    read: int = 0
    new: int = 0
    changed: int = 0
    with_town: int = 0
    without_town: int = 0


def import_towns(path: Path | None = None) -> TownImport:
    """Import the towns of a file, or those that the portal ships, and find the towns of all tournaments again.

    Towns that the file does not have stay. `RefusedError` names bad lines; then nothing is changed. `FideListError`
    for a file that is damaged.
    """
    with open_towns(path) as found, gc_disabled():
        # All lines are read before anything is written, so that a bad one at the end changes nothing.
        records: list[TownRecord] = []
        problems: list[LineProblem] = []
        for item in found:
            if isinstance(item, TownRecord):
                records.append(item)
            else:
                problems.append(item)
                if len(problems) == MAX_NAMED:
                    break
        if problems:
            raise RefusedError([_unreadable(one) for one in problems])
        if not records:
            raise refused("no-towns", "The file has no towns.")
        with transaction.atomic():
            lock_until_commit(LOCK)
            new, changed = _write_towns(records)
            with_town, without_town = match_all_towns()
    return TownImport(len(records), new, changed, with_town, without_town)


def _unreadable(problem: LineProblem) -> Refusal:
    return Refusal("town-unreadable", f"line {problem.line}: {problem.message} (“{problem.text}”)")


def _write_towns(records: Sequence[TownRecord]) -> tuple[int, int]:
    """Write new and changed towns with their spellings and return the number of each."""
    known = {row[0]: row for row in Town.objects.order_by().values_list(*FIELDS)}
    # All but the spellings, which have a table of their own.
    rows = [one[:-1] for one in records]
    new = [row for row in rows if row[0] not in known]
    changed = [row for row in rows if row[0] in known and row != known[row[0]]]
    write_rows(Town, FIELDS, new)
    update_rows(Town, FIELDS, changed)
    _write_spellings(records)
    # PostgreSQL has no statistics of rows that were just written, and tournaments are matched with them next.
    analyze_tables(Town, TownSpelling)
    return len(new), len(changed)


def _write_spellings(records: Sequence[TownRecord]) -> None:
    """Write the spellings of towns that are not there yet, and delete those that the towns have no more."""
    rows = TownSpelling.objects.order_by().values_list("spelling", "town_id", "pk")
    known = {(spelling, town): pk for spelling, town, pk in rows.iterator()}
    wanted = {(spelling, one.geonames_id) for one in records for spelling in one.spellings}
    written = {one.geonames_id for one in records}
    # Towns that the file does not have keep their spellings.
    gone = [pk for key, pk in known.items() if key[1] in written and key not in wanted]
    TownSpelling.objects.filter(pk__in=ids_subquery(gone)).delete()
    write_rows(TownSpelling, ("spelling", "town"), sorted(wanted - known.keys()))
