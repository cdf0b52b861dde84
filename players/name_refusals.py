"""Why a name is not taken, or is asked about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.bulk import batched, write_missing_rows, write_rows
from core.errors import Refusal, stated_refusal
from core.stated import Sentences
from players.models import FormerName, NameSound, NameWord
from players.name_doubts import NameDoubt, Slip, doubt_about
from players.spelling import EMOJI_STYLES, has_mixed_word, is_hidden, scripts_of, sound_of, visible, words_of

FORBIDDEN = "<>"
# A spreadsheet takes a text that begins so for a formula.
FORMULA = ("=", "+", "-", "@")


# Why names are refused or asked about, by code.
NAMES = Sentences(
    {
        "name-empty": gettext_noop("Enter the name in letters."),
        "name-hidden": gettext_noop("The name contains invisible characters. Type it instead of pasting it."),
        "name-characters": gettext_noop(
            "A name cannot contain < or > or start with =, +, - or @. Remove the character."
        ),
        "name-digits": gettext_noop(
            "A name cannot contain digits. If this is the real name, ask FIDE staff to register the player."
        ),
        "name-scripts": gettext_noop(
            "The name mixes letters of different alphabets. Type it in Latin letters, or ask FIDE staff."
        ),
        Slip.ONE_WORD: gettext_noop(
            "Enter surname and given names, or confirm that the person has one name only."
        ),
        Slip.UNSPLIT: gettext_noop("Enter surname and given names separately."),
        Slip.TITLE: gettext_noop("Enter the name without titles."),
        Slip.LETTERS: gettext_noop("Enter the name in capital and small letters."),
    }
)
# Such a name has nothing that could be refused.
PLAIN_NAME = re.compile("[A-Za-z][A-Za-z ,.'-]*")


def name_refusals(name: str, *, by_staff: bool = False, field: str = "name") -> Iterator[Refusal]:
    """Yield why a person's name is not taken.

    Staff may take names with digits or letters of two scripts, for the few people who are called so.
    """
    if PLAIN_NAME.fullmatch(name):
        return
    found = {
        "name-empty": not words_of(visible(name)),
        "name-hidden": any(map(is_hidden, name)),
        "name-characters": any(letter in name for letter in FORBIDDEN) or name.strip().startswith(FORMULA),
        # Roman and other numerals are numeric, but no digits for `isdigit`.
        "name-digits": not by_staff and any(letter.isnumeric() for letter in name),
        "name-scripts": not by_staff and len(scripts_of(name)) > 1,
    }
    yield from (stated_refusal(NAMES, code, field) for code, is_wrong in found.items() if is_wrong)


def doubt_refusals(name: str, *, field: str = "name") -> Iterator[Refusal]:
    """Yield why a name looks as if it were typed wrongly, with what was probably meant.

    Some people are called so: whoever enters the name may confirm it.
    """
    if doubt := doubt_about(name):
        yield Refusal(doubt.slip, doubt_in_words(doubt), field)


def doubt_in_words(doubt: NameDoubt) -> str:
    """Return the question about a name."""
    meant = get_text_list([f"“{name.listed}”" for name in doubt.proposals])
    question = _("Did you mean %(name)s?") % {"name": meant} if meant else ""
    return f"{NAMES.say(doubt.slip)} {question}".strip()


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


BATCH = 5_000


def write_name_words(names: Iterable[tuple[int, *tuple[str, ...]]], *, heard: set[str] | None = None) -> None:
    """Write the words of players without any, given as (FIDE ID, name, former names).

    `heard` are words whose sound is already stored; new ones are added to it.
    """
    heard = set() if heard is None else heard
    for batch in batched(names, BATCH):
        rows = [
            (word, fide_id)
            for fide_id, *called in batch
            for word in dict.fromkeys(chain.from_iterable(map(words_of, called)))
        ]
        write_rows(NameWord, ("word", "player"), rows)
        new = {word for word, _ in rows} - heard
        write_name_sounds(new)
        heard |= new


def write_name_sounds(words: Iterable[str]) -> None:
    """Write how words sound, of those that no name had before."""
    # In one order: two transactions that insert the same words would otherwise wait for each other.
    rows = [(word, sound_of(word)) for word in sorted(words)]
    if rows:
        write_missing_rows(NameSound, ("word", "sound"), rows)


def rename_players(names: Sequence[tuple[int, str, str]]) -> None:
    """Write the words of players that are called otherwise now, given as (FIDE ID, name, former name).

    They are found by their former names too.
    """
    for batch in batched(names, BATCH):
        # A name of the same words, as with another case or order, finds and is found anyway.
        rows = [(item[0], item[2]) for item in batch if not {*words_of(item[2])} <= {*words_of(item[1])}]
        write_missing_rows(FormerName, ("player", "name"), rows)
        called = {fide_id: [name] for fide_id, name, _former in batch}
        for fide_id, former in FormerName.objects.filter(player__in=list(called)).values_list(
            "player", "name"
        ):
            called[fide_id].append(former)
        NameWord.objects.filter(player__in=list(called)).delete()
        write_name_words((fide_id, *names_of) for fide_id, names_of in called.items())
