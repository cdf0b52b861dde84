"""The chain of the audit log: each entry is linked to the one before by its hash, so that none is changed unseen.

Entries are linked shortly after they are written: every minute, and before a list is published.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db import models, transaction
from django.db.models import Exists, Max, OuterRef, QuerySet

from core.bulk import batched, write_rows
from core.locks import lock_until_commit
from tournaments.models import LogLink
from tournaments.queries.audit_sources import SOURCES, AuditSource

# Of every table so many rows are read for each batch: many small batches would read most of them several times.
BATCH = 10_000
# Transactions that overlap write rows out of order: so many of a table are looked at again.
OVERLAP = 500
# Any number that no other lock of the portal has.
CHAIN = 7_240_021
START = "0" * 64
LINK_FIELDS = ("number", "source", "row", "digest", "sha256")
BY_KIND = {source.kind: source for source in SOURCES}


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The end of the chain: how many entries it has, and the hash of the last one."""

    entries: int
    sha256: str


@dataclass(frozen=True, slots=True)
class LogProblem:
    """An entry that is not as it was linked."""

    number: int
    entry: str
    problem: str

    def __str__(self) -> str:
        return f"entry {self.number} ({self.entry}): {self.problem}"


def head() -> ChainHead:
    """Return the end of the chain; no entries and a hash of zeros where nothing is linked yet."""
    last = LogLink.objects.order_by("-number").first()
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


def verify_log() -> Iterator[LogProblem]:
    """Yield every entry that was changed or removed, and every place at which the chain is broken."""
    before = ChainHead(0, START)
    links = LogLink.objects.order_by("number").iterator(chunk_size=BATCH)
    for some in batched(links, BATCH):
        digests = _digests(some)
        for link in some:
            yield from _problems(link, before, digests.get((link.source, link.row)))
            before = ChainHead(link.number, link.sha256)


def is_on_chain(entries: int, sha256: str) -> bool:
    """Return whether the chain had this hash after so many entries, as in a manifest."""
    if entries == 0:
        return sha256 == START
    return LogLink.objects.filter(number=entries, sha256=sha256).exists()


def row_digest(row: models.Model) -> str:
    """Return the SHA-256 of a row: of its fields that are not empty, so that a field added later changes none."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    filled = {name: value for name, value in values.items() if value}
    # Sorted, as the order of fields in a model may change with a release.
    return hashlib.sha256(json.dumps(filled, sort_keys=True, default=_plain).encode()).hexdigest()


def _link_some(*, whole: bool) -> int:
    with transaction.atomic():
        # Two runs at once would link two entries to the same one before, which forks the chain.
        lock_until_commit(CHAIN)
        found = [(source, row) for source in SOURCES for row in _rows_without_link(source, whole=whole)]
        # By instant over all tables, as the audit log shows them.
        found.sort(key=lambda item: getattr(item[1], item[0].at))
        # Each table gives its oldest rows, at most a batch: the oldest batch of all tables is among them.
        return write_rows(LogLink, LINK_FIELDS, _links(head(), found[:BATCH]))


def _links(
    last: ChainHead, rows: Iterable[tuple[AuditSource, models.Model]]
) -> Iterator[tuple[int, str, int, str, str]]:
    """Yield the links of rows as values of `LINK_FIELDS`, each with the hash of the one before."""
    sha256 = last.sha256
    for number, (source, row) in enumerate(rows, start=last.entries + 1):
        digest = row_digest(row)
        sha256 = _chain_hash(sha256, source.kind, row.pk, digest)
        yield number, source.kind, row.pk, digest, sha256


def _chain_hash(before: str, source: str, row: int, digest: str) -> str:
    return hashlib.sha256(f"{before} {source} {row} {digest}".encode()).hexdigest()


def _rows_without_link(source: AuditSource, *, whole: bool) -> Sequence[models.Model]:
    rows: QuerySet[Any] = source.table.objects.order_by("pk")
    links = LogLink.objects.filter(source=source.kind)
    if whole:
        # Reads the whole table, and therefore not every minute.
        return list(rows.exclude(Exists(links.filter(row=OuterRef("pk"))))[:BATCH])
    since = (links.aggregate(newest=Max("row"))["newest"] or 0) - OVERLAP
    known = set(links.filter(row__gt=since).values_list("row", flat=True))
    return list(rows.filter(pk__gt=since).exclude(pk__in=known)[:BATCH])


def _digests(links: Sequence[LogLink]) -> dict[tuple[str, int], str]:
    rows: dict[str, list[int]] = defaultdict(list)
    for link in links:
        rows[link.source].append(link.row)
    found = ((kind, BY_KIND[kind].table.objects.in_bulk(keys)) for kind, keys in rows.items())
    return {(kind, key): row_digest(row) for kind, by_key in found for key, row in by_key.items()}


def _problems(link: LogLink, before: ChainHead, digest: str | None) -> Iterator[LogProblem]:
    entry = f"{link.source} {link.row}"
    if link.number != before.entries + 1:
        yield LogProblem(before.entries + 1, "missing", "the previous entries were removed")
    elif link.sha256 != _chain_hash(before.sha256, link.source, link.row, link.digest):
        yield LogProblem(link.number, entry, "the chain is broken here")
    if digest is None:
        yield LogProblem(link.number, entry, "was removed")
    elif digest != link.digest:
        yield LogProblem(link.number, entry, "was changed")


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        # An instant has one spelling, whatever the zone in which it was written.
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)
