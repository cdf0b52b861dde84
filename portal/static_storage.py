"""Static files with hashed names; the stylesheet is one file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile
from django.db import connection
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Its imports become one file: a browser asks once, not once for each.
STYLESHEET = "css/portal.css"
IMPORT = re.compile(r'^@import url\("([a-z-]+\.css)"\);$', re.MULTILINE)


MANIFEST = "staticfiles-"


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Names of static files carry their hash; until `collectstatic` has run they are the plain ones.

    Each release finds the names of its own files, whichever was collected last: the manifest is named by the sources.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.manifest_name = f"{MANIFEST}{_digest_of_sources()}.json"
        super().__init__(*args, **options)

    def stored_name(self, name: str) -> str:
        return super().stored_name(name) if self.hashed_files else name

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Put the stylesheets that the main one imports in their places, then do as Django does."""
        if STYLESHEET in paths and not dry_run:
            source, path = paths[STYLESHEET]
            text = IMPORT.sub(lambda found: _text(*paths[f"css/{found[1]}"]), _text(source, path))
            # While a file of that name is there, `_save` takes another name.
            self.delete(STYLESHEET)
            self._save(STYLESHEET, ContentFile(text.encode()))
            paths = {**paths, STYLESHEET: (self, STYLESHEET)}
        yield from super().post_process(paths, dry_run, **options)

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress what pages ask for, once: a file whose name carries its hash never changes."""
        wanted = set(self.hashed_files.values()) & {name for name in paths if not self.exists(f"{name}.gz")}
        yield from super().compress_files(wanted)


def lacks_files() -> bool:
    """Return whether pages of this process name static files as no other machine, or no other release, knows them.

    It started before those of its code were collected here. One machine with plain names agrees with itself.
    """
    is_alone = connection.vendor == "sqlite" and not any(Path(settings.STATIC_ROOT).glob(f"{MANIFEST}*.json"))
    return not staticfiles_storage.hashed_files and not is_alone  # type: ignore[attr-defined]


@cache
def _digest_of_sources() -> str:
    found = hashlib.sha256()
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda pair: pair[0]):
            with storage.open(name) as file:
                found.update(name.encode() + hashlib.sha256(file.read()).digest())
    return found.hexdigest()[:16]


def _text(source: Any, path: str) -> str:
    with source.open(path) as file:
        text: str = file.read().decode()
    return text
