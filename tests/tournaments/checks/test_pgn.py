"""Reading the PGN of a hybrid event: what games say, bounds, and that nothing raises."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.portal_examples import GAMES, pgn_of
from tests.tournaments.trf.reports import BASE
from tournaments.checks import pgn
from tournaments.checks.pgn import TooMuchError, check_games, games_of
from tournaments.trf import read_report

pytestmark = pytest.mark.page

REPORT = read_report(BASE)
SCHOLARS = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#"


def codes(content: bytes) -> list[str]:
    return [item.code for item in check_games(REPORT, content)]


@pytest.mark.parametrize(
    ("text", "plies", "error"),
    [
        (SCHOLARS, 7, ""),
        ("1. e4 {a comment} e5 (1... c5 2. Nf3) 2. Nf3 $1 ; the rest\nNc6", 4, ""),
        ("1. e4 e5 2. Ke3 Nc6", 2, "illegal san: 'Ke3'"),
        ("", 0, ""),
    ],
)
def test_moves_of_the_main_line_are_counted(text: str, plies: int, error: str) -> None:
    (game,) = games_of(f'[White "A"]\n\n{text}\n'.encode())
    assert (game.plies, game.error.partition(" in ")[0]) == (plies, error)


@pytest.mark.parametrize("tag", ['[FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"]', '[Variant "Atomic"]'])
def test_a_game_by_other_rules_is_not_played_on(tag: str) -> None:
    (game,) = games_of(f"{tag}\n\n1. e4 e5 *\n".encode())
    assert (game.plies, bool(game.error)) == (0, True)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"1. e4 e5 *\n\n" * 4, "games"),
        (b"1. e4 e5 2. Nf3 Nc6 *\n\n" * 3, "half-moves and comments"),
        (b"{a}\n" * 11, "half-moves and comments"),
        (b"*" * 20_000, "characters in a line"),
    ],
)
def test_what_is_beyond_a_bound_is_not_read(
    content: bytes, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pgn, "MAX_GAMES", 3)
    monkeypatch.setattr(pgn, "MAX_PLIES", 10)
    with pytest.raises(TooMuchError) as error:
        list(games_of(content))
    assert error.value.what == what


def test_players_are_known_by_name_where_the_pgn_has_no_ids() -> None:
    initials = {1: "Amsel, B.", 2: "Carl Buchfink", 3: "DROSSEL Emil", 4: "Elster, Fritz"}
    assert codes(pgn_of(ids=False, names=initials)) == []


def test_line_ends_and_encodings_do_not_matter() -> None:
    content = pgn_of(names={1: "Amsel, Bérta"})
    for changed in (content.replace(b"\n", b"\r\n"), content.decode().encode("cp1252")):
        assert codes(changed) == []


def test_several_games_of_two_players_are_told_apart_by_round() -> None:
    lines = BASE.replace("4 b =", "2 b 0").replace("3 w =", "1 w 1")
    report = read_report(lines)
    games = [(3, 2, 1, "1"), *GAMES[:4]]
    found = [item.code for item in check_games(report, pgn_of(games))]
    assert found == []


def test_a_game_without_moves_is_the_forfeit_of_its_pair() -> None:
    report = read_report(BASE.replace("3 b =", "3 - -").replace("4 w =", "4 - +"))
    found = [[item.code for item in check_games(report, text)] for text in (pgn_of(), pgn_of(moves={2: ""}))]
    assert found == [["pgn-game-extra"], []]


@given(
    st.binary(max_size=400) | st.text(alphabet='[]"{}();$!?%*-+=#/ \n\tOoNBRQKabcdefgh12345678', max_size=400)
)
def test_nothing_raises(content: bytes | str) -> None:
    data = content.encode() if isinstance(content, str) else content
    with suppress(TooMuchError):
        list(games_of(data))
    check_games(REPORT, data)


@given(st.integers(min_value=0), st.binary(max_size=3), st.integers(0, 5))
def test_a_spoiled_pgn_never_raises(at: int, put: bytes, cut: int) -> None:
    content = pgn_of()
    place = at % len(content)
    check_games(REPORT, content[:place] + put + content[place + cut :])


@pytest.mark.parametrize("text", ["1. e4 $" + "9" * 9_000 + " e5", "1. " + "e4" * 4_000, "((((" * 3_000])
def test_monstrous_tokens_are_harmless(text: str) -> None:
    assert len(list(games_of(text.encode()))) == 1
