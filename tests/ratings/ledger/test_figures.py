"""The figures of a list entry are declared once."""

from __future__ import annotations

from datetime import date

from core.models import as_json
from players.federations import LAST_DAY
from players.fide_list import values
from ratings.ledger.figures import ENTRY_FIELDS, EXPORT_FIELDS, FIGURES
from ratings.models import Calculation, ListEntry
from ratings.models.calculation import Before, Found, PooledRow
from ratings.systems.otb.listing import EntryFigures, EntryStatus
from ratings.systems.otb.values import KFactor, PoolShare


def test_figures_are_columns_of_the_model_and_end_a_row_of_the_files() -> None:
    columns = {field.name for field in ListEntry._meta.get_fields()}
    assert columns >= {*ENTRY_FIELDS, *(figure.column for figure in FIGURES)}
    assert tuple(figure.name for figure in FIGURES) == values.FIGURES
    assert EXPORT_FIELDS[-len(FIGURES) :] == tuple(figure.column for figure in FIGURES)


def test_d_110_entry_of_the_corrected_history_is_read_as_it_was_kept() -> None:
    entry = EntryFigures(EntryStatus.LISTED, 1800, completed=31, last_played=date(2026, 1, 1))
    share = PoolShare("SUI-1", date(2026, 1, 3), date(2026, 1, 4), 3600, 2, 3, is_disregarded=True)
    found = Found(
        rows=(5,),
        before={1001: Before(entry, (PooledRow(share, 7, 8),), 40)},
        factors={"SUI-2": KFactor(20, "k20-7.3.3")},
        void=((date(2026, 1, 1), LAST_DAY),),
    )
    assert read_found(as_json(found)) == found
    assert read_found("[]") == Found()


def test_entry_that_was_kept_before_a_figure_was_added_is_read() -> None:
    kept = (
        '[[5],[],null,[],{"1001":[["listed",1800,3,20,false,31,false,false,"2026-01-01"],[],0,null,false]}]'
    )
    assert read_found(kept).before[1001].entry == EntryFigures(
        EntryStatus.LISTED, 1800, 3, 20, completed=31, last_played=date(2026, 1, 1)
    )


def read_found(text: str) -> Found:
    found: Found = Calculation._meta.get_field("found").from_db_value(text, None, None)
    return found
