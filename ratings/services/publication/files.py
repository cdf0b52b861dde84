"""The files of a list and its manifest, a pure function of the stored entries, and the manifest's signature."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import date
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage, storages
from django.db.models import Case, F, PositiveSmallIntegerField, Q, Value, When
from django.db.models.functions import Coalesce

from core.bulk import batched
from core.sql import ids_subquery
from players.fide_list import ExportRow, Parts, write_all, write_csv, write_json, write_txt, write_xml
from players.models import Player
from players.queries.federations import is_in_force, load_unlisted
from players.queries.minors import Minors
from ratings.choices import EntryStatus, FileFormat
from ratings.ledger.figures import EXPORT_FIELDS
from ratings.models import Calculation, CorrectionLine, ListEntry, ListFile, RatingList, TournamentRating
from ratings.queries.ranking import Groups
from ratings.systems.otb.listing import DECEASED
from ratings.systems.registry import Adoptions
from tournaments.conditions import CORRECTED
from tournaments.models import Game
from tournaments.services import log_chain

CHUNK = 5_000
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
GROUP = itemgetter(*map(ExportRow._fields.index, ("federation", "rating", "inactive")))


def export_rows(rating_list: RatingList) -> Iterator[ExportRow]:
    """Return the listed entries in list order as the writers of list files take them."""
    entries = ListEntry.objects.filter(rating_list=rating_list).listed().in_list_order()
    entries = entries.annotate(shown_year=shown_year(rating_list))
    return map(ExportRow._make, entries.values_list(*EXPORT_FIELDS).iterator(chunk_size=CHUNK))


def shown_year(rating_list: RatingList) -> Case | F:
    """Return the year of birth of an entry as the files of its list show it: none of hidden minors (age-bands.md)."""
    if not rating_list.minors_hidden_of:
        return F("birth_year")
    year = PositiveSmallIntegerField(null=True)
    return Case(
        When(hidden_minors(rating_list), then=Value(None)), default=F("birth_year"), output_field=year
    )


def hidden_minors(rating_list: RatingList) -> Q:
    """Return which entries of a list belong to minors whose years were to be hidden when it was published."""
    asking = rating_list.minors_hidden_of
    codes = Q(federation__in=[one for one in asking if isinstance(one, str)])
    people = Q(player__in=[one for one in asking if isinstance(one, int)])
    return (codes | people) & Q(birth_year__gte=Minors(year=rating_list.date.year).first_year)


def file_bytes(rating_list: RatingList, file_format: str) -> Iterator[bytes]:
    """Yield the bytes of a list's file; the same entries give the same bytes."""
    rows, kind, on = export_rows(rating_list), rating_list.kind, rating_list.date
    if file_format == FileFormat.TXT:
        return write_txt(rows, kind=kind, date=on)
    if file_format == FileFormat.XML:
        return write_xml(rows, kind=kind, date=on)
    if file_format == FileFormat.CSV:
        return write_csv(rows, kind=kind, date=on)
    return write_json(rows, kind=kind, date=on, rules=rating_list.rules)


def store_files(rating_list: RatingList) -> tuple[list[ListFile], Groups]:
    """Write all files of a list into the storage; return their rows, not saved yet, and how many players are in them.

    A file that a former attempt left is written over: the bytes are the same.
    """
    groups: Groups = Counter()
    with ExitStack() as stack:
        spools = {
            file_format: stack.enter_context(_spool(rating_list, file_format))
            for file_format in FileFormat.values
        }
        drafts = _drafts(rating_list, _counted(export_rows(rating_list), groups), spools)
        files = [_store(rating_list, *item, drafts[item[0]]) for item in spools.items()]
    return files, groups


def hashes_again(rating_list: RatingList) -> dict[str, str]:
    """Return the SHA-256 of each of a list's files as the entries make it now, by format."""
    drafts = _drafts(rating_list, export_rows(rating_list), {})
    return {file_format: draft.digest.hexdigest() for file_format, draft in drafts.items()}


def _counted(rows: Iterable[ExportRow], groups: Groups) -> Iterator[ExportRow]:
    """Yield the rows, and count what is asked of a list as soon as it stands: its players by their group."""
    for some in batched(rows, CHUNK):
        groups.update(map(GROUP, some))
        yield from some


class _Movable(File):  # type: ignore[type-arg]  # Django's takes its argument for type checkers alone.
    """A file on the way to the storage, which moves it where it can, rather than copy it."""

    def temporary_file_path(self) -> str:
        return str(self.name)


@contextmanager
def _spool(rating_list: RatingList, file_format: str) -> Iterator[_Movable]:
    """Yield a file to write to; what a killed attempt left of it is written over, and nothing of it stays."""
    path = Path(settings.VAR_DIR) / "spool" / Path(path_of(rating_list, file_format)).name
    path.parent.mkdir(exist_ok=True)
    try:
        with path.open("w+b") as file:
            yield _Movable(file)
    finally:
        path.unlink(missing_ok=True)


def _drafts(
    rating_list: RatingList, entries: Iterable[ExportRow], spools: Mapping[str, IO[bytes]]
) -> dict[str, _Draft]:
    """Make all files: the entries are read once, and the writers take them in step."""
    drafts = {file_format: _Draft(spools.get(file_format)) for file_format in Parts._fields}
    for parts in write_all(entries, kind=rating_list.kind, date=rating_list.date, rules=rating_list.rules):
        for draft, part in zip(drafts.values(), parts, strict=True):
            draft.write(part)
    return drafts


class _Draft:
    """A file that is being made: its size and hash so far, and where it goes if anywhere."""

    def __init__(self, spool: IO[bytes] | None) -> None:
        self.size, self.digest = 0, hashlib.sha256()
        self._spool = spool

    def write(self, part: bytes) -> None:
        self.digest.update(part)
        self.size += len(part)
        if self._spool is not None:
            self._spool.write(part)


def _store(rating_list: RatingList, file_format: str, spool: _Movable, draft: _Draft) -> ListFile:
    path = path_of(rating_list, file_format)
    put(storages["lists"], path, spool)
    return ListFile(
        rating_list=rating_list,
        format=file_format,
        path=path,
        size=draft.size,
        sha256=draft.digest.hexdigest(),
    )


def hash_of(parts: Iterator[bytes]) -> str:
    """Return the SHA-256 of a file's parts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def put(storage: Storage, path: str, spool: File[bytes]) -> None:
    """Put a file at exactly this path of the storage."""
    spool.seek(0)
    if storage.exists(path):
        storage.delete(path)
    stored = storage.save(path, spool)
    if stored != path:
        raise OSError(f"the storage wrote {stored} in place of {path}")


def path_of(rating_list: RatingList, file_format: str) -> str:
    """Return a file's path in the storage: `rapid/2026-02-01/rapid-2026-02-01.txt`."""
    day = rating_list.date.isoformat()
    return f"{rating_list.kind}/{day}/{rating_list.kind}-{day}.{file_format}"


def manifest_of(rating_list: RatingList, files: list[ListFile], adoptions: Adoptions) -> dict[str, Any]:
    """Return what the list was made from and what came out, in a total order (promise 1)."""
    previous = rating_list.previous
    mergers = mergers_taken(rating_list)
    log = log_chain.head()
    return {
        **({"mergers": mergers} if mergers else {}),
        **({"minors_hidden_of": hidden} if (hidden := _asking_federations(rating_list)) else {}),
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


def _asking_federations(rating_list: RatingList) -> list[str]:
    return [one for one in rating_list.minors_hidden_of if isinstance(one, str)]


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


def manifest_bytes(manifest: dict[str, Any]) -> bytes:
    """Return a manifest as canonical JSON: sorted keys, no spaces, UTF-8."""
    return json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def signature_of(content: bytes) -> str:
    """Return the signature in base64, empty where no key is set."""
    key = _private_key()
    return base64.b64encode(key.sign(content)).decode() if key else ""


def public_key() -> str:
    """Return the public key in base64 (32 bytes), empty where no key is set."""
    key = _private_key()
    if key is None:
        return ""
    raw = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return base64.b64encode(raw).decode()


def is_signed_by(content: bytes, signature: str, key: str) -> bool:
    """Whether a signature of the content was made by the owner of a public key; both in base64.

    `ValueError` where the key is not one.
    """
    verifier = Ed25519PublicKey.from_public_bytes(base64.b64decode(key, validate=True))
    try:
        verifier.verify(base64.b64decode(signature, validate=True), content)
    except (InvalidSignature, ValueError):
        return False
    return True


def _private_key() -> Ed25519PrivateKey | None:
    encoded: str = settings.LIST_SIGNING_KEY or ""
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(encoded)) if encoded else None
