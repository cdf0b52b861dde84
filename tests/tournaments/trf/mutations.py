"""Mutations of reports: bytes, lines and columns changed, deleted, doubled and swapped."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Mutation = Callable[[bytes, Random], bytes]
# What most often stands in the rounds of a player.
ROUND_CHARACTERS = b" 0123456789=+-wbWDLHFUZ"
WIDEST = 130


def _byte_changed(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data))
    return data[:place] + bytes([random.randrange(256)]) + data[place + 1 :]


def _round_changed(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data))
    return data[:place] + bytes([random.choice(ROUND_CHARACTERS)]) + data[place + 1 :]


def _bytes_deleted(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data))
    return data[:place] + data[place + random.choice((1, 1, 1, 2, 5, 10, 30)) :]


def _bytes_doubled(data: bytes, random: Random) -> bytes:
    place, source = random.randrange(len(data)), random.randrange(len(data))
    return data[:place] + data[source : source + random.randrange(1, 40)] + data[place:]


def _cut(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(1, len(data))]


def _line_deleted(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    del lines[random.randrange(len(lines))]
    return b"\n".join(lines)


def _line_doubled(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    lines.insert(random.randrange(len(lines)), random.choice(lines))
    return b"\n".join(lines)


def _lines_swapped(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _line_broken(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data))
    return data[:place] + random.choice((b"\n", b"\r", b"\r\n")) + data[place:]


def _column_deleted(data: bytes, random: Random) -> bytes:
    column = random.randrange(WIDEST)
    return b"\n".join(line[:column] + line[column + 1 :] for line in data.split(b"\n"))


def _column_doubled(data: bytes, random: Random) -> bytes:
    column = random.randrange(WIDEST)
    return b"\n".join(line[: column + 1] + line[column:] for line in data.split(b"\n"))


def _columns_swapped(data: bytes, random: Random) -> bytes:
    one, other = sorted((random.randrange(91, WIDEST), random.randrange(91, WIDEST)))
    return b"\n".join(_with_swapped(line, one, other) for line in data.split(b"\n"))


def _with_swapped(line: bytes, one: int, other: int) -> bytes:
    if one == other or other >= len(line):
        return line
    pieces = (
        line[:one],
        line[other : other + 1],
        line[one + 1 : other],
        line[one : one + 1],
        line[other + 1 :],
    )
    return b"".join(pieces)


MUTATIONS: tuple[Mutation, ...] = (
    _byte_changed,
    _round_changed,
    _bytes_deleted,
    _bytes_doubled,
    _cut,
    _line_deleted,
    _line_doubled,
    _lines_swapped,
    _line_broken,
    _column_deleted,
    _column_doubled,
    _columns_swapped,
)


def mutated(data: bytes, random: Random) -> bytes:
    """Return the data with one to three mutations."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if data:
            data = random.choice(MUTATIONS)(data, random)
    return data
