"""The filters and tags of templates: what people typed stays text."""

from __future__ import annotations

from core.templatetags.ui import heads


def test_heads_are_cells_with_what_stands_before_each_label() -> None:
    cells = heads(
        "num",
        "Rank",
        ".name one-line",
        "<Name>",
        ("Fed.", "Federation"),
        "hidden",
        "Action",
        "num",
        None,
        "K",
    )
    assert cells.split("</th>")[:-1] == [
        '<th scope="col" class="num">Rank',
        '<th scope="col" class="name one-line">&lt;Name&gt;',
        '<th scope="col"><abbr title="Federation">Fed.</abbr>',
        '<th scope="col"><span class="hidden">Action</span>',
        '<th scope="col">K',
    ]
