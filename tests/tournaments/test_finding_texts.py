"""What a stored finding says in the language of the page."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from tournaments.queries.finding_texts import TEMPLATES, finding_text
from tournaments.trf.findings import found

STORED = {"code": "tab", "message": found("tab").message, "params": {}}


def test_a_finding_says_in_english_what_is_stored() -> None:
    missing = found("record-missing", tag="022", meaning="city")
    stored = {"code": missing.code, "message": missing.message, "params": dict(missing.params)}
    assert (
        finding_text(stored)
        == "Record 022 (city) is missing or empty. Enter it in the pairing program or add the line."
    )


@pytest.mark.parametrize(
    "stored",
    [
        {**STORED, "message": "Words of an earlier release."},
        {"code": "gone", "message": "A code of an earlier release.", "params": {}},
        {"code": "record-missing", "message": "Without its values.", "params": {}},
        {"code": "record-missing", "message": "Before values were stored."},
    ],
)
def test_a_finding_of_an_earlier_release_keeps_its_words(stored: dict[str, object]) -> None:
    assert finding_text(stored) == stored["message"]


def test_every_code_has_a_template() -> None:
    assert all(TEMPLATES.values())


def test_a_finding_says_its_words_in_the_language_of_the_page() -> None:
    missing = found("record-missing", tag="022", meaning="city")
    stored = {"code": missing.code, "message": missing.message, "params": dict(missing.params)}
    with override("es"):
        assert finding_text(stored).startswith("El registro 022 (ciudad) falta o está vacío.")
