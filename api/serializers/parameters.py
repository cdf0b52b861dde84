"""The parameters of queries: each typed, bounded and documented in one place."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.cursors import LONGEST
from players.choices import Sex, Title
from ratings.choices import ListKind
from tournaments.choices import Kind, Registration, Stage

LARGEST_PAGE = 1000
Values = dict[str, Any]


class Code(serializers.RegexField):
    """A federation's code of three letters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            regex=r"\A[A-Z]{3}\Z",
            required=False,
            error_messages={"invalid": "Write the code as three capital letters, such as SUI."},
            help_text="A federation's code, such as `SUI`.",
            **options,
        )


class Year(serializers.IntegerField):
    def __init__(self, help_text: str) -> None:
        super().__init__(required=False, min_value=1850, max_value=2200, help_text=help_text)


class Rating(serializers.IntegerField):
    def __init__(self, help_text: str) -> None:
        super().__init__(required=False, min_value=0, max_value=4000, help_text=help_text)


class Day(serializers.DateField):
    def __init__(self, help_text: str) -> None:
        super().__init__(required=False, help_text=help_text)


class PageParameters(serializers.Serializer[Any]):
    """Where a page begins and how many rows it has."""

    cursor = serializers.CharField(
        required=False, max_length=LONGEST, help_text="Taken from `next` of the page before."
    )
    limit = serializers.IntegerField(
        required=False,
        default=100,
        min_value=1,
        max_value=LARGEST_PAGE,
        help_text="Rows of a page, at most 1000.",
    )


class ListParameters(PageParameters):
    kind = serializers.ChoiceField(ListKind.choices, required=False, help_text="Lists of this kind only.")
    date_from = Day("Lists dated this day or later.")
    date_to = Day("Lists dated this day or earlier.")


class EntryParameters(PageParameters):
    """What of a list is wanted; without any, the whole list."""

    federation = Code()
    sex = serializers.ChoiceField(Sex.choices, required=False, help_text="`M` or `F`.")
    title = serializers.ChoiceField(
        Title.choices, required=False, help_text="Holders of this title, be it the first or the women's one."
    )
    birth_year_from = Year(
        "Born in this year or later; minors shown with an age band are found by whole bands."
    )
    birth_year_to = Year(
        "Born in this year or earlier; minors shown with an age band are found by whole bands."
    )
    rating_from = Rating("Rated so or higher.")
    rating_to = Rating("Rated so or lower.")
    active = serializers.BooleanField(
        required=False,
        help_text="`true`: active players; `false`: inactive ones.",
    )


class SearchParameters(serializers.Serializer[Any]):
    q = serializers.CharField(
        max_length=100,
        help_text="Words of the name, or their beginnings, in any order and without accents; or a FIDE ID.",
    )
    limit = serializers.IntegerField(
        required=False, default=20, min_value=1, max_value=50, help_text="Players shown, at most 50."
    )


class HistoryParameters(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(ListKind.choices, required=False, help_text="Lists of this kind only.")
    date_from = Day("Lists dated this day or later.")
    date_to = Day("Lists dated this day or earlier.")


class TournamentParameters(PageParameters):
    federation = Code()
    kind = serializers.ChoiceField(Kind.choices, required=False, help_text="`rapid` or `blitz`.")
    registration = serializers.ChoiceField(
        Registration.choices, required=False, help_text="Where the registration stands."
    )
    stage = serializers.ChoiceField(Stage.choices, required=False, help_text="How far the report has come.")
    start_from = Day("Tournaments that start on this day or later.")
    start_to = Day("Tournaments that start on this day or earlier.")


class PublicationParameters(PageParameters):
    kind = serializers.ChoiceField(ListKind.choices, required=False, help_text="Lists of this kind only.")


class ReasonParameters(serializers.Serializer[Any]):
    about = serializers.ChoiceField(
        ["game", "k", "list"], required=False, help_text="What the reasons speak of."
    )


class ParticipantParameters(serializers.Serializer[Any]):
    cursor = serializers.CharField(
        required=False, max_length=LONGEST, help_text="Taken from `next` of the page before."
    )
