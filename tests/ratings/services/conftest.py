"""Commands as fixtures: run, submit, and a month with one accepted report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ratings.models import RatingList
from tests.ratings.services.alphaville import ALL_PLAY, FIRST, PLAYERS, RefusedCommandError
from tests.trf_files import Event


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], django_capture_on_commit_callbacks: Callable[..., Any]
) -> Callable[..., Any]:
    """Return a function that runs a command with --json and returns what it printed.

    `RefusedCommandError` where it ends with 1.
    """

    def call(name: str, *arguments: str) -> Any:
        capsys.readouterr()
        code: Any = 0
        with django_capture_on_commit_callbacks(execute=True):
            try:
                call_command(name, *arguments, "--json")
            except SystemExit as end:
                code = end.code
        result = json.loads(capsys.readouterr().out)
        if code == 1:
            raise RefusedCommandError(result)
        assert code == 0
        return result

    return call


@pytest.fixture
def submit(run: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Return a function that submits an event with the usual days."""

    def call(event: Event, *extra: str, registered: str = "2026-01-05", submitted: str = "2026-01-20") -> Any:
        path = tmp_path / "report.trf"
        path.write_bytes(event.content())
        usual = ["--kind", "rapid", "--time-control", "15+10", "--federation", "SUI"]
        days = ["--registered-on", registered, "--submitted-on", submitted]
        return run("submit_report", str(path), *usual, *days, *extra)

    return call


@pytest.fixture
def month(first_list: Callable[..., RatingList], submit: Callable[..., Any]) -> Any:
    first_list(FIRST)
    first_list({}, kind="blitz")
    return submit(Event(PLAYERS, ALL_PLAY))
