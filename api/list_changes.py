"""`/lists/{kind}/{date}/changes`: the differences between two lists, by FIDE ID."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from api.authentication import WHOLE_LISTS
from api.base import ResourceView
from api.errors import NotFoundError
from api.list_entries import streamed_file
from api.lists import list_or_404
from api.media_types import CSVRenderer, NDJSONRenderer
from api.schema import day_parameter, operation, text_of
from players.minors import minors_for
from ratings import movements
from ratings.lists import read_lists

FORMS = {"csv": movements.as_csv, "ndjson": movements.as_ndjson}


class DeltaParameters(serializers.Serializer[Any]):
    """The list to compare with, by default the previous one."""

    since = day_parameter(help_text=("Date of another list of this rating type. Default: the previous list."))


class DeltaView(ResourceView):
    """The differences between two lists, by FIDE ID, in the format of the URL."""

    scope = WHOLE_LISTS
    Parameters = DeltaParameters

    def stream(self, kind: str, date: str) -> HttpResponseBase:
        """Return all differences in one stream, or 304."""
        until, minors = list_or_404(kind, date), minors_for(self.request._request)
        since = (
            list_or_404(kind, self.query["since"].isoformat())
            if "since" in self.query
            else read_lists().previous(until)
        )
        if since is None:
            raise NotFoundError(
                "This is the first list of this rating type, so there is no list to compare it with."
            )
        rows = movements.deltas(since, until, minors)
        form, name = self.request.accepted_renderer.format, f"{since.kind}-{since.date}-to-{until.date}"
        return self.answer_from_lists(
            lambda: streamed_file(self.request, name, map(str.encode, FORMS[form](rows))),
            [since, until],
            "delta",
            form,
            minors=minors,
        )


class NDJSONDeltaView(DeltaView):
    renderer_classes = [NDJSONRenderer]

    @operation(
        "list_changes_ndjson",
        summary="Changes since another list, as lines of JSON",
        responses=text_of(NDJSONRenderer.media_type),
    )
    def get(self, request: Request, kind: str, date: str) -> HttpResponseBase:
        """Return a line for each player who was `added`, `removed` or `changed`, by FIDE ID.

        `before` has the previous values of the changed fields.
        """
        return self.stream(kind, date)


class CSVDeltaView(DeltaView):
    renderer_classes = [CSVRenderer]

    @operation(
        "list_changes_csv",
        summary="Changes since another list, as CSV",
        responses=text_of(CSVRenderer.media_type),
    )
    def get(self, request: Request, kind: str, date: str) -> HttpResponseBase:
        """Return a row for each player who was `added`, `removed` or `changed`, by FIDE ID.

        `changed_fields` lists the changed fields.
        """
        return self.stream(kind, date)
