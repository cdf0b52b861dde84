"""docs/operations.md names the variables, figures and commands that there are, and no other."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import get_commands
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest

from players.choices import Area, Deed
from players.models.log import record_act
from portal.checks import missing_for_installation
from portal.environment import ENV_FILE, VARIABLES, read_environment
from portal.management.commands.new_key import KEYS
from portal.metrics import REQUEST_SECONDS, StateCollector
from portal.tasks import SWEPT

pytestmark = pytest.mark.page

PAGE = (settings.BASE_DIR / "docs" / "operations.md").read_text()


def names_of(heading: str) -> list[str]:
    """Return the words in code of the first column of the table under a heading."""
    rows = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0].split("\n### Keys\n")[0].splitlines()
    cells = [row.split(" | ")[0] for row in rows if row.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`([A-Za-z_]+)`", cell)]


def test_every_variable_stands_in_the_table() -> None:
    assert sorted(names_of("Variables")) == sorted(VARIABLES)


def test_the_installation_sets_all_that_a_check_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = dict(re.findall(r"^ +([A-Z_]+)=(.+)$", PAGE, re.MULTILINE))
    [(written, keys)] = re.findall(
        r"> /etc/portal\.env \\\n([^`]+)\n +for key in ([A-Z_ ]+);", PAGE.split("\n## Install on several")[0]
    )
    for name in (ENV_FILE, *VARIABLES):
        monkeypatch.delenv(name, raising=False)
    for name, value in re.findall(r'([A-Z_]+)=([^"\s]+)', written):
        monkeypatch.setenv(name, Template(value).substitute(given))
    for name in keys.split():
        monkeypatch.setenv(name, KEYS[name]())
    monkeypatch.setenv("PORTAL_VAR_DIR", str(tmp_path))

    assert [*missing_for_installation(read_environment())] == []


def test_every_figure_stands_in_the_table(db: None) -> None:
    cache.set(SWEPT, 0)
    record_act(Area.PORTAL, Deed.BACKUP, "monday", by=None, at=timezone.now())
    registry = CollectorRegistry()
    registry.register(StateCollector(timezone.now()))
    registry.register(REQUEST_SECONDS)
    told = re.findall(r"^# TYPE (\w+) ", generate_latest(registry).decode(), re.MULTILINE)
    figures = {name for name in told if not name.endswith("_created")}

    assert {name for name in names_of("Health and metrics") if name.startswith("portal_")} == figures


def test_every_command_named_is_there() -> None:
    named = set(re.findall(r"rating-portal ([a-z_]+)", PAGE))

    assert named - set(get_commands()) == set()
    assert {"check", "retention", "verify_list"} <= named
