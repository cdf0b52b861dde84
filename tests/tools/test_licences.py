from __future__ import annotations

from tools.licences import PAGE, locked_names, page


def test_page_of_licences_is_the_one_of_what_is_installed() -> None:
    assert PAGE.read_text() == page(), "Run `make licences`."


def test_every_locked_library_has_a_row() -> None:
    rows = [line.split(" | ")[0].removeprefix("| ") for line in page().splitlines() if line.startswith("| ")]

    assert rows == ["library", *locked_names()]


def test_every_locked_library_declares_a_licence() -> None:
    assert "not declared" not in page()
