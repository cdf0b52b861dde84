"""Importing towns, and the town of each tournament on every way in."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from players.cases import decide as decide_case
from players.choices import CaseState
from tests import make
from tests.tournaments.test_registration import OPEN
from tests.tournaments.towns import TOWNS, file_of_towns, import_some_towns, line_of
from tournaments.lookups import Lookups
from tournaments.models import RequestedChange, Tournament, Town, TownSpelling
from tournaments.registration import new_registration, register_tournament, write_registrations
from tournaments.registration_changes import change_registration
from tournaments.towns import import_towns

LUXEMBOURG, ESCH = 2960316, 2960657
ON, AT = date(2026, 1, 2), datetime(2026, 1, 2, 9, tzinfo=UTC)
LUXEMBOURGISH = replace(OPEN, federation_code="LUX", city="Esch")


@pytest.fixture(autouse=True)
def _federation(db: None) -> None:
    make.federation(code="LUX", name="Luxembourg")


@pytest.fixture
def towns(tmp_path: Path) -> None:
    import_some_towns(tmp_path)


def run(*arguments: Any, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    """Return the exit status of the command and its result."""
    try:
        call_command("import_towns", *map(str, arguments), "--json")
        status = 0
    except SystemExit as end:
        status = int(str(end.code))
    return status, json.loads(capsys.readouterr().out)


def stored() -> tuple[list[Any], list[Any]]:
    return [*Town.objects.values_list()], sorted(TownSpelling.objects.values_list("spelling", "town"))


def test_an_import_twice_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file_of_towns(tmp_path)
    status, first = run(path, capsys=capsys)
    assert (status, first["imported"], first["read"], first["new"]) == (0, True, len(TOWNS), len(TOWNS))
    before = stored()
    keys = {*TownSpelling.objects.values_list("pk", flat=True)}

    status, second = run(path, capsys=capsys)

    assert (status, second["new"], second["changed"], stored()) == (0, 0, 0, before)
    assert {*TownSpelling.objects.values_list("pk", flat=True)} == keys


def test_a_file_in_an_archive_changes_towns_and_leaves_others(towns: None, tmp_path: Path) -> None:
    path = file_of_towns(tmp_path, [(ESCH, "Esch", "Esch-Uelzecht", "49.5", "6", "LU", "ES", 40000)])
    archive = tmp_path / "cities500.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.write(path, "cities500.txt")

    done = import_towns(archive)

    assert (done.read, done.new, done.changed, Town.objects.count()) == (1, 0, 1, len(TOWNS))
    esch = Town.objects.get(pk=ESCH)
    assert (esch.name, esch.latitude, esch.population) == ("Esch", 49.5, 40000)
    assert {one.spelling for one in esch.spellings.all()} == {"esch", "esch uelzecht"}


def test_a_bad_line_is_named_and_nothing_is_written(
    towns: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = stored()
    path = tmp_path / "cities500.txt"
    good = line_of(ESCH, "Esch", "", "49.5", "6", "LU", "ES", 40000)
    path.write_text(f"{good}\nsomething else\n{line_of(7, 'X', '', '91', '6', 'LU', '', 1)}\n")

    status, result = run(path, capsys=capsys)

    assert (status, result["imported"], result["codes"]) == (1, False, ["town-unreadable"] * 2)
    assert [reason.partition(":")[0] for reason in result["reasons"]] == ["line 2", "line 3"]
    assert stored() == before


@pytest.mark.parametrize("content", [b"", b"\n\n", b"PK\x03\x04 is no archive", b"\x1f\x8b neither"])
def test_a_file_without_towns_is_refused(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cities500.txt"
    path.write_bytes(content)
    status, result = run(path, capsys=capsys)
    assert (status, result["imported"], len(result["codes"])) == (1, False, 1)


def test_a_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as error:
        call_command("import_towns", str(tmp_path / "none.txt"))
    assert error.value.returncode == 2


def test_an_import_finds_the_towns_of_all_tournaments(tmp_path: Path) -> None:
    federation = make.federation(code="LUX")
    known, unknown = (make.tournament(federation=federation, city=city) for city in ("Esch", "Nowhere"))
    done = import_some_towns(tmp_path)
    assert (done.with_town, done.without_town) == (1, 1)
    assert [Tournament.objects.get(pk=one.pk).town_id for one in (known, unknown)] == [ESCH, None]
    Tournament.objects.filter(pk=known.pk).update(city="Nowhere")
    assert import_some_towns(tmp_path).with_town == 0
    assert Tournament.objects.get(pk=known.pk).town_id is None


def test_a_registration_has_the_town_of_its_place(towns: None) -> None:
    made = register_tournament(LUXEMBOURGISH, by=None, on=ON, at=AT)
    assert Tournament.objects.get(pk=made.pk).town_id == ESCH


def test_registrations_in_bulk_have_their_towns(towns: None) -> None:
    wanted = [
        replace(LUXEMBOURGISH, name=name, city=city) for name, city in (("A", "Esch"), ("B", "X"), ("C", ""))
    ]
    lookups = Lookups()
    write_registrations(
        [new_registration(one, by=None, on=ON, lookups=lookups) for one in wanted], by=None, at=AT
    )
    assert [*Tournament.objects.order_by("name").values_list("town", flat=True)] == [ESCH, None, None]


def test_a_change_of_the_place_changes_the_town(towns: None) -> None:
    made = register_tournament(LUXEMBOURGISH, by=None, on=ON, at=AT)
    for city, town in (("Luxembourg", LUXEMBOURG), ("Nowhere", None)):
        wanted = replace(LUXEMBOURGISH, city=city)
        made = change_registration(made, wanted, reason="Moved.", by=None, on=ON, at=AT)
        assert (made.city, made.town_id) == (city, town)


def test_a_granted_change_keeps_the_town(towns: None) -> None:
    made = register_tournament(LUXEMBOURGISH, by=None, on=ON, at=AT)
    later = datetime(2026, 1, 10, 9, tzinfo=UTC)
    wanted = replace(LUXEMBOURGISH, is_match=True)
    change_registration(made, wanted, reason="It is one.", by=None, on=later.date(), at=later)
    request = RequestedChange.objects.get()
    decide_case(request, CaseState.APPROVED, answer="Right.", by=None, at=later)
    made.refresh_from_db()
    assert (made.is_match, made.town_id) == (True, ESCH)


def test_a_place_corrected_in_the_admin_has_its_town(towns: None, client: Any) -> None:
    made = register_tournament(replace(LUXEMBOURGISH, city="Eschh"), by=None, on=ON, at=AT)
    staff = make.person("staff")
    client.force_login(staff)
    address = f"/admin/tournaments/tournament/{made.pk}/change/"
    form = {"city": "Esch", "chief_arbiter": "", "organiser": "", "decision_reference": ""}
    for prefix in ("reports", "log_entries"):
        form |= {f"{prefix}-TOTAL_FORMS": "0", f"{prefix}-INITIAL_FORMS": "0"}
    assert client.post(address, form).status_code == 302
    made.refresh_from_db()
    assert (made.city, made.town_id) == ("Esch", ESCH)
