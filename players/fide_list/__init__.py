"""FIDE's rating lists as files: the reader of all layouts since 2013 and the writers of single and combined lists.

Only the standard library: no database, no clock, no settings.
"""

from players.fide_list.ascii_names import ascii_name
from players.fide_list.messages import MESSAGES, FideListError
from players.fide_list.reading import (
    ListReading,
    kind_from_name,
    month_in_name,
    month_of_token,
    read_list,
    write_combined_txt,
    write_combined_xml,
)
from players.fide_list.streams import BytesRead, ListStream, open_list
from players.fide_list.values import (
    KINDS,
    PUBLISHED_FIELDS,
    ExportRow,
    LineProblem,
    ListedRating,
    ListItem,
    ListRecord,
    Repair,
)
from players.fide_list.writing import FORMATS, write_all, write_list

__all__ = [
    "FORMATS",
    "KINDS",
    "MESSAGES",
    "PUBLISHED_FIELDS",
    "BytesRead",
    "ExportRow",
    "FideListError",
    "LineProblem",
    "ListItem",
    "ListReading",
    "ListRecord",
    "ListStream",
    "ListedRating",
    "Repair",
    "ascii_name",
    "kind_from_name",
    "month_in_name",
    "month_of_token",
    "open_list",
    "read_list",
    "write_all",
    "write_combined_txt",
    "write_combined_xml",
    "write_list",
]
