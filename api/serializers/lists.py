"""Lists, their entries and files."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from api.names import publication_id
from api.serializers.players import IN_ITS_PLACE, NO_YEAR
from players.queries.minors import BAND_NAMES, Minors, shown_birth
from ratings.choices import FileFormat, ListKind, Origin
from ratings.models import ListFile, RatingList

# Public names of an entry and where they stand in the table, in the order of the CSV.
ENTRY_COLUMNS = {
    "fide_id": "player_id",
    "name": "name",
    "federation": "federation_id",
    "title": "title",
    "women_title": "women_title",
    "other_titles": "other_titles",
    "sex": "sex",
    "birth_year": "birth_year",
    "rating": "rating",
    "games": "games",
    "k": "k_factor",
    "inactive": "is_inactive",
}
# What is told beside: the age band in place of a year of birth that is not shown.
ENTRY_NAMES = (*ENTRY_COLUMNS, "age_band")
_FEDERATION, _YEAR = (list(ENTRY_COLUMNS).index(name) for name in ("federation", "birth_year"))


def shown_row(row: tuple[Any, ...], minors: Minors) -> tuple[Any, ...]:
    """Return a row of `ENTRY_COLUMNS` as everybody may see it, under `ENTRY_NAMES`."""
    birth = shown_birth(row[_YEAR], row[_FEDERATION], minors)
    return (*row[:_YEAR], birth.year, *row[_YEAR + 1 :], birth.band or None)


class FileSerializer(serializers.ModelSerializer[ListFile]):
    """A published file, byte for byte."""

    format = serializers.ChoiceField(FileFormat.choices)
    url = serializers.SerializerMethodField()

    class Meta:
        model = ListFile
        fields = ["format", "size", "sha256", "url"]

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, row: ListFile) -> str:
        """Return the address from which the file is downloaded."""
        found = row.rating_list
        places = {"kind": found.kind, "day": found.date, "name": f"{publication_id(found)}.{row.format}"}
        return reverse("ratings:file", kwargs=places, request=self.context.get("request"))


class ListSerializer(serializers.ModelSerializer[RatingList]):
    """A list without its entries."""

    id = serializers.SerializerMethodField(help_text="Kind and date: `rapid-2026-02-01`.")
    kind = serializers.ChoiceField(ListKind.choices)
    origin = serializers.ChoiceField(
        Origin.choices, help_text="`imported` from FIDE's file, or `published` by the portal."
    )
    rules = serializers.CharField(
        help_text="The regulations in force on the date; empty where none are held."
    )
    listed = serializers.IntegerField(min_value=0, help_text="Players listed.")
    url = serializers.SerializerMethodField()

    class Meta:
        model = RatingList
        fields = ["id", "kind", "date", "origin", "rules", "listed", "published_at", "url"]

    def get_id(self, row: RatingList) -> str:
        """Return the list's id."""
        return publication_id(row)

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, row: RatingList) -> str:
        """Return the address of the list."""
        places = {"kind": row.kind, "date": row.date.isoformat()}
        return reverse("api:list", kwargs=places, request=self.context.get("request"))


class ListDetailSerializer(ListSerializer):
    """A list with its files and how it came about."""

    files = FileSerializer(many=True, read_only=True)
    previous = serializers.SerializerMethodField(help_text="The id of the list that this one continues.")
    entries_url = serializers.SerializerMethodField()
    manifest = serializers.DictField(
        help_text="Everything the list was made from, with hashes; empty for an imported list."
    )
    manifest_sha256 = serializers.CharField()
    signature = serializers.CharField(help_text="Ed25519 signature of the manifest in base64, or empty.")

    class Meta(ListSerializer.Meta):
        fields = [
            *ListSerializer.Meta.fields,
            *("engine_version", "previous", "entries_url", "files"),
            *("manifest", "manifest_sha256", "signature"),
        ]

    @extend_schema_field({"type": ["string", "null"]})
    def get_previous(self, row: RatingList) -> str | None:
        """Return the id of the previous list."""
        return publication_id(row.previous) if row.previous else None

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_entries_url(self, row: RatingList) -> str:
        """Return the address of the entries."""
        places = {"kind": row.kind, "date": row.date.isoformat()}
        return reverse("api:entries", kwargs=places, request=self.context.get("request"))


class EntrySerializer(serializers.Serializer[Any]):
    """A player on a list, with the personal data as they stood then."""

    fide_id = serializers.IntegerField()
    name = serializers.CharField()
    federation = serializers.CharField()
    title = serializers.CharField(help_text="As in FIDE's Tit column; empty without one.")
    women_title = serializers.CharField()
    other_titles = serializers.CharField(help_text="Arbiter's and trainer's titles.")
    sex = serializers.CharField(help_text="`M`, `F`, or empty where it is not known.")
    birth_year = serializers.IntegerField(allow_null=True, help_text=NO_YEAR)
    rating = serializers.IntegerField()
    games = serializers.IntegerField(help_text="Games of the period that count.")
    k = serializers.IntegerField(allow_null=True)
    inactive = serializers.BooleanField(help_text="No rated game on the last twelve lists (6.2.2).")
    age_band = serializers.ChoiceField(BAND_NAMES, allow_null=True, help_text=IN_ITS_PLACE)

    def to_representation(self, instance: dict[str, Any]) -> dict[str, Any]:
        """Return the row in the order of the CSV: it was read under these names."""
        row = tuple(instance[name] for name in ENTRY_COLUMNS)
        return dict(zip(ENTRY_NAMES, shown_row(row, self.context["minors"]), strict=True))
