"""Forms that are shown only after something was sent keep what was typed, too: corrected rows, effects."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.core.files.uploadedfile import SimpleUploadedFile

from players.staff_admin import EvidenceInline
from tests.walk.forms import WORDS, Forms, shown_again
from tests.walk.roles import OWN, browser_of
from tests.walk.worlds import Values

pytestmark = pytest.mark.page


@pytest.mark.parametrize(
    ("page", "file"),
    [
        (
            "/desk/tournaments/bulk",
            "name,federation,kind,time_control,start,end,chief_arbiter,is_stated_rated,schedule\nA,,,,,,,,",
        ),
    ],
)
def test_rows_that_are_corrected_in_the_page_are_kept(
    worlds: dict[str, Values], page: str, file: str
) -> None:
    client = browser_of("officer")
    wrong = client.post(page, {"rows_file": SimpleUploadedFile("a.csv", file.encode())})
    ((action, fields),) = [form for form in Forms(wrong.content.decode()).found if "text" in form[1]]
    cells = [name for name in fields if name.startswith("cell-")]
    assert cells

    shown = shown_again(client, page, action, {**fields, "text": file})

    assert [Forms(shown).values[name] for name in cells] == [WORDS] * len(cells)


def test_an_exclusion_whose_effect_is_shown_is_kept(worlds: dict[str, Values]) -> None:
    client, page = browser_of("staff"), "/admin/players/federationexclusion/add/"
    typed = {"federation": OWN, "excluded_from": "2026-04-01", "until": "", "reference": WORDS}
    ((action, fields),) = Forms(client.post(page, typed).content.decode()).found[-1:]

    assert fields["reference"] == WORDS
    assert WORDS in shown_again(client, page, action, fields)


def test_the_admin_has_no_rows_in_which_something_could_be_typed() -> None:
    inlines = {inline for pages in admin.site._registry.values() for inline in pages.inlines}
    edited = [pages for pages in admin.site._registry.values() if pages.list_editable]

    assert inlines
    assert [inline for inline in inlines if not issubclass(inline, EvidenceInline)] == []
    assert edited == []
