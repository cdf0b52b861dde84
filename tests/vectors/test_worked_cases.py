"""The worked cases: as their schema says, and answered alike by the portal, by a second engine and by a stranger."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from jsonschema_rs import Draft202012Validator

from ratings.systems import worked_cases
from tests.vectors import second_engine
from vectors import run

FOLDER = Path(settings.BASE_DIR) / "vectors"
SYSTEMS = ("chess-online", "fide-rapid-blitz-2022", "fide-rapid-blitz-2024", "flyordie", "foa-rbb")
Asks = dict[str, Callable[[str, Any], Any]]


def run_cases(*arguments: str) -> tuple[int, list[str]]:
    command = [sys.executable, str(FOLDER / "run.py"), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=settings.BASE_DIR)
    return done.returncode, (done.stdout or done.stderr).splitlines()


@pytest.mark.parametrize("system", SYSTEMS)
def test_file_is_valid_and_has_a_case_a_line(system: str) -> None:
    text = (FOLDER / f"{system}.json").read_text(encoding="utf-8")
    content = json.loads(text)
    Draft202012Validator(json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))).validate(content)
    assert content["system"] == system
    cases = content.pop("cases")
    assert len({case["id"] for case in cases}) == len(cases)
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    assert text == json.dumps(content, ensure_ascii=False)[:-1] + f', "cases": [\n{lines}\n]}}\n'


def test_there_are_at_least_300_cases_of_five_systems() -> None:
    cases = run.cases_of([])
    assert {case["system"] for case in cases} == {*SYSTEMS}
    assert len(cases) >= 300


@pytest.mark.parametrize("asks", [worked_cases.ASKS, second_engine.ASKS], ids=["portal", "second"])
def test_both_engines_answer_every_case_as_expected(asks: Asks) -> None:
    found = {}
    for case in run.cases_of([]):
        printed = json.dumps(asks[case["ask"]](case["system"], case["input"]), default=str)
        if problems := [*run.problems_of(case, printed)]:
            found[case["system"], case["id"]] = problems
    assert found == {}


@pytest.mark.program
def test_portal_passes_by_the_runner() -> None:
    code, lines = run_cases(sys.executable, "-m", "ratings.systems.worked_cases")
    assert (code, lines[-1].partition(", ")[2]) == (0, "0 different")


@pytest.mark.program
@pytest.mark.parametrize(
    ("right", "wrong", "articles"),
    [
        ("1800", "1800", set()),
        ("floor(700 / games)", "floor(800 / games)", {"7.3.3", "7.3.4"}),
        ("Math.max(-400", "Math.max(-500", {"7.3.1"}),
        ("FLOOR = 1400", "FLOOR = 1300", {"6.1.4", "6.2.1"}),
    ],
)
def test_program_of_a_stranger_passes_or_is_told_the_article(
    tmp_path: Path, right: str, wrong: str, articles: set[str]
) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    program = tmp_path / "fide.js"
    text = (FOLDER / "examples" / "fide.js").read_text(encoding="utf-8")
    assert right in text
    program.write_text(text.replace(right, wrong), encoding="utf-8")
    code, lines = run_cases("--system", "fide-rapid-blitz-2024", node, str(program))
    named = {line.partition("(article ")[2].partition(")")[0] for line in lines[:-1]}
    assert (code, named) == (int(bool(articles)), articles)


@pytest.mark.program
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "name a program"),
        (("--system", "elo", "cat"), 2, "there are no cases of this system"),
        (("no-such-program",), 2, "no-such-program cannot be started"),
        (("--system", "flyordie", "true"), 1, "flyordie expectation-01 (article expectation): no answer"),
        (
            ("--system", "flyordie", "cat"),
            1,
            'flyordie expectation-01 (article expectation): we is null, expected "0.50"',
        ),
        (("--system", "flyordie", "sed", "s/{//"), 1, 'expectation): not JSON: "id": "expectation-01"'),
    ],
)
def test_runner_says_what_is_wrong(arguments: tuple[str, ...], code: int, said: str) -> None:
    found, lines = run_cases(*arguments)
    assert found == code
    assert any(said in line for line in lines)


def test_numbers_are_compared_as_numbers_and_further_fields_do_not_matter() -> None:
    case = {"expected": {"pd": ["0.50", "1.00"], "rating": None, "k": 20, "category": "rapid"}}
    answer = {"pd": [0.5, 1], "rating": None, "k": "20.0", "category": "rapid", "more": 1}
    assert [*run.problems_of(case, json.dumps(answer))] == []
    wrong = {"pd": [0.5], "rating": 1400, "k": 20.5, "category": None}
    assert [*run.problems_of(case, json.dumps(wrong))] == [
        'pd is [0.5], expected ["0.50", "1.00"]',
        "rating is 1400, expected null",
        "k is 20.5, expected 20",
        'category is null, expected "rapid"',
    ]
