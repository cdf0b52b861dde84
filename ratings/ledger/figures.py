"""What a list shows and keeps of a player: the one declaration of the columns of an entry, and of a person's data.

Rows of entries, carried and calculated, files, evidence and imports derive their columns from it.
"""

from __future__ import annotations

from players.fide_list import ExportRow
from ratings.systems.otb.listing import Entry

# The data of a person, as players and entries have them.
PERSON = ("name", "federation_id", "sex", "title", "women_title", "other_titles", "foa_title", "birth_year")
# The names of columns where they are others than those of the values.
COLUMNS = {"k": "k_factor", "completed": "completed_games"}
EXPORTED = COLUMNS | {
    "fide_id": "player_id",
    "federation": "federation_id",
    "birth_year": "shown_year",
    "inactive": "is_inactive",
}
# In the order of `Entry`, of a row of a list, and of a row of its files.
ENTRY_FIELDS = tuple(COLUMNS.get(name, name) for name in Entry._fields)
ROW_FIELDS = ("rating_list", "player", *(name.removesuffix("_id") for name in PERSON), *ENTRY_FIELDS)
EXPORT_FIELDS = tuple(EXPORTED.get(name, name) for name in ExportRow._fields)
