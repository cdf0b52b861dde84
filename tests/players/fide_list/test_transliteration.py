"""Names in ASCII: the rule and its table."""

from __future__ import annotations

import pytest

from players.fide_list.ascii_names import ascii_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Zarnik, Olvo", "Zarnik, Olvo"),
        ("Žárnik, Ölvö", "Zarnik, Olvo"),
        ("Za\u0301rnik", "Zarnik"),
        ("Øłßæđ ØŁẞÆĐ", "Olssaed OLSSAED"),
        ("œþðıħŧŋ ŒÞÐİĦŦŊ", "oethdihtn OEThDIHTN"),
        ("Əzər", "Ezer"),
        ("ﬁnn", "finn"),
        ("D’Zarnik “Olvo” – Elvo", 'D\'Zarnik "Olvo" - Elvo'),
        ("Col·la", "Col.la"),
        ("Зарник, O", "??????, O"),
        ("Zarnik\u00a0Olvo\tE\nF", "Zarnik Olvo E F"),
        ("Zar\x00nik\x7f", "Zar?nik?"),
        ("  Zarnik  ", "Zarnik"),
        ("Z" * 60 + " X", "Z" * 60),
        ("ß" * 31, "s" * 61),
        ("", ""),
    ],
)
def test_name_is_written_in_ascii(name: str, expected: str) -> None:
    assert ascii_name(name) == expected
