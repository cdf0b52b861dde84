"""The manifest of a list: what it was made from, with the hashes of its files."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import date
from typing import Any

from django.db.models import Value
from django.db.models.functions import Coalesce

from core.digests import sha256_of
from core.sql import ids_subquery
from players import log_chain
from players.federations import is_in_force, load_unlisted
from players.models import Player
from ratings.choices import EntryStatus
from ratings.models import (
    Calculation,
    CorrectionLine,
    ListEntry,
    ListFile,
    RatingList,
    TournamentRating,
    adjustment_on,
)
from ratings.publish.signatures import signature_of
from ratings.systems.otb.adjustment import Adjustment
from ratings.systems.otb.listing import DECEASED
from ratings.systems.registry import Adoptions
from tournaments.conditions import CORRECTED
from tournaments.models import Game

# What makes a report due and in time, and the conditions by which it is rated: a manifest names it, since a change of
# it would change no file.
FACTS = {
    "federation": "report__tournament__federation_id",
    "kind": "report__tournament__kind",
    "registration": "report__tournament__registration",
    "registered_on": "report__tournament__registered_on",
    "start": "report__tournament__start",
    "end": "report__tournament__end",
    "submitted_on": "report__submitted_on",
    "accepted_on": "report__accepted_on",
    **{name: f"report__tournament__{name}" for name in ("is_official", "decided_by", *CORRECTED)},
}
MARK_FIELDS = {"round": "round", "white": "white", "mark": "mark", "reference": "mark_reference"}


def manifest_of(rating_list: RatingList, files: list[ListFile], adoptions: Adoptions) -> dict[str, Any]:
    """Return what the list was made from and what came out, in a total order (promise 1)."""
    previous = rating_list.previous
    mergers = mergers_taken(rating_list)
    adjustment = adjustment_taken(rating_list)
    # With the manifest anybody can prove later that the log up to here is unchanged.
    log = log_chain.head()
    asking = [one for one in rating_list.minors_hidden_of if isinstance(one, str)]
    return {
        # Only where there are some: earlier lists are verified with the manifests that they had.
        **({"mergers": mergers} if mergers else {}),
        **({"adjustment": adjustment} if adjustment else {}),
        **({"minors_hidden_of": asking} if asking else {}),
        "kind": rating_list.kind,
        "date": rating_list.date.isoformat(),
        "rules": rating_list.rules,
        "adoptions": adoptions_until(adoptions, rating_list.date),
        "engine": rating_list.engine_version,
        "listed": rating_list.listed,
        "previous": None
        if previous is None
        else {"date": previous.date.isoformat(), "manifest_sha256": previous.manifest_sha256},
        "reports": _reports(rating_list),
        "corrections": _corrections(rating_list),
        **_not_shown(rating_list),
        "audit_log": {"entries": log.entries, "sha256": log.sha256},
        "files": {item.format: {"size": item.size, "sha256": item.sha256} for item in files},
    }


def _not_shown(rating_list: RatingList) -> dict[str, Any]:
    """Return why a list does not show players: their deaths (9.2), exclusions and federations outside FIDE (9.1)."""
    deaths, unlisted = load_deaths(rating_list), load_unlisted()
    exclusions = sorted(row for row in unlisted.exclusions if is_in_force(*row[1:], rating_list.date))
    return {
        "deaths": [{"fide_id": key, "died_on": deaths[key].isoformat()} for key in sorted(deaths)],
        "exclusions": [
            {"federation": code, "from": first.isoformat(), "until": end.isoformat() if end else None}
            for code, first, end in exclusions
        ],
        "not_listed": sorted(unlisted.outside),
    }


def load_deaths(rating_list: RatingList) -> dict[int, date]:
    """Return the dates of death of the players whom a list does not show for that, by FIDE ID."""
    dead = dict(Player.objects.filter(died_on__lt=rating_list.date).order_by().values_list("pk", "died_on"))
    # In steps: PostgreSQL took minutes for one statement about rows that it has no statistics of yet.
    of_dead = {"rating_list": rating_list, "player__in": ids_subquery(dead)}
    entries = ListEntry.objects.filter(status=EntryStatus.DECEASED, **of_dead).order_by()
    calculated = Calculation.objects.filter(result=DECEASED, **of_dead).order_by()
    taken = {*entries.values_list("player", flat=True), *calculated.values_list("player", flat=True)}
    return {key: day for key, day in dead.items() if day is not None and key in taken}


def adoptions_until(adoptions: Adoptions, day: date) -> list[dict[str, str]]:
    """Return the adoptions in force on a day or before, as a manifest names them (D-90)."""
    rows = adoptions.until(day).rows
    return [{"text": row.rules.slug, "from": row.first_day.isoformat()} for row in rows]


def _reports(rating_list: RatingList) -> list[dict[str, Any]]:
    rows = TournamentRating.objects.filter(included_in=rating_list).order_by("report__tournament__event_id")
    values = rows.values_list(
        "report__tournament__event_id", "report__version", "report__sha256", "rules", *FACTS.values()
    )
    marks = load_included_marks(rating_list)
    # Named where it is so: the manifests of other lists stay as they were.
    taken = rows.filter(report__tournament__is_continental=True)
    continental = set(taken.values_list("report__tournament__event_id", flat=True))
    return [
        {"event_id": event_id, "version": version, "sha256": digest, "rules": rules}
        | {name: str(fact) for name, fact in zip(FACTS, facts, strict=True)}
        | ({"is_continental": "True"} if event_id in continental else {})
        | {"marks": marks.get(event_id, [])}
        for event_id, version, digest, rules, *facts in values
    ]


def load_included_marks(rating_list: RatingList) -> dict[str, list[dict[str, Any]]]:
    """Return the marks of the games in a list's reports by event, in order: they are not in the bytes of a report."""
    taken = TournamentRating.objects.filter(included_in=rating_list)
    event_of = dict(taken.values_list("report", "report__tournament__event_id"))
    # In steps: PostgreSQL took minutes for one statement about rows that it has no statistics of yet.
    games = Game.objects.filter(report__in=ids_subquery(event_of)).exclude(mark="")
    marks: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in games.order_by("round", "white").values("report", *MARK_FIELDS.values()):
        marks[event_of[row["report"]]].append({name: row[field] for name, field in MARK_FIELDS.items()})
    return dict(marks)


def _corrections(rating_list: RatingList) -> list[dict[str, Any]]:
    lines = CorrectionLine.objects.filter(taken_by=rating_list)
    # A correction of a player's data has no event; databases differ in where they put what is missing.
    event_id = Coalesce("correction__tournament__event_id", Value(""))
    rows = lines.order_by(event_id, "corrected_list__date", "player", "pk")
    return [
        {
            "event_id": line.correction.tournament.event_id if line.correction.tournament else None,
            "list": line.corrected_list.date.isoformat(),
            "fide_id": line.player_id,
            "kind": line.kind,
            "difference": line.difference_hundredths,
        }
        for line in rows.select_related("correction__tournament", "corrected_list")
    ]


def mergers_taken(rating_list: RatingList) -> list[dict[str, int]]:
    """Return the FIDE IDs that end with a list, and whose they are from then on."""
    rows = rating_list.mergers_taken.order_by("player_id").values_list("player_id", "successor_id")
    return [{"fide_id": old, "into": new} for old, new in rows]


def formula_of(rating_list: RatingList) -> Adjustment | None:
    """Return the formula by which a list of the portal adjusts all its ratings (D-133)."""
    found = adjustment_on(rating_list)
    return found.formula if found else None


def adjustment_taken(rating_list: RatingList) -> dict[str, Any] | None:
    """Return the adjustment that a list took, with its reason and reference; None where it took none (D-133)."""
    found = adjustment_on(rating_list)
    if found is None:
        return None
    return found.formula.as_row() | {"reason": found.reason, "reference": found.reference}


def seal(rating_list: RatingList, manifest: dict[str, Any]) -> None:
    """Give a list its manifest with its hash and signature, and save them with the number of the listed."""
    content = canonical_json(manifest)
    rating_list.manifest = manifest
    rating_list.manifest_sha256 = sha256_of(content)
    rating_list.signature = signature_of(content)
    rating_list.save(update_fields=["listed", "manifest", "manifest_sha256", "signature"])


def canonical_json(value: dict[str, Any]) -> bytes:
    """Return what is hashed and signed as canonical JSON: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
