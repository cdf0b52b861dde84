"""What a stored finding says in the language of the page."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from tournaments.checking import CheckedReport
from tournaments.marked_report import finding_refusal, finding_text
from tournaments.trf import Report
from tournaments.trf.findings import english_text, found


def test_a_finding_says_in_english_what_is_stored() -> None:
    missing = found("record-missing", tag="022", meaning="city")
    stored = {"code": missing.code, "message": missing.message, "params": dict(missing.params)}
    assert finding_text(stored) == missing.message
    assert "022 (city)" in missing.message


@pytest.mark.parametrize(
    "stored",
    [
        {"code": "gone", "message": "A code of an earlier release.", "params": {}},
        {"code": "record-missing", "message": "Without its values.", "params": {}},
        {"code": "record-missing", "message": "Before values were stored."},
    ],
)
def test_a_finding_of_an_earlier_release_keeps_its_words(stored: dict[str, object]) -> None:
    assert finding_text(stored) == stored["message"]


def test_a_finding_is_stored_as_its_code_and_values_alone() -> None:
    missing = found("record-missing", tag="022", meaning="city")
    checked = CheckedReport(Report(), (missing,), {})
    (stored,) = checked.findings_as_json()
    assert set(stored) == {"code", "severity", "line", "column", "length", "fix", "params"}
    assert (finding_text(stored), english_text(stored)) == (missing.message, missing.message)


def test_a_finding_says_its_words_in_the_language_of_the_page() -> None:
    missing = found("record-missing", tag="022", meaning="city")
    stored = {"code": missing.code, "message": missing.message, "params": dict(missing.params)}
    with override("es"):
        assert "022 (ciudad)" in finding_text(stored)
        assert finding_refusal(missing).message == finding_text(stored)


def test_lists_and_dates_are_in_words() -> None:
    listed = found("rating-differs", name="A", reported=1900, list="rapid 2026-01", registered=1914)
    before = found("event-before-lists", start="2025-12-30", kind="rapid", first="2026-01-01")
    with override("fr"):
        texts = [
            finding_text({"code": one.code, "message": one.message, "params": dict(one.params)})
            for one in (listed, before)
        ]
    assert "janvier 2026 (rapide)" in texts[0]
    assert "30 décembre 2025" in texts[1]
    assert "1 janvier 2026" in texts[1]


def test_numbers_have_the_decimal_mark_of_the_language() -> None:
    values = {"score": "3.5", "expected": "0.86", "direction": "above", "deviations": 3}
    outlier = found("performance-outlier", name="A", rating=1411, games=7, **values)
    stored = {"code": outlier.code, "message": outlier.message, "params": dict(outlier.params)}
    with override("de"):
        text = finding_text(stored)
    assert [one in text for one in ("3,5 aus 7", "0,86")] == [True, True]
