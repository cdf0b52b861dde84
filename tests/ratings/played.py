"""Names of `tests.make` for modules that are rewritten elsewhere."""

from tests.make import FIRST_LIST, NEXT_LIST, Month, play_month

__all__ = ["FIRST_LIST", "NEXT_LIST", "Month", "play_month"]
