"""`archive_lists`: pack the files of published lists that are not packed yet."""

from __future__ import annotations

from typing import Any

from core.commands import PortalCommand
from ratings.choices import Origin
from ratings.models import RatingList
from ratings.services.archives import make_archives


class Command(PortalCommand):
    help = (
        "Compress the files of published lists that have no .gz or .zip yet, and the history of each "
        "rating type."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        lists = RatingList.objects.filter(origin=Origin.PUBLISHED).defer("manifest").order_by("-date", "kind")
        written = [item.path for rating_list in lists for item in make_archives(rating_list)]
        self.emit({"written": written}, [*written, f"{len(written)} files written"], options)
