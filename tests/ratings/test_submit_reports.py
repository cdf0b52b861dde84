"""`submit_reports`: what a manifest lists goes in once, in whatever order, by however many processes."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ratings.management.commands.submit_reports import INTERRUPTED
from ratings.models import ParticipantRating, Run, TournamentRating
from tests import make
from tests.faults import processes
from tests.processes import environment_of_processes, wait_until
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS
from tests.trf_files import Event
from tournaments.models import Report, Tournament

Row = dict[str, str]
USUAL = {
    "kind": "rapid",
    "time_control": "15+10",
    "federation": "SUI",
    "registered_on": "2026-01-05",
    "submitted_on": "2026-01-20",
    "reasons": "few-games-again=Played each week.",
}
NAMES = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"]


def write(folder: Path, name: str, rounds: int = 3, **more: Any) -> str:
    """Write a report named after its event and return the file's name."""
    path = folder / f"{name}.trf"
    # Each event has a day of its own: no game is rated twice (D-117, D-129).
    day = f"2026/01/{12 + NAMES.index(name) if name in NAMES else 10}"
    facts = {"name": f"{name} Open", "start": day, "end": day, **more}
    path.write_bytes(Event(PLAYERS, ALL_PLAY[:rounds], **facts).content())
    return path.name


def write_results(folder: Path, number: int) -> str:
    """Write one of many reports of the same pairs, of which no two have two rounds with the same results (D-117)."""
    rounds = []
    for place, games in enumerate(ALL_PLAY[:5]):
        pattern = (number % 27 + place * (number // 27)) % 27
        results = [("1-0", "1/2", "0-1")[pattern // 3**game % 3] for game in range(len(games))]
        rounds.append([(*pair[:2], result) for pair, result in zip(games, results, strict=True)])
    path = folder / f"Open{number:03}.trf"
    path.write_bytes(Event(PLAYERS, rounds, name=f"{path.stem} Open").content())
    return path.name


def rows_of(folder: Path) -> list[Row]:
    """Write six events, two versions of a seventh, and a file that is none; return their rows."""
    rows = [{"file": write(folder, name), **USUAL, "event_id": ""} for name in NAMES]
    for name, rounds, day in (("early", 2, "2026-01-21"), ("later", 3, "2026-01-22")):
        (folder / f"{name}.trf").write_bytes(Event(PLAYERS, ALL_PLAY[:rounds], name="Seventh Open").content())
        rows.append({"file": f"{name}.trf", **USUAL, "submitted_on": day, "event_id": "SUI-SEVENTH"})
    (folder / "none.trf").write_bytes(b"nothing that could be read")
    return [*rows, {"file": "none.trf", **USUAL, "event_id": ""}]


def manifest_of(folder: Path, rows: Sequence[Row]) -> Path:
    path = folder / "manifest.csv"
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    return path


def submit(folder: Path, rows: Sequence[Row], *extra: str) -> tuple[int, list[dict[str, Any]]]:
    """Call the command in this process and return its exit status and results."""
    out, status = StringIO(), 0
    arguments = [str(folder), "--manifest", str(manifest_of(folder, rows)), "--json", *extra]
    try:
        call_command("submit_reports", *arguments, stdout=out, stderr=StringIO())
    except SystemExit as end:
        status = int(str(end.code))
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def command(folder: Path, rows: Sequence[Row], *extra: str) -> list[str]:
    manifest = manifest_of(folder, rows)
    return [sys.executable, "manage.py", "submit_reports", str(folder), f"--manifest={manifest}", *extra]


def standing() -> Any:
    """Return which bytes stand for each event, and how they are rated."""
    accepted = Report.objects.filter(state="accepted").order_by("tournament__event_id")
    rated = ParticipantRating.objects.filter(participant__report__state="accepted")
    order = ("participant__report__tournament__event_id", "number")
    return (
        list(accepted.values_list("tournament__event_id", "sha256")),
        list(rated.order_by(*order).values_list(*order, "games", "change_hundredths", "outcomes")),
    )


@pytest.fixture
def folder(tmp_path: Path, transactional_db: None) -> Path:
    make.first_list(FIRST)
    return tmp_path


@pytest.fixture
def empty(folder: Path) -> Callable[[], None]:
    """Return a function that takes everything back but the first list."""

    def call() -> None:
        call_command("flush", interactive=False, verbosity=0)
        make.first_list(FIRST)

    return call


def test_each_row_has_its_line_in_the_order_of_the_manifest(folder: Path) -> None:
    rows = rows_of(folder)
    status, results = submit(folder, rows)

    assert status == 1
    assert [item["accepted"] for item in results] == [True] * 8 + [False]
    columns = ("accepted", "reasons", "codes", "warnings", "tournament", "list")
    assert {tuple(item) for item in results} == {columns}
    names = dict(Tournament.objects.values_list("event_id", "name"))
    assert [names[item["tournament"]] for item in results[:8]] == [
        f"{name} Open" for name in [*NAMES, "Seventh", "Seventh"]
    ]
    assert {item["list"] for item in results[:8]} == {"2026-02-01"}
    assert TournamentRating.objects.filter(report__state="accepted").count() == 7
    assert set(Run.objects.values_list("state", flat=True)) == {"done"}


def write_part(folder: Path, name: str, month: str, rounds: slice) -> None:
    days = {"start": f"2026/{month}/01", "end": f"2026/{month}/28"}
    (folder / name).write_bytes(Event(PLAYERS, ALL_PLAY[rounds], name="Long Open", **days).content())


@pytest.mark.page
def test_d117_monthly_parts_go_in_one_after_the_other_in_whatever_order_they_stand(folder: Path) -> None:
    write_part(folder, "first.trf", "01", slice(2))
    write_part(folder, "second.trf", "02", slice(2, 4))
    usual = USUAL | {"registered_on": "2025-12-01", "submitted_on": "2026-03-02"}
    rows = [
        {"file": "second.trf", **usual, "event_id": "LONG-2", "continues": "LONG-1"},
        {"file": "first.trf", **usual, "event_id": "LONG-1", "continues": ""},
    ]

    status, results = submit(folder, rows)
    again = submit(folder, rows)
    other = submit(folder, [rows[0] | {"continues": ""}])

    assert (status, [item["tournament"] for item in results]) == (0, ["LONG-2", "LONG-1"])
    assert Tournament.objects.get(event_id="LONG-2").part_before_id == "LONG-1"
    assert again == (status, results)
    assert other[1][0]["codes"] == ["other-conditions-D-82"]


@pytest.mark.page
def test_d117_part_before_is_an_option_of_one_report(folder: Path) -> None:
    write_part(folder, "first.trf", "01", slice(2))
    write_part(folder, "second.trf", "02", slice(2, 4))
    usual = USUAL | {"registered_on": "2025-12-01", "submitted_on": "2026-03-02"}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in usual.items()]
    out = StringIO()

    call_command("submit_report", str(folder / "first.trf"), *options, "--event-id=LONG-1", stdout=out)
    second = [str(folder / "second.trf"), *options, "--event-id=LONG-2", "--json"]
    with pytest.raises(SystemExit):
        call_command("submit_report", *second, "--continues=LONG-0", stdout=(wrong := StringIO()))
    call_command("submit_report", *second, "--continues=LONG-1", stdout=(right := StringIO()))

    assert json.loads(wrong.getvalue())["codes"] == ["part-unknown"]
    assert json.loads(right.getvalue())["accepted"]
    assert Tournament.objects.get(event_id="LONG-2").part_before_id == "LONG-1"


@pytest.mark.page
@pytest.mark.parametrize("is_alone", [True, False])
def test_refused_report_names_the_registration_that_is_kept(
    folder: Path, capsys: pytest.CaptureFixture[str], is_alone: bool
) -> None:
    """The tournament is registered, as on the web, and a report that cannot be read registers nothing."""
    wrong = Event(PLAYERS, [*ALL_PLAY[:2], [(1, 1, "1-0")]], name="First Open").content()
    (folder / "First.trf").write_bytes(wrong)
    (folder / "none.trf").write_bytes(b"nothing that could be read")
    printed = []
    for name in ("First.trf", "none.trf"):
        options = [f"--{option.replace('_', '-')}={value}" for option, value in USUAL.items()]
        alone = ["submit_report", str(folder / name), *options]
        many = command(folder, [{"file": name, **USUAL}])[2:]
        with pytest.raises(SystemExit) as end:
            call_command(*(alone if is_alone else many))
        assert end.value.code == 1
        printed.append(capsys.readouterr().out.splitlines())

    registered = Tournament.objects.get()
    kept = (
        f"{registered.event_id}: the registration is kept. Submit the report again with this event ID, or "
        "withdraw the registration."
    )
    place = "" if is_alone else "First.trf: "
    assert [[line for line in lines if "refused: " not in line] for lines in printed] == [[place + kept], []]


@pytest.mark.slow
def test_order_of_the_rows_changes_nothing_that_stands(folder: Path, empty: Callable[[], None]) -> None:
    rows = rows_of(folder)
    submit(folder, rows)
    expected = standing()
    for seed in range(3):
        empty()
        random.Random(seed).shuffle(rows)
        submit(folder, rows)
        assert standing() == expected


def test_same_call_again_changes_nothing(folder: Path) -> None:
    rows = rows_of(folder)
    first = submit(folder, rows)
    expected = standing()
    versions = list(Report.objects.order_by("pk").values())

    assert submit(folder, rows) == first
    assert standing() == expected
    assert list(Report.objects.order_by("pk").values()) == versions


def test_what_is_in_but_not_rated_is_rated(folder: Path) -> None:
    """The end by force between the acceptance of a group and its rating."""
    rows = rows_of(folder)
    submit(folder, rows)
    expected = standing()
    ParticipantRating.objects.all().delete()
    TournamentRating.objects.all().delete()
    Tournament.objects.update(stage="reported")
    accepted = Report.objects.filter(state="accepted").values_list("pk", flat=True)
    Run.objects.filter(subject__in=map(str, accepted)).update(state="due")

    submit(folder, rows)

    assert standing() == expected
    assert set(Run.objects.values_list("state", flat=True)) == {"done"}


@pytest.mark.page
def test_flags_and_terms_of_a_row_are_those_of_the_option(folder: Path) -> None:
    row = {"file": write(folder, "First"), **USUAL, "event_id": "SUI-1", "official": "yes", "match": ""}
    row |= {"registered_on": "2026-01-19", "qc_approved": ""}
    assert submit(folder, [row])[0] == 0
    made = Tournament.objects.get(event_id="SUI-1")
    assert (made.is_official, made.is_match, made.base_seconds, made.increment_seconds) == (
        True,
        False,
        900,
        10,
    )


WRONG: list[tuple[Row, str]] = [
    ({"colour": "red"}, "unknown column 'colour'"),
    ({"file": "missing.trf"}, "line 2: .*missing.trf cannot be read"),
    ({"official": "true"}, "line 2: official: 'true' is not 'yes' or empty"),
    ({"kind": "bullet"}, "line 2: kind: 'bullet' is not valid. Valid values: rapid, blitz"),
    ({"time_control": "fast"}, "line 2: time_control: 'fast' is not a time control"),
    ({"submitted_on": "20/1/2026"}, "line 2: submitted_on: '20/1/2026' is not a date"),
    ({"federation": ""}, "line 2: federation: is missing"),
    ({"pgn": "missing.pgn"}, "line 2: .*missing.pgn cannot be read"),
]


@pytest.mark.page
@pytest.mark.parametrize(("change", "message"), WRONG, ids=[next(iter(change)) for change, _ in WRONG])
def test_manifest_with_a_fault_is_refused_as_a_whole(folder: Path, change: Row, message: str) -> None:
    rows = [{"file": write(folder, "First"), **USUAL, **change}, {"file": write(folder, "Second"), **USUAL}]
    with pytest.raises(CommandError, match=message) as error:
        submit(folder, rows)
    assert error.value.returncode == 2
    assert Tournament.objects.count() == 0


@pytest.mark.page
def test_file_outside_the_folder_is_refused_before_anything_is_submitted(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    row = {"file": str(folder / write(folder, "First")), **USUAL, "event_id": ""}

    with pytest.raises(CommandError) as told_why:
        submit(inner, [row])

    assert told_why.value.returncode == 2
    assert "is not in" in str(told_why.value)
    assert not Tournament.objects.exists()


def test_manifest_without_a_needed_column_is_refused(folder: Path) -> None:
    with pytest.raises(CommandError, match="federation") as error:
        submit(folder, [{"file": write(folder, "First"), "kind": "rapid"}])
    assert error.value.returncode == 2


@pytest.mark.program
def test_processes_do_what_one_does_without_a_broker(folder: Path, empty: Callable[[], None]) -> None:
    rows = rows_of(folder)
    expected = submit(folder, rows)
    ratings = standing()
    empty()

    environment = {**environment_of_processes(), "REDIS_URL": "redis://127.0.0.1:9"}
    done = subprocess.run(
        command(folder, rows, "--json", "--jobs", "2"),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, results) == expected
    assert standing() == ratings


@pytest.mark.process
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_call_that_is_stopped_is_ended_by_the_next(
    folder: Path, monkeypatch: pytest.MonkeyPatch, end: signal.Signals
) -> None:
    monkeypatch.setattr("ratings.submission.GROUP", 1)
    reports = 32
    rows = [{"file": write_results(folder, number), **USUAL} for number in range(reports)]
    arguments = [str(folder), f"--manifest={manifest_of(folder, rows)}", "--jobs=2"]

    def submit_all() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        call_command("submit_reports", *arguments, stdout=StringIO(), stderr=StringIO())

    process = processes.start(submit_all)
    wait_until(lambda: Report.objects.filter(state="accepted").exists(), what="a first report")
    os.kill(process, end)
    assert processes.end(process) == (INTERRUPTED if end == signal.SIGINT else -signal.SIGKILL)
    assert 0 < Report.objects.count() < reports

    status, results = submit(folder, rows)

    assert status == 0
    assert [item["accepted"] for item in results] == [True] * reports
    assert TournamentRating.objects.filter(report__state="accepted").count() == reports
    assert Report.objects.count() == reports
    assert set(Run.objects.values_list("state", flat=True)) == {"done"}
