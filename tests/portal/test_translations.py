"""The catalogues of the languages: complete, with the placeholders of the English texts, and up to date."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import override

from players.choices import CaseState, NoticeState
from ratings.events import PUBLIC_ACTIONS
from tournaments.choices import Action
from tournaments.models import Objection

pytestmark = pytest.mark.slow

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}")
ROOT = Path(settings.BASE_DIR)
PACKAGES = {"api", "arenas", "core", "demo", "desk", "players", "portal", "public", "ratings", "tournaments"}
IN_F_STRING = re.compile(r"\{(?:\w+\()*(?:_l?|[np]?gettext)(?:_lazy)?\(['\"]")


def catalogue(language: str) -> Catalog:
    with (ROOT / "locale" / language / "LC_MESSAGES" / "django.po").open("rb") as source:
        return read_po(source, locale=language)


def texts_of(catalog: Catalog) -> dict[tuple[object, object], Message]:
    return {(message.context, message.id): message for message in catalog if message.id}


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[object, object], Message]:
    """Return the texts of code and pages as `make messages` collects them, with the files in which each stands."""
    if shutil.which("xgettext") is None:
        pytest.skip("GNU gettext is not there to collect the texts")
    work = tmp_path_factory.mktemp("texts") / "portal"
    kept = shutil.ignore_patterns(
        ".*", "var", "locale", "tests", "benchmarks", "docs", "__pycache__", "static"
    )
    shutil.copytree(ROOT, work, ignore=kept)
    (work / "locale" / "fr" / "LC_MESSAGES").mkdir(parents=True)
    command = [sys.executable, "manage.py", "makemessages", "--locale", "fr", "--no-wrap"]
    subprocess.run(command, cwd=work, check=True, capture_output=True, timeout=120)
    with (work / "locale" / "fr" / "LC_MESSAGES" / "django.po").open("rb") as source:
        return texts_of(read_po(source))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language: str) -> None:
    """`make messages` notes the former text of one that changed: the note goes when the translation is made."""
    left = [
        message.id
        for message in texts_of(catalogue(language)).values()
        if message.fuzzy
        or message.user_comments
        or not (all(message.string) if isinstance(message.string, tuple) else message.string)
    ]
    assert left == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_the_placeholders(language: str) -> None:
    differing = []
    for message in texts_of(catalogue(language)).values():
        source = message.id[-1] if isinstance(message.id, tuple) else message.id
        target = message.string[-1] if isinstance(message.string, tuple) else message.string
        if sorted(set(PLACEHOLDER.findall(source))) != sorted(set(PLACEHOLDER.findall(str(target)))):
            differing.append(source)
    assert differing == []


def test_texts_differ_in_more_than_capitals() -> None:
    """A text may begin with a capital where it is a label, and without one inside a sentence: not more."""
    spelled: dict[tuple[object, str], set[str]] = {}
    for context, key in texts_of(catalogue(LANGUAGES[0])):
        text = str(key[0] if isinstance(key, tuple) else key)
        spelled.setdefault((context, text.casefold()), set()).add(text[:1].lower() + text[1:])
    assert [sorted(texts) for texts in spelled.values() if len(texts) > 1] == []


def test_a_text_has_a_twin_in_small_letters_only_for_a_reason(
    collected: dict[tuple[object, object], Message],
) -> None:
    """Python declares one of them, as it does labels of fields and states, or a language has another word for it.

    Templates have `capfirst` for what is a label in one place and inside a sentence in another.
    """
    catalogues = [texts_of(catalogue(language)) for language in LANGUAGES]
    folded = [
        key
        for key in collected
        if (capital := (key[0], _with_capital(key[1]))) in collected
        and capital != key
        and not any(path.endswith(".py") for one in (key, capital) for path, _ in collected[one].locations)
        and all(_with_capital(each[key].string) == each[capital].string for each in catalogues)
    ]
    assert folded == []


def _with_capital(text: object) -> object:
    """Return a text, or the forms of one that counts, as a label."""
    return tuple(map(capfirst, text)) if isinstance(text, tuple) else capfirst(str(text))


# Words that readers of a language took for something else, with what is written instead.
REPLACED = {
    "fr": {
        r"Rating Officer": "responsable Elo",
        r"[Ll]iste lente": "liste standard",
        r"[Tt]ournois comptés récemment": "pris en compte pour l'Elo",
        r"correspondances? certaines?": "correspondance sûre",
        r"\bpas commencé": "pas encore commencé",
        r"nom enregistré": "nom déclaré",
    },
    "es": {
        r"Rating Officer": "responsable de Elo",
        r"[Cc]uadro cruzado": "tabla cruzada",
        r"de rápido\b": "de rápidas",
        r"Elo de clásico": "Elo clásico",
        r"registros? (\{tag\}|\d{3})": "línea TRF",
        r"\bse evalúa\b": "se computa",
        r"válido \d+ horas": "válido durante",
        r"no empezado": "sin empezar",
        r"[Pp]artidas?\b[^.]*\bválidas?\b": "computable",
    },
    "de": {r"FIDE-Council|Council-Mitglied": "FIDE-Rat", r"\bmit Bericht$": "Bericht eingereicht"},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_that_was_replaced_is_nowhere(language: str) -> None:
    found = [
        (pattern, text)
        for message in texts_of(catalogue(language)).values()
        for text in (message.string if isinstance(message.string, tuple) else (message.string,))
        for pattern in REPLACED[language]
        if re.search(pattern, str(text))
    ]
    assert found == []


def test_catalogues_hold_every_text_of_the_code(collected: dict[tuple[object, object], Message]) -> None:
    """With `make messages` the texts of code and pages come into the catalogues."""
    for language in LANGUAGES:
        assert collected.keys() - texts_of(catalogue(language)).keys() == set()


def test_no_text_stands_inside_an_f_string() -> None:
    """GNU gettext finds such texts from version 0.22 on, or never: they would stay English."""
    inside = [
        (str(path.relative_to(ROOT)), found[0])
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for found in IN_F_STRING.finditer(path.read_text(encoding="utf-8"))
    ]
    assert inside == []


@pytest.mark.parametrize(
    ("message", "french"),
    [
        (NoticeState.SENT.label, "envoyé"),
        (Objection.STATES[CaseState.APPROVED], "acceptée"),
        (PUBLIC_ACTIONS[Action.PUBLISH], "Publié"),
    ],
)
def test_a_state_agrees_with_what_it_describes(message: Promise, french: str) -> None:
    with override("fr"):
        assert str(message) == french
