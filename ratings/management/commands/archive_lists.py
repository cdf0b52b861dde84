"""`archive_lists`: pack the files of published lists that are not packed yet, keep old ones packed only."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from core.commands import PortalCommand
from ratings.archives import keep_packed_only, make_archives
from ratings.choices import Origin
from ratings.models import RatingList


class Command(PortalCommand):
    help = (
        "Compress the files of published lists that have no .gz or .zip yet, and the history of each "
        "rating type. Delete uncompressed files of lists older than a year: readers still get them uncompressed."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        lists = RatingList.objects.filter(origin=Origin.PUBLISHED).defer("manifest").order_by("-date", "kind")
        written = [item.path for rating_list in lists for item in make_archives(rating_list)]
        deleted = keep_packed_only(today=timezone.now().date())
        lines = [*written, f"{len(written)} files written", *deleted, f"{len(deleted)} kept compressed only"]
        self.emit({"written": written, "deleted": deleted}, lines, options)
