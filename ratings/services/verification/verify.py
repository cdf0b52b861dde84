"""Verifying a published list as a whole (promise 1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from django.core.files.storage import storages

from ratings.choices import Origin
from ratings.models import RatingList
from ratings.queries.catalogue import EVIDENCE
from ratings.services.publication.files import hash_of, hashes_again, is_signed_by, manifest_bytes, path_of
from ratings.services.verification.entries import Difference
from ratings.services.verification.lists import evidence_differences, list_differences
from ratings.services.verification.reports import decision_differences, report_differences
from tournaments.services.log_chain import is_on_chain

CHUNK = 1 << 16


def verify_list(rating_list: RatingList, *, public_key: str = "") -> Difference | None:
    """Return the first thing that is not as it was published, None where everything is.

    An imported list has no reports: its manifest alone is checked. With a public key the signature must be there
    and right; `ValueError` where the key is none.
    """
    return next(_differences(rating_list, public_key), None)


def _differences(rating_list: RatingList, public_key: str) -> Iterator[Difference]:
    yield from _manifest_differences(rating_list, public_key)
    if rating_list.origin == Origin.PUBLISHED:
        yield from report_differences(rating_list)
        yield from decision_differences(rating_list)
        sources = yield from list_differences(rating_list)
        yield from _file_differences(rating_list)
        yield from evidence_differences(rating_list, sources)
        yield from _stored_evidence_differences(rating_list)
        yield from _archive_differences(rating_list)


def _manifest_differences(rating_list: RatingList, public_key: str) -> Iterator[Difference]:
    content = manifest_bytes(rating_list.manifest)
    digest = hashlib.sha256(content).hexdigest()
    if digest != rating_list.manifest_sha256:
        yield Difference("manifest", str(rating_list), digest, rating_list.manifest_sha256)
    if public_key and not is_signed_by(content, rating_list.signature, public_key):
        yield Difference(
            "signature", str(rating_list), rating_list.signature or "none", "one by the public key"
        )
    log = rating_list.manifest.get("audit_log")
    if log and not is_on_chain(log["entries"], log["sha256"]):
        yield Difference("audit log", f"after {log['entries']} entries", "another hash", log["sha256"])
    previous = rating_list.manifest.get("previous")
    if previous and rating_list.previous is not None:
        held, named = rating_list.previous.manifest_sha256, previous["manifest_sha256"]
        if held != named:
            yield Difference("manifest of the list before", str(rating_list.previous), held, named)


def _file_differences(rating_list: RatingList) -> Iterator[Difference]:
    """The bytes from the entries, the bytes in the storage and the manifest must agree."""
    files = {item.format: item for item in rating_list.files.all()}
    hashes = hashes_again(rating_list)
    for file_format, published in sorted(rating_list.manifest.get("files", {}).items()):
        item = files.get(file_format)
        if item is None:
            yield Difference("file", file_format, "none", published["sha256"])
            continue
        again = hashes[file_format]
        if again != published["sha256"]:
            yield Difference("file from the entries", item.path, again, published["sha256"])
        stored = stored_hash(item.path)
        if stored != published["sha256"]:
            yield Difference("stored file", item.path, stored, published["sha256"])


def _stored_evidence_differences(rating_list: RatingList) -> Iterator[Difference]:
    """The evidence in the storage must be what the manifest names; a list from before there was any names none."""
    published = rating_list.manifest.get("evidence")
    if published is not None:
        path = evidence_path(rating_list)
        stored = stored_hash(path)
        if stored != published["sha256"]:
            yield Difference("stored file", path, stored, published["sha256"])


def evidence_path(rating_list: RatingList) -> str:
    """Return where the storage has the evidence of a list."""
    return path_of(rating_list, EVIDENCE.removeprefix("."))


def _archive_differences(rating_list: RatingList) -> Iterator[Difference]:
    """The packed files that were made must be as they were made; one that is not made yet is no difference."""
    for item in rating_list.archives.order_by("name"):
        stored = stored_hash(item.path)
        if stored != item.sha256:
            yield Difference("packed file", item.path, stored, item.sha256)


def stored_hash(path: str) -> str:
    """Return the SHA-256 of a file in the storage of lists, or the word `missing`."""
    if not storages["lists"].exists(path):
        return "missing"
    with storages["lists"].open(path) as source:
        return hash_of(iter(source.chunks(CHUNK)))
