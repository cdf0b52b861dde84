"""The texts that people read: the words, the sentence case and the terms of the style guide."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from babel.messages import Message
from babel.messages.pofile import read_po
from django.core.management import BaseCommand, CommandParser, get_commands, load_command_class

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
GUIDE: dict[str, Any] = json.loads((ROOT / "tests/words.json").read_text())
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w+\}|</?\w[^>]*>|&\w+;")
MAX_LABEL = 40
# The documents in which bold words are labels of the interface; words before a sentence end with a full stop.
GUIDES = ("for-players", "move-in", "officer-guide", "qc-guide", "texts-and-comparisons", "undo")


@cache
def messages(language: str) -> list[Message]:
    """Return the messages of a catalogue without its header."""
    with (ROOT / f"locale/{language}/LC_MESSAGES/django.po").open("rb") as file:
        return [message for message in read_po(file, locale=language) if message.id]


def texts() -> Iterator[tuple[str, str]]:
    """Yield the context and the text of each message, plural forms too."""
    for message in messages("fr"):
        yield from ((message.context or "", form) for form in forms_of(message.id))


def forms_of(text: Any) -> list[str]:
    """Return the forms of a message or its translation, one where it has no plural."""
    return [str(form) for form in text] if isinstance(text, (tuple, list)) else [str(text)]


def parsers() -> Iterator[tuple[str, CommandParser]]:
    """Yield the name of each command of the portal, and its parser."""
    parts = {path.name for path in ROOT.iterdir() if (path / "management").is_dir()}
    for name, app in get_commands().items():
        if app in parts and name != "makemessages":
            yield name, load_command_class(app, name).create_parser("manage.py", name)


def helps() -> Iterator[tuple[str, str]]:
    """Yield the name of each command of the portal, and the texts of its help."""
    common = {action.help for action in BaseCommand().create_parser("manage.py", "")._actions}
    for name, parser in parsers():
        texts = (parser.description, *(action.help for action in parser._actions))
        yield from ((name, text) for text in texts if text and text not in common)


def descriptions(node: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield the place of each description and summary of docs/openapi.yaml, and its text."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("description", "summary") and isinstance(value, str):
                yield place, value
            yield from descriptions(value, f"{place}/{key}")
    elif isinstance(node, list):
        for item in node:
            yield from descriptions(item, place)


@pytest.fixture(scope="module")
def others() -> list[str]:
    """Return the texts outside the catalogue: help of commands, the description of the API."""
    document = yaml.safe_load((ROOT / "docs/openapi.yaml").read_text(encoding="utf-8"))
    return sorted({" ".join(text.split()) for _, text in (*helps(), *descriptions(document))})


def plain(text: str) -> str:
    return PLACEHOLDER.sub("X", text)


def spoken(text: str) -> str:
    """Return a label without capitals and the full stop or colon after it."""
    return text.casefold().rstrip(".:\u00a0 ")


def forbidden_in(found: Iterable[str]) -> dict[str, list[str]]:
    """Return the texts with a forbidden pattern, by the pattern and what is better."""
    kept = {text: plain(text) for text in found if text not in GUIDE["allowed"]}
    wrong = {
        f"{pattern}, better: {better}": [text for text, words in kept.items() if re.search(pattern, words)]
        for pattern, better in GUIDE["forbidden"].items()
    }
    return {pattern: texts for pattern, texts in wrong.items() if texts}


def test_texts_use_the_terms_of_the_glossary() -> None:
    assert forbidden_in(text for _, text in texts()) == {}


def test_commands_and_api_use_the_terms_of_the_glossary(others: list[str]) -> None:
    assert forbidden_in(others) == {}


def test_the_help_of_a_command_explains_each_argument() -> None:
    silent = [
        (name, action.dest) for name, parser in parsers() for action in parser._actions if not action.help
    ]

    assert silent == []


def test_titles_and_buttons_are_in_sentence_case() -> None:
    """A capital after a small letter is that of a name."""
    wrong = []
    for _, text in texts():
        if len(text) <= MAX_LABEL and not re.search(r"[.:?“]", text):
            words = re.findall(r"(?<=[a-zX] )[A-Z][a-z]+", plain(text))
            wrong += [text for word in words if word not in GUIDE["capitals"] and word != "X"]

    assert wrong == []


def test_guides_name_what_pages_have() -> None:
    """A guide has an example in place of a number, and of a choice the words before the colon."""
    labels = {spoken(plain(text).partition(":")[0]) for _, text in texts()}
    pages = [(ROOT / f"docs/{guide}.md").read_text(encoding="utf-8") for guide in GUIDES]
    bold = {" ".join(words.split()) for page in pages for words in re.findall(r"\*\*([^*]+)\*\*", page)}
    named = {spoken(re.sub(r"\d+", "X", words)): words for words in bold if not words.endswith(".")}

    assert "accept report" in named
    assert [words for name, words in named.items() if name not in labels] == []


def test_one_text_has_one_spelling() -> None:
    """Two texts do not differ in punctuation, spaces or an ending full stop alone, labels and sentences apart."""
    spellings = defaultdict(set)
    for context, text in texts():
        key = re.sub(r"[^\w%(){}]+", " ", text).strip()
        spellings[context, key, text.endswith("."), text.endswith(":")].add(text)
    twins = [sorted(found) for found in spellings.values() if len(found) > 1]

    assert [pair for pair in twins if pair not in GUIDE["twins"]] == []


def test_one_label_has_one_spelling() -> None:
    """Two labels do not differ in their articles or in the names of their placeholders alone."""
    spellings = defaultdict(set)
    for context, text in texts():
        if len(plain(text)) <= MAX_LABEL:
            key = re.sub(r"\b(an?|the)\b|[^\w.:]+", " ", plain(text).casefold()).split()
            spellings[context, *key].add(text.casefold())
    twins = [
        sorted(found, key=lambda text: (len(text), text)) for found in spellings.values() if len(found) > 1
    ]

    assert [pair for pair in twins if pair not in GUIDE["alike"]] == []


@pytest.mark.parametrize("language", GUIDE["languages"])
def test_one_term_has_one_translation(language: str) -> None:
    """A text that is a term of the glossary alone has its translation, in the gender or the number of its place."""
    terms = {spoken(term): found for term, found in GUIDE["translations"].items()}
    place = GUIDE["languages"].index(language)
    other, known = [], set()
    for message in messages(language):
        term = spoken(forms_of(message.id)[0])
        if term in terms and message.context in (None, "term"):
            known.add(term)
            if not any(
                spoken(form) == spoken(forms_of(message.string)[0]) for form in terms[term][place].split("|")
            ):
                other.append((term, message.string))

    assert other == []
    assert known == set(terms)
