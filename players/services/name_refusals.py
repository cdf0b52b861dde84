"""Why a name is not taken, or is asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from core.errors import Refusal
from players.name_doubts import NameDoubt, Slip, doubt_about
from players.spelling import EMOJI_STYLES, has_mixed_word, is_hidden, scripts_of, visible, words_of

FORBIDDEN = "<>"
# A spreadsheet takes a text that begins so for a formula.
FORMULA = ("=", "+", "-", "@")


def name_refusals(name: str, *, by_staff: bool = False, field: str = "name") -> Iterator[Refusal]:
    """Yield why a person's name is not taken.

    Staff may take names with digits or letters of two scripts, for the few people who are called so.
    """
    if not words_of(visible(name)):
        yield Refusal("name-empty", _("Enter the name in letters."), field)
    if any(map(is_hidden, name)):
        message = _("The name contains invisible characters. Type it instead of pasting it.")
        yield Refusal("name-hidden", message, field)
    if any(letter in name for letter in FORBIDDEN) or name.strip().startswith(FORMULA):
        message = _("A name cannot contain < or > or start with =, +, - or @. Remove the character.")
        yield Refusal("name-characters", message, field)
    # Roman and other numerals are numeric, but no digits for `isdigit`.
    if not by_staff and any(letter.isnumeric() for letter in name):
        message = _(
            "A name cannot contain digits. If this is the real name, ask FIDE staff to register the player."
        )
        yield Refusal("name-digits", message, field)
    if not by_staff and len(scripts_of(name)) > 1:
        message = _(
            "The name mixes letters of different alphabets. Type it in Latin letters, or ask FIDE staff."
        )
        yield Refusal("name-scripts", message, field)


def doubt_refusals(name: str, *, field: str = "name") -> Iterator[Refusal]:
    """Yield why a name looks as if it were typed wrongly, with what was probably meant.

    Some people are called so: whoever enters the name may confirm it.
    """
    if doubt := doubt_about(name):
        yield Refusal(doubt.slip, doubt_in_words(doubt), field)


def doubt_in_words(doubt: NameDoubt) -> str:
    """Return the question about a name."""
    texts = {
        Slip.ONE_WORD: _("Enter surname and given names, or confirm that the person has one name only."),
        Slip.UNSPLIT: _("Enter surname and given names separately."),
        Slip.TITLE: _("Enter the name without titles."),
        Slip.LETTERS: _("Enter the name in capital and small letters."),
    }
    meant = get_text_list([f"“{name.listed}”" for name in doubt.proposals])
    return " ".join(
        filter(None, (texts[doubt.slip], meant and _("Did you mean %(name)s?") % {"name": meant}))
    )


def text_refusals(texts: Mapping[str, str]) -> Iterator[Refusal]:
    """Yield why names of tournaments, places and the like are not taken, given by field; an empty one is."""
    for field, text in texts.items():
        if text.strip() and not words_of(visible(text)):
            yield Refusal(f"{field}-empty", _("Enter this in letters or digits."), field)
        if any(is_hidden(letter) and letter not in EMOJI_STYLES for letter in text):
            message = _("The text contains invisible characters. Type it instead of pasting it.")
            yield Refusal(f"{field}-hidden", message, field)
        if has_mixed_word(text):
            message = _("A word has letters of different alphabets that look alike. Type it in one alphabet.")
            yield Refusal(f"{field}-scripts", message, field)
