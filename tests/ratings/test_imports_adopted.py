"""FIDE's list of a kind that the portal publishes: kept for comparison, or adopted by a decision (D-73, D-142)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.core.management import call_command
from django.test import Client

from players.fide_list import ListRecord, open_list, read_list
from players.models import Player
from ratings.choices import SENTENCES
from ratings.judgements import stopped_lists
from ratings.lists import read_lists
from ratings.models import Calculation, FideList, Judgement, ListEntry, RatingList, TournamentRating
from ratings.systems.judgement import ListFigures, Stop, Unit
from tests import make
from tests.log import acts
from tests.ratings.alphaville import ALL_PLAY_AGAIN, PLAYERS, play_open, publish
from tests.ratings.list_files import Listed, refused_import, text_list, written
from tests.shared import SharedRows
from tests.trf_files import Event
from tournaments.models import Tournament

pytestmark = [pytest.mark.page, pytest.mark.slow]
FEBRUARY, MARCH, APRIL = "2026-02-01", "2026-03-01", "2026-04-01"
PLAYER = Listed(1001, "Player, P1001", standard=(1800, 0, 20), rapid=(1700, 3, 20), blitz=(1600, 0, 20))
NEW = Listed(2001, "New, N", rapid=(1500, 0, 40))
FILE = text_list(PLAYER, NEW)
# All who play in the report of the month.
ALL = [Listed(fide_id, name, rapid=(1700, 3, 20)) for fide_id, name in PLAYERS]


@pytest.fixture(scope="module")
def published(rows_of_module: SharedRows) -> None:
    """Publish both lists of February with one tournament."""
    with rows_of_module():
        play_open()
        make.run("publish_lists", FEBRUARY)


@pytest.fixture
def month(published: None, db: None) -> None:
    """Have February published."""


def test_d_73_fides_list_of_a_published_kind_is_kept_for_comparison(month: None, tmp_path: Path) -> None:
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

    # It reads like the file that it came from.
    kept = FideList.objects.get(kind="rapid")
    with open_list(storages["lists"].path(kept.path)) as stream:
        again = [record for record in read_list(stream, kind="rapid") if isinstance(record, ListRecord)]
    with open_list(path) as stream:
        came = [record for record in read_list(stream) if isinstance(record, ListRecord)]
    assert [record._replace(standard=None, blitz=None) for record in came] == again
    assert (kept.date, kept.listed, kept.source) == (date(2026, 3, 1), 2, "list.txt")

    staff = make.browser("staff")
    assert "list.txt" in staff.get("/admin/ratings/fidelist/").content.decode()
    assert staff.post("/admin/ratings/fidelist/add/", {}).status_code == 403

    # The same file again changes nothing.
    rows = list(FideList.objects.values_list()), list(RatingList.objects.values_list())
    once_more = make.run("import_fide_list", path, "--date", MARCH)
    assert (once_more["compared"], [item["created"] for item in once_more["lists"]]) == ([], [False])
    assert rows == (list(FideList.objects.values_list()), list(RatingList.objects.values_list()))

    assert [row["new"] for row in make.run("publish_lists", MARCH)["published"]] == [True, True]
    for kind in ("rapid", "blitz"):
        assert make.run("verify_list", kind, MARCH)["verified"] is True


@pytest.mark.parametrize("is_contained", [True, False])
def test_d_142_waiting_report_that_an_adopted_list_contains_is_never_counted_again(
    month: None, tmp_path: Path, is_contained: bool
) -> None:
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
    publish(MARCH, APRIL)
    rated_on = TournamentRating.objects.get(report__tournament=waiting).included_in
    assert rated_on is not None
    assert rated_on.date.isoformat() == (MARCH if is_contained else APRIL)
    played = Calculation.objects.filter(rating_list__kind="rapid", rating_list__date=APRIL, games__gt=0)
    assert played.exists() is not is_contained
    assert (ratings_in_april(ALL) == {1700}) is is_contained
    assert make.run("verify_list", "rapid", APRIL)["verified"]


def test_d_142_only_a_waiting_report_is_contained(month: None, tmp_path: Path) -> None:
    path = written(tmp_path / "list.txt", FILE)
    arguments = ("--date", MARCH, "--kind", "rapid", "--adopt", "Council", "--contains", "none")
    assert refused_import(path, *arguments) == ["not-waiting-D-142"]


@pytest.mark.parametrize("listed", [[PLAYER, NEW], ALL], ids=["some", "all"])
def test_d_142_correction_before_an_adopted_list_says_that_it_changes_nothing(
    month: None, tmp_path: Path, client: Client, listed: list[Listed]
) -> None:
    """Of those whom FIDE's list has nothing is shown, and nothing taken; the others follow from the corrected list."""
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
    publish(MARCH, APRIL)
    assert ratings_in_april([one for one in listed if one != NEW]) == {1700}
    # The tournament's page and its player's stay readable.
    assert client.get(f"/tournaments/{event_id}/").status_code == 200


def ratings_in_april(listed: Iterable[Listed]) -> set[int]:
    entries = ListEntry.objects.filter(rating_list__kind="rapid", rating_list__date=APRIL)
    return {entries.get(player=one.fide_id).rating for one in listed}


def test_d_73_adopted_list_is_in_force_with_its_reason(month: None, tmp_path: Path) -> None:
    path = written(tmp_path / "list.txt", FILE)
    make.run("import_fide_list", path, "--date", MARCH)
    # Month by month.
    assert refused_import(path, "--date", APRIL, "--kind", "rapid", "--adopt", "x") == ["month-missing-D-71"]

    done = make.run(
        "import_fide_list", path, "--date", MARCH, "--kind", "rapid", "--adopt", "Council, 12/2026"
    )

    assert done["lists"] == [{"kind": "rapid", "listed": 2, "created": True, "differing": 1}]
    adopted = RatingList.objects.get(kind="rapid", date=MARCH)
    assert (adopted.origin, adopted.manifest["adopted"]) == ("imported", "Council, 12/2026")
    assert acts().order_by("-pk")[0].reason == "adopted: Council, 12/2026"
    assert [row["new"] for row in make.run("publish_lists", MARCH)["published"]] == [False, True]
    publish(APRIL)
    assert make.run("verify_list", "rapid", APRIL)["verified"] is True


def test_d_134_adopted_list_is_no_stopped_one(month: None, tmp_path: Path) -> None:
    stop = Stop("games", 500, Unit.NUMBER, 0, 100, 50)
    values = {"figures": ListFigures(), "stops": [stop], "judged_at": make.noon(date(2026, 3, 1))}
    Judgement.objects.create(kind="rapid", date=date(2026, 3, 1), **values)
    path = written(tmp_path / "list.txt", FILE)
    make.run("import_fide_list", path, "--date", MARCH, "--kind", "rapid", "--adopt", "Council")
    assert not stopped_lists().exists()


def test_dry_run_shows_the_effect_and_writes_nothing(month: None, tmp_path: Path) -> None:
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
    month: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    call_command("import_fide_list", written(tmp_path / "list.txt", FILE), date=date(2026, 3, 1))
    printed = capsys.readouterr()
    kept = SENTENCES.state("kept-for-comparison", kind="rapid", date=date(2026, 3, 1))
    assert printed.err.splitlines()[0] == f"warning: {kept}"
    assert re.search("^rapid 2026-03-01 .*: 2 players", printed.out, re.MULTILINE)
