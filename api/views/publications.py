"""What was published when, and which players' ratings it has changed since."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from api import conditional
from api.base import PublicView, page
from api.cursors import Key, Order
from api.errors import NotFoundError
from api.names import parsed_id
from api.schema import paged
from api.serializers.lists import ListSerializer
from api.serializers.parameters import PageParameters, PublicationParameters
from api.serializers.reference import ChangeSerializer
from ratings.models import Calculation, ListEntry, RatingList
from ratings.queries.catalogue import LARGE

NEWEST_FIRST = Order((Key("published_at", datetime, is_falling=True), Key("pk", int, is_falling=True)))
BY_LIST = Order((Key("rating_list__date", date), Key("player_id", int)))


class PublicationsView(PublicView):
    Parameters = PublicationParameters

    @extend_schema(
        operation_id="publications",
        tags=["publications"],
        summary="Published and imported lists in the order in which they appeared, the newest first",
        parameters=[PublicationParameters],
        responses=paged(ListSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return a page of publications."""
        values = self.parameters(request)
        lists = RatingList.objects.defer(*LARGE).filter(Q(kind=values["kind"]) if "kind" in values else Q())
        rows, cursor = NEWEST_FIRST.take(lists, values.get("cursor", ""), values["limit"])
        return page(request, rows, cursor, self.serialize(ListSerializer))


class ChangesView(PublicView):
    Parameters = PageParameters

    @extend_schema(
        operation_id="changes",
        tags=["publications"],
        summary="What the later lists of the kind did with their players, the oldest list first",
        parameters=[PageParameters],
        responses=paged(ChangeSerializer),
    )
    def get(self, request: Request, publication_id: str) -> HttpResponseBase:
        """Return a row for each player with a result or a correction on a list after this one."""
        values = self.parameters(request)
        kind, day = parsed_id(publication_id)
        later = list(RatingList.objects.defer(*LARGE).filter(kind=kind, date__gte=day).order_by("date"))
        if not later or later[0].date != day:
            raise NotFoundError(f"There is no publication {publication_id}.")
        validators = conditional.of_lists(later, "changes", sorted(request.query_params.items()))
        rows, cursor, limit = _changes(later[1:]), values.get("cursor", ""), values["limit"]
        return conditional.answer(
            request, validators, lambda: page(request, *BY_LIST.take(rows, cursor, limit), ChangeSerializer)
        )


def _changes(lists: Sequence[RatingList]) -> QuerySet[Calculation]:
    """Return what lists calculated, each row with the rating that the list shows: a kept one is not public."""
    entries = ListEntry.objects.filter(
        rating_list=OuterRef("rating_list"), player=OuterRef("player")
    ).listed()
    rows = Calculation.objects.filter(rating_list__in=lists).select_related("rating_list")
    rows = rows.defer("steps", *(f"rating_list__{name}" for name in LARGE))
    return rows.annotate(listed_rating=Subquery(entries.values("rating")[:1]))
