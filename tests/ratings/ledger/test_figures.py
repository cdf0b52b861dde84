"""The figures of a list entry are declared once."""

from __future__ import annotations

from datetime import date

from players.fide_list import values
from ratings.ledger.facts import before_from, before_row
from ratings.ledger.figures import ENTRY_FIELDS, EXPORT_FIELDS, FIGURES
from ratings.ledger.periods import Before
from ratings.models import ListEntry
from ratings.systems.otb.listing import EntryFigures, EntryStatus


def test_figures_are_columns_of_the_model_and_end_a_row_of_the_files() -> None:
    columns = {field.name for field in ListEntry._meta.get_fields()}
    assert columns >= {*ENTRY_FIELDS, *(figure.column for figure in FIGURES)}
    assert tuple(figure.name for figure in FIGURES) == values.FIGURES
    assert EXPORT_FIELDS[-len(FIGURES) :] == tuple(figure.column for figure in FIGURES)


def test_d_110_entry_of_the_corrected_history_is_read_as_it_was_kept() -> None:
    entry = EntryFigures(EntryStatus.LISTED, 1800, completed=31, last_played=date(2026, 1, 1))
    assert before_from(before_row(1001, Before(entry))).entry == entry
