"""What tournaments ask of the ratings above them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from core.hooks import Hook
from tournaments.lists import Lists

# The first day on which a text of the regulations is in force (D-13).
first_rated_day = Hook[[], date]()

# The rating lists that exist.
existing_lists = Hook[[], Lists[Any]]()

# Which ID has the place of a merged FIDE ID on the list of a kind in force on a day, for those that lists know of.
ids_on_list = Hook[[str, date, Collection[int]], Mapping[int, int]]()

# The date of the list on which each of some published tournaments is, by its key.
lists_that_took = Hook[[Collection[int]], Mapping[int, date]]()
