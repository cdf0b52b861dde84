"""The texts that people read: the words, the sentence case and the terms of the style guide."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from babel.messages.pofile import read_po
from django.core.management import BaseCommand, get_commands, load_command_class

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "locale/fr/LC_MESSAGES/django.po"
GUIDE: dict[str, Any] = json.loads((ROOT / "tests/words.json").read_text())
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w+\}|</?\w[^>]*>|&\w+;")
MAX_LABEL = 40


def texts() -> Iterator[tuple[str, str]]:
    """Yield the context and the text of each message in the catalogue, plural forms too."""
    with CATALOGUE.open("rb") as file:
        for message in read_po(file, locale="fr"):
            forms = message.id if isinstance(message.id, (tuple, list)) else [message.id]
            yield from ((message.context or "", str(form)) for form in forms if form)


def helps() -> Iterator[tuple[str, str]]:
    """Yield the name of each command of the portal, and the texts of its help."""
    common = {action.help for action in BaseCommand().create_parser("manage.py", "")._actions}
    parts = {path.name for path in ROOT.iterdir() if (path / "management").is_dir()}
    for name, app in get_commands().items():
        if app in parts and name != "makemessages":
            parser = load_command_class(app, name).create_parser("manage.py", name)
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


@pytest.mark.parametrize("pattern", GUIDE["forbidden"])
def test_texts_use_the_terms_of_the_glossary(pattern: str) -> None:
    found = [text for _, text in texts() if re.search(pattern, plain(text)) and text not in GUIDE["allowed"]]

    assert found == [], f"better: {GUIDE['forbidden'][pattern]}"


@pytest.mark.parametrize("pattern", GUIDE["forbidden"])
def test_commands_and_api_use_the_terms_of_the_glossary(pattern: str, others: list[str]) -> None:
    found = [text for text in others if re.search(pattern, text) and text not in GUIDE["allowed"]]

    assert found == [], f"better: {GUIDE['forbidden'][pattern]}"


def test_titles_and_buttons_are_in_sentence_case() -> None:
    """A capital after a small letter is that of a name."""
    wrong = []
    for _, text in texts():
        if len(text) <= MAX_LABEL and not re.search(r"[.:?“]", text):
            words = re.findall(r"(?<=[a-zX] )[A-Z][a-z]+", plain(text))
            wrong += [text for word in words if word not in GUIDE["capitals"] and word != "X"]

    assert wrong == []


def test_one_text_has_one_spelling() -> None:
    """Two texts do not differ in punctuation, spaces or an ending full stop alone, labels and sentences apart."""
    spellings = defaultdict(set)
    for context, text in texts():
        key = re.sub(r"[^\w%(){}]+", " ", text).strip()
        spellings[context, key, text.endswith("."), text.endswith(":")].add(text)
    twins = [sorted(found) for found in spellings.values() if len(found) > 1]

    assert [pair for pair in twins if pair not in GUIDE["twins"]] == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("The report stands.", True),
        ("Send an e-mail", True),
        ("It is rated (0.2).", True),
        ("The report is accepted.", False),
    ],
)
def test_patterns_find_what_they_forbid(text: str, is_found: bool) -> None:
    assert any(re.search(pattern, text) for pattern in GUIDE["forbidden"]) is is_found
