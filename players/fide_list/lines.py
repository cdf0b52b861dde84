"""A player's line in each of the four files of a list, made together: what they have in common is looked up once."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from players.fide_list import table_rows, text_row, xml_row
from players.fide_list.transliteration import ascii_name
from players.fide_list.values import ExportRow


class Lines(NamedTuple):
    """A player, or a part of what is said of one, as each file writes it."""

    txt: str
    xml: str
    csv: str
    json: str


def lines_of(row: ExportRow) -> Lines:
    """Return the lines of a player."""
    fide_id, name, federation, title, women_title, other, foa, sex, birth_year, rating, games, k, inactive = (
        row
    )
    txt, xml, csv, json = _person(federation, sex, title or women_title, women_title, other, foa)
    txt_end, xml_end, csv_born, json_born = _ending(birth_year, sex, inactive)
    txt_figures, xml_figures, csv_end, json_end = _figures(rating, games, k, inactive)
    return Lines(
        # `ljust` takes half the time of a width in a format, for a million lines.
        f"{str(fide_id).ljust(15)}{ascii_name(name).ljust(61)}{txt}{txt_figures}{txt_end}",
        f"<player>\n<fideid>{fide_id}</fideid>\n<name>{xml_row.text(name)}</name>\n{xml}{xml_figures}{xml_end}",
        f"{fide_id},{table_rows.cell(name)},{csv}{csv_born}{csv_end}",
        f'{{"fide_id":{fide_id},"name":{table_rows.quoted(name)},{json}{json_born}{json_end}',
    )


@lru_cache(maxsize=1 << 13)
def _person(federation: str, sex: str, title: str, women_title: str, other: str, foa: str) -> Lines:
    return Lines(
        text_row.person(federation, sex, title, women_title, other, foa),
        xml_row.person(federation, sex, title, women_title, other, foa),
        table_rows.csv_person(federation, title, sex),
        table_rows.json_person(federation, title, sex),
    )


@lru_cache(maxsize=1 << 15)
def _figures(rating: int, games: int, k: int | None, inactive: bool) -> Lines:
    return Lines(
        text_row.figures(rating, games, k),
        xml_row.figures(rating, games, k),
        table_rows.csv_figures(rating, games, k, inactive),
        table_rows.json_figures(rating, games, k, inactive),
    )


@lru_cache(maxsize=1 << 11)
def _ending(birth_year: int | None, sex: str, inactive: bool) -> Lines:
    return Lines(
        text_row.ending(birth_year, sex, inactive),
        xml_row.ending(birth_year, sex, inactive),
        table_rows.csv_birth_year(birth_year),
        table_rows.json_birth_year(birth_year),
    )
