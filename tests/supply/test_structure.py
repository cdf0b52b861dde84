"""The measures of the code, on small pieces of code and on the project itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from supply import structure
from supply.journeys import traced
from supply.structure import Lines, long_functions, main, measure_lines, module_name, packages, sources


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a project of its own, with one package."""
    monkeypatch.setattr(structure, "ROOT", tmp_path)
    (tmp_path / "app" / "migrations").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    for name in ("app/__init__.py", "app/one.py", "app/migrations/0001_initial.py", "tests/__init__.py"):
        (tmp_path / name).touch()
    return tmp_path


def test_migrations_and_tests_are_not_counted(small: Path) -> None:
    assert packages() == ["app"]
    assert [module_name(path) for path in sources()] == ["app", "app.one"]


def test_function_over_40_lines_is_named(small: Path) -> None:
    body = "".join(f"    x = {line}\n" for line in range(39))
    path = small / "app" / "one.py"
    path.write_text(
        f"def fits():\n{body}\n\nclass Box:\n    def is_long(self):\n"
        + body.replace("    ", "        ")
        + "        y = 1\n"
    )

    assert dict(long_functions([path])) == {"app/one.py:is_long": 41}


def test_lines_are_long_from_the_first_character_too_many() -> None:
    assert measure_lines(["a" * 120, "b" * 121, ""], most=120) == Lines(count=3, long=1, longest=121)
    assert Lines(count=3, long=1, longest=121).share == 33.3
    assert measure_lines([], most=120) == Lines(0, 0, 0)


def test_project_is_measured_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "--no-journeys", "--commits", "HEAD~1..HEAD"]) == 0

    found = json.loads(capsys.readouterr().out)
    assert found["modules"] == len(sources())
    assert found["lines"] == sum(len(path.read_text().splitlines()) for path in sources())
    assert found["journeys"] == {}


def test_table_names_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--no-journeys"]) == 0

    assert f"| modules | {len(sources())} |" in capsys.readouterr().out


def test_trace_finds_functions_not_module_bodies() -> None:
    with traced() as modules:
        module_name(structure.ROOT / "manage.py")

    assert modules == ["supply.structure"]
