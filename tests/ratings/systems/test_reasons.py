"""Every reason key that the code can store has its meaning, and every article named has its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ratings
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import all_reasons, meaning_of, texts
from ratings.systems.words import About, Reason
from tournaments.choices import GameMark

ROOT = Path(ratings.__file__).parent
KEY = re.compile(r"[a-z][a-z0-9-]*-(?:\d\.[\d.]*\d|D-\d+)")


def test_every_key_named_in_code_has_its_meaning() -> None:
    assert set(keys_in_code()) <= all_reasons().keys()


@pytest.mark.parametrize("rules", texts(), ids=lambda rules: rules.slug)
def test_every_article_behind_a_figure_has_a_meaning(rules: PeriodRules) -> None:
    named = {
        *rules.clauses.values(),
        *(number for _text, *numbers in rules.points.values() for number in numbers),
    }
    assert all(meaning_of(number, rules) for number in named)


@pytest.mark.parametrize("rules", texts(), ids=lambda rules: rules.slug)
def test_every_decision_not_to_rate_a_game_has_its_reason(rules: PeriodRules) -> None:
    assert [mark.value for mark in GameMark if mark.value not in rules.keys] == []


def keys_in_code() -> Iterator[str]:
    """Yield the reason keys that stand as constants in what rates over the board."""
    systems = ROOT / "systems"
    files = [*systems.glob("*.py"), *(systems / "otb").glob("*.py"), ROOT / "rate.py"]
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
                yield node.value


def test_every_reason_names_an_article_that_has_a_meaning() -> None:
    assert [one.key for one in all_reasons().values() if not meaning_of(one.article).endswith(".")] == []


@pytest.mark.parametrize(
    ("key", "article"),
    [("capped-7.3.1", "7.3.1"), ("correction-D-11", "D-11"), ("k20-7.32", "7.32"), ("unchanged-6.1", "6.1")],
)
def test_article_is_the_end_of_the_key(key: str, article: str) -> None:
    reason = Reason(key, About.LIST, counts=True, text="")
    assert reason.article == article
    assert key == f"{reason.concept}-{article}"


def test_games_that_count_have_the_keys_by_which_the_rules_know_them() -> None:
    first = {key for key, reason in all_reasons().items() if reason.about == About.GAME and reason.counts}
    special = {"capped-7.3.1", "one-upgrade-7.31", "no-second-upgrade-7.31", "standard-rating-7.2.1"}
    assert first - special == {"counted-7.3.2", "pooled-6.1.4"}


def test_every_meaning_is_whole_sentences() -> None:
    sentences = [
        sentence
        for rules in texts()
        for sentence in (
            *rules.articles.values(),
            *rules.decisions.values(),
            *(reason.text for reason in rules.reasons.values()),
        )
    ]
    begun = r"([A-Z]|2022 regulations: \w).*\."
    assert [text for text in sentences if not re.fullmatch(begun, text, re.DOTALL)] == []
