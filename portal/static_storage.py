"""Static files with hashed names; the stylesheet is one file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Its imports become one file: a browser asks once, not once for each.
STYLESHEET = "css/portal.css"
IMPORT = re.compile(r'^@import url\("([a-z-]+\.css)"\);$', re.MULTILINE)


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Names of static files carry their hash; until `collectstatic` has run they are the plain ones."""

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


def _text(source: Any, path: str) -> str:
    with source.open(path) as file:
        text: str = file.read().decode()
    return text
