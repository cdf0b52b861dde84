"""Time controls of 122 and 222, and their kind (FIDE R&B 2024, 1.1 and 1.2)."""

from __future__ import annotations

import pytest

from tournaments.trf import classify, parse_222, parse_time_control

# Text: seconds of all periods, increment, seconds of 60 moves.
FREE = {
    "15+10": (900, 10, 1500),
    "20 min d5": (1200, 5, 1500),
    "G/20; d5": (1200, 5, 1500),
    "20 minutes, US delay 5 sec": (1200, 5, 1500),
    "20' + 5\" Bronstein": (1200, 5, 1500),
    "20+5 (delay)": (1200, 5, 1500),
    "40/1200+5:600+5": (1800, 5, 2100),
    "15'+10\"": (900, 10, 1500),
    "15 ' + 10 ''": (900, 10, 1500),
    "15′ + 10″": (900, 10, 1500),
    "15 minutes plus 10 sec per move": (900, 10, 1500),
    "15 min. + 10 sec./move": (900, 10, 1500),
    "15m+10s": (900, 10, 1500),
    "15|10": (900, 10, 1500),
    "15 minuti + 10 secondi": (900, 10, 1500),
    "15m + 10s/move": (900, 10, 1500),
    "15 minutes and 10 seconds increment from move 1": (900, 10, 1500),
    "5+0": (300, 0, 300),
    "Rapid 15+10": (900, 10, 1500),
    "900+10": (900, 10, 1500),
    "180+2": (180, 2, 300),
    "3+2": (180, 2, 300),
    "3'+2\"": (180, 2, 300),
    "600": (600, 0, 600),
    "10": (600, 0, 600),
    "10 min": (600, 0, 600),
    "25 minutes for the whole game": (1500, 0, 1500),
    "G/25": (1500, 0, 1500),
    "G/15;+10": (900, 10, 1500),
    "90 minutes + 30 seconds per move": (5400, 30, 7200),
    "1:30 + 10 from move 1": (5400, 10, 6000),
    "1h + 30s": (3600, 30, 5400),
    "1h30+30": (5400, 30, 7200),
    "40/120, 60": (10800, 0, 10800),
    "100'x40mm + 50'x20mm + 30\" from move 1": (9000, 30, 10800),
    "90'/40 + 30' + 30\"": (7200, 30, 9000),
    "40 moves in 90 min + 30 min + 30 sec per move": (7200, 30, 9000),
}
NOT_FREE = [
    "",
    "moves/time, increment",
    "Standard",
    "15+10 or 3+2",
    "15+",
    "+10",
    "a lot",
    "15+10+5+3+x",
]
ENCODED = {
    "5400+30": (5400, 30, 7200),
    "40/6000+30:900+30": (6900, 30, 8700),
    "40/6000+30:20/3000+30:1500+30": (10500, 30, 12300),
    "900+10": (900, 10, 1500),
    "180+120": (180, 120, 7380),
    "600": (600, 0, 600),
    "40/3600:900": (4500, 0, 4500),
    # An increment in the second period counts for the 20 moves that are left of 60.
    "40/3600:900+30": (4500, 0, 5100),
    "W900+5-B900+5": (900, 5, 1200),
}
NOT_ENCODED = ["", "15 min", "5400+", "+30", "40/", "W300", "W300-", "5400:", "90'+30\"", "1e3", "٣٠٠"]


@pytest.mark.parametrize("text", FREE)
def test_free_text_is_understood(text: str) -> None:
    control = parse_time_control(text)
    assert control is not None
    assert (control.base, control.increment, control.total) == FREE[text]


@pytest.mark.parametrize("text", NOT_FREE)
def test_free_text_that_is_not_understood_is_none(text: str) -> None:
    assert parse_time_control(text) is None


@pytest.mark.parametrize("text", ENCODED)
def test_record_222_is_decoded(text: str) -> None:
    control = parse_222(text)
    assert control is not None
    assert (control.base, control.increment, control.total) == ENCODED[text]


@pytest.mark.parametrize("text", NOT_ENCODED)
def test_what_is_no_encoded_time_control_is_none(text: str) -> None:
    assert parse_222(text) is None


@pytest.mark.parametrize("text", ["White 5+0, Black 4+0", "white: 5 min / black: 4 min", "W300-B240"])
def test_d_83_free_text_of_different_times_is_unequal(text: str) -> None:
    control = parse_time_control(text)
    assert control is not None
    assert (control.is_unequal, control.total) == (True, 300)


def test_different_times_are_unequal_1_2() -> None:
    unequal, equal = parse_222("W300-B240"), parse_222("W300+2-B300+2")
    assert unequal is not None
    assert equal is not None
    assert (unequal.is_unequal, equal.is_unequal) == (True, False)


@pytest.mark.parametrize(
    ("seconds", "kind"),
    [
        (3600, "standard"),
        (3599, "rapid"),
        (601, "rapid"),
        (600, "blitz"),
        (181, "blitz"),
        (180, None),
        (0, None),
    ],
)
def test_kinds_1_1(seconds: int, kind: str | None) -> None:
    assert classify(seconds) == kind
