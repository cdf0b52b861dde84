"""What an import decides by itself, and what takes a reason: dates (D-70), signs (D-72), own decisions (D-136)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client

from players.cases import decide
from players.choices import CaseState
from players.models import Membership, Player
from players.transfers import ask_transfer
from ratings.choices import SENTENCES
from ratings.imports import import_list
from ratings.imports.decided import is_poorer_spelling
from ratings.models import ListEntry, RatingList
from tests import codes, make
from tests.log import acts
from tests.ratings.list_files import Listed, refused_import, single_list, text_list, written, zipped
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
JANUARY, FEBRUARY, MARCH, APRIL = "2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01"
TODAY = datetime(2026, 11, 22, 9, tzinfo=UTC)
PLAYER = Listed(1001, "Player, P1001", standard=(1800, 0, 20), rapid=(1700, 3, 20), blitz=(1600, 0, 20))
NEW = Listed(2001, "New, N", rapid=(1500, 0, 40))
FILE = text_list(PLAYER, NEW)


@pytest.mark.parametrize("on", [date(2062, 11, 1), date(2026, 12, 1)])
def test_d_70_list_of_the_future_is_not_imported(tmp_path: Path, on: date) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(FILE)
    with codes.refusal() as refused:
        import_list(path, on=on, at=TODAY, force="sure", adopt="sure")
    assert refused.found == ["future-list-D-70"]
    with time_machine.travel(TODAY):
        assert refused_import(str(path), "--date", on.isoformat(), "--force", "sure") == refused.found


@pytest.mark.parametrize(
    ("name", "content", "arguments", "code"),
    [
        (
            "list.txt",
            single_list("rapid", PLAYER),
            ["--date", FEBRUARY, "--kind", "rapid"],
            "heading-contradicts-D-72",
        ),
        (
            "rapid_feb25frl.txt",
            text_list(PLAYER),
            ["--date", FEBRUARY],
            "name-contradicts-D-72",
        ),
        (
            "players_list_2025-12.txt",
            text_list(PLAYER),
            ["--date", JANUARY],
            "name-contradicts-D-72",
        ),
        (
            "download.zip",
            zipped(text_list(PLAYER), "players_nov26.txt"),
            ["--date", JANUARY],
            "name-contradicts-D-72",
        ),
        (
            "rapid_rating_list.txt",
            single_list("rapid", PLAYER),
            ["--date", JANUARY, "--kind", "blitz"],
            "name-contradicts-D-72",
        ),
    ],
)
def test_d_72_contradicting_signs_refuse_and_force_overrides(
    tmp_path: Path, name: str, content: bytes, arguments: list[str], code: str
) -> None:
    path = written(tmp_path / name, content)
    assert refused_import(path, *arguments) == [code]

    done = make.run("import_fide_list", path, *arguments, "--force", "Misnamed")

    assert len(done["warnings"]) == 1
    assert {item.manifest["forced"] for item in RatingList.objects.all()} == {"Misnamed"}
    assert set(acts().values_list("reason", flat=True)) == {"forced: Misnamed"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rapid_jan26frl.txt", single_list("rapid", PLAYER)),
        ("players_list_2026-01.txt", text_list(PLAYER)),
        ("rapid-2026-01-01.txt", single_list("rapid", PLAYER)),
        ("rapid_rating_list.txt", single_list("rapid", PLAYER)),
    ],
)
def test_d_72_signs_that_agree_go_in_and_nothing_is_forced(tmp_path: Path, name: str, content: bytes) -> None:
    path = written(tmp_path / name, content)
    assert make.run("import_fide_list", path, "--date", JANUARY, "--force", "x")["warnings"] == []
    assert all("forced" not in item.manifest for item in RatingList.objects.all())


def test_d_72_force_overrides_nothing_else(month: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "players_nov26.txt", FILE)
    assert refused_import(path, "--date", JANUARY, "--kind", "rapid", "--force", "sure") == [
        "list-incomplete-D-125"
    ]


def test_d_73_reports_that_wait_for_the_month_are_counted(month: Any, tmp_path: Path) -> None:
    """The portal has published nothing yet, so that FIDE's list of February is in force."""
    path = written(tmp_path / "list.txt", FILE)

    for extra in (["--dry-run"], []):
        done = make.run("import_fide_list", path, "--date", FEBRUARY, *extra)

        events = Tournament.objects.get().event_id
        wait = SENTENCES.state("reports-wait", kind="rapid", date=date(2026, 2, 1), events=events)
        assert done["warnings"] == [wait]


@pytest.mark.parametrize(
    ("known", "listed", "is_poorer"),
    [
        ("Müller, José", "Muller, Jose", True),
        ("Müller, José", "Mueller, Jose", True),
        ("Müller, José", "MÜLLER, JOSÉ", True),
        ("Muller, Jose", "Müller, José", False),
        ("MÜLLER, JOSÉ", "Müller, José", False),
        ("Müller, José", "Muller, Josef", False),
        ("Pérez, Ana", "Pèrez, Ana", False),
        ("D’Artagnan, Élodie", "D'Artagnan, Elodie", True),
        ("D'Artagnan, Elodie", "D’Artagnan, Élodie", False),
        ("Jean–Pierre, Zoë", "Jean-Pierre, Zoe", True),
        ("Øster, Åge", "Oester, Aage", True),
        ("Əliyev, Şahin", "Eliyev, Sahin", True),
        ("Müller, José", "M?ller, Jos?", True),
        ("Müller, José", "M?ller, José", True),
        ("Müller, José", "M?ller, Jan?", False),
        ("Иванов, Пётр", "??????, ????", True),
        (f"Müller-{'x' * 60}, José", f"Muller-{'x' * 54}", True),
    ],
)
def test_d_136_a_name_is_never_made_poorer(known: str, listed: str, is_poorer: bool) -> None:
    assert is_poorer_spelling(listed, known) is is_poorer


JUNIOR = Listed(3001, "Jung, Ürsula", rapid=(1500, 0, 20), born=1990, title="FM")
PERSON_OF = ("name", "federation_id", "birth_year", "title")


def decide_here(staff: Any, client: Client) -> None:
    """Correct name and year of a player, transfer him, and enter a title in place of the wrong one."""
    player, at = Player.objects.get(), datetime(2026, 1, 20, tzinfo=UTC)
    data = {"name": "Jung, Ürsel", "birth_year": 2011}
    make.correct_player(player, data, reason="Passport.", by=staff, at=at, is_name_confirmed=True)
    asked = ask_transfer(player, to=make.federation(code="LUX"), by=staff, at=at)
    decide(asked, CaseState.APPROVED, by=staff, at=at)
    client.force_login(staff)
    address = f"/admin/players/player/{player.pk}/change/"
    client.post(address, {"title": "CM", "seen": client.get(address).context["seen"]})


def test_d_136_no_later_file_undoes_what_was_decided_here(tmp_path: Path, client: Client) -> None:
    with time_machine.travel(datetime(2026, 1, 20, tzinfo=UTC)):
        make.run("import_fide_list", written(tmp_path / "old.txt", text_list(JUNIOR)), "--date", JANUARY)
        decide_here(make.person("staff"), client)
    for month in (FEBRUARY, MARCH):
        path = written(
            tmp_path / f"{month}.txt", text_list(replace(JUNIOR, name=f"Jung, Ursula {month[:4]}"))
        )
        done = make.run("import_fide_list", path, "--date", month)
        assert Player.objects.values_list(*PERSON_OF).get() == ("Jung, Ürsel", "LUX", 2011, "CM")
        (kept,) = done["kept"]
        assert {tuple(item) for item in kept["fields"]} == {
            ("name", "Jung, Ürsel", "Jung, Ursula 2026"),
            ("federation_id", "LUX", "SUI"),
            ("birth_year", 2011, 1990),
            ("title", "CM", "FM"),
        }
        # By the right year of birth K stays 40 (7.3.3).
        entry = ListEntry.objects.get(rating_list__date=month, rating_list__kind="rapid")
        assert (entry.k_factor, entry.reached_2300, entry.federation_id) == (40, False, "LUX")

    # What FIDE changes and nobody decided here is taken; a number in the register that was left is free again.
    joined = {"number": "1", "since": date(2026, 2, 1)}
    Membership.objects.create(player_id=3001, federation_id="LUX", **joined)
    news = replace(JUNIOR, name="Jung, Ürsel", federation="NOR", title="IM", born=2011, sex="F")
    done = make.run("import_fide_list", written(tmp_path / "new.txt", text_list(news)), "--date", APRIL)
    assert [[name for name, *_pair in item["fields"]] for item in done["kept"]] == [["title"]]
    assert Player.objects.values_list("federation_id", "sex").get() == ("NOR", "F")
    assert Membership.objects.get().until == date(2026, 4, 1)


def test_d_136_a_decision_after_the_day_of_the_file_stays(tmp_path: Path) -> None:
    with time_machine.travel(datetime(2026, 2, 10, tzinfo=UTC)):
        player = make.player(fide_id=3001, name="Neu, Anna", federation__code="SUI", birth_year=1990)
        player.name = "Alt, Anna"
        player.save()
    files = {on: written(tmp_path / f"{on}.txt", text_list(JUNIOR)) for on in (FEBRUARY, MARCH)}
    assert [make.run("import_fide_list", files[on], "--date", on)["kept_count"] for on in files] == [1, 0]
    assert Player.objects.get().name == JUNIOR.name


def test_d_136_staff_take_the_value_of_the_file_on_the_page_of_corrections(client: Client) -> None:
    player = make.player(name="Alt, Anna", birth_year=2011)
    client.force_login(make.person("staff"))
    values = {"fide_id": player.pk, "name": "Neu, Anna", "birth_year": 1990}
    form = client.get("/admin/ratings/correction/player/", values).context["form"]
    shown = {name: form[name].value() for name in ("surname", "birth_year", "federation_id")}
    assert shown == {"surname": "Neu", "birth_year": "1990", "federation_id": player.federation_id}
