"""The publications, and the ratings that changed in one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from api.authentication import PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.fields import ListIdField
from api.lists import KindParameters, RatingListSerializer, known_kind, parse_day
from api.paging import PageParameters, keyset_page
from api.schema import operation, page_of
from core.html.paging import Keyset
from ratings.lists import LARGE
from ratings.models import Calculation, ListEntry, RatingList

PUBLICATION_ORDER = Keyset(("-published_at", "-pk"))
BY_LIST = Keyset(("rating_list__date", "player_id"))


def parse_publication_id(text: str) -> tuple[str, date]:
    """Return the rating type and date in a list's id. Raise NotFoundError if it is invalid."""
    kind, _dash, day = text.partition("-")
    return known_kind(kind), parse_day(day)


class PublicationParameters(PageParameters, KindParameters):
    pass


class ChangeSerializer(serializers.Serializer[Any]):
    """Change of one player on one list. The new rating is `listed_rating`."""

    list = ListIdField(source="rating_list", help_text="ID of the list.")
    fide_id = serializers.IntegerField(source="player_id")
    previous_rating = serializers.IntegerField(allow_null=True)
    new_rating = serializers.IntegerField(
        source="listed_rating", allow_null=True, help_text="Null if the list does not show the player."
    )
    rounded_change = serializers.IntegerField()
    games = serializers.IntegerField()
    result = serializers.CharField(help_text="Key of `/reasons`.")


class PublicationsView(ResourceView):
    scope = PUBLIC
    Parameters = PublicationParameters

    @operation(
        "publications",
        summary="Published and imported lists by time of publication, newest first",
        responses=page_of(RatingListSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return a page of publications."""
        lists = RatingList.objects.defer(*LARGE)
        if "kind" in self.query:
            lists = lists.filter(kind=self.query["kind"])
        page = keyset_page(self, PUBLICATION_ORDER, lists, self.serialize(RatingListSerializer))
        return self.answer_made(page)


class ChangesView(ResourceView):
    scope = PUBLIC
    Parameters = PageParameters

    @operation(
        "changes",
        summary="Changes on later lists of the same rating type, oldest list first",
        responses=page_of(ChangeSerializer),
    )
    def get(self, request: Request, publication_id: str) -> HttpResponseBase:
        """Return one row per player with results or corrections on a later list."""
        kind, day = parse_publication_id(publication_id)
        lists = list(RatingList.objects.defer(*LARGE).filter(kind=kind, date__gte=day).order_by("date"))
        if not lists or lists[0].date != day:
            raise NotFoundError(f"No publication has the ID {publication_id}.")
        parameters = sorted(request.query_params.items())
        return self.answer_from_lists(
            lambda: keyset_page(self, BY_LIST, _changes(lists[1:]), ChangeSerializer),
            lists,
            "changes",
            parameters,
        )


def _changes(lists: Sequence[RatingList]) -> QuerySet[Calculation]:
    """Return the calculations of lists, each with the listed rating. Ratings of unlisted players are not public."""
    entries = ListEntry.objects.filter(rating_list=OuterRef("rating_list"), player=OuterRef("player"))
    entries = entries.listed().order_by()
    rows = Calculation.objects.filter(rating_list__in=lists).select_related("rating_list")
    # The steps of a calculation are as long as its games, and no field shows them.
    rows = rows.defer("value", "found", *(f"rating_list__{name}" for name in LARGE))
    return rows.annotate(listed_rating=Subquery(entries.values("rating")[:1]))
