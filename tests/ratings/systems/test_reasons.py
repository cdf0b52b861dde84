"""Every reason key that the code can store has its meaning, and every article named has its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ratings
from ratings.systems.articles import ARTICLES, DECISIONS, article_of, meaning_of
from ratings.systems.reasons import REASONS, About, Reason
from tournaments.choices import GameMark

ROOT = Path(ratings.__file__).parent
NAMES_OF_KEYS = {"articles.py", "reasons.py"}
KEY = re.compile(r"[a-z][a-z0-9-]*-(?:\d\.[\d.]*\d|D-\d+)")


def keys_in_code() -> Iterator[str]:
    """Yield the reason keys in what rates over the board: constants, and ends put behind a game's mark."""
    systems = ROOT / "systems"
    found = [*systems.glob("*.py"), *(systems / "otb").glob("*.py")]
    files = [path for path in found if path.name not in NAMES_OF_KEYS]
    for path in (*files, ROOT / "services" / "rating.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
                yield node.value
            if isinstance(node, ast.JoinedStr) and ast.unparse(node) == "f'{game.mark}-4.1'":
                yield from (f"{mark}-4.1" for mark in GameMark)


def test_every_key_of_the_code_has_its_meaning_and_no_other_is_held() -> None:
    assert set(keys_in_code()) == set(REASONS)


@pytest.mark.parametrize("reason", REASONS.values(), ids=lambda reason: reason.key)
def test_reason_names_an_article_that_has_a_meaning(reason: Reason) -> None:
    assert meaning_of(reason.article).endswith(".")


@pytest.mark.parametrize(
    ("key", "article"),
    [("capped-7.3.1", "7.3.1"), ("correction-D-11", "D-11"), ("k20-7.32", "7.32"), ("unchanged-6.1", "6.1")],
)
def test_article_is_the_end_of_the_key(key: str, article: str) -> None:
    assert article_of(key) == article


def test_games_that_count_have_the_keys_by_which_the_rules_know_them() -> None:
    first = {key for key, reason in REASONS.items() if reason.about == About.GAME and reason.counts}
    special = {"capped-7.3.1", "one-upgrade-7.31", "no-second-upgrade-7.31", "standard-rating-7.2.1"}
    assert first - special == {"counted-7.3.2", "pooled-6.1.4"}


def test_every_meaning_is_whole_sentences() -> None:
    texts = [*ARTICLES.values(), *DECISIONS.values(), *(reason.text for reason in REASONS.values())]
    assert [text for text in texts if not re.fullmatch(r"[A-Z].*\.", text, re.DOTALL)] == []
