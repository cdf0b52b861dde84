"""What a list shows and keeps of a player: the one declaration of the columns of an entry, and of a person's data.

Rows of entries, carried and calculated, files, downloads, API, evidence and imports derive their columns from it.
"""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _l

from core.html.dates import list_month
from players.fide_list import ExportRow
from ratings.systems.otb.listing import EntryFigures


class Figure(NamedTuple):
    """What a list shows of a player beside the personal data: a field of `EntryFigures`, its name in files and API.

    `column` is that of the model, `heading` and `word` (of a figure that is true or not) are those of downloads. A
    figure without its `own_cell` on the page of a list has a column there, which sorts by `sort` if it has one.
    """

    name: str
    column: str
    heading: Any
    about: str = ""
    may_be_missing: bool = False
    word: Any = ""
    sort: str = ""
    own_cell: bool = False

    def cell_of(self, entry: Any) -> Any:
        """Return the cell of a download."""
        value = getattr(entry, self.column)
        return (str(self.word) if value else "") if isinstance(value, bool) else value

    def text(self, entry: Any) -> Any:
        """Return the cell of the list's page."""
        value = self.cell_of(entry)
        return list_month(value) if isinstance(value, date) else "–" if value is None else value


# In the order of files and API, after the person's data.
FIGURES = (
    Figure("rating", "rating", _l("Rating"), own_cell=True),
    Figure("games", "games", _l("Games"), about="Rated games of the period.", sort="games"),
    Figure("k", "k_factor", "K", may_be_missing=True),
    Figure(
        "inactive",
        "is_inactive",
        _l("Inactive"),
        about="No rated game in the last 12 lists (article 6.2.2).",
        word=_l("inactive"),
        own_cell=True,
    ),
)
# Those with a column of the list's page.
TABLE_FIGURES = tuple(figure for figure in FIGURES if not figure.own_cell)
FIGURE_COLUMNS = tuple(figure.column for figure in FIGURES)
# The data of a person, as players and entries have them.
PERSON = ("name", "federation_id", "sex", "title", "women_title", "other_titles", "foa_title", "birth_year")
# The names of columns where they are others than those of the values.
COLUMNS = {"completed": "completed_games"} | {figure.name: figure.column for figure in FIGURES}
SHOWN = COLUMNS | {"fide_id": "player_id", "federation": "federation_id"}
# In the order of `EntryFigures`, of a row of a list, and of a row of its files.
ENTRY_FIELDS = tuple(COLUMNS.get(name, name) for name in EntryFigures._fields)
ROW_FIELDS = ("rating_list", "player", *(name.removesuffix("_id") for name in PERSON), *ENTRY_FIELDS)
EXPORT_COLUMNS = {name: SHOWN.get(name, name) for name in ExportRow._fields}
EXPORT_FIELDS = tuple((EXPORT_COLUMNS | {"birth_year": "shown_year"}).values())
