"""Files that show something of a case, added by those concerned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.digests import sha256_of
from core.errors import Refusal, RefusedError, refused
from tournaments.choices import Action, Stage
from tournaments.files import MEBIBYTE, safe_file_name
from tournaments.limits import refuse_too_many_bytes
from tournaments.log import record_action
from tournaments.models import CaseFile, Tournament
from tournaments.permissions import file_purposes_for
from tournaments.portal_reasons import SENTENCES

MAX_FILES = 5
MAX_FILE_BYTES = 4 * MEBIBYTE
# However many times files are added, a tournament has so many.
MAX_FILES_OF_TOURNAMENT = 20
# The first bytes of each format, and the endings of its names; the first one is given to a name without any.
SIGNATURES = {
    b"%PDF-": (".pdf",),
    b"\x89PNG\r\n\x1a\n": (".png",),
    b"\xff\xd8\xff": (".jpg", ".jpeg"),
}
# A pair of name and bytes.
File = tuple[str, bytes]


def file_refusals(files: Sequence[File]) -> Iterator[Refusal]:
    """Yield what is wrong with files: number, size, or content that is neither PDF, PNG nor JPEG."""
    if len(files) > MAX_FILES:
        yield Refusal("too-many-files", _("Upload at most %(most)d files.") % {"most": MAX_FILES}, "evidence")
    if any(not 0 < len(content) <= MAX_FILE_BYTES for _name, content in files):
        message = _("A file is empty or larger than %(most)d MiB. Select other files.")
        yield Refusal("file-size", message % {"most": MAX_FILE_BYTES // MEBIBYTE}, "evidence")
    # By the first bytes: the browser's content type is whatever the sender claims.
    elif unknown := [name for name, content in files if not _endings(content)]:
        message = _("%(name)s is not a PDF, PNG or JPEG file. Upload only these formats.")
        yield Refusal("file-format", message % {"name": clean_name(unknown[0])}, "evidence")


def add_files(tournament: Tournament, purpose: str, files: Sequence[File], *, by: Any, at: datetime) -> int:
    """Add files to a tournament and return how many are new: the same content again adds nothing.

    `RefusedError` without files, for a purpose that is not the user's to show, beyond a limit, or once the tournament
    is on a published list.
    """
    refusals = [*_adding_refusals(tournament, purpose, files, by), *file_refusals(files)]
    if refusals:
        raise RefusedError(refusals)
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        refuse_too_many_bytes(by, [content for _name, content in files], at=at)
        kept = set(locked.files.filter(purpose=purpose).values_list("sha256", flat=True))
        new = {
            sha256_of(content): (name, content) for name, content in files if sha256_of(content) not in kept
        }
        # Numbered under the lock, so that two uploads at once neither share a number nor pass the limit.
        number = locked.files.count()
        if number + len(new) > MAX_FILES_OF_TOURNAMENT:
            message = _("A tournament can have at most %(most)d files.")
            limit = {"most": MAX_FILES_OF_TOURNAMENT}
            raise refused("too-many-files", message % limit, "evidence")
        if new:
            values = {"tournament": locked, "purpose": purpose, "added_by": by, "added_at": at}
            write_files(new.values(), after=number, **values)
            names = ", ".join(clean_name(name, content) for name, content in new.values())
            reason = SENTENCES.state("files-added", purpose=purpose, names=names)
            record_action(locked, Action.ATTACH, reason=reason, by=by, at=at)
    return len(new)


def clean_name(name: str, content: bytes = b"") -> str:
    """Return a name without path and control characters, with an ending of the format of its content."""
    clean, endings = safe_file_name(name), _endings(content)
    if not endings or clean.lower().endswith(endings):
        return clean
    return f"{clean[-190:]}{endings[0]}"


def write_files(files: Any, *, after: int = 0, **values: Any) -> None:
    """Write files by whose case they are, numbered on. Within a transaction."""
    for number, (name, content) in enumerate(files, after + 1):
        CaseFile.objects.create(
            number=number,
            file_name=clean_name(name, content),
            content=content,
            size=len(content),
            sha256=sha256_of(content),
            **values,
        )


def _endings(content: bytes) -> tuple[str, ...]:
    return next((names for start, names in SIGNATURES.items() if content.startswith(start)), ())


def _adding_refusals(
    tournament: Tournament, purpose: str, files: Sequence[File], by: Any
) -> Iterator[Refusal]:
    if not files:
        yield Refusal("file-missing", _("Select a file."), "evidence")
    if purpose not in file_purposes_for(by, tournament):
        yield Refusal("purpose", _("Select the purpose of the files."), "purpose")
    if tournament.stage == Stage.PUBLISHED:
        message = _("The tournament is on a published list, so no files can be added.")
        yield Refusal("published", message)
