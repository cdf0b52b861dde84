"""What is wrong with a list file, or a record of it: codes and parameters, with their sentences in English."""

from __future__ import annotations

from typing import Any, Final


def gettext_noop(text: str) -> str:
    """Mark a text for translation; it is translated where it is shown."""
    return text


MESSAGES: Final = {
    "damaged": gettext_noop("The file is damaged or incomplete (%(error)s). Download it again."),
    "too-large": gettext_noop(
        "The uncompressed file is larger than any rating list, so it cannot be imported."
    ),
    "too-slow": gettext_noop("Reading a file of this size took over %(seconds)s s and was stopped."),
    "unopened": gettext_noop("The file cannot be opened (%(error)s)."),
    "compression-unknown": gettext_noop("The ZIP file does not use deflate compression. Compress it again."),
    "zip-without-list": gettext_noop("The ZIP file contains no .txt or .xml file."),
    "zip-of-several": gettext_noop(
        "The ZIP file contains %(number)s lists (%(names)s). Unpack it and use one."
    ),
    "columns-unknown": gettext_noop(
        "The columns of this list are not those of FIDE lists since 2013. Download the combined, standard, "
        "rapid or blitz list again."
    ),
    "kind-unknown": gettext_noop("No list has the rating type %(type)s. Valid types: %(types)s."),
    "not-utf-8": gettext_noop("The encoding of the file is %(encoding)s. Save it as UTF-8."),
    "federation-download": gettext_noop(
        "This is the player download of a federation, which has no games and no K-factor. Use the rating "
        "list from the download page."
    ),
    "kind-missing": gettext_noop("This list has one rating type. Enter it: %(types)s."),
    "empty": gettext_noop("The file is empty."),
    "web-page": gettext_noop("This is a web page, not a rating list. Open the page and download the list."),
    "document-type": gettext_noop(
        "The file declares a document type, so it cannot be imported. FIDE lists do not have one."
    ),
    "tournament-report": gettext_noop("This is a tournament report (TRF), not a rating list."),
    "not-a-list": gettext_noop(
        "This is not a FIDE rating list. A TXT list starts with 'ID Number', an XML list with <playerslist>."
    ),
    "line-width": gettext_noop("The line has %(number)s characters, not %(width)s."),
    "element-long": gettext_noop("The player element is longer than %(number)s characters."),
    "element-malformed": gettext_noop("The player element is not well-formed XML (%(error)s)."),
    "id-not-digits": gettext_noop("The ID number %(text)s is not a number of digits."),
    "id-too-large": gettext_noop("The ID number %(text)s is too large."),
    "name-long": gettext_noop("The name is longer than %(number)s characters."),
    "name-bytes": gettext_noop("The name has characters that are not UTF-8 or Windows-1252."),
    "titles": gettext_noop("%(text)s is not a list of titles."),
    "arena-title": gettext_noop("%(text)s is not an arena title (%(titles)s)."),
    "birth-year": gettext_noop("%(text)s is not a year of birth."),
    "flag": gettext_noop("The flag %(text)s is not valid. Valid flags: i, w, wi."),
    "federation-code": gettext_noop("%(text)s is not a federation code of 3 capital letters."),
    "sex": gettext_noop("The sex %(text)s is not M or F."),
    "title": gettext_noop("%(text)s is not a title."),
    "not-a-number": gettext_noop("%(text)s is not a number."),
    "number-too-large": gettext_noop("%(number)s is more than %(limit)s."),
    "again": gettext_noop("The ID number %(fide_id)d appears more than once. The first record is used."),
    "element-cut": gettext_noop("This is not a complete player element."),
    "line-cut": gettext_noop("The file ends within this line. It may be incomplete."),
    "end-missing": gettext_noop("The file ends before </playerslist>. It may be incomplete."),
}


class Message(str):
    """A sentence in English, with the `items` from which the portal shows it in any language (`core.stated`)."""

    __slots__ = ("items",)
    items: list[dict[str, Any]]

    def __new__(cls, code: str, **values: object) -> Message:
        made = super().__new__(cls, MESSAGES[code] % values)
        made.items = [{"code": code, **values}]
        return made


class FideListError(Exception):
    """The file is not a readable rating list; the text says why and what to do, the code which reason it is."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


def unreadable(code: str, **values: object) -> FideListError:
    """Return the error of a message."""
    return FideListError(Message(code, **values), code=code)
