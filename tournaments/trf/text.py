"""The text of a file as lines: its encoding, line ends, characters that no line has, and which other file it may be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from tournaments.trf.encodings import Encoding, likely_encoding, sample_names
from tournaments.trf.findings import WHOLE_FILE, Finding, Place, found
from tournaments.trf.limits import MAX_BYTES, MAX_LINE_LENGTH
from tournaments.trf.player_reader import is_aligned
from tournaments.trf.tables import COLUMNS

# The first bytes of other files, and the code that says what they are.
STARTS = {
    b"%PDF": "pdf-file",
    b"PK\x03\x04": "archive-file",
    b"\x1f\x8b": "archive-file",
    b"Rar!": "archive-file",
    b"7z\xbc\xaf": "archive-file",
    b"\xd0\xcf\x11\xe0": "office-file",
    b"{\\rtf": "office-file",
    b"\x89PNG": "binary-file",
    b"\xff\xd8\xff": "binary-file",
    b"GIF8": "binary-file",
    b"\x00\x01\x00\x00Standard Jet DB": "program-database",
    b"\x00\x01\x00\x00Standard ACE DB": "program-database",
    b"SQLite format 3\x00": "program-database",
}
# Spreadsheets and documents are archives too; these names are near their start.
IN_OFFICE_FILES = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis.opendocument", b"_rels/")
LINES = 60
MARKUP = re.compile(r"\s*<(?:!doctype\s+html|!--|html|head|body|table)[\s>-]", re.IGNORECASE)
LIST_XML = re.compile(r"<playerslist\b|<fideid>", re.IGNORECASE)
XML = re.compile(r"\s*<[?!a-z]", re.IGNORECASE)
OBJECT = re.compile(r"\s*[\[{]\s*[\"\[{]")
PGN = re.compile(r"\[(?:Event|Site|White|Black|Round) \"", re.MULTILINE)
RATING_LIST = re.compile(r"ID ?Number\s+Name\b", re.IGNORECASE)
# Vega's own file has the tags of a report, and the fields of a player between strokes.
VEGA = re.compile(r"001 ?\d+\|.*\|.*\|")
# What Vega gives its pairing engine has its own name for the city, and none of these records.
VEGA_CITY, NOT_FOR_ENGINES = "022 VEGA", {"032", "102", "122", "132"}
# Tables as they are copied from a spreadsheet or a page of results.
CELLS = re.compile(r"[;\t|]|,(?=\S)")
FEWEST_CELLS, FEWEST_ROWS = 4, 3
# What a report of any dialect has.
RECORD = re.compile(r"(?:0[0-9][12]|1[0-9]2) ", re.MULTILINE)


def known_by_bytes(data: bytes) -> str | None:
    """Return the code of what is known to be no text by its first bytes, None for others."""
    code = next((code for start, code in STARTS.items() if data.startswith(start)), None)
    if code == "archive-file" and any(name in data[:SAMPLE] for name in IN_OFFICE_FILES):
        return "office-file"
    return code


def known_by_text(text: str) -> str | None:
    """Return the code of what a text is that is no report, None for a report and for what is not known."""
    sample = text[:SAMPLE]
    lines = [line for line in islice(sample.splitlines(), LINES) if line.strip()]
    if any(VEGA.match(line) for line in lines):
        return "vega-file"
    has_vega_city = any(line.rstrip() == VEGA_CITY for line in lines)
    if has_vega_city and NOT_FOR_ENGINES.isdisjoint(line[:3] for line in lines):
        return "vega-engine-file"
    if XML.match(sample) and LIST_XML.search(sample):
        return "rating-list-file"
    if MARKUP.match(sample):
        return "html-page"
    if XML.match(sample):
        return "html-page" if "<html" in sample.lower() else "program-file"
    if OBJECT.match(sample) and not PGN.match(sample.lstrip()):
        return "program-file"
    if PGN.search(sample[: SAMPLE // 16]):
        return "pgn-file"
    if lines and RATING_LIST.match(lines[0].strip()):
        return "rating-list-file"
    rows = sum(len(CELLS.findall(line)) >= FEWEST_CELLS for line in lines)
    is_table = rows >= FEWEST_ROWS and 2 * rows > len(lines)
    return "table-file" if is_table and not any(RECORD.match(line) for line in lines) else None


CONTROL_LETTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
UNUSUAL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\xa0\u2028\u2029\ufffd]")
LOST_LETTER = "\ufffd"


def usual_lines(lines: tuple[str, ...], findings: list[Finding]) -> Iterator[str]:
    """Yield the lines in printable characters and blanks, without blanks at their ends."""
    for at, line in enumerate(lines, 1):
        if len(line) > MAX_LINE_LENGTH:
            findings.append(
                found("line-too-long", Place(at, MAX_LINE_LENGTH), count=len(line), limit=MAX_LINE_LENGTH)
            )
            line = line[:MAX_LINE_LENGTH]
        line = line.rstrip()
        # The first look is far quicker, and enough for nearly all lines.
        is_usual = (line.isprintable() and LOST_LETTER not in line) or not UNUSUAL.search(line)
        yield line if is_usual else _usual(line, at, findings)


def _usual(line: str, at: int, findings: list[Finding]) -> str:
    position = line.find(LOST_LETTER)
    if position >= 0:
        around = line[max(0, position - 10) : position + 10].strip()
        findings.append(found("encoding-broken", Place(at, position + 1, 1), text=around))
    line = line.replace("\xa0", " ")
    if "\t" in line:
        line = _without_tabs(line, at, findings)
    if control := CONTROL_LETTERS.search(line):
        place = Place(at, control.start() + 1, 1)
        findings.append(found("control-character", place, character=f"{ord(control[0]):04X}"))
        line = CONTROL_LETTERS.sub(" ", line)
    return line.replace("\u2028", " ").replace("\u2029", " ").rstrip()


def _without_tabs(line: str, at: int, findings: list[Finding]) -> str:
    column = line.index("\t") + 1
    blanked = line.replace("\t", " ")
    # Outside the players' lines a tab shifts nothing that is used.
    if not line.startswith("001"):
        findings.append(found("tab-as-blank", Place(at, column, 1)))
        return blanked
    # A tab stands for any number of columns: what fits the table is meant.
    candidates = (blanked, line.expandtabs(8))
    chosen = next(filter(is_aligned, candidates), blanked)
    fix = chosen if is_aligned(chosen) else None
    findings.append(found("tab", Place(at, column, 1)).with_fix(fix))
    return chosen


UTF8_MARK = b"\xef\xbb\xbf"
# Without its mark UTF-16 is not told from other bytes.
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
NO_TEXT = frozenset(STARTS.values())
CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
END_OF_TEXT = "\x1a"
SAMPLE = 65_536


def text_of(data: bytes | str) -> tuple[str, list[Finding]]:
    """Return the text of a file and its issues, or the error of an unreadable file.

    Bytes are UTF-8, with or without a mark, else in the likely encoding; UTF-16 needs its mark. Columns are
    characters, so decoding comes before slicing.
    """
    if len(data) > MAX_BYTES:
        return "", [found("file-too-large", limit=MAX_BYTES // (1024 * 1024))]
    text, findings = (data, []) if isinstance(data, str) else decode(data)
    # DOS programs end a text with a special control character.
    text = text.removeprefix("\ufeff").removesuffix(END_OF_TEXT)
    if any(finding.code in NO_TEXT for finding in findings):
        return text, findings
    if not text.strip():
        return text, [found("empty-file")]
    sample = text[:SAMPLE]
    if len(CONTROLS.findall(sample)) * 20 > len(sample):
        return text, [found("binary-file")]
    if foreign := known_by_text(text):
        return text, [found(foreign, Place(1) if foreign == "html-page" else WHOLE_FILE)]
    return text, findings


def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text that ends them by CR LF, CR, LF or a mixture, and by nothing else.

    `str.splitlines` would also split at characters that a wrongly decoded name may contain (NEL, VT, FF).
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return tuple(lines)


def has_mixed_line_ends(text: str) -> bool:
    """Return whether a text has more than one kind of line ending."""
    pairs = text.count("\r\n")
    singles = (text.count("\r") - pairs, text.count("\n") - pairs)
    return sum(bool(count) for count in (pairs, *singles)) > 1


def decode(data: bytes) -> tuple[str, list[Finding]]:
    foreign = known_by_bytes(data)
    if foreign is not None:
        return "", [found(foreign)]
    if data.startswith(UTF16_MARKS):
        return data.decode("utf-16", errors="replace"), [found("encoding-utf-16")]
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = len(lines_of(data[: error.start].decode("latin-1") + "x"))
    encoding = likely_encoding(data)
    text = _text_in(data, encoding)
    facts = {"encoding": encoding.name, "names": sample_names(text)}
    return text, [found("encoding-guessed", Place(line), **facts)]


def _text_in(data: bytes, encoding: Encoding) -> str:
    """Return a text in an encoding; in one of two bytes a letter, programs pad names by bytes."""
    try:
        text = data.decode(encoding.codec)
    except UnicodeDecodeError:
        return data.decode("latin-1")
    if not encoding.frequent:
        return text
    end = COLUMNS["name"].last
    lines = []
    for line in text.split("\n"):
        extra = len(line.encode(encoding.codec)) - len(line)
        is_padded = extra and line.startswith("001") and not is_aligned(line.rstrip())
        padded = line[: end - extra] + " " * extra + line[end - extra :] if is_padded else line
        lines.append(padded if is_padded and is_aligned(padded.rstrip()) else line)
    return "\n".join(lines)
