"""What a file is, by its first bytes and by its name."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.fide_list import FideListError, ListRecord, kind_from_name, read_list
from tests.players.fide_list.samples import COMBINED, LINE, SINGLE, player, read, records, text_file, xml_file

NOT_A_LIST = (
    "This is not a FIDE rating list. A TXT list starts with 'ID Number', an XML list with <playerslist>."
)
WEB_PAGE = "This is a web page, not a rating list. Open the page and download the list."
WHICH_KIND = "This list has one rating type. Enter it: standard, rapid, blitz."
OTHER_COLUMNS = (
    "The columns of this list are not those of FIDE lists since 2013. "
    "Download the combined, standard, rapid or blitz list again."
)
DOWNLOAD = (
    "This is the player download of a federation, which has no games and no K-factor. "
    "Use the rating list from the download page."
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The file is empty."),
        (b"\xef\xbb\xbf\r\n", "The file is empty."),
        (b"<!DOCTYPE html>\n<html><body>Not found</body></html>", WEB_PAGE),
        (b"\n <HTML lang=en>", WEB_PAGE),
        (b"<?xml version='1.0'?><html/>", WEB_PAGE),
        (b"012 Zarnik Open\n", "This is a tournament report (TRF), not a rating list."),
        (b"001    1 m    Zarnik, Olvo\n", "This is a tournament report (TRF), not a rating list."),
        (b"PK\x03\x04", NOT_A_LIST),
        (b"100013;Zarnik", NOT_A_LIST),
        (LINE.encode(), NOT_A_LIST),
        (xml_file(player()).decode().encode("utf-32"), NOT_A_LIST),
        (b"<players><player/></players>", NOT_A_LIST),
        (b"ID Number      Name        Titl Fed  Jan13\r\n", OTHER_COLUMNS),
        (COMBINED.replace("SRtng", "XRtng").encode(), OTHER_COLUMNS),
        (SINGLE.encode(), WHICH_KIND),
        (xml_file(player()), WHICH_KIND),
        (
            b'<playerslist>\n <player FIDEID="100013"><name>Zarnik, Olvo</name></player></playerslist>',
            DOWNLOAD,
        ),
        (
            xml_file(before='<?xml version="1.0" encoding="cp037"?>'),
            "The encoding of the file is cp037. Save it as UTF-8.",
        ),
        (
            b'<!DOCTYPE playerslist SYSTEM "a.dtd"><playerslist/>',
            "The file declares a document type, so it cannot be imported. FIDE lists do not have one.",
        ),
    ],
)
def test_file_that_is_no_list_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(FideListError) as refusal:
        read(content)
    assert str(refusal.value) == message


def test_unknown_kind_is_refused() -> None:
    with pytest.raises(FideListError) as refusal:
        read(text_file(LINE), kind="bullet")
    assert refusal.value.code == "kind-unknown"


def test_combined_list_is_read_whole_whatever_the_kind() -> None:
    assert records(text_file(LINE), kind="blitz") == records(text_file(LINE))


def test_reading_gives_its_records_one_by_one_too() -> None:
    reading = read_list(io.BytesIO(text_file(LINE)))
    assert [next(reading), next(reading, None)] == [*records(text_file(LINE)), None]


def test_stream_that_gives_a_byte_at_a_time_reads_alike() -> None:
    class Trickle(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(1, size or 0))

    assert list(read_list(Trickle(text_file(LINE)))) == records(text_file(LINE))


@pytest.mark.parametrize("size", [1, 1 << 16])
@pytest.mark.parametrize(
    "stored",
    [
        text_file(LINE).decode().encode("utf-16"),
        b"\xfe\xff" + text_file(LINE).decode().encode("utf-16-be"),
        b"\xef\xbb\xbf\r\n \r\n" + text_file(LINE),
        text_file(LINE).replace(b"\r\n", b"\r").replace(b"\n", b"\r"),
    ],
    ids=["utf-16-le", "utf-16-be", "blank lines before", "lines end in CR"],
)
def test_list_that_another_program_stored_is_read(stored: bytes, size: int) -> None:
    class Piecewise(io.BytesIO):
        def read(self, most: int | None = -1, /) -> bytes:
            return super().read(min(size, most or 0))

    assert list(read_list(Piecewise(stored))) == records(text_file(LINE))


def test_xml_that_another_program_stored_as_utf_16_is_read() -> None:
    plain = xml_file(player(), before='<?xml version="1.0" encoding="UTF-16"?>')

    assert records(plain.decode().encode("utf-16"), kind="rapid") == records(xml_file(player()), kind="rapid")


def test_lines_are_counted_from_the_first_of_the_file() -> None:
    broken = text_file(LINE, "x" * len(LINE))

    numbers = [
        [item.line for item in read(content) if not isinstance(item, ListRecord)]
        for content in (broken, b"\n\n" + broken)
    ]

    assert numbers == [[3], [5]]


@given(st.binary(max_size=400))
def test_any_bytes_are_refused_or_read(content: bytes) -> None:
    with pytest.raises(FideListError):
        read(content)


@given(st.binary(max_size=400), st.sampled_from(["\n", "\r\n"]))
def test_any_bytes_under_a_heading_leave_the_other_lines(junk: bytes, end: str) -> None:
    content = text_file(LINE, end=end) + junk + b"\n" + LINE.replace("100013", "100021").encode()
    found = [item.fide_id for item in read(content) if isinstance(item, ListRecord)]
    assert (found[0], found[-1]) == (100013, 100021)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("rapid_rating_list.txt", "rapid"),
        ("rapid_feb25frl_xml.zip", "rapid"),
        ("lists/blitz_rating_list_xml.zip", "blitz"),
        ("STANDARD_JAN26FRL.ZIP", "standard"),
        ("players_list_foa.txt", None),
        ("rapid/players_list.zip", None),
        ("rapid_and_blitz.txt", None),
        ("", None),
    ],
)
def test_kind_is_known_from_the_name(name: str, kind: str | None) -> None:
    assert kind_from_name(name) == kind
