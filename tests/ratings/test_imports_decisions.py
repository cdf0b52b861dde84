"""What an import decides by itself, and what takes a reason: dates (D-70), signs (D-72), FIDE's list (D-73)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.files.storage import storages
from django.core.management import call_command
from django.test import Client

from players.cases import decide
from players.choices import CaseState
from players.fide_list import ListRecord, open_list, read_list
from players.models import Membership, Player
from players.transfers import ask_transfer
from ratings.choices import SENTENCES
from ratings.imports import import_list
from ratings.imports.decided import is_poorer_spelling
from ratings.lists import read_lists
from ratings.models import Calculation, FideList, ListEntry, RatingList, TournamentRating
from tests import codes, make
from tests.log import acts
from tests.ratings.alphaville import ALL_PLAY_AGAIN, PLAYERS
from tests.ratings.list_files import Listed, single_list, text_list, written, zipped
from tests.trf_files import Event
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
JANUARY, FEBRUARY, MARCH, APRIL = "2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01"
TODAY = datetime(2026, 11, 22, 9, tzinfo=UTC)
PLAYER = Listed(1001, "Player, P1001", standard=(1800, 0, 20), rapid=(1700, 3, 20), blitz=(1600, 0, 20))
NEW = Listed(2001, "New, N", rapid=(1500, 0, 40))
FILE = text_list(PLAYER, NEW)
# All who play in the report of the month.
ALL = [Listed(fide_id, name, rapid=(1700, 3, 20)) for fide_id, name in PLAYERS]


def refusal(*arguments: str) -> list[str]:
    """Return the codes of an import that must be refused and write nothing."""
    before = RatingList.objects.count(), FideList.objects.count(), Player.objects.count()
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("import_fide_list", *arguments)
    assert before == (RatingList.objects.count(), FideList.objects.count(), Player.objects.count())
    return list(refused.value.args[0]["codes"])


@pytest.mark.parametrize("on", [date(2062, 11, 1), date(2026, 12, 1)])
def test_d_70_list_of_the_future_is_not_imported(tmp_path: Path, on: date) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(FILE)
    with codes.refusal() as refused:
        import_list(path, on=on, at=TODAY, force="sure", adopt="sure")
    assert refused.found == ["future-list-D-70"]
    with time_machine.travel(TODAY):
        assert refusal(str(path), "--date", on.isoformat(), "--force", "sure") == refused.found


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
    assert refusal(path, *arguments) == [code]

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
    assert refusal(path, "--date", JANUARY, "--kind", "rapid", "--force", "sure") == ["list-incomplete-D-125"]


def test_d_73_fides_list_of_a_published_kind_is_kept_for_comparison(month: Any, tmp_path: Path) -> None:
    make.run("publish_lists", FEBRUARY)
    path = written(tmp_path / "list.txt", FILE)

    done = make.run("import_fide_list", path, "--date", MARCH)

    assert done["lists"] == [{"kind": "standard", "listed": 1, "created": True}]
    assert done["compared"] == [{"kind": "rapid", "listed": 2}, {"kind": "blitz", "listed": 1}]
    assert done["warnings"][0] == SENTENCES.state("kept-for-comparison", kind="rapid", date=date(2026, 3, 1))
    assert Player.objects.filter(pk=2001).exists()
    assert not ListEntry.objects.filter(player=2001).exists()
    newest = read_lists().newest("rapid")
    assert newest
    assert newest.date == date(2026, 2, 1)
    assert [row["new"] for row in make.run("publish_lists", MARCH)["published"]] == [True, True]
    for kind in ("rapid", "blitz"):
        assert make.run("verify_list", kind, MARCH)["verified"] is True


def test_d_73_kept_list_reads_like_the_file_it_came_from(month: Any, tmp_path: Path) -> None:
    make.run("publish_lists", FEBRUARY)
    path = written(tmp_path / "list.txt", FILE)
    make.run("import_fide_list", path, "--date", MARCH)

    kept = FideList.objects.get(kind="rapid")
    with open_list(storages["lists"].path(kept.path)) as stream:
        again = [record for record in read_list(stream, kind="rapid") if isinstance(record, ListRecord)]
    with open_list(path) as stream:
        came = [record for record in read_list(stream) if isinstance(record, ListRecord)]
    assert [record._replace(standard=None, blitz=None) for record in came] == again
    assert (kept.date, kept.listed, kept.source) == (date(2026, 3, 1), 2, "list.txt")


@pytest.mark.parametrize("extra", [[], ["--dry-run"]], ids=["import", "dry-run"])
def test_d_73_reports_that_wait_for_the_month_are_counted(
    month: Any, tmp_path: Path, extra: list[str]
) -> None:
    """The portal has published nothing yet, so that FIDE's list of February is in force."""
    path = written(tmp_path / "list.txt", FILE)

    done = make.run("import_fide_list", path, "--date", FEBRUARY, *extra)

    events = Tournament.objects.get().event_id
    wait = SENTENCES.state("reports-wait", kind="rapid", date=date(2026, 2, 1), events=events)
    assert done["warnings"] == [wait]


@pytest.mark.parametrize("is_contained", [True, False])
def test_d_142_waiting_report_that_an_adopted_list_contains_is_never_counted_again(
    month: Any, tmp_path: Path, is_contained: bool
) -> None:
    make.run("publish_lists", FEBRUARY)
    event = Event(PLAYERS, ALL_PLAY_AGAIN, name="Second", start="2026/02/10", end="2026/02/10")
    make.submit(event, submitted="2026-02-20")
    waiting = Tournament.objects.get(name="Second")
    path = written(tmp_path / "list.txt", text_list(*ALL))
    chosen = [] if is_contained else ["--contains-none"]
    arguments = (path, "--date", MARCH, "--kind", "rapid", "--adopt", "Council", *chosen)

    shown = make.run("import_fide_list", *arguments, "--dry-run")
    done = make.run("import_fide_list", *arguments)

    code = "reports-contained" if is_contained else "reports-wait"
    said = SENTENCES.state(code, kind="rapid", date=date(2026, 3, 1), events=waiting.event_id)
    assert said in shown["warnings"]
    assert shown["contained"] == done["contained"] == ([waiting.event_id] if is_contained else [])
    make.run("publish_lists", MARCH)
    make.run("publish_lists", APRIL)
    rated_on = TournamentRating.objects.get(report__tournament=waiting).included_in
    assert rated_on is not None
    assert rated_on.date.isoformat() == (MARCH if is_contained else APRIL)
    played = Calculation.objects.filter(rating_list__kind="rapid", rating_list__date=APRIL, games__gt=0)
    assert played.exists() is not is_contained
    assert (ratings_in_april(ALL) == {1700}) is is_contained
    assert make.run("verify_list", "rapid", APRIL)["verified"]


def test_d_142_only_a_waiting_report_is_contained(month: Any, tmp_path: Path) -> None:
    make.run("publish_lists", FEBRUARY)
    path = written(tmp_path / "list.txt", FILE)
    arguments = ("--date", MARCH, "--kind", "rapid", "--adopt", "Council", "--contains", "none")
    assert refusal(path, *arguments) == ["not-waiting-D-142"]


@pytest.mark.parametrize("listed", [[PLAYER, NEW], ALL], ids=["some", "all"])
def test_d_142_correction_before_an_adopted_list_says_that_it_changes_nothing(
    month: Any, tmp_path: Path, client: Client, listed: list[Listed]
) -> None:
    """Of those whom FIDE's list has nothing is shown, and nothing taken; the others follow from the corrected list."""
    make.run("publish_lists", FEBRUARY)
    path = written(tmp_path / "list.txt", text_list(*listed))
    make.run("import_fide_list", path, "--date", MARCH, "--kind", "rapid", "--adopt", "Council")
    event_id = Tournament.objects.get().event_id

    shown = make.run("correct_report", event_id, "--reason", "Void.", "--dry-run")
    done = make.run("correct_report", event_id, "--reason", "Void.")

    assert len(shown["warnings"]) == 1
    assert (shown["lines"], shown["warnings"]) == (done["lines"], done["warnings"])
    ids = {line["fide_id"] for line in done["lines"]}
    assert ids.isdisjoint(one.fide_id for one in listed)
    assert bool(ids) is (listed != ALL)
    make.run("publish_lists", MARCH)
    make.run("publish_lists", APRIL)
    assert ratings_in_april([one for one in listed if one != NEW]) == {1700}
    # The tournament's page and its player's stay readable.
    assert client.get(f"/tournaments/{event_id}/").status_code == 200


def ratings_in_april(listed: Iterable[Listed]) -> set[int]:
    entries = ListEntry.objects.filter(rating_list__kind="rapid", rating_list__date=APRIL)
    return {entries.get(player=one.fide_id).rating for one in listed}


def test_d_73_same_file_again_changes_nothing(month: Any, tmp_path: Path) -> None:
    make.run("publish_lists", FEBRUARY)
    path = written(tmp_path / "list.txt", FILE)
    make.run("import_fide_list", path, "--date", MARCH)
    rows = list(FideList.objects.values_list()), list(RatingList.objects.values_list())
    again = make.run("import_fide_list", path, "--date", MARCH)
    assert (again["compared"], [item["created"] for item in again["lists"]]) == ([], [False])
    assert rows == (list(FideList.objects.values_list()), list(RatingList.objects.values_list()))


def test_d_73_adopted_list_is_in_force_with_its_reason(month: Any, tmp_path: Path) -> None:
    make.run("publish_lists", FEBRUARY)
    path = written(tmp_path / "list.txt", FILE)
    make.run("import_fide_list", path, "--date", MARCH)

    done = make.run(
        "import_fide_list", path, "--date", MARCH, "--kind", "rapid", "--adopt", "Council, 12/2026"
    )

    assert done["lists"] == [{"kind": "rapid", "listed": 2, "created": True}]
    adopted = RatingList.objects.get(kind="rapid", date=MARCH)
    assert (adopted.origin, adopted.manifest["adopted"]) == ("imported", "Council, 12/2026")
    assert acts().order_by("-pk")[0].reason == "adopted: Council, 12/2026"
    assert [row["new"] for row in make.run("publish_lists", MARCH)["published"]] == [False, True]
    make.run("publish_lists", APRIL)
    assert make.run("verify_list", "rapid", APRIL)["verified"] is True


def test_d_73_adopted_list_follows_month_by_month(month: Any, tmp_path: Path) -> None:
    make.run("publish_lists", FEBRUARY)
    path = written(tmp_path / "list.txt", FILE)
    assert refusal(path, "--date", APRIL, "--kind", "rapid", "--adopt", "x") == ["month-missing-D-71"]


def test_dry_run_shows_the_effect_and_writes_nothing(month: Any, tmp_path: Path) -> None:
    make.run("publish_lists", FEBRUARY)
    before = (
        RatingList.objects.count(),
        FideList.objects.count(),
        Player.objects.count(),
        acts().count(),
    )

    done = make.run("import_fide_list", written(tmp_path / "list.txt", FILE), "--date", MARCH, "--dry-run")

    assert (done["written"], done["players"]["created"]) == (False, 1)
    assert (len(done["lists"]), len(done["compared"])) == (1, 2)
    assert before == (
        RatingList.objects.count(),
        FideList.objects.count(),
        Player.objects.count(),
        acts().count(),
    )


def test_warnings_go_to_standard_error(
    month: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make.run("publish_lists", FEBRUARY)
    capsys.readouterr()
    call_command("import_fide_list", written(tmp_path / "list.txt", FILE), date=date(2026, 3, 1))
    printed = capsys.readouterr()
    kept = SENTENCES.state("kept-for-comparison", kind="rapid", date=date(2026, 3, 1))
    assert printed.err.splitlines()[0] == f"warning: {kept}"
    assert re.search("^rapid 2026-03-01 .*: 2 players", printed.out, re.MULTILINE)


def test_d_73_staff_see_what_is_kept(month: Any, tmp_path: Path) -> None:
    make.run("publish_lists", FEBRUARY)
    make.run("import_fide_list", written(tmp_path / "list.txt", FILE), "--date", MARCH)
    staff = make.browser("staff")
    page = staff.get("/admin/ratings/fidelist/").content.decode()
    assert "list.txt" in page
    assert staff.post("/admin/ratings/fidelist/add/", {}).status_code == 403


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
