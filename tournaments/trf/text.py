"""From bytes to lines: encodings, line ends, tabs and control characters, and what is no text at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.limits import MAX_BYTES, MAX_LINE_LENGTH
from tournaments.trf.records.player import is_aligned

CONTROL_LETTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
UNUSUAL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\xa0\u2028\u2029\ufffd]")
LOST_LETTER = "\ufffd"
DIGITS = re.compile(r"[\d\s]+")
TENS = re.compile(r"\s{5,}1\s+2[\d\s]*")
DASHES = re.compile(r"[-+=|.\d\s]+")
LEGEND = re.compile(r"(?:DDD|###)\s+SSSS\b")


def is_skipped(line: str) -> bool:
    """Whether a line is blank, a ruler or the legend of one: it says nothing of the event."""
    return not line or _is_ruler(line) or bool(LEGEND.match(line))


def is_comment(line: str) -> bool:
    """Whether a line is a comment: `###` in TRF26, `#` in some programs."""
    return line.startswith("#")


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


def _is_ruler(line: str) -> bool:
    if "1234567890" in line or "0123456789" in line:
        return bool(DIGITS.fullmatch(line))
    return bool(TENS.fullmatch(line) or ("----" in line and DASHES.fullmatch(line)))


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
    if not line.startswith("001"):
        findings.append(found("tab-as-blank", Place(at, column, 1)))
        return blanked
    candidates = (blanked, line.expandtabs(8))
    chosen = next(filter(is_aligned, candidates), blanked)
    fix = chosen if is_aligned(chosen) else None
    findings.append(found("tab", Place(at, column, 1)).with_fix(fix))
    return chosen


UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# How files begin that are sent in place of a report, and the finding that says what they are.
FOREIGN_STARTS = {
    b"%PDF": "pdf-file",
    b"PK\x03\x04": "archive-file",
    b"\x1f\x8b": "archive-file",
    b"Rar!": "archive-file",
    b"7z\xbc\xaf": "archive-file",
    b"\xd0\xcf\x11\xe0": "office-file",
    b"{\\rtf": "office-file",
    b"\x89PNG": "binary-file",
}
# Spreadsheets and documents are archives too; these stand near their beginning.
IN_OFFICE_FILES = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis.opendocument", b"_rels/")
NO_TEXT = frozenset(FOREIGN_STARTS.values())
MARKUP = re.compile(r"\s*<(?:!doctype|!--|\?xml|html|head|body|[a-z]+[\s>/])", re.IGNORECASE)
CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
END_OF_TEXT = "\x1a"
SAMPLE = 65_536


def text_of(data: bytes | str) -> tuple[str, list[Finding]]:
    """Return the text of a file and what was found; an error stands for a file that is not read at all.

    Bytes are UTF-8, with or without a mark, else Windows-1252; UTF-16 needs its mark. Columns are characters,
    so decoding comes before slicing.
    """
    if len(data) > MAX_BYTES:
        return "", [found("file-too-large", limit=MAX_BYTES // (1024 * 1024))]
    text, findings = (data, []) if isinstance(data, str) else _decoded(data)
    # DOS programs end a text with a control character of its own.
    text = text.removeprefix("\ufeff").removesuffix(END_OF_TEXT)
    if any(finding.code in NO_TEXT for finding in findings):
        return text, findings
    if not text.strip():
        return text, [found("empty-file")]
    if _is_binary(text):
        return text, [found("binary-file")]
    if MARKUP.match(text):
        return text, [found("html-page", Place(1))]
    return text, findings


def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text that ends them by CR LF, CR, LF or a mixture, and by nothing else.

    `str.splitlines` would also split at characters that a wrongly decoded name may contain (NEL, VT, FF).
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return tuple(lines)


def as_written(text: str, original: bytes) -> bytes:
    """Return a text with lines ended by CR LF as the file would have it that it was made from.

    Encoding, mark and line ends are those of the original; of several line ends the most frequent. What that
    encoding has no character for, and UTF-16, becomes UTF-8.
    """
    former, _ = _decoded(original)
    body = text.replace("\r\n", _line_end(former))
    if original.startswith(UTF8_MARK):
        return UTF8_MARK + body.encode()
    if original.startswith(UTF16_MARKS):
        return body.encode()
    for encoding in ("utf-8", "cp1252", "latin-1"):
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


def has_mixed_line_ends(text: str) -> bool:
    """Whether a text ends its lines in more than one way."""
    pairs = text.count("\r\n")
    singles = (text.count("\r") - pairs, text.count("\n") - pairs)
    return sum(bool(count) for count in (pairs, *singles)) > 1


def _decoded(data: bytes) -> tuple[str, list[Finding]]:
    foreign = _foreign(data)
    if foreign is not None:
        return "", [found(foreign)]
    if data.startswith(UTF16_MARKS):
        return data.decode("utf-16", errors="replace"), [found("encoding-utf-16")]
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = len(lines_of(data[: error.start].decode("latin-1") + "x"))
        return _western(data), [found("encoding-guessed", Place(line))]


def _foreign(data: bytes) -> str | None:
    """Return the code of the finding for a file that is known to be no text by its beginning."""
    code = next((code for start, code in FOREIGN_STARTS.items() if data.startswith(start)), None)
    if code == "archive-file" and any(name in data[:SAMPLE] for name in IN_OFFICE_FILES):
        return "office-file"
    return code


def _western(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _is_binary(text: str) -> bool:
    sample = text[:SAMPLE]
    return len(CONTROLS.findall(sample)) * 20 > len(sample)
