"""One game of a report written otherwise: two lines and their points differ, nothing else."""

from __future__ import annotations

import pytest

from tests.tournaments.trf.reports import BASE, RETURNED
from tests.trf_files import PLAYERS, ROUNDS, Event
from tournaments.trf import (
    RESULTS,
    Pairing,
    Report,
    check_report,
    decided_lines,
    pairing_of,
    read_report,
    swapped_lines,
)
from tournaments.trf.changed_lines import as_written, joined_lines, player_columns, with_lines, with_texts

EVENT = Event(PLAYERS, ROUNDS)


def with_result(report: Report, pairing: Pairing, result: str) -> str:
    return with_lines(report, decided_lines(report, {pairing: result}))


@pytest.mark.parametrize("result", RESULTS)
def test_result_and_points_of_both_lines_change(result: str) -> None:
    report = read_report(EVENT.content())
    pairing = pairing_of(report, round_number=2, white=2)
    assert pairing is not None
    # Points that fit another result of the game, as beside one that cannot be read, follow the decision too.
    torn = read_report(EVENT.content().replace(b" 0.5 ", b" 1.0 "))
    torn_pairing = pairing_of(torn, round_number=2, white=2)
    assert torn_pairing is not None
    assert with_result(torn, torn_pairing, result) == with_result(report, pairing, result)
    changed = read_report(with_result(report, pairing, result))
    found = pairing_of(changed, round_number=2, white=2)
    assert found is not None
    assert (found.white_code, found.black_code) == RESULTS[result]
    assert [code for code in _errors(with_result(report, pairing, result)) if "points" in code] == []
    assert [line for line in range(len(report.lines)) if report.lines[line] != changed.lines[line]] == (
        [] if result == "1/2-1/2" else [11, 12]
    )


def test_fields_are_written_where_they_belong_and_all_else_stays() -> None:
    one, other = read_report(EVENT.content()).lines[10:12]
    columns = player_columns(3)
    texts = {name: column.text(other) for name, column in columns.items()}

    assert with_texts(one, columns, {name: column.text(one) for name, column in columns.items()}) == one
    assert with_texts(one, columns, texts) == other
    assert with_texts("001", columns, texts) == other


def test_result_reads_as_if_it_had_been_reported_so() -> None:
    report = read_report(EVENT.content())
    pairing = pairing_of(report, round_number=1, white=1)
    assert pairing is not None
    wanted = Event(PLAYERS, [[(1, 2, "0-1")], *EVENT.rounds[1:]])
    assert with_result(report, pairing, "0-1") == wanted.text()


FOUR = [*PLAYERS, (1_300_004, "Dorn, Dora")]


@pytest.mark.parametrize(
    ("swapped", "wanted"),
    [
        ((2, 3), [(1, 3, "1-0"), (2, 4, "1/2")]),
        ((1, 3), [(3, 2, "1-0"), (1, 4, "1/2")]),
        ((1, 4), [(4, 2, "1-0"), (3, 1, "1/2")]),
        ((2, 4), [(1, 4, "1-0"), (3, 2, "1/2")]),
    ],
)
def test_two_who_take_each_others_place_read_as_if_reported_so(
    swapped: tuple[int, int], wanted: list[tuple[int, int, str]]
) -> None:
    report = read_report(Event(FOUR, [[(1, 2, "1-0"), (3, 4, "1/2")]]).content())
    changed = with_lines(report, swapped_lines(report, 1, *swapped))
    assert changed == Event(FOUR, [wanted]).text()


def test_player_without_a_game_takes_the_place_of_one_who_has_none_then() -> None:
    report = read_report(EVENT.content())
    changed = with_lines(report, swapped_lines(report, 1, 2, 3))
    games = [(game.white, game.black) for game in read_report(changed).games if game.round == 1]
    assert games == [(1, 3)]
    assert [code for code in _errors(changed) if "points" in code] == []


def test_opponents_do_not_take_each_others_place() -> None:
    with pytest.raises(ValueError, match="play each other"):
        swapped_lines(read_report(EVENT.content()), 1, 1, 2)


def test_no_pairing_where_nobody_has_white() -> None:
    assert pairing_of(read_report(EVENT.content()), round_number=1, white=2) is None


def _errors(text: str) -> list[str]:
    return [finding.code for finding in check_report(read_report(text))]


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_file_put_right_is_written_as_its_original(encoding: str, end: str) -> None:
    original = f"012 Open für Müller{end}022 Zürich{end}".encode(encoding)
    report = read_report(original)
    changed = as_written(with_lines(report, {2: "022 Genève"}), original)
    assert changed == f"012 Open für Müller{end}022 Genève{end}".encode(encoding)


def test_file_put_right_with_a_letter_that_its_encoding_lacks_becomes_utf_8() -> None:
    original = "012 Open für Müller\n".encode("cp1252")
    changed = as_written(with_lines(read_report(original), {1: "012 Open Şişli"}), original)
    assert changed == "012 Open Şişli\n".encode()


def test_most_frequent_line_end_is_kept() -> None:
    original = b"012 Open\r\n022 Town\n032 SUI\n"
    assert as_written(with_lines(read_report(original), {}), original) == b"012 Open\n022 Town\n032 SUI\n"


def test_two_lines_of_one_person_are_joined_with_games_points_opponents_and_counts() -> None:
    report = read_report(RETURNED)
    joined = read_report(with_lines(report, joined_lines(report, 16, 17)))
    assert joined == read_report(BASE)


@pytest.mark.parametrize(
    "text",
    [
        RETURNED.replace("0000 - Z     2 b 0", "   1 b 0     2 b 0"),
        RETURNED.replace("   5 m    Elster, Fritz", "   5 m    Falke, Fritz "),
        RETURNED.replace("   5 m    Elster", "   5 m   Elster", 1),
    ],
    ids=["a round in common", "another name", "shifted columns"],
)
def test_lines_that_are_not_surely_of_one_person_are_not_joined(text: str) -> None:
    assert joined_lines(read_report(text), 16, 17) == {}
