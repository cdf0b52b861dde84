"""Verifying a published list as a whole (promise 1): its files, its lists before, and the reports behind it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import reduce
from operator import or_
from typing import Any

from django.core.files.storage import storages
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from core.digests import sha256_of
from core.sql import ids_subquery
from players.choices import Area, CaseState, Deed
from players.federations import is_in_force
from players.log_chain import is_on_chain, linked_until
from players.models import Federation, FederationExclusion, LogEntry, Player
from ratings.choices import Origin
from ratings.export import packed_hash
from ratings.models import Correction, ListEntry, ListFile, RatingList, TournamentRating
from ratings.publish.files import evidence_path, hash_of, hashes_again
from ratings.publish.manifest import FACTS, canonical_json, load_included_marks
from ratings.publish.signatures import is_signed_by
from ratings.verify.entries import FirstDifference, compare
from ratings.verify.lists import evidence_differences, list_differences
from tournaments.changed_fields import MARK
from tournaments.choices import OPEN_REGISTRATIONS, Action, ReportState
from tournaments.marks import mark_text
from tournaments.models import Game, Hold, Participant, Report
from tournaments.trf import read_report
from tournaments.trf.report import game_rows, participant_rows

CHUNK = 1 << 16


# What the manifest of every published list says, and what the list is compared with.
MANIFEST_FACTS = (
    "adoptions", "audit_log", "deaths", "evidence", "exclusions", "files", "not_listed", "reports",
)  # fmt: skip


def verify_list(rating_list: RatingList, *, public_key: str = "") -> FirstDifference | None:
    """Return the first thing that is not as it was published, None where everything is.

    An imported list has no reports: its manifest alone is checked. With a public key the signature must be there
    and right; `ValueError` where the key is none.
    """
    return next(_differences(rating_list, public_key), None)


def _differences(rating_list: RatingList, public_key: str) -> Iterator[FirstDifference]:
    yield from _manifest_differences(rating_list, public_key)
    if rating_list.origin != Origin.PUBLISHED:
        return
    missing = [name for name in MANIFEST_FACTS if name not in rating_list.manifest]
    if missing:
        # Who takes facts out of a manifest may write its hash, too; nothing can be compared with what is left.
        yield FirstDifference(
            "manifest", rating_list.stored_name, f"without {', '.join(missing)}", "all facts"
        )
        return
    yield from report_differences(rating_list)
    yield from decision_differences(rating_list)
    yield from standing_differences(rating_list)
    sources = yield from list_differences(rating_list)
    files = {item.format: item for item in rating_list.files.all()}
    hashes = hashes_again(rating_list)
    for file_format, published in sorted(rating_list.manifest["files"].items()):
        item = files.get(file_format)
        if item is None:
            yield FirstDifference("file", file_format, "none", published["sha256"])
            continue
        yield from compare("file from the entries", item.path, hashes[file_format], published["sha256"])
        yield from compare("stored file", item.path, published_hash(item), published["sha256"])
    yield from evidence_differences(rating_list, sources)
    yield from _packed_differences(rating_list)


def _manifest_differences(rating_list: RatingList, public_key: str) -> Iterator[FirstDifference]:
    content = canonical_json(rating_list.manifest)
    name, digest = rating_list.stored_name, sha256_of(content)
    yield from compare("manifest", name, digest, rating_list.manifest_sha256)
    if public_key and not is_signed_by(content, rating_list.signature, public_key):
        yield FirstDifference("signature", name, rating_list.signature or "none", "one by the public key")
    log = rating_list.manifest.get("audit_log")
    # Imported lists name none.
    if log and not is_on_chain(log["entries"], log["sha256"]):
        yield FirstDifference("audit log", f"after {log['entries']} entries", "another hash", log["sha256"])
    before, named = rating_list.previous, rating_list.manifest.get("previous")
    if named and before is not None:
        sides = (before.manifest_sha256, named["manifest_sha256"])
        yield from compare("manifest of the list before", before.stored_name, *sides)


def _packed_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """The evidence must be what the manifest names; packed files must be as they were made, if they are made yet."""
    path, published = evidence_path(rating_list), rating_list.manifest["evidence"]
    yield from compare("stored file", path, stored_hash(path), published["sha256"])
    for item in rating_list.archives.order_by("name"):
        yield from compare("packed file", item.path, stored_hash(item.path), item.sha256)


def stored_hash(path: str) -> str:
    """Return the SHA-256 of a file in the storage of lists, or the word `missing`."""
    if not storages["lists"].exists(path):
        return "missing"
    with storages["lists"].open(path) as source:
        return hash_of(iter(source.chunks(CHUNK)))


def published_hash(item: ListFile) -> str:
    """Return the SHA-256 of a published file as the storage has it, plain or packed only, or what is wrong."""
    if storages["lists"].exists(item.path):
        return stored_hash(item.path)
    return packed_hash(item)


# The report's own key, and the player found for a reported ID, are not in the bytes.
PARTICIPANT_VALUES = (
    "number", "fide_id", "name", "federation_code", "sex", "title", "rating", "half_points", "rank",
)  # fmt: skip
NAME = PARTICIPANT_VALUES.index("name")
GAME_VALUES = ("round", "white", "black", "white_code", "black_code", "is_played")


def report_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Yield what is not as the manifest says: missing, swapped or changed reports, participants and games."""
    ratings = TournamentRating.objects.filter(included_in=rating_list)
    stored = dict(ratings.values_list("report__tournament__event_id", "report_id"))
    listed = {row["event_id"]: row for row in rating_list.manifest["reports"]}
    for event_id in sorted(stored.keys() | listed.keys()):
        if event_id not in stored or event_id not in listed:
            held, named = (str(event_id in side).lower() for side in (stored, listed))
            yield FirstDifference("report of the manifest", event_id, held, named)
            continue
        yield from _fact_differences(rating_list, event_id, stored[event_id], listed[event_id])
        report = Report.objects.only("content").get(pk=stored[event_id])
        yield from _content_differences(event_id, report, listed[event_id]["sha256"])
    yield from _mark_differences(rating_list, listed)


def decision_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Yield where a list took another version than the accepted one, or what was not to be rated (D-104).

    What a correction changed after publication has its lines on a later list.
    """
    taken = TournamentRating.objects.filter(included_in=rating_list)
    tournament_of = dict(taken.values_list("report", "report__tournament"))
    # In steps: PostgreSQL takes minutes for one statement about rows that it has no statistics of yet.
    corrections = Correction.objects.filter(tournament__in=ids_subquery(tournament_of.values()))
    corrected = set(corrections.order_by().values_list("tournament", flat=True))
    kept = {report: tournament for report, tournament in tournament_of.items() if tournament not in corrected}
    accepted = Report.objects.filter(state=ReportState.ACCEPTED, tournament__in=ids_subquery(kept.values()))
    held = set(Hold.objects.filter(state=CaseState.WAITING).values_list("tournament", flat=True))
    versions = dict(accepted.values_list("tournament", "version"))
    reports = Report.objects.filter(pk__in=ids_subquery(kept)).defer("content", "pgn", "findings")
    for report in reports.select_related("tournament"):
        tournament, event_id = report.tournament, report.tournament.event_id
        yield from compare("accepted version", event_id, report.version, versions.get(tournament.pk))
        if tournament.registration not in OPEN_REGISTRATIONS:
            expected = ", ".join(sorted(OPEN_REGISTRATIONS))
            yield FirstDifference("registration", event_id, tournament.registration, expected)
        if tournament.pk in held:
            yield FirstDifference("question", event_id, "open", "none")


def _fact_differences(
    rating_list: RatingList, event_id: str, report: int, published: dict[str, Any]
) -> Iterator[FirstDifference]:
    """Yield the facts of a report that are neither those of the manifest nor those that a later step left."""
    paths = {"version": "version", "is_continental": "tournament__is_continental"}
    paths |= {name: path.removeprefix("report__") for name, path in FACTS.items()}
    # Manifests name it only where it is so, which keeps those of earlier lists as they were.
    published = {"is_continental": "False"} | published
    named = {name: str(published[name]) for name in paths if name in published}
    values = Report.objects.values(*paths.values()).get(pk=report)
    stored = {name: str(values[paths[name]]) for name in named}
    other = {name: value for name, value in stored.items() if value != named[name]}
    if not other:
        return
    expected = named | _logged_facts(event_id, since=rating_list.published_at)
    for name in sorted(other):
        yield from compare(name.replace("_", " "), event_id, other[name], expected[name])


def _logged_facts(event_id: str, *, since: datetime | None) -> dict[str, str]:
    """Return the facts of a tournament that later steps of the log changed, as the last of them left each."""
    later = LogEntry.objects.filter(tournament__event_id=event_id, at__gte=since).order_by("at", "pk")
    logged: dict[str, str] = {}
    for changes, before, registration in later.values_list("changes", "before", "after"):
        logged |= {change["field"]: str(change["after"]) for change in changes}
        logged |= {"registration": registration} if before else {}
    return logged


def _mark_differences(
    rating_list: RatingList, listed: dict[str, dict[str, Any]]
) -> Iterator[FirstDifference]:
    """Yield the marks of games that are not those of the manifest, or that no step of the log set or removed (D-100).

    Of what was corrected the log has the reasons alone.
    """
    named = {event_id: row["marks"] for event_id, row in listed.items()}
    stored = load_included_marks(rating_list)
    logged = _logged_marks(named)
    for event_id, marks in sorted(named.items()):
        yield from compare("marks of games", event_id, stored.get(event_id, []), marks)
        texts = Counter(mark_text(mark["round"], mark["mark"], mark["reference"]) for mark in marks)
        if event_id not in logged and not texts:
            continue
        steps = logged.get(event_id, Counter())
        if steps is not None:
            sides = (sorted(side.elements()) for side in (texts, steps))
            yield from compare("marks in the audit log", event_id, *sides)


def _logged_marks(events: Collection[str]) -> dict[str, Counter[str] | None]:
    """Return the marks that the steps of each event leave; None where a step does not say what it marked."""
    steps = LogEntry.objects.filter(area=Area.TOURNAMENT, action__in=(Action.MARK, Action.CORRECT)).order_by(
        "pk"
    )
    left: dict[str, Counter[str] | None] = {}
    for event_id, changes in steps.values_list("tournament__event_id", "changes"):
        if event_id not in events:
            continue
        marks = left.setdefault(event_id, Counter())
        own = [change for change in changes if change["field"] == MARK]
        # A correction of a whole report may have set marks, of which the log has the reason alone.
        if not own or marks is None:
            left[event_id] = None
            continue
        marks.update(change["after"] for change in own if change["after"])
        marks.subtract(change["before"] for change in own if change["before"])
    # The plus leaves out what was set and removed again.
    return {event_id: None if marks is None else +marks for event_id, marks in left.items()}


def _content_differences(event_id: str, report: Report, sha256: str) -> Iterator[FirstDifference]:
    content = bytes(report.content)
    digest = sha256_of(content)
    if digest != sha256:
        yield FirstDifference("report", event_id, digest, sha256)
        return
    trf = read_report(content)
    rows = Participant.objects.filter(report=report).order_by("number").values_list(*PARTICIPANT_VALUES)
    stored, expected = list(rows), sorted(participant_rows(trf))
    if any(finding.code == "encoding-guessed" for finding in trf.findings):
        # An earlier release may have taken another encoding for the likely one; no rating depends on a name.
        stored, expected = ([(*row[:NAME], *row[NAME + 1 :]) for row in some] for some in (stored, expected))
    yield from _row_differences("participant", event_id, stored, expected)
    games = Game.objects.filter(report=report).values_list(*GAME_VALUES)
    yield from _row_differences(
        "game", event_id, sorted(games, key=_by_place), sorted(game_rows(trf), key=_by_place)
    )


def _by_place(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return row[:2]


def _row_differences(
    what: str, event_id: str, stored: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]
) -> Iterator[FirstDifference]:
    for left, right in zip(stored, expected, strict=False):
        if left != right:
            yield FirstDifference(what, f"{event_id} {right[:2]}", left, right)
            return
    yield from compare(f"number of {what}s", event_id, len(stored), len(expected))


# Deaths, exclusions and memberships against the manifest of a list and the audit log (9.1, 9.2).
NOTHING = "none"
# What the steps of the log left of a fact, the oldest first, and whether each was linked before the list was published.
Steps = Mapping[Any, Sequence[tuple[bool, str]]]


def standing_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Yield deaths, exclusions and memberships that are neither of the manifest nor of the log (9.1, 9.2)."""
    yield from _death_differences(rating_list)
    day = rating_list.date
    stored = FederationExclusion.objects.order_by().values_list("federation_id", "excluded_from", "until")
    now = {(code, first): _end(first, until, day) for code, first, until in stored}
    named = {
        (row["federation"], date.fromisoformat(row["from"])): f"until {row['until'] or 'further notice'}"
        for row in rating_list.manifest["exclusions"]
    }
    steps = _steps(rating_list, _exclusions_logged(day))
    for key in sorted(now.keys() | named.keys() | steps.keys()):
        where = f"{key[0]} from {key[1]}"
        yield from _standing("exclusion", where, now.get(key, NOTHING), named.get(key, NOTHING), steps[key])
    yield from _membership_differences(rating_list)


def _death_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Compare the deaths before the list; a player who is neither named nor listed is not the list's concern."""
    named = {row["fide_id"]: row["died_on"] for row in rating_list.manifest["deaths"]}
    day = rating_list.date
    stored = dict(Player.objects.filter(died_on__lt=day).order_by().values_list("pk", "died_on"))
    steps = _steps(
        rating_list,
        (
            (entry.pk, entry.player_id, died if died and died < day.isoformat() else NOTHING)
            for entry in _entries(Area.PLAYER, "died_on").exclude(player=None)
            for died in _after(entry, "died_on")
        ),
    )
    concerned = stored.keys() | named.keys() | steps.keys()
    now = {key: str(died) for key, died in stored.items()}
    listed = ListEntry.objects.filter(rating_list=rating_list, player__in=ids_subquery(concerned)).listed()
    seen = named.keys() | {*listed.order_by().values_list("player", flat=True)}
    for key in sorted(concerned):
        then = named.get(key, NOTHING) if key in seen else None
        yield from _standing("date of death", f"player {key}", now.get(key, NOTHING), then, steps[key])


def _exclusions_logged(day: date) -> Iterator[tuple[int, tuple[str, date], str]]:
    """Yield what each step of the log left of an exclusion, by its federation and first day."""
    ends: dict[tuple[str, date], date | None] = {}
    for entry in _entries(Area.EXCLUSION):
        key = (entry.federation_id or "", date.fromisoformat(entry.subject.rpartition(" ")[2]))
        for until in _after(entry, "until"):
            ends[key] = date.fromisoformat(until) if until else None
        is_over = entry.action == Deed.DELETED
        yield entry.pk, key, NOTHING if is_over else _end(key[1], ends.get(key), day)


def _end(first: date, until: date | None, day: date) -> str:
    """Return until when an exclusion that is in force on a day excludes."""
    return f"until {until or 'further notice'}" if is_in_force(first, until, day) else NOTHING


def _membership_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Compare whose players are listed; federations that nobody changed have no step in the log."""
    federations = {one.code: one for one in Federation.objects.order_by("code")}
    steps = _steps(rating_list, _memberships_logged(federations))
    outside = rating_list.manifest["not_listed"]
    for code, federation in federations.items():
        now, then = _listing(federation.is_listed), _listing(code not in outside)
        yield from _standing("players of a federation", code, now, then, steps[code], is_open=True)


def _memberships_logged(federations: Mapping[str, Federation]) -> Iterator[tuple[int, str, str]]:
    """Yield whether each step of the log left the players of a federation listed."""
    fields = ("is_member", "listing_reference")
    entries = [*_entries(Area.FEDERATION, *fields)]
    known: dict[str, dict[str, Any]] = defaultdict(dict)
    # Before its first change in the log a field was what that change says, and without one what it is now.
    for entry in reversed(entries):
        known[entry.federation_id or ""] |= {
            change["field"]: change["before"] for change in entry.changes if change["field"] in fields
        }
    for entry in entries:
        code = entry.federation_id or ""
        state = known[code]
        state |= {change["field"]: change["after"] for change in entry.changes if change["field"] in fields}
        values = [state.get(name, getattr(federations.get(code), name, None)) for name in fields]
        yield entry.pk, code, _listing(any(values))


def _listing(is_listed: bool) -> str:
    return "listed" if is_listed else "not listed"


def _entries(area: Area, *fields: str) -> QuerySet[LogEntry]:
    """Return the entries of an area, the oldest first, that name one of the fields; without fields all."""
    entries = LogEntry.objects.filter(area=area, action__in=(Deed.ADDED, Deed.EDITED, Deed.DELETED))
    if fields:
        named = [Q(text__contains=f'"{name}"') for name in fields]
        entries = entries.annotate(text=Cast("changes", TextField())).filter(reduce(or_, named))
    return entries.order_by("pk")


def _after(entry: LogEntry, field: str) -> list[str | None]:
    """Return what a step of the log made of a field, in a list; an empty one where it changed another."""
    return [change["after"] for change in entry.changes if change["field"] == field]


def _steps(rating_list: RatingList, rows: Iterable[tuple[int, Any, str]]) -> Steps:
    """Return the steps of each key with whether the manifest names a log that has them already."""
    rows = list(rows)
    linked = linked_until(rating_list.manifest["audit_log"]["entries"], [entry for entry, _, _ in rows])
    steps: dict[Any, list[tuple[bool, str]]] = defaultdict(list)
    for entry, key, value in rows:
        steps[key].append((entry in linked, value))
    return steps


def _standing(
    what: str,
    where: str,
    now: str,
    then: str | None,
    steps: Sequence[tuple[bool, str]],
    *,
    is_open: bool = False,
) -> Iterator[FirstDifference]:
    """Compare a fact now with the last step of the log, and as the manifest names it with the steps until then.

    `then` is None where the list does not depend on it. `is_open`: without a step, the value may be any.
    """
    start = then if is_open and then is not None else NOTHING
    before = [value for is_linked, value in steps if is_linked]
    # A step that was linked later may have come before the list or after it.
    allowed = {before[-1] if before else start, *(value for is_linked, value in steps if not is_linked)}
    last = steps[-1][1] if steps else start
    if now != last:
        yield FirstDifference(what, where, now, last)
    elif then is not None and then not in allowed:
        yield FirstDifference(f"{what} in the manifest", where, then, " or ".join(sorted(allowed)))
