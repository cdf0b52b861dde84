"""The filters and tags of templates: what people typed stays text."""

from __future__ import annotations

from core.templatetags.ui import reason_lines


def test_reason_is_text_and_the_code_after_it_small() -> None:
    assert reason_lines("<b>1 < 2</b> (rating-differs)\nFine.") == (
        "&lt;b&gt;1 &lt; 2&lt;/b&gt; <small>(rating-differs)</small><br>Fine."
    )
