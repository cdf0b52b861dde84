"""Parts of addresses: what does not fit into the database is no address, so it is a 404 and never an error."""

from __future__ import annotations

from datetime import date

from django.urls import register_converter
from django.urls.converters import StringConverter

from players.fide_list.values import MAX_FIDE_ID
from ratings.choices import ListKind


class KindConverter(StringConverter):
    regex = "|".join(ListKind.values)


class DayConverter:
    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


class FideIdConverter:
    regex = r"[1-9]\d{0,9}"

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > MAX_FIDE_ID:
            raise ValueError(value)
        return number

    def to_url(self, value: int) -> str:
        return str(value)


class EventIdConverter(StringConverter):
    regex = r"[^/\x00-\x1f]{1,40}"


class FederationConverter(StringConverter):
    regex = r"[A-Z0-9]{2,3}"


class TableFileConverter(StringConverter):
    regex = "json|csv"


class PartFileConverter(StringConverter):
    regex = "xlsx|csv"


register_converter(KindConverter, "kind")
register_converter(DayConverter, "day")
register_converter(FideIdConverter, "fide_id")
register_converter(EventIdConverter, "event_id")
register_converter(FederationConverter, "federation")
register_converter(TableFileConverter, "table_file")
register_converter(PartFileConverter, "part_file")
