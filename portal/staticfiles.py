from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Names of static files carry their hash; until `collectstatic` has run they are the plain ones."""

    def stored_name(self, name: str) -> str:
        return super().stored_name(name) if self.hashed_files else name
