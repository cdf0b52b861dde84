from __future__ import annotations

from xml.etree import ElementTree

import pytest

from core.html.states import SEVERITIES, SHAPES, STATES, shape, state_badge


@pytest.mark.parametrize("name", SHAPES)
def test_shape_is_well_formed_and_silent(name: str) -> None:
    assert ElementTree.fromstring(shape(name)).get("aria-hidden") == "true"  # noqa: S314 - made by ourselves


@pytest.mark.parametrize("state", STATES)
def test_state_has_word_shape_and_colour_class(state: str) -> None:
    word, outline = STATES[state]
    assert state_badge(state) == f'<span class="state state-{state}">{shape(outline)}{word}</span>'


def test_state_takes_underscores_and_a_label_of_its_own() -> None:
    assert state_badge("not_rated", label="no <b>") == (
        f'<span class="state state-not-rated">{shape("square")}no &lt;b&gt;</span>'
    )


def test_unknown_state_keeps_its_word() -> None:
    assert state_badge("odd") == f'<span class="state state-odd">{shape("ring")}odd</span>'


def test_each_severity_has_a_shape_of_its_own() -> None:
    assert len({outline for _, outline in SEVERITIES.values()}) == len(SEVERITIES)
