"""Pages of resources. The cursor of the next page is the position of the last row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import ResourceView
from core.html.paging import (
    MAX_POSITION_LENGTH,
    InvalidPositionError,
    Keyset,
    decode_position,
    encode_position,
    page_number,
)
from core.text_values import LARGEST_KEY

MAX_PAGE_SIZE = 1000
MAX_PAGE_NUMBER = 2**31 - 1
INVALID_CURSOR = "Invalid cursor. Use the `next` URL of the previous page."


class CursorParameters(serializers.Serializer[Any]):
    cursor = serializers.CharField(
        required=False,
        max_length=MAX_POSITION_LENGTH,
        help_text=("The cursor in the `next` URL of the previous page."),
    )


class PageParameters(CursorParameters):
    """The start of a page and its number of rows."""

    limit = serializers.IntegerField(
        required=False,
        default=100,
        min_value=1,
        max_value=MAX_PAGE_SIZE,
        help_text="Rows per page, at most 1000.",
    )


def keyset_page(
    view: ResourceView,
    keyset: Keyset,
    rows: QuerySet[Any, Any],
    serializer: Callable[..., Any],
    *,
    path: str = "",
) -> Response:
    """Return the page of rows that a view's query selects."""
    try:
        found, has_more = keyset.rows_at(rows, view.query["limit"], position=view.query.get("cursor", ""))
    except InvalidPositionError as error:
        raise serializers.ValidationError({"cursor": INVALID_CURSOR}) from error
    cursor = keyset.position(found[-1]) if has_more else ""
    return page_response(view.request, serializer(found, many=True).data, cursor, path=path)


def first_of_cursor(query: Mapping[str, Any]) -> int:
    """Return the first value of a cursor, a key, 0 without a cursor."""
    try:
        first = decode_position(query["cursor"])[0] if "cursor" in query else 0
    except (ValueError, IndexError):
        first = ""
    if type(first) is not int or not 0 <= first <= LARGEST_KEY:
        raise serializers.ValidationError({"cursor": INVALID_CURSOR})
    return first


def cursor_page_number(query: Mapping[str, Any]) -> int:
    """Return the page number in a cursor of `number_cursor`, 1 without a cursor."""
    try:
        (number,) = decode_position(query["cursor"]) if "cursor" in query else [1]
        return page_number({"page": str(number)}, highest=MAX_PAGE_NUMBER)
    except ValueError as error:
        raise serializers.ValidationError({"cursor": INVALID_CURSOR}) from error


def number_cursor(number: int) -> str:
    """Return the cursor of a page number."""
    return encode_position([number])


def page_response(request: Request, results: Any, cursor: str, *, path: str = "") -> Response:
    """Return a page with the URL of the next one in the body and in the Link header.

    `path` is the path of the next page if it differs from the request's.
    """
    address = None
    if cursor:
        query = request.query_params.copy()
        query["cursor"] = cursor
        address = request.build_absolute_uri(f"{path or request.path}?{query.urlencode()}")
    headers = {"Link": f'<{address}>; rel="next"'} if address else None
    return Response({"next": address, "results": results}, headers=headers)
