"""Dry runs: what an act does is shown by carrying it out, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def carrying_out(*, is_dry_run: bool) -> Iterator[None]:
    """Carry out what stands in the block in one transaction; a dry run is taken back at its end.

    What is shown before an act is what the act does, by the same code.
    """
    with transaction.atomic():
        yield
        if is_dry_run:
            transaction.set_rollback(True)
