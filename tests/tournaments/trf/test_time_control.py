"""Time controls of 122 and 222, and their kind (FIDE R&B 2024, 1.1 and 1.2)."""

from __future__ import annotations

import pytest

from tournaments.trf import classify, parse_222, parse_time_control
from tournaments.trf.time_control import kinds_by_round

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
# Time controls as they are written in reports: text, seconds of the base and of the increment (D-122).
SPELLED = {
    # English
    "15 minutes + 10 seconds": (900, 10),
    "15 min + 10 sec/move": (900, 10),
    "15 mins plus 10 secs per move": (900, 10),
    "15 minutes with 10 second increment": (900, 10),
    "15 minutes, 10 second increment": (900, 10),
    "15 min with an increment of 10 sec per move": (900, 10),
    "15 minutes per player + 10 seconds per move from move 1": (900, 10),
    "10 minutes for the game + 5 sec increment": (600, 5),
    "3 minutes plus 2 seconds a move": (180, 2),
    "3 min. + 2 sec. inc.": (180, 2),
    "3mins + 2secs": (180, 2),
    "3m + 2s": (180, 2),
    "3|2": (180, 2),
    "Blitz 3+2": (180, 2),
    "Blitz: 5+0": (300, 0),
    "5 min": (300, 0),
    "5 minutes each": (300, 0),
    "25 minutes per player": (1500, 0),
    "Game in 25 minutes": (1500, 0),
    "Game/25": (1500, 0),
    "G60/d5": (3600, 5),
    "G/25;+5": (1500, 5),
    "G/10 d3": (600, 3),
    "25' KO": (1500, 0),
    "10 min k.o.": (600, 0),
    "15 min / 10 sec": (900, 10),
    "15min/10sec": (900, 10),
    "15'/10''": (900, 10),
    "7.5+3": (450, 3),
    "7,5+3": (450, 3),
    "7½ min + 3 s": (450, 3),
    "12 min + 3 s/mv": (720, 3),
    "10 seconds per move + 15 minutes": (900, 10),
    "three minutes + two seconds per move": (180, 2),
    "90 min for 40 moves + 30 min + 30 sec per move": (7200, 30),
    "90 minutes for 40 moves, then 30 minutes, 30 seconds per move from move one": (7200, 30),
    "40/90, SD/30; +30": (7200, 30),
    "1 hour + 30 seconds per move": (3600, 30),
    "1 hr": (3600, 0),
    "Rapid 15' + 10'' (from move 1)": (900, 10),
    "time control: 15+10": (900, 10),
    "15 + 10 Fischer": (900, 10),
    "Fischer-Modus 15+10": (900, 10),
    "15min +10sec increment starting from move 1.": (900, 10),
    "15 minutes sudden death": (900, 0),
    "10 min + 0 s": (600, 0),
    # French
    "3 minutes + 2 secondes par coup": (180, 2),
    "15 minutes + 10 secondes par coup": (900, 10),
    "15 min + 10 s/coup": (900, 10),
    "15 mn + 10 sec": (900, 10),
    "15mn+10s": (900, 10),
    "15 minutes et 10 secondes par coup": (900, 10),
    "15 minutes 10 secondes par coup": (900, 10),
    "10 min + 5 s d'incrément": (600, 5),
    "10 minutes plus 5 secondes d’incrément par coup": (600, 5),
    "10 minutes avec un incrément de 5 secondes": (600, 5),
    "10 minutes avec incrément de 5 secondes par coup": (600, 5),
    "12 minutes + 3 secondes à partir du 1er coup": (720, 3),
    "12 mn + 3 s dès le premier coup": (720, 3),
    "Cadence : 15'+10\"": (900, 10),
    "cadence 10 min + 5 s par coup": (600, 5),
    "15 minutes KO": (900, 0),
    "Partie en 15 minutes": (900, 0),
    "20 minutes par joueur": (1200, 0),
    "25 minutes pour toute la partie": (1500, 0),
    "Rapide 25 min": (1500, 0),
    "1h": (3600, 0),
    "1 heure + 30 secondes par coup": (3600, 30),
    "1h30 + 30 s par coup": (5400, 30),
    "40 coups en 90 minutes puis 30 minutes + 30 secondes par coup": (7200, 30),
    "90 min pour 40 coups + 30 min pour le reste de la partie + 30 s/coup": (7200, 30),
    "trois minutes plus deux secondes par coup": (180, 2),
    "61 minutes": (3660, 0),
    # Spanish
    "90 min + 30 s por jugada": (5400, 30),
    "90 min + 30 s par jugada": (5400, 30),
    "15 minutos + 10 segundos por jugada": (900, 10),
    "15 minutos más 10 segundos por jugada": (900, 10),
    "15 min. + 10 seg. por jugada": (900, 10),
    "15 min + 10 segs/jugada": (900, 10),
    "15' + 10'' por movimiento": (900, 10),
    "3 minutos y 2 segundos de incremento": (180, 2),
    "3 minutos con 2 segundos de incremento por jugada": (180, 2),
    "10 minutos con incremento de 5 segundos desde la primera jugada": (600, 5),
    "Ritmo de juego: 10 minutos + 5 segundos": (600, 5),
    "Ritmo de juego 10'+5''": (600, 5),
    "15 minutos a finish": (900, 0),
    "25 min. por jugador": (1500, 0),
    "20 minutos para toda la partida": (1200, 0),
    "Rápidas 15+10": (900, 10),
    "Relámpago 3'+2\"": (180, 2),
    "1 hora + 30 segundos por jugada": (3600, 30),
    "40 jugadas en 90 minutos, luego 30 minutos + 30 segundos por jugada": (7200, 30),
    "90 minutos 40 jugadas + 30 minutos + 30 segundos por jugada": (7200, 30),
    # German
    "3'+2'' pro Zug": (180, 2),
    "15 Minuten + 10 Sekunden pro Zug": (900, 10),
    "15 Min. + 10 Sek. pro Zug": (900, 10),
    "15 Min + 10 Sek/Zug": (900, 10),
    "15 Minuten plus 10 Sekunden je Zug": (900, 10),
    "15 Minuten zzgl. 10 Sekunden pro Zug": (900, 10),
    "15 Minuten zuzüglich 10 Sekunden Inkrement": (900, 10),
    "15 Minuten mit 10 Sekunden Zeitgutschrift pro Zug": (900, 10),
    "15 min + 10 s ab dem ersten Zug": (900, 10),
    "15 Min. + 10 Sek. ab Zug 1": (900, 10),
    "15 Min. + 10 Sek. ab dem 1. Zug": (900, 10),
    "10 Minuten pro Spieler": (600, 0),
    "15 Minuten pro Spieler und Partie": (900, 0),
    "20 Min. Bedenkzeit je Spieler": (1200, 0),
    "Bedenkzeit: 15 Minuten + 10 Sekunden": (900, 10),
    "5 Min. + 3 Sek. Zugbonus": (300, 3),
    "5 Minuten und 3 Sekunden pro Zug": (300, 3),
    "Schnellschach 25 Min.": (1500, 0),
    "Blitzschach 5 Minuten": (300, 0),
    "1 Std. + 30 Sek. pro Zug": (3600, 30),
    "1 Stunde": (3600, 0),
    "40 Züge in 90 Minuten, danach 30 Minuten + 30 Sekunden pro Zug": (7200, 30),
    "90 Minuten für 40 Züge + 30 Minuten für den Rest + 30 Sek./Zug": (7200, 30),
    "fünf Minuten plus drei Sekunden pro Zug": (300, 3),
}
NOT_FREE = [
    "¹",
    "",
    "moves/time, increment",
    "Standard",
    "15+10 or 3+2",
    "15+",
    "+10",
    "a lot",
    "15+10+5+3+x",
    # Two readings (D-122).
    "15/10",
    "40/90",
    "5/3",
    "15-10",
    "15 10",
    "15, 10",
    "10,5",
    "15:10",
    "3:00 + 2",
    "15:00+0:10",
    "2:30+5",
    "0:15:00+0:00:10",
    "00:03:00 + 00:00:02",
    "1:30:00+30",
    "3 min 2 sec",
    "40/90 + 30",
    "90/40+30/G+30s",
    "60/30, 15",
    "15'/10",
    "1510",
    "3+2:15+10",
    # Two time controls.
    "15+10 and 3+2",
    "15+10 / 3+2",
    "15+10, 3+2",
    "15+10; 5+3",
    "15+10 & 3+2",
    "15+10 et 3+2",
    "15+10 und 3+2",
    "15+10 y 3+2",
    "Rapid 15+10, Blitz 3+2",
    "Rapid 15 min, Blitz 5 min",
    "15 min + 10 s and 3 min + 2 s",
    "15 min + 10 s per move, 3 min + 2 s per move",
    "25 min, 10 min",
    "25 min / 10 min",
    "25 min and 5 min",
    "10 + 5 + 3",
    # What the table of words does not have.
    "15 minuten + 10 sekunder",
    "15 мин + 10 сек",
    "see regulations",
    "FIDE rapid 15+10, 7 rounds",
    "30 seconds per move",
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


@pytest.mark.parametrize("text", SPELLED)
def test_d_122_words_of_four_languages_are_understood(text: str) -> None:
    control = parse_time_control(text)
    assert control is not None
    assert (control.base, control.increment, control.is_unequal) == (*SPELLED[text], False)


@pytest.mark.parametrize("text", NOT_FREE)
def test_d_122_free_text_that_is_not_understood_is_none(text: str) -> None:
    assert parse_time_control(text) is None


@pytest.mark.parametrize("text", ENCODED)
def test_record_222_is_decoded(text: str) -> None:
    control = parse_222(text)
    assert control is not None
    assert (control.base, control.increment, control.total) == ENCODED[text]


@pytest.mark.parametrize("text", NOT_ENCODED)
def test_what_is_no_encoded_time_control_is_none(text: str) -> None:
    assert parse_222(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "White 5+0, Black 4+0",
        "white: 5 min / black: 4 min",
        "W300-B240",
        "Weiß 5 Min., Schwarz 4 Min.",
        "Blancs 5 minutes, Noirs 4 minutes",
        "Blancas 5 minutos, negras 4 minutos",
    ],
)
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rapid 15+10 (rounds 1-3), Blitz 3+2 (rounds 4-6)", [((1, 2, 3), "rapid"), ((4, 5, 6), "blitz")]),
        ("15+10 rounds 1-3, 3+2 rounds 4-6", [((1, 2, 3), "rapid"), ((4, 5, 6), "blitz")]),
        ("R1–3: 15+10; R4–6: 3+2", [((1, 2, 3), "rapid"), ((4, 5, 6), "blitz")]),
        ("Runde 1-2 Schnellschach, Runde 3 Blitz", [((1, 2), "rapid"), ((3,), "blitz")]),
        ("Rapid (rounds 1-2) 15+10, Blitz (rounds 3-4) 3+2", [((1, 2), "rapid"), ((3, 4), "blitz")]),
        ("15+10 (1-3), 3+2 (4-6)", [((1, 2, 3), "rapid"), ((4, 5, 6), "blitz")]),
        ("rounds 1, 2 and 3 15 min + 10 s, round 4 3 min + 2 s", [((1, 2, 3), "rapid"), ((4,), "blitz")]),
        ("3+2 in rounds 4-6, otherwise 15+10", [((4, 5, 6), "blitz")]),
        ("15+10", []),
        ("15 minutes plus 10 sec per move", []),
        ("40/20, 10", []),
        ("5 rounds of 15+10", []),
    ],
)
def test_d_138_rounds_under_times_of_their_own_are_found(text: str, expected: object) -> None:
    assert kinds_by_round(text) == expected
