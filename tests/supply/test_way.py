"""The picture of a report's way: its modules exist, come once, and run in that order."""

from __future__ import annotations

from itertools import product

import grimp
import pytest

from supply import way
from supply.structure import packages
from supply.way import PICTURE, STAGES, Step, main, problems, strayed

# What every step may use: rows written at once, the audit log, the text in force on a day.
TOOLS = {"core.bulk", "tournaments.services.trail", "ratings.systems.registry"}
RAN = {
    "an upload": ["core.web.files", "desk.reports", "trf.reader"],
    "an acceptance": ["tournaments.reading"],
}


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the way short: two steps of an upload, one of an acceptance."""
    upload = (Step("desk.reports", "checks", "bytes"), Step("trf.reader", "reads", "report"))
    stages = {"Upload": upload, "Acceptance": (Step("tournaments.reading", "stores", "rows"),)}
    monkeypatch.setattr(way, "STAGES", stages)
    monkeypatch.setattr(way, "JOURNEYS", {"Upload": "an upload", "Acceptance": "an acceptance"})


def test_modules_exist_and_come_once() -> None:
    assert list(problems()) == []
    assert way.JOURNEYS.keys() == STAGES.keys()


def test_journeys_that_keep_to_the_way_pass(short: None) -> None:
    assert list(strayed(RAN)) == []


def test_module_that_did_not_run_is_named(short: None) -> None:
    assert list(strayed(RAN | {"an acceptance": []})) == ["tournaments.reading did not run in an acceptance."]


def test_other_order_is_named(short: None) -> None:
    found = list(strayed(RAN | {"an upload": ["trf.reader", "desk.reports"]}))

    assert found == ["Upload: the modules ran in another order, trf.reader, desk.reports."]


def test_picture_is_that_of_the_table() -> None:
    assert main(["--check"]) == 0, f"{PICTURE.name} is stale: run `make pictures`."


def test_no_stage_imports_one_before_it() -> None:
    graph = grimp.build_graph(*packages(), cache_dir=None)
    passed: list[str] = []
    back = set()
    for stage in STAGES.values():
        modules = [step.module for step in stage]
        pairs = product(modules, passed)
        back |= {pair for pair in pairs if graph.direct_import_exists(importer=pair[0], imported=pair[1])}
        passed += [module for module in modules if module not in TOOLS]

    assert back == set()
