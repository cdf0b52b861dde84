from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from xml.etree import ElementTree

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from core.html import dates, figures
from core.html.states import SEVERITIES, SHAPES, STATES, shape, state_badge
from core.html.tables import Table
from core.templatetags import ui


@pytest.mark.parametrize(("value", "text"), [(12, "+12"), (-3, "−3"), (0, "0"), (None, "–")])
def test_signed_points_carries_a_sign(value: int | None, text: str) -> None:
    assert figures.signed_points(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1200, "+12.00"), (40, "+0.40"), (-305, "−3.05"), (-5, "−0.05"), (0, "0.00"), (None, "–")],
)
def test_signed_hundredths_is_exact(value: int | None, text: str) -> None:
    assert figures.signed_hundredths(value) == text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(-2280, 1, "−22.8"), (136, 1, "+1.36"), (-2280, 2, "−22.80"), (0, 1, "0.0")],
)
def test_change_to_has_the_decimals_that_the_figure_needs(value: int, decimals: int, text: str) -> None:
    assert ui.change_to(value, decimals) == text


def test_signed_hundredths_uses_the_comma_of_the_language() -> None:
    with translation.override("de"):
        assert figures.signed_hundredths(40) == "+0,40"


@given(st.integers(min_value=-10_000_000, max_value=10_000_000))
def test_signed_hundredths_reads_back(value: int) -> None:
    text = figures.signed_hundredths(value)
    assert int(text.replace("−", "-").replace("+", "").replace(".", "")) == value


@pytest.mark.parametrize(
    ("value", "text"), [(92, "0.92"), (100, "1.00"), (0, "0.00"), (-105, "−1.05"), (None, "–")]
)
def test_decimal_hundredths_has_two_decimals(value: int | None, text: str) -> None:
    assert figures.decimal_hundredths(value) == text


@pytest.mark.parametrize(("value", "text"), [(-310, "−310"), (88, "88"), (0, "0"), (None, "–")])
def test_whole_has_a_true_minus(value: int | None, text: str) -> None:
    assert figures.whole(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(11, "5½"), (1, "½"), (0, "0"), (2, "1"), (-1, "−½"), (-3, "−1½"), (None, "–")]
)
def test_half_points_reads_like_a_score(value: int | None, text: str) -> None:
    assert figures.half_points(value) == text


@pytest.mark.parametrize(
    ("text", "kind", "arrow", "word"), [("+12", "gain", "▲", "gain"), ("−0.40", "loss", "▼", "loss")]
)
def test_change_figure_says_gain_or_loss_without_colour(text: str, kind: str, arrow: str, word: str) -> None:
    assert figures.change_figure(text) == (
        f'<span class="change {kind}"><span class="arrow" aria-hidden="true">{arrow}</span>{text}'
        f'<span class="hidden"> {word}</span></span>'
    )


@pytest.mark.parametrize(("text", "shown"), [("0", "0"), ("–", "–"), ("<b>", "&lt;b&gt;")])
def test_change_figure_of_no_change_has_no_arrow(text: str, shown: str) -> None:
    assert figures.change_figure(text) == f'<span class="change">{shown}</span>'


def test_list_month_names_month_and_year() -> None:
    assert dates.list_month(date(2026, 2, 1)) == "February 2026"
    assert dates.list_month(None) == "–"


def test_instant_is_shown_in_utc_whatever_its_zone() -> None:
    moment = datetime(2026, 2, 26, 23, 5, tzinfo=timezone(timedelta(hours=-3)))
    text = "Fri\u00a027\u00a0Feb\u00a02026, 02:05\u00a0UTC"
    expected = f'<time datetime="2026-02-27T02:05:00Z">{text}</time>'
    assert dates.instant_element(moment) == expected
    assert dates.instant_element(moment.astimezone(UTC)) == expected
    assert dates.instant_element(None) == "–"


def test_day_carries_its_weekday_and_stays_on_one_line() -> None:
    text = "Thu\u00a026\u00a0Feb\u00a02026"
    assert dates.day_element(date(2026, 2, 26)) == f'<time datetime="2026-02-26">{text}</time>'
    assert dates.day_element(None) == "–"


def test_days_from_first_to_last_are_short() -> None:
    first, last = date(2026, 2, 26), date(2026, 3, 1)
    assert dates.days_element(first, last) == "26\xa0Feb\xa0– 1\xa0Mar\xa02026"
    assert dates.days_element(first, first) == dates.day_element(first)
    with translation.override("de"):
        assert dates.days_element(first, last).replace("\xa0", " ") == "26. Feb. – 1. März 2026"


@pytest.mark.parametrize(
    ("today", "text", "css"),
    [
        (date(2026, 2, 18), "8 days left", "due-far"),
        (date(2026, 2, 19), "7 days left", "due-near"),
        (date(2026, 2, 25), "1 day left", "due-near"),
        (date(2026, 2, 26), "due today", "due-near"),
        (date(2026, 2, 27), "1 day overdue", "due-over"),
        (date(2026, 3, 1), "3 days overdue", "due-over"),
    ],
)
def test_deadline_counts_utc_days(today: date, text: str, css: str) -> None:
    deadline = date(2026, 2, 26)
    assert dates.days_left(deadline, today=today) == text
    assert dates.due_class(deadline, today=today) == css


def test_short_hash_keeps_the_whole_at_hand() -> None:
    whole = "0123456789abcdef" * 4
    assert figures.short_hash(whole) == f'<code class="hash small" title="{whole}">01234567…89abcdef</code>'


def test_table_names_its_rows() -> None:
    table = Table(["List", "Remark", "Rapid"], [["February 2026", "<b>", "2134"]], numeric_from=2)
    row = '<th scope="row">February 2026</th><td>&lt;b&gt;</td><td class="num">2134</td>'
    assert list(table.written_rows()) == [row]


@pytest.mark.parametrize(
    ("text", "given_figures", "expected"),
    [
        ("%(change)s, D = %(difference)s", {"change": "-11.4", "difference": -310}, "−11.4, D = −310"),
        ("%(opponent)s %(swing)+d", {"opponent": 1500, "swing": -400}, "1500 −400"),
        (
            "K %(k)s, %(day)s, %(name)s-2",
            {"k": 20, "day": "2026-01-02", "name": "R-a"},
            "K 20, 2026-01-02, R-a-2",
        ),
    ],
)
def test_numbers_of_a_sentence_have_a_true_minus(
    text: str, given_figures: dict[str, object], expected: str
) -> None:
    assert figures.fill_figures(text, given_figures) == expected


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


@pytest.mark.parametrize(("language", "text"), [("en", "2433.90"), ("fr", "2433,90")])
def test_exact_decimal_has_the_mark_of_the_language(language: str, text: str) -> None:
    with translation.override(language):
        assert [figures.local_decimal(value) for value in ("2433.90", None)] == [text, "–"]
        mixed = [figures.mixed_decimal(value) for value in ("2433 9/10", "2433")]
        assert mixed == [text, "2433"]
        assert figures.fill_figures("%(sum)s %(day)s", {"sum": "2433.90", "day": "1.2.3"}) == f"{text} 1.2.3"
