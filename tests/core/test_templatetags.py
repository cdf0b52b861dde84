"""The filters and tags of templates: what people typed stays text."""

from __future__ import annotations

from core.templatetags.ui import heads, reason_lines


def test_reason_is_text_and_the_code_after_it_small() -> None:
    assert reason_lines("<b>1 < 2</b> (rating-differs)\nFine.") == (
        "&lt;b&gt;1 &lt; 2&lt;/b&gt; <small>(rating-differs)</small><br>Fine."
    )


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
