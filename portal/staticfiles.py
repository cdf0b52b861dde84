from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Static files under names that carry their hash; under their plain names until `collectstatic` has run."""

    def stored_name(self, name: str) -> str:
        return super().stored_name(name) if self.hashed_files else name
