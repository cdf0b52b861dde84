"""Alerts and dashboard of deploy/ know the metrics of the portal, and each alert goes off when it should."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from portal.__main__ import version
from portal.tasks import SWEPT
from tests import make

RULES = settings.BASE_DIR / "deploy" / "prometheus" / "portal.rules.yml"
DASHBOARD = settings.BASE_DIR / "deploy" / "grafana" / "portal.json"
ALERTS = {rule["alert"]: rule for rule in yaml.safe_load(RULES.read_text())["groups"][0]["rules"]}
SELECTED = re.compile(r"\b(portal_\w+)(?:\{(\w+)=~?\"([^\"]*)\"\})?")
# What goes wrong from the tenth minute on, a value a minute: the alert, its series, the values before and then.
BUCKET, ERRORS = "portal_request_seconds_bucket", 'portal_request_seconds_count{route="home",status="500"}'
SLOW = {f'{BUCKET}{{le="{le}"}}': "0+10x9 100+20x50" for le in ("2.5", "+Inf")}
FAULTS = [
    ("PortalDoesNotAnswer", {'portal_info{version="1"}': "1x9 stale"}, 20),
    ("PortalHasErrors", {ERRORS: "_x10 1x20 2x40"}, 15),
    ("PortalHasErrors", {ERRORS: "_x10 1x20 2x40"}, 40),
    ("PortalIsSlow", {f'{BUCKET}{{le="1.0"}}': "0+10x60"} | SLOW, 40),
    ("PortalJobFailed", {'portal_runs{work="rate",state="failed"}': "0x9 1x40"}, 15),
    ("PortalSweepStopped", {"portal_last_sweep_seconds": "0+60x9 540x40"}, 25),
    ("PortalSweepStopped", {'portal_info{version="1"}': "1x60", "portal_last_sweep_seconds": "0+60x9 stale"}, 25),
    ("PortalJobWaits", {'portal_run_oldest_due_seconds{work="rate"}': "0x9 400x40"}, 20),
    ("PortalEmailsWait", {"portal_notice_oldest_due_seconds": "0x9 1000x40"}, 15),
    ("PortalEmailsWait", {'portal_notices{state="failed"}': "3x9 4x40"}, 15),
    ("PortalDeliveriesWait", {"portal_delivery_oldest_due_seconds": "0x9 1000x40"}, 15),
    ("PortalDeliveriesWait", {'portal_deliveries{state="failed"}': "3x9 4x40"}, 15),
    # Instants are counted from 1970: a day later it is 2 January, and the list is that of December.
    ("PortalListMissing", {'portal_list_date_seconds{kind="rapid"}': "-2678400x1500"}, 1445),
    ("PortalDiskIsFull", {"portal_disk_free_bytes": "9000000000x9 1000000000x40"}, 15),
]  # fmt: skip


def expressions() -> list[str]:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    shown = [target["expr"] for panel in panels for target in panel["targets"]]
    return [*shown, *(rule["expr"] for rule in ALERTS.values())]


@pytest.mark.page
def test_metrics_and_labels_of_alerts_and_dashboard_exist(client: Client, db: None) -> None:
    make.rating_list(kind="rapid", date=date(2026, 1, 1))
    cache.set(SWEPT, 1)
    for _ in range(2):
        text = client.get("/metrics").content.decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    labels: dict[str, set[tuple[str, str]]] = {}
    for sample in samples:
        labels.setdefault(sample.name, set()).update(sample.labels.items())

    used = {found for expression in expressions() for found in SELECTED.findall(expression)}

    assert {name for name, _, _ in used} - labels.keys() == set()
    assert [
        (name, label, value)
        for name, label, value in used
        if label and not (value == "5.." or (label, value) in labels[name])
    ] == []
    assert labels["portal_info"] == {("version", version())}


@pytest.mark.pure
def test_there_are_ten_alerts_and_each_says_what_to_do() -> None:
    assert len(ALERTS) == 10
    assert {name for name, _, _ in FAULTS} == ALERTS.keys()
    assert [name for name, rule in ALERTS.items() if {"summary", "action"} - rule["annotations"].keys()] == []


@pytest.mark.machine
def test_each_alert_goes_off_and_is_silent_before(tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed: the alerts of deploy/prometheus are not tried")
    cases = [
        {
            "interval": "1m",
            "name": f"{number} {name}",
            "input_series": [{"series": key, "values": values} for key, values in series.items()],
            "promql_expr_test": [
                {
                    "expr": f'count(ALERTS{{alertname="{name}",alertstate="firing"}}) or vector(0)',
                    "eval_time": f"{minute}m",
                    "exp_samples": [{"labels": "{}", "value": value}],
                }
                for minute, value in ((9, 0), (at, 1))
            ],
        }
        for number, (name, series, at) in enumerate(FAULTS)
    ]
    (tmp_path / "test.yml").write_text(
        yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": cases})
    )

    for words in (["check", "rules", str(RULES)], ["test", "rules", str(tmp_path / "test.yml")]):
        done = subprocess.run([promtool, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
