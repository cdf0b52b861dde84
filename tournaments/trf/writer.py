"""Writing a report: as a whole, or with some of its lines or one game written otherwise and all else as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from tournaments.trf.checks.pairings import HALF_POINTS
from tournaments.trf.columns import RecordRow
from tournaments.trf.comments import OtherRecord
from tournaments.trf.encodings import likely_encoding
from tournaments.trf.fields import laid_out, points_text, spell_day, spelled_rounds
from tournaments.trf.findings import Finding
from tournaments.trf.limits import MAX_PLAYERS
from tournaments.trf.players import PlayerRecord, column_of
from tournaments.trf.reader import UTF8_MARK, UTF16_MARKS, decode
from tournaments.trf.report import COMPLEMENT, Pairing, Record, Report
from tournaments.trf.tables import OF_EVENT, TEAMS_16, TEAMS_26, row
from tournaments.trf.time_control import encode_222, parse_time_control

LINE_END = "\r\n"


def write_report(report: Report) -> str:
    """Return a report as TRF in lines that end in CR LF; read again it is equal to the report.

    `ValueError` where a value does not fit its columns, which none has that was read.
    """
    event = [record.dumps() for record in report.records if record.tag in OF_EVENT]
    players = [player.dumps() for player in report.players]
    others = [record.dumps() for record in report.records if record.tag not in OF_EVENT]
    lines = [*_header(report), *event, *players, *others]
    return "".join(line.rstrip() + LINE_END for line in lines)


def _header(report: Report) -> Iterator[str]:
    yield f"012 {report.name}"
    yield f"022 {report.city}"
    yield f"032 {report.federation}"
    yield f"042 {spell_day(report.start) if report.start else ''}"
    yield f"052 {spell_day(report.end) if report.end else ''}"
    yield f"062 {_count(report.number_of_players)}"
    yield f"072 {_count(report.number_of_rated_players)}"
    yield f"082 {_count(report.number_of_teams)}"
    yield f"092 {report.tournament_type}"
    yield f"102 {report.chief_arbiter}"
    yield from (f"112 {arbiter}" for arbiter in report.deputy_arbiters)
    yield f"122 {report.time_control}"
    if report.encoded_time_control:
        yield f"222 {report.encoded_time_control}"
    if report.round_dates:
        yield _round_dates(report)


def _round_dates(report: Report) -> str:
    texts = spelled_rounds(report.round_dates, start=report.start, end=report.end)
    return laid_out((1, "132"), *((column_of(index), text) for index, text in enumerate(texts, 1)))


def _count(number: int | None) -> str:
    return "" if number is None else str(number)


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
    pairings = (game for game in report.games() if game.round == round_number and game.white == white)
    return next(pairings, None)


def with_result(report: Report, pairing: Pairing, result: str) -> str:
    """Return the text of a report with another result of one pairing; lines end in CR LF.

    `result` is a key of `RESULTS`; `KeyError` for another.
    """
    return with_lines(report, decided_lines(report, {pairing: result}))


def decided_lines(report: Report, decided: Mapping[Pairing, str]) -> dict[int, str]:
    """Return the lines that decisions on pairings change, by their numbers from 1: codes, and the points with them.

    `decided` has keys of `RESULTS`. Points that fit the decided results already stay as they are. A game that was a
    forfeit without colours gets those by which it is named.
    """
    players, lines, gained = report.by_number(), dict[int, str](), dict[int, int]()
    for pairing, result in decided.items():
        sides = zip((pairing.white, pairing.black), "wb", RESULTS[result], strict=True)
        for number, colour, code in sides:
            player = players[number]
            former = player.results[pairing.round - 1]
            gained[number] = (
                gained.get(number, 0) + HALF_POINTS.get(code, 0) - HALF_POINTS.get(former.code, 0)
            )
            line = lines.get(number, report.lines[player.line - 1])
            if code in COMPLEMENT and not former.colour:
                line = _with_letter(line, player, pairing.round, COLOUR, colour)
            lines[number] = _with_letter(line, player, pairing.round, CODE, code)
    for number, half_points in gained.items():
        lines[number] = _with_gained(lines[number], players[number], half_points)
    return {players[number].line: line for number, line in lines.items()}


def merged_line(old: str, news: Sequence[str]) -> tuple[str, int]:
    """Return a line with several changes of it made together, and how many were left out.

    One that wants a column otherwise than one before it is left out.
    """
    if len(news) == 1:
        return news[0], 0
    width = max(map(len, (old, *news)))
    before = old.ljust(width)
    line, left = before, 0
    for new in news:
        columns = [*zip(before, line, new.ljust(width), strict=True)]
        if any(wanted != was and now not in (was, wanted) for was, now, wanted in columns):
            left += 1
        else:
            line = "".join(now if wanted == was else wanted for was, now, wanted in columns)
    return line.rstrip(), left


def with_lines(report: Report, changed: Mapping[int, str]) -> str:
    """Return the text of a report with other lines in the place of some, by their numbers from 1.

    A line may become several.
    """
    lines = (changed.get(number, line) for number, line in enumerate(report.lines, start=1))
    return "".join(line.replace("\n", LINE_END) + LINE_END for line in lines)


def recoloured_lines(report: Report, pairing: Pairing) -> dict[int, str]:
    """Return the two lines of a pairing with their colours exchanged, by their numbers from 1; results stay."""
    players = report.by_number()
    sides = ((players[pairing.white], "b"), (players[pairing.black], "w"))
    return {
        player.line: _with_letter(report.lines[player.line - 1], player, pairing.round, COLOUR, colour)
        for player, colour in sides
    }


def swapped_lines(report: Report, round_number: int, one: int, other: int) -> dict[int, str]:
    """Return the lines of a round in which two starting ranks take each other's place, by their numbers from 1.

    Each plays (or has the bye of) the other; opponents and points follow, and results stay on their boards.
    `ValueError` for two who played each other.
    """
    players = report.by_number()
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


def _opponent_in(player: PlayerRecord, round_number: int) -> int | None:
    """Return the opponent of a round, None where there is none."""
    results = player.results[round_number - 1 : round_number]
    return results[0].opponent or None if results else None


def _score_in(player: PlayerRecord, round_number: int) -> int:
    return sum(HALF_POINTS.get(result.code, 0) for result in player.results[round_number - 1 : round_number])


def _round_field(report: Report, player: PlayerRecord, round_number: int) -> str:
    at = player.column_of(round_number) - 1
    return report.lines[player.line - 1][at : at + CODE + 1].ljust(CODE + 1)


def _with_round(line: str, player: PlayerRecord, round_number: int, field: str) -> str:
    at = player.column_of(round_number) - 1
    return f"{line[:at].ljust(at)}{field}{line[at + CODE + 1 :]}".rstrip()


def _with_gained(line: str, player: PlayerRecord, gained: int) -> str:
    """Return the line with other points, where those of the report do not fit the results already."""
    counted = sum(HALF_POINTS.get(result.code, 0) for result in player.results)
    if not gained or player.points is None or player.points == counted + gained:
        return line
    return _with_points(line, player, max(0, player.points + gained))


def _with_letter(line: str, player: PlayerRecord, round_number: int, offset: int, letter: str) -> str:
    at = player.column_of(round_number) - 1 + offset
    return line[:at].ljust(at) + letter + line[at + 1 :]


def _with_points(line: str, player: PlayerRecord, half_points: int) -> str:
    start, end = POINTS.start - player.shift, POINTS.stop - player.shift
    return f"{line[:start]}{points_text(half_points, width=4):>4}{line[end:]}"


def corrected_text(report: Report, findings: Iterable[Finding]) -> str:
    """Return the lines of a report, each with the fix of its finding; of several for one line the first.

    Lines end in CR LF. Checked again, the text may have findings that the former line hid.
    """
    changed: dict[int, str] = {}
    for finding in findings:
        if finding.fix is not None and finding.line is not None:
            changed.setdefault(finding.line, finding.fix)
    return with_lines(report, changed)


def as_written(text: str, original: bytes) -> bytes:
    """Return a text with lines ended by CR LF as the file would have it that it was made from.

    Encoding, mark and line ends are those of the original; of several line ends the most frequent. What that
    encoding has no character for, and UTF-16, becomes UTF-8.
    """
    former, _ = decode(original)
    body = text.replace("\r\n", _line_end(former))
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


def _line_end(text: str) -> str:
    pairs = text.count("\r\n")
    counts = {"\r\n": pairs, "\n": text.count("\n") - pairs, "\r": text.count("\r") - pairs}
    return max(counts, key=lambda end: counts[end])


# Record 310 numbers teams in three columns.
MAX_TEAMS = 999


def write_trf26(report: Report) -> str:
    """Return a report as TRF26 in lines that end in CR LF: with 142, 222 and 132 where they are certain, 310 for 013.

    XXR, XXC, XXZ and XXP of JaVaFo become 142, 152, 240 and 260. Extensions without a TRF26 record, such
    as scores, stay: readers skip unknown records. `#` comments begin with `###`. Players and games are those
    of the report.
    """
    records = [new for record in report.records for new in _convert_record(record, report)]
    if report.rounds:
        records.insert(0, next(iter(report.rows("142")), None) or row("142", report.rounds))
    modern = replace(
        report,
        encoded_time_control=report.encoded_time_control or _encode_time_control(report.time_control),
        round_dates=report.round_dates or _only_day(report),
        records=tuple(_with_teams(records)),
    )
    return write_report(modern)


def _convert_record(record: Record, report: Report) -> Iterator[Record]:
    """Yield what takes the place of a record, mostly itself; the number of rounds is written first."""
    match record:
        case RecordRow(tag="142" | "XXR"):
            return
        case RecordRow(tag="XXC") if record.text.lower() in ("white1", "black1"):
            yield row("152", f" {record.text[0].upper()}")
        case RecordRow(tag="XXZ") if max(record["numbers"], default=0) <= MAX_PLAYERS:
            yield row("240", "Z", report.rounds_played + 1, record["numbers"])
        case RecordRow(tag="XXP") if max(record["numbers"], default=0) <= MAX_PLAYERS:
            yield row("260", 1, max(report.rounds, 1), record["numbers"])
        case OtherRecord() if record.text.startswith("#") and not record.text.startswith("###"):
            yield OtherRecord(f"### {record.text.lstrip('# ')}")
        case _:
            yield record


def _with_teams(records: list[Record]) -> list[Record]:
    """Return the records with the teams of 013 as 310, where there are none of 310 and not too many."""
    old = [record for record in records if isinstance(record, RecordRow) and record.tag == TEAMS_16]
    if len(old) > MAX_TEAMS or any(
        isinstance(record, RecordRow) and record.tag == TEAMS_26 for record in records
    ):
        return records
    numbers = {id(team): number for number, team in enumerate(old, 1)}
    return [
        row(TEAMS_26, numbers[id(record)], record["name"], "", "", None, None, None, record["players"])
        if isinstance(record, RecordRow) and id(record) in numbers
        else record
        for record in records
    ]


def _encode_time_control(text: str) -> str | None:
    """Return the time control of 122 as 222; None if it is unknown, or a delay, which 222 cannot encode."""
    control = parse_time_control(text)
    return encode_222(control) if control and not control.is_delay else None


def _only_day(report: Report) -> tuple[date | None, ...]:
    """Return the day of each round of an event of one day, nothing for others."""
    is_one_day = report.start and report.start == report.end
    return (report.start,) * report.rounds if is_one_day else ()
