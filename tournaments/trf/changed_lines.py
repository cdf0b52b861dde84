"""A report with some of its lines or one game written otherwise, and all else as it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tournaments.trf.checks.pairings import HALF_POINTS
from tournaments.trf.columns import TEXT, RecordColumn
from tournaments.trf.encodings import likely_encoding
from tournaments.trf.fields import points_text
from tournaments.trf.players import PlayerRecord, are_of_one_person, is_absence
from tournaments.trf.report import COMPLEMENT, Pairing, Report, with_field
from tournaments.trf.tables import PLAYER, ROUNDS
from tournaments.trf.text import UTF8_MARK, UTF16_MARKS, decode
from tournaments.trf.writer import LINE_END

# What a pairing can end with, as codes of white and black; the last three are forfeits.
RESULTS = {
    "1-0": ("1", "0"),
    "1/2-1/2": ("=", "="),
    "0-1": ("0", "1"),
    "+/-": ("+", "-"),
    "-/+": ("-", "+"),
    "-/-": ("-", "-"),
}
# Where a round has its colour and its result, counted from its first column.
COLOUR, CODE = 5, 7
POINTS = slice(80, 84)


def pairing_of(report: Report, *, round_number: int, white: int) -> Pairing | None:
    """Return the pairing of a round in which a starting rank has white, None where there is none."""
    pairings = (game for game in report.games if game.round == round_number and game.white == white)
    return next(pairings, None)


def decided_lines(report: Report, decided: Mapping[Pairing, str]) -> dict[int, str]:
    """Return the lines that decisions on pairings change, by their numbers from 1: codes, and the points with them.

    `decided` has keys of `RESULTS`. Points that fit other results of these games become those of the decided ones; what
    they differ otherwise stays. A game that was a forfeit without colours gets those by which it is named.
    """
    players, lines = report.by_number, dict[int, str]()
    codes: dict[int, list[tuple[str, str]]] = {}
    for pairing, result in decided.items():
        sides = zip((pairing.white, pairing.black), "wb", RESULTS[result], strict=True)
        for number, colour, code in sides:
            player = players[number]
            former = player.results[pairing.round - 1]
            codes.setdefault(number, []).append((former.code, code))
            line = lines.get(number, report.lines[player.line - 1])
            if code in COMPLEMENT and not former.colour:
                line = _with_letter(line, player, pairing.round, COLOUR, colour)
            lines[number] = _with_letter(line, player, pairing.round, CODE, code)
    for number, changed in codes.items():
        player = players[number]
        before, after = (
            sum(HALF_POINTS.get(code, 0) for code in some) for some in zip(*changed, strict=True)
        )
        others = _counted(player) - before
        if player.points is None:
            continue
        is_of_these = 0 <= player.points - others <= 2 * len(changed)
        points = others + after if is_of_these else max(0, player.points + after - before)
        if points != player.points:
            lines[number] = _with_points(lines[number], player, points)
    return {players[number].line: line for number, line in lines.items()}


def merged_line(old: str, news: Sequence[str]) -> tuple[str, int]:
    """Return a line with several changes of it made together, and how many were left out.

    One that wants a column otherwise than one before it is left out.
    """
    if len(news) == 1:
        return news[0], 0
    before = old.ljust(max(map(len, news)))
    line, left = [*before], 0
    for new in news:
        wanted = new.ljust(len(before))
        columns = [at for at, (was, now) in enumerate(zip(before, wanted, strict=True)) if was != now]
        if any(line[at] not in (before[at], wanted[at]) for at in columns):
            left += 1
            continue
        for at in columns:
            line[at] = wanted[at]
    return "".join(line).rstrip(), left


def with_lines(report: Report, changed: Mapping[int, str]) -> str:
    """Return the text of a report with other lines in the place of some, by their numbers from 1.

    A line may become several, or none where its new text is empty.
    """
    lines = [
        changed.get(number, line)
        for number, line in enumerate(report.lines, start=1)
        if changed.get(number) != ""
    ]
    return "".join(line.replace("\n", LINE_END) + LINE_END for line in lines)


def player_columns(rounds: int) -> dict[str, RecordColumn]:
    """Return the columns of a player's line by their names, those of a round as `opponent-1`."""
    columns = {column.name: column for column in PLAYER.columns}
    for number in range(1, rounds + 1):
        at = ROUNDS.column_of(number) - 1
        for one in ROUNDS.columns:
            columns[f"{one.name}-{number}"] = replace(one, first=one.first + at, last=one.last + at)
    return columns


def with_texts(line: str, columns: Mapping[str, RecordColumn], texts: Mapping[str, str]) -> str:
    """Return a line with other texts in some columns; what is there already stays as it is written."""
    for name, text in texts.items():
        column = columns[name]
        if text != column.text(line):
            is_left = column.kind is TEXT or column.kind.is_left
            field = text.ljust(column.width) if is_left else text.rjust(column.width)
            before = line[: column.first - 1].ljust(column.first - 1)
            line = f"{before}{field}{line[column.last :]}"
    return line.rstrip()


def recoloured_lines(report: Report, pairing: Pairing) -> dict[int, str]:
    """Return the two lines of a pairing with their colours exchanged, by their numbers from 1; results stay."""
    players = report.by_number
    sides = ((players[pairing.white], "b"), (players[pairing.black], "w"))
    return {
        player.line: _with_letter(report.lines[player.line - 1], player, pairing.round, COLOUR, colour)
        for player, colour in sides
    }


def coloured_line(line: str, player: PlayerRecord, round_number: int, colour: str) -> str:
    """Return the line of a player with another colour in a round."""
    return _with_letter(line, player, round_number, COLOUR, colour)


def swapped_lines(report: Report, round_number: int, one: int, other: int) -> dict[int, str]:
    """Return the lines of a round in which two starting ranks take each other's place, by their numbers from 1.

    Each plays (or has the bye of) the other; opponents and points follow, and results stay on their boards.
    `ValueError` for two who played each other.
    """
    players = report.by_number
    pair = (players[one], players[other])
    fields = {player.number: _round_field(report, player, round_number) for player in pair}
    opponents = [_opponent_in(player, round_number) for player in pair]
    if other in opponents[:1]:
        raise ValueError(f"{one} and {other} play each other in round {round_number}")
    lines = {}
    for player, taken in (pair, pair[::-1]):
        line = _with_round(report.lines[player.line - 1], player, round_number, fields[taken.number])
        lines[player.line] = _with_gained(
            line, player, _score_in(taken, round_number) - _score_in(player, round_number)
        )
    for number, new in zip(opponents, (other, one), strict=True):
        if number is not None:
            player = players[number]
            field = f"{new:>4}" + _round_field(report, player, round_number)[4:]
            lines[player.line] = _with_round(report.lines[player.line - 1], player, round_number, field)
    return lines


def joined_lines(report: Report, first_line: int, second_line: int) -> dict[int, str]:
    """Return the lines that change where two lines of one person are joined, by their numbers from 1.

    The first one has the games and the points of both, opponents name it, the second one becomes empty, and the counts
    of the head follow. Nothing for lines that cannot be joined: they have a round in common, or other names.
    """
    by_line = {player.line: player for player in report.players}
    first, second = by_line.get(first_line), by_line.get(second_line)
    if not first or not second or first is second or not are_of_one_person(first, second):
        return {}
    naming = [player for player in report.players if second.number in player.rounds.opponents]
    if any(with_field(report, player, "number", "") is None for player in (first, second, *naming)):
        return {}
    line = report.lines[first_line - 1]
    for result in second.results:
        if not is_absence(result):
            line = _with_round(line, first, result.round, _round_field(report, second, result.round))
    if first.points is not None and second.points is not None:
        line = _with_points(line, first, first.points + second.points)
    lines = {first_line: line, second_line: "", **_counts_without(report, second)}
    for player in naming:
        line = report.lines[player.line - 1]
        for result in player.results:
            if result.opponent == second.number:
                field = f"{first.number:>4}" + _round_field(report, player, result.round)[4:]
                line = _with_round(line, player, result.round, field)
        lines[player.line] = line
    return lines


def _counts_without(report: Report, player: PlayerRecord) -> dict[int, str]:
    """Return the records 062 and 072 with one player less, where they have the right number."""
    rated = sum(one.rating > 0 for one in report.players)
    counts = (
        ("062", report.number_of_players, len(report.players), 1),
        ("072", report.number_of_rated_players, rated, int(player.rating > 0)),
    )
    return {
        report.header_lines[tag]: f"{tag} {counted - less}"
        for tag, said, counted, less in counts
        if said == counted and less
    }


def lines_without_rounds(report: Report, rounds: Iterable[int]) -> dict[int, str]:
    """Return the lines of players without what some rounds have, and with points without theirs, by numbers from 1."""
    left_out, lines = [*rounds], {}
    for player in report.players:
        line = report.lines[player.line - 1]
        for number in left_out:
            line = _with_round(line, player, number, " " * (CODE + 1))
        lines[player.line] = _with_gained(
            line, player, -sum(_score_in(player, number) for number in left_out)
        )
    return lines


def _opponent_in(player: PlayerRecord, round_number: int) -> int | None:
    results = player.results[round_number - 1 : round_number]
    return results[0].opponent or None if results else None


def _score_in(player: PlayerRecord, round_number: int) -> int:
    return sum(HALF_POINTS.get(result.code, 0) for result in player.results[round_number - 1 : round_number])


def _counted(player: PlayerRecord) -> int:
    return sum(HALF_POINTS.get(result.code, 0) for result in player.results)


def _round_field(report: Report, player: PlayerRecord, round_number: int) -> str:
    at = player.column_of(round_number) - 1
    return report.lines[player.line - 1][at : at + CODE + 1].ljust(CODE + 1)


def _with_round(line: str, player: PlayerRecord, round_number: int, field: str) -> str:
    at = player.column_of(round_number) - 1
    return f"{line[:at].ljust(at)}{field}{line[at + CODE + 1 :]}".rstrip()


def _with_gained(line: str, player: PlayerRecord, gained: int) -> str:
    """Return the line with other points, where those of the report do not fit the results already."""
    if not gained or player.points is None or player.points == _counted(player) + gained:
        return line
    return _with_points(line, player, max(0, player.points + gained))


def _with_letter(line: str, player: PlayerRecord, round_number: int, offset: int, letter: str) -> str:
    at = player.column_of(round_number) - 1 + offset
    return line[:at].ljust(at) + letter + line[at + 1 :]


def _with_points(line: str, player: PlayerRecord, half_points: int) -> str:
    start, end = POINTS.start - player.shift, POINTS.stop - player.shift
    return f"{line[:start]}{points_text(half_points, width=4):>4}{line[end:]}"


def as_written(text: str, original: bytes) -> bytes:
    """Return a text with lines ended by CR LF as the file would have it that it was made from.

    Encoding, mark and line ends are those of the original; of several line ends the most frequent. What that
    encoding has no character for, and UTF-16, becomes UTF-8.
    """
    former, _ = decode(original)
    pairs = former.count("\r\n")
    counts = {"\r\n": pairs, "\n": former.count("\n") - pairs, "\r": former.count("\r") - pairs}
    body = text.replace("\r\n", max(counts, key=lambda end: counts[end]))
    if original.startswith(UTF8_MARK):
        return UTF8_MARK + body.encode()
    if original.startswith(UTF16_MARKS):
        return body.encode()
    for encoding in ("utf-8", likely_encoding(original).codec, "latin-1"):
        try:
            original.decode(encoding)
            return body.encode(encoding)
        except UnicodeError:
            continue
    return body.encode()
