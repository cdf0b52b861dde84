from __future__ import annotations

from django.http import QueryDict
from django.template.loader import render_to_string

from core.html.tables import Column, Head, sort_heads, sort_order

COLUMNS = [
    Column("Rank", numeric=True),
    Column("Name", "name"),
    Column("Rating", "rating", numeric=True, falling_first=True),
]


def test_heads_link_to_their_order_and_turn_the_present_one_round() -> None:
    heads = sort_heads(COLUMNS, QueryDict("federation=SUI&after=x&sort=-rating"), sort="-rating")
    assert heads == [
        Head("Rank", numeric=True),
        Head("Name", "?federation=SUI&sort=name"),
        Head("Rating", "?federation=SUI&sort=rating", numeric=True, sorted="descending"),
    ]


def test_heads_fall_first_where_the_column_says_so() -> None:
    heads = sort_heads(COLUMNS, QueryDict("sort=name"), sort="name")
    assert [(head.url, head.sorted) for head in heads[1:]] == [
        ("?sort=-name", "ascending"),
        ("?sort=-rating", ""),
    ]


def test_sort_order_refuses_what_is_no_column() -> None:
    assert sort_order(COLUMNS, "-rating", default="name") == "-rating"
    assert sort_order(COLUMNS, "password", default="name") == "name"
    assert sort_order(COLUMNS, None, default="name") == "name"


def test_heads_tell_screen_readers_the_order() -> None:
    html = render_to_string(
        "partials/heads.html", {"heads": sort_heads(COLUMNS, QueryDict(""), sort="-rating")}
    )
    assert html.count('aria-sort="descending"') == 1
    assert html.count('scope="col"') == 3
