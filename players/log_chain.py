"""The chain of the audit log: each entry is linked to the one before by its hash, so that none is changed unseen.

Entries are linked shortly after they are written: every minute, and before a list is published.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db import models, transaction
from django.db.models import Exists, Max, OuterRef

from core.bulk import batched, write_rows
from core.sql import ids_subquery, lock_until_commit
from players.choices import Area, Deed
from players.models import LogEntry, LogLink, SealedEntry

BATCH = 10_000
# Transactions that overlap write entries out of order: so many are looked at again.
OVERLAP = 5_000
# Any number that no other lock of the portal has.
CHAIN = 7_240_021
START = "0" * 64
LINK_FIELDS = ("number", "entry", "digest", "sha256")


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The end of the chain: how many entries it has, and the hash of the last one."""

    entries: int
    sha256: str


def head() -> ChainHead:
    """Return the end of the chain; no entries and a hash of zeros where nothing is linked yet."""
    last = LogLink.objects.order_by("-number").first() or SealedEntry.objects.order_by("-number").first()
    return ChainHead(last.number, last.sha256) if last else ChainHead(0, START)


def link_log(*, whole: bool = False) -> int:
    """Link the entries that are not linked yet, in batches, and return how many were.

    `whole` looks at every entry instead of the newest ones: for what a long transaction left behind.
    """
    linked = count = _link_some(whole=whole)
    while count == BATCH:
        count = _link_some(whole=whole)
        linked += count
    return linked


def verify_log() -> Iterator[str]:
    """Yield every entry that was changed or removed, and every place at which the chain is broken."""
    end, moved = ChainHead(0, START), START
    for sealed in SealedEntry.objects.order_by("number").iterator(chunk_size=BATCH):
        digest = text_digest(sealed.content) if sealed.content else None
        yield from _problems(sealed, f"{sealed.source} {sealed.row}", end, digest)
        end, moved = ChainHead(sealed.number, sealed.sha256), moved_hash(moved, sealed)
    if end.entries:
        first = LogLink.objects.order_by("number").values("entry")[:1]
        seal = LogEntry.objects.filter(pk=first, area=Area.PORTAL, action=Deed.SEAL).first()
        if seal is None or (seal.subject, seal.after) != (f"{end.entries} {end.sha256}", moved):
            yield _problem(end.entries, "seal", "is another one than the log names")
    links = LogLink.objects.order_by("number").iterator(chunk_size=BATCH)
    for some in batched(links, BATCH):
        entries = LogEntry.objects.in_bulk([link.entry for link in some])
        for link in some:
            digest = row_digest(entries[link.entry]) if link.entry in entries else None
            yield from _problems(link, f"log {link.entry}", end, digest)
            end = ChainHead(link.number, link.sha256)


def is_on_chain(entries: int, sha256: str) -> bool:
    """Return whether the chain had this hash after so many entries, as in a manifest."""
    if entries == 0:
        return sha256 == START
    place = {"number": entries, "sha256": sha256}
    return LogLink.objects.filter(**place).exists() or SealedEntry.objects.filter(**place).exists()


def linked_until(number: int, entries: Iterable[int]) -> set[int]:
    """Return which entries were linked when the chain had so many, also in the chain before the log was one table."""
    wanted = ids_subquery([*entries])
    return {
        entry
        for table in (SealedEntry, LogLink)
        for entry in table.objects.filter(number__lte=number, entry__in=wanted).values_list(
            "entry", flat=True
        )
        if entry is not None
    }


def row_digest(row: models.Model) -> str:
    """Return the SHA-256 of a row: of its fields that are not empty, so that a field added later changes none."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    filled = {name: value for name, value in values.items() if value}
    # Sorted, as the order of fields in a model may change with a release.
    return text_digest(json.dumps(filled, sort_keys=True, default=_plain))


def text_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _link_some(*, whole: bool) -> int:
    with transaction.atomic():
        # Two runs at once would link two entries to the same one before, which forks the chain.
        lock_until_commit(CHAIN)
        entries = LogEntry.objects.order_by("pk")
        if whole:
            # Reads the whole table, and therefore not every minute.
            entries = entries.exclude(Exists(LogLink.objects.filter(entry=OuterRef("pk"))))
        else:
            since = (LogLink.objects.aggregate(newest=Max("entry"))["newest"] or 0) - OVERLAP
            known = LogLink.objects.filter(entry__gt=since).values_list("entry", flat=True)
            entries = entries.filter(pk__gt=since).exclude(pk__in=set(known))
        return write_rows(LogLink, LINK_FIELDS, _links(head(), entries[:BATCH]))


def _links(last: ChainHead, entries: Iterable[LogEntry]) -> Iterator[tuple[int, int, str, str]]:
    """Yield the links of entries as values of `LINK_FIELDS`, each with the hash of the one before."""
    sha256 = last.sha256
    for number, entry in enumerate(entries, start=last.entries + 1):
        digest = row_digest(entry)
        sha256 = chain_hash(sha256, f"log {entry.pk}", digest)
        yield number, entry.pk, digest, sha256


def chain_hash(before: str, entry: str, digest: str) -> str:
    """Return the hash of the chain up to an entry, named by its table and key."""
    return text_digest(f"{before} {entry} {digest}")


def _problems(
    link: LogLink | SealedEntry, entry: str, before: ChainHead, digest: str | None
) -> Iterator[str]:
    if link.number != before.entries + 1:
        yield _problem(before.entries + 1, "missing", "the previous entries were removed")
    elif link.sha256 != chain_hash(before.sha256, entry, link.digest):
        yield _problem(link.number, entry, "the chain is broken here")
    if digest is None:
        yield _problem(link.number, entry, "was removed")
    elif digest != link.digest:
        yield _problem(link.number, entry, "was changed")


def _problem(number: int, entry: str, problem: str) -> str:
    return f"entry {number} ({entry}): {problem}"


def moved_hash(before: str, sealed: SealedEntry) -> str:
    """Return the hash up to a link of the former chain of which row became which entry."""
    return text_digest(f"{before} {sealed.number} {sealed.entry}")


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        # An instant has one spelling, whatever the zone in which it was written.
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)
