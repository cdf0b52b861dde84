"""`measure_lists`: measure the pools of published lists that are not measured yet."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from core.commands import PortalCommand
from ratings.services.due_runs import name_of
from ratings.services.health import measure, unmeasured_lists


class Command(PortalCommand):
    help = "Calculate the rating health of published lists that do not have it yet."

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        done = [name_of(measure(item, at=now).rating_list) for item in unmeasured_lists()]
        self.emit({"measured": done}, [*done, f"{len(done)} lists measured"], options)
