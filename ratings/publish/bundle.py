"""The evidence bundle of a published list: all inputs of the calculation, so that anybody can repeat it.

A ZIP of texts: reports as games between FIDE IDs, facts about players that the previous list does not show (completed
games, ratings reached, pools), corrections, and changed data of players. Nothing is compressed: the same inputs give
the same bytes with any zlib. `docs/verify-a-list.md` describes each file.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from heapq import merge
from io import BufferedRandom
from itertools import groupby
from operator import itemgetter
from tempfile import TemporaryFile
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from django.core.files import File
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce

from core.bulk import batched
from ratings.choices import EntryStatus
from ratings.ledger.figures import ENTRY_FIELDS, PERSON
from ratings.ledger.periods import Periods
from ratings.ledger.stored import BARRED, entry_from
from ratings.list_files import EVIDENCE
from ratings.models import (
    Calculation,
    ListArchive,
    ListEntry,
    ListFile,
    ParticipantRating,
    RatingList,
    TournamentRating,
)
from ratings.publish.entries import listing_of
from ratings.publish.files import evidence_path, hidden_minors, put, shown_year
from ratings.publish.manifest import adoptions_until, canonical_json
from ratings.publish.signatures import public_key, signature_of
from ratings.systems.otb.listing import Listing
from ratings.systems.otb.period import EXCLUDED
from tournaments.lookups import GAME_FIELDS
from tournaments.models import Game

# Format 2 has `minors.csv`, 3 has `own.csv`, 4 an adjustment of the list; a bundle without is what it was before.
FORMAT, FORMAT_WITH_MINORS, FORMAT_WITH_OWN, FORMAT_ADJUSTED = 1, 2, 3, 4
HEAD, SIGNATURE = "evidence.json", "signature.json"
# A signature of the head, and the public key that it was made for, both in base64.
SIGNED = ("signature", "public_key")
LINES, REPORTS, CHUNK = 5_000, 50, 5_000
PLAYER_FIELDS = ("tournament_rating", "number", "player_id", "start_status", "start_rating", "start_k")
STATE_HEAD = "fide_id,status,rating,k,completed,reached_low,reached_high,last_played\n"
POOL_HEAD = "fide_id,event_id,start,end,games,half_points,opponents_sum,disregarded\n"
CORRECTION_HEAD = "fide_id,event_id,list,difference,games,first_rating,lost\n"
OWN_HEAD = "fide_id,event_id,k,reason\n"
MINOR_HEAD = "fide_id,junior_before,junior\n"
# The first instant that a ZIP can store; Unix permissions: writable for the owner, readable for all.
MOMENT, UNIX, MODE = (1980, 1, 1, 0, 0, 0), 3, 0o100644 << 16


class Bundle:
    """The bundle of a list that is written or calculated again; `sources` are those of the calculation."""

    def __init__(self, rating_list: RatingList, sources: Periods) -> None:
        self._list, self._sources = rating_list, sources
        self.name = f"{rating_list.kind}-{rating_list.date.isoformat()}{EVIDENCE}"
        self._listing = listing_of(rating_list.kind, rating_list.date, sources.adoptions)
        both = (rating_list.previous, rating_list)
        self._has_minors = any(each.minors_hidden_of for each in both if each)
        self._own = sorted(_own_results(sources))

    def members(self) -> Iterator[tuple[str, Iterable[str]]]:
        """Yield the files of the bundle but its head: name and lines."""
        yield "reports.jsonl", self._reports()
        yield "before.csv", self._states()
        yield "pools.csv", self._pools()
        yield "corrections.csv", self._corrections()
        yield "people.csv", self._people()
        yield "left.csv", self._unlisted_lines()
        if self._has_minors:
            yield "minors.csv", self._minors()
        if self._own:
            yield "own.csv", (OWN_HEAD, *(_line(*row) for row in self._own))

    def head(self, files: Iterable[ListFile], members: Mapping[str, str]) -> bytes:
        """Return the head of the bundle, with the SHA-256 of the list's files and of its own (`members`)."""
        persons = self._sources.mergers.persons
        head = {
            "format": self._format,
            "kind": self._list.kind,
            "date": self._list.date.isoformat(),
            "rules": self._list.rules,
            "adoptions": adoptions_until(self._sources.adoptions, self._list.date),
            "engine": self._list.engine_version,
            "listed": self._list.listed,
            "active_since": self._listing.active_since.isoformat(),
            "previous": _previous(self._list.previous),
            "persons": {str(old): person for old, person in sorted(persons.items())},
            "joined": {str(person): old for person, old in sorted(self._sources.joined.items())},
            "files": {item.format: {"size": item.size, "sha256": item.sha256} for item in files},
            "members": dict(members),
        }
        if (formula := self._sources.adjustment) is not None:
            head["adjustment"] = formula.as_row()
        return canonical_json(head)

    @property
    def _format(self) -> int:
        if self._sources.adjustment is not None:
            return FORMAT_ADJUSTED
        if self._own:
            return FORMAT_WITH_OWN
        return FORMAT_WITH_MINORS if self._has_minors else FORMAT

    def _reports(self) -> Iterator[str]:
        dates = dict(RatingList.objects.values_list("pk", "date"))
        ratings = TournamentRating.objects.filter(included_in=self._list).select_related("report__tournament")
        large = ("report__content", "report__pgn", "report__findings")
        for batch in batched(ratings.order_by("report__tournament__event_id").defer(*large), REPORTS):
            # Starting rank, FIDE ID, and status, rating and K at the start of each participant.
            rated = ParticipantRating.objects.filter(tournament_rating__in=[item.pk for item in batch])
            players = _by_first(rated.order_by("tournament_rating", "number").values_list(*PLAYER_FIELDS))
            played = Game.objects.filter(report__in=[item.report_id for item in batch])
            games = _by_first(played.order_by("report", "round", "white").values_list("report", *GAME_FIELDS))
            for item in batch:
                rows = {"players": players[item.pk], "games": games[item.report_id]}
                line = _conditions(item, dates) | rows
                yield json.dumps(line, separators=(",", ":")) + "\n"

    def _states(self) -> Iterator[str]:
        """Yield what stood before of everybody calculated, and of others where the list before does not imply it."""
        known = self._sources.entries
        calculated = ((key, known[key]) for key in self._sources.player_ids if key in known)
        others = (
            (key, entry_from(values))
            for key, *values in _carried_entries(self._list, self._listing).iterator(chunk_size=CHUNK)
        )
        yield STATE_HEAD
        # Both are in the order of FIDE IDs: the same list gives the same bytes.
        for key, entry in merge(calculated, others, key=lambda row: row[0]):
            reached = (int(entry.reached_2300), int(entry.reached_2400))
            figures = (entry.rating, entry.k, entry.completed, *reached, entry.last_played)
            yield _line(key, entry.status, *figures)

    def _pools(self) -> Iterator[str]:
        """Yield the events in the pools of unrated players, with corrections applied."""
        yield POOL_HEAD
        for player_id in self._sources.player_ids:
            shares = [row.share for row in self._sources.pools.get(player_id, ())]
            if shares and self._sources.state_of(player_id).rating is None:
                for share in sorted(shares, key=lambda share: share.order):
                    sums = (share.games, share.half_points, share.opponents_sum, int(share.is_disregarded))
                    yield _line(player_id, share.event_id, share.start, share.end, *sums)

    def _corrections(self) -> Iterator[str]:
        yield CORRECTION_HEAD
        for player_id, lines in sorted(self._sources.lines.items()):
            # Whatever the corrections are, they have one difference together: the newest stands for them.
            newest = max(lines, key=lambda line: (line.correction_id, line.pk))
            tournament, day = newest.correction.tournament, newest.corrected_list.date
            event_id = tournament and tournament.event_id
            for before in self._sources.corrected_of(player_id).values():
                figures = (before.difference, 0, before.first, int(before.is_lost))
                yield _line(player_id, event_id, day, *figures)

    def _people(self) -> Iterator[str]:
        """Yield the data of the listed who are new, or whose data the list before shows otherwise."""
        same = ListEntry.objects.filter(
            rating_list=self._list.previous_id,
            player=OuterRef("player"),
            status=EntryStatus.LISTED,
            # The year of birth is compared beside them, since lists that hide minors show another one than they store.
            **{name: OuterRef(name) for name in PERSON[:-1]},
        ).annotate(born=Coalesce(shown_year(self._list.previous or self._list), 0))
        # SQL finds no NULL equal to another: without the 0, whoever has no year of birth would count as changed.
        same = same.filter(born=Coalesce(OuterRef("shown_year"), 0))
        rows = ListEntry.objects.filter(rating_list=self._list).listed()
        rows = rows.annotate(shown_year=shown_year(self._list)).filter(~Exists(same)).order_by("player_id")
        yield ",".join(("fide_id", *PERSON)).replace("federation_id", "federation") + "\n"
        fields = ("player_id", *PERSON[:-1], "shown_year")
        for row in rows.values_list(*fields).iterator(chunk_size=CHUNK):
            yield _line(*row)

    def _minors(self) -> Iterator[str]:
        """Yield the listed whose year of birth a file does not show, and whether they are juniors (7.3.3) there.

        Empty: that list shows the year, or not the player.
        """
        yield MINOR_HEAD
        both = enumerate((self._list.previous, self._list))
        sides = [self._hidden_on(rating_list, side) for side, rating_list in both if rating_list]
        for key, rows in groupby(merge(*sides), itemgetter(0)):
            words = {side: "yes" if is_junior else "no" for _key, side, is_junior in rows}
            yield _line(key, words.get(0), words.get(1))

    def _hidden_on(self, rating_list: RatingList, side: int) -> Iterator[tuple[int, int, bool]]:
        entries = ListEntry.objects.filter(hidden_minors(rating_list), rating_list=rating_list).listed()
        oldest = rating_list.date.year - self._listing.rules.junior_age
        for key, year in entries.order_by("player_id").values_list("player_id", "birth_year").iterator(CHUNK):
            yield key, side, year is not None and year >= oldest

    def _unlisted_lines(self) -> Iterator[str]:
        """Yield who may not be listed, and why: of those listed before, and of those with results (9.1, 9.2)."""
        before = ListEntry.objects.filter(rating_list=self._list.previous_id, player=OuterRef("player"))
        entries = ListEntry.objects.filter(rating_list=self._list, status__in=BARRED)
        entries = entries.filter(Exists(before.listed()))
        reasons = {key: BARRED[status] for key, status in entries.values_list("player", "status")}
        calculated = Calculation.objects.filter(rating_list=self._list, result__in=BARRED.values())
        reasons |= dict(calculated.values_list("player", "result"))
        yield "fide_id,reason\n"
        yield from (_line(*row) for row in sorted(reasons.items()))


def _own_results(sources: Periods) -> Iterator[tuple[int, str, int | str, str]]:
    """Yield K by corrected years of birth, without an event that before the list, and events that do not count.

    An event that begins in an exclusion counts for nothing of the player's own (D-143, D-144).
    """
    for player_id, factors in sources.factors.items():
        yield from ((player_id, event_id, factor.k, "") for event_id, factor in factors.items())
    for player_id, person in sources.people.items():
        # Nothing is calculated of who is barred: `left.csv` has the reason.
        if person.void and not person.barred:
            yield from ((player_id, event_id, "", EXCLUDED) for event_id in sources.void_events(player_id))


def store_bundle(rating_list: RatingList, sources: Periods, files: Iterable[ListFile]) -> dict[str, Any]:
    """Write the bundle of a list into the storage beside its files, and return its part of the manifest."""
    with TemporaryFile() as spool:
        entry = _write(spool, Bundle(rating_list, sources), files, _sign)
        path = evidence_path(rating_list)
        put(path, File(spool))
    ListArchive.objects.create(
        rating_list=rating_list, name=entry["name"], path=path, size=entry["size"], sha256=entry["sha256"]
    )
    return entry


def write_again(target: BufferedRandom, rating_list: RatingList, sources: Periods) -> dict[str, Any]:
    """Write the bundle of a published list as it was published, and return its part of the manifest.

    The signature is that of the manifest: it does not change with the key of the installation.
    """
    published = rating_list.manifest["evidence"]
    signed = {name: published[name] for name in SIGNED if name in published}
    files = ListFile.objects.filter(rating_list=rating_list).order_by("format")
    return _write(target, Bundle(rating_list, sources), files, lambda _head: signed)


def _sign(head: bytes) -> dict[str, str]:
    signature = signature_of(head)
    return {"signature": signature, "public_key": public_key()} if signature else {}


def _write(
    target: BufferedRandom, bundle: Bundle, files: Iterable[ListFile], sign: Callable[[bytes], dict[str, str]]
) -> dict[str, Any]:
    """Write a bundle and return its part of the manifest: name, size, hash, and what `sign` returns for its head.

    The file can be read and sought.
    """
    with ZipFile(target, "w", ZIP_STORED) as archive:
        members = {name: _add(archive, name, lines) for name, lines in bundle.members()}
        head = bundle.head(files, members)
        archive.writestr(_member(HEAD), head)
        if signed := sign(head):
            archive.writestr(_member(SIGNATURE), canonical_json(signed))
    target.seek(0)
    digest = hashlib.file_digest(target, "sha256").hexdigest()
    return {"name": bundle.name, "size": target.tell(), "sha256": digest, **signed}


def _add(archive: ZipFile, name: str, lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    with archive.open(_member(name), "w") as member:
        for some in batched(lines, LINES):
            part = "".join(some).encode()
            digest.update(part)
            member.write(part)
    return digest.hexdigest()


def _member(name: str) -> ZipInfo:
    member = ZipInfo(name, MOMENT)
    # Python writes the system that it runs on: the bytes must be the same on each.
    member.create_system, member.external_attr = UNIX, MODE
    return member


def _previous(previous: RatingList | None) -> dict[str, Any] | None:
    if previous is None:
        return None
    files = ListFile.objects.filter(rating_list=previous).order_by("format")
    return {
        "date": previous.date.isoformat(),
        "origin": previous.origin,
        "manifest_sha256": previous.manifest_sha256,
        "files": dict(files.values_list("format", "sha256")),
    }


def _conditions(item: TournamentRating, dates: Mapping[int, date]) -> dict[str, Any]:
    tournament, report = item.report.event, item.report
    lists = (item.basis_id, item.standard_basis_id)
    basis, standard = (dates[key].isoformat() if key else None for key in lists)
    return {
        "event_id": tournament.event_id,
        "version": report.version,
        "sha256": report.sha256,
        "start": tournament.start.isoformat(),
        "end": tournament.end.isoformat(),
        "time_control": tournament.time_control,
        # What a list depends on: only official FIDE events may end on the day before it (6.1.3, D-115).
        "official": tournament.may_end_late,
        "decided_by": tournament.decided_by,
        # The length of a match, as it is rated: more than half of its points decide it (D-84, D-17).
        "rounds": tournament.games_per_match or report.rounds,
        "match": tournament.is_match,
        "waiver": bool(tournament.match_waiver),
        "unequal_times": tournament.has_unequal_times,
        "rules": item.rules,
        "basis": basis,
        "standard_basis": standard,
    }


def _by_first(rows: Iterable[tuple[Any, ...]]) -> Mapping[int, list[list[Any]]]:
    """Return rows by their first value, without it."""
    found: dict[int, list[list[Any]]] = defaultdict(list)
    for key, *row in rows:
        found[key].append(row)
    return found


def _carried_entries(rating_list: RatingList, listing: Listing) -> Any:
    """Return the previous entries without a calculation that a file of the list before does not imply.

    Implied is what an import would infer (D-12), and that a player who is active stays so. Withheld entries are
    needed where their players are listed again (9.1).
    """
    calculated = Calculation.objects.filter(rating_list=rating_list, player=OuterRef("player"))
    listed = ListEntry.objects.filter(rating_list=rating_list, player=OuterRef("player")).listed()
    rows = ListEntry.objects.filter(rating_list=rating_list.previous_id).filter(~Exists(calculated))
    before = rating_list.previous.date if rating_list.previous else rating_list.date
    is_listed = Q(status=EntryStatus.LISTED) & _is_special(listing, before)
    rows = rows.filter(is_listed | (Q(status=EntryStatus.WITHHELD) & Exists(listed)))
    return rows.order_by("player_id").values_list("player_id", *ENTRY_FIELDS)


def _is_special(listing: Listing, before: date) -> Q:
    rules = listing.rules
    reached, new, other = rules.imported_k
    low, high = rules.reached_low, rules.reached_high
    is_young_below = Q(birth_year__gte=before.year - rules.junior_age, rating__lt=low)
    is_new = Q(k_factor=new) & ~is_young_below
    has_low = Q(rating__gte=low) | (is_young_below & Q(k_factor__in=(reached, other)))
    has_high = Q(rating__gte=high) | Q(k_factor=reached)
    is_idle = Q(last_played=None) | Q(last_played__lt=listing.active_since)
    newcomer = Q(completed_games__lt=rules.newcomer_games)
    pairs = (
        (newcomer, is_new),
        (Q(reached_2300=True), has_low),
        (Q(reached_2400=True), has_high),
        (is_idle, Q(is_inactive=True)),
    )
    special = Q(pk=None)
    for stored, implied in pairs:
        special |= (stored & ~implied) | (~stored & implied)
    return special


def _line(*values: Any) -> str:
    return ",".join(map(_cell, values)) + "\n"


def _cell(value: Any) -> str:
    """Return a value as CSV writes it, without the guard for spreadsheets: a program compares it with the list."""
    text = "" if value is None else str(value)
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"\r\n') else text
