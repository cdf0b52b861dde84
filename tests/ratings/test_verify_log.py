"""The audit log proves itself: an entry that is changed, removed or forged is found, and lists hold the proof."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client

from players.choices import Area, Deed, Role
from players.log_chain import head, link_log, verify_log
from players.models import Appointment, LogLink, Notice
from players.models.log import record_act
from ratings import runs
from ratings.choices import RunState, Work
from ratings.models import ListFile, RatingList, Run
from ratings.publish.publish import publish_list, publish_lists
from ratings.rate import rate_reports
from ratings.verify.verify import verify_list
from tests import make
from tests.faults.world import MONTH, play_a_month
from tests.snapshots import Worlds
from tournaments.choices import Action, GameMark
from tournaments.log import AuditFilter, page_of, record_action
from tournaments.lookups import Lookups
from tournaments.marks import Mark, mark_games
from tournaments.models import Game, Report, Tournament

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def log(db: None) -> None:
    """Write an entry of each kind and link them."""
    tournament = make.tournament(event_id="SUI-1")
    record_action(tournament, Action.REGISTER, reason="", by=make.user(), at=NOW)
    record_action(tournament, Action.REFUSE, reason="Late", by=make.user(), at=NOW)
    make.appointment(role="qc")
    make.player(name="Alder, Ada")
    record_act(Area.LIST, Deed.PUBLISH, "rapid 2026-02-01", by=None, by_name="root (command)", at=NOW)
    for kind in ("rapid", "blitz"):
        make.rating_list(kind=kind, date=date(2026, 1, 1))
    link_log()


def sql(statement: str, *values: Any) -> None:
    """Do what somebody with the database's password does."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def problems() -> list[str]:
    return [*verify_log()]


def test_an_untouched_log_is_verified(log: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_log", "--json")

    result = json.loads(capsys.readouterr().out)
    assert result == {
        "verified": True,
        "entries": LogLink.objects.count(),
        "sha256": head().sha256,
        "reasons": [],
    }
    assert result["entries"] >= 5


def test_linking_again_adds_nothing(log: None) -> None:
    before = head()

    assert (link_log(), link_log(whole=True), head()) == (0, 0, before)


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE players_logentry SET reason = 'On time' WHERE action = 'refuse'",
        "UPDATE players_logentry SET at = '2026-01-01 00:00:00+00:00' WHERE action = 'refuse'",
        "UPDATE players_logentry SET changes = '[]' WHERE area = 'appointment'",
        "UPDATE players_logentry SET by_name = 'somebody else' WHERE area = 'list'",
        "UPDATE players_logentry SET changes = '[]' WHERE area = 'player'",
    ],
)
def test_a_changed_entry_is_found(log: None, attack: str) -> None:
    sql(attack)

    (problem,) = problems()
    assert problem.endswith("was changed")


def test_a_removed_entry_is_found(log: None) -> None:
    sql("DELETE FROM players_logentry WHERE area = 'list'")

    assert [problem.partition(": ")[2] for problem in problems()] == ["was removed"]


def test_a_removed_link_is_found(log: None) -> None:
    sql("DELETE FROM players_loglink WHERE number = 2")

    assert [problem.partition(" (")[0] for problem in problems()] == ["entry 2"]


def test_an_entry_with_its_hash_changed_breaks_the_chain(log: None) -> None:
    sql("UPDATE players_loglink SET digest = %s WHERE number = 2", "0" * 64)

    assert problems()[0].startswith("entry 2 ")


def test_an_exchanged_entry_is_found_by_the_command(log: None, capsys: pytest.CaptureFixture[str]) -> None:
    sql("UPDATE players_logentry SET subject = 'blitz 2026-02-01' WHERE area = 'list'")

    with pytest.raises(SystemExit) as ended:
        call_command("verify_log")

    assert ended.value.code == 1
    assert "was changed" in capsys.readouterr().out


def test_a_list_holds_the_proof_of_the_log(log: None, capsys: pytest.CaptureFixture[str]) -> None:
    made = publish_list("rapid", date(2026, 2, 1), by=None, at=NOW).rating_list
    named = made.manifest["audit_log"]
    assert named["entries"] >= 5
    call_command("verify_log", "--entries", str(named["entries"]), "--sha256", named["sha256"])

    forge_whole_chain()

    assert problems() == []
    assert str(verify_list(made)).startswith("audit log")
    with pytest.raises(SystemExit):
        call_command("verify_log", "--entries", str(named["entries"]), "--sha256", named["sha256"])
    assert "rapid 2026-02" in capsys.readouterr().out


def forge_whole_chain() -> None:
    sql("UPDATE players_logentry SET reason = 'On time' WHERE action = 'refuse'")
    sql("DELETE FROM players_loglink")
    link_log(whole=True)


def test_many_entries_are_linked_in_batches(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("players.log_chain.BATCH", 7)
    for number in range(20):
        record_act(Area.LIST, Deed.IMPORT, str(number), by=None, at=NOW)

    assert (link_log(), problems()) == (20, [])


def test_what_a_long_transaction_left_behind_is_linked(log: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("players.log_chain.OVERLAP", 0)
    late, _early = (record_act(Area.LIST, Deed.IMPORT, name, by=None, at=NOW) for name in ("late", "early"))
    LogLink.objects.create(number=head().entries + 1, entry=late.pk + 1, digest="0" * 64, sha256="0" * 64)

    assert (link_log(), link_log(whole=True)) == (0, 1)


def test_the_checks_of_a_night_are_made_once(db: None) -> None:
    """Beat asks for them at each of its starts."""
    for run in runs.make_checks_due(at=NOW):
        Run.objects.filter(pk=run.pk).update(state=RunState.DONE, claimed_at=NOW)

    assert runs.make_checks_due(at=NOW + timedelta(hours=19)) == []
    assert len(runs.make_checks_due(at=NOW + timedelta(hours=24))) == 3


def test_each_list_is_verified_once_the_newest_first(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "VERIFIED_A_NIGHT", 1)
    make.rating_list(kind="rapid", date=date(2026, 2, 1), origin="published")
    make.rating_list(kind="rapid", date=date(2026, 3, 1), origin="published")
    make.rating_list(kind="blitz", date=date(2026, 3, 1), origin="imported")

    nights = [runs.make_checks_due(at=NOW + timedelta(days=days)) for days in (0, 1, 2)]

    assert [[run.subject for run in made if run.work == Work.VERIFY] for made in nights] == [
        ["rapid 2026-03-01"],
        ["rapid 2026-02-01"],
        [],
    ]


@pytest.mark.page
def test_a_night_tells_staff_and_auditors(log: None) -> None:
    auditor = make.person("auditor")
    link_log()
    sql("UPDATE players_logentry SET subject = 'x'")
    runs.make_checks_due(at=NOW)

    with pytest.raises(runs.NotAsPublishedError):
        runs.perform(Work.LOG, Work.LOG, at=NOW)

    assert Run.objects.get(work=Work.LOG).state == RunState.FAILED
    assert [*Notice.objects.values_list("recipient", flat=True)] == [auditor.email]


@pytest.mark.page
def test_the_log_shows_names_and_words(db: None) -> None:
    user = make.user(email="olga@x.example", first_name="Olga", last_name="Officer")
    appointment = Appointment.objects.create(user=user, role="qc")
    player = make.player(name="Alder, Ada", sex="F", fide_id=1_300_001)
    player.sex = "M"
    player.save()
    appointment.delete()

    removed, added = page_of(AuditFilter(kind="appointment")).rows
    changed = page_of(AuditFilter(kind="player")).rows[0]

    assert added.object == f"{user.get_full_name()} ({user.email})"
    assert added.after == f"Role: {Role('qc').label}"
    assert (removed.what, removed.before) == ("removed", added.after)
    assert (changed.object, changed.before, changed.after) == (
        "Alder, Ada (1300001)",
        "Sex: female",
        "Sex: male",
    )


def test_both_lists_of_a_month_verify(log: None) -> None:
    made = [publish_list(kind, date(2026, 2, 1), by=None, at=NOW).rating_list for kind in ("rapid", "blitz")]

    assert [verify_list(one) for one in made] == [None, None]


def stored(path: str) -> bytes:
    with storages["lists"].open(path) as file:
        return file.read()


@pytest.mark.page
def test_a_night_serves_altered_files_again(log: None) -> None:
    publish_list("rapid", date(2026, 2, 1), by=None, at=NOW)
    altered, lost, *_rest = ListFile.objects.order_by("pk")
    before = stored(altered.path)
    with storages["lists"].open(altered.path, "r+b") as file:
        file.write(b"X")
    storages["lists"].delete(lost.path)
    runs.make_checks_due(at=NOW)

    with pytest.raises(runs.NotAsPublishedError):
        runs.perform(Work.FILES, Work.FILES, at=NOW)
    found = Run.objects.get(work=Work.FILES).stated
    assert {"code": "file-restored", "path": altered.path} in found

    assert stored(altered.path) == before
    assert storages["lists"].exists(lost.path)
    runs.make_checks_due(at=NOW)
    runs.perform(Work.FILES, Work.FILES, at=NOW)
    assert Run.objects.get(work=Work.FILES).state == RunState.DONE


def test_a_damaged_database_is_not_ready(log: None, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(runs.WATCHED, Work.STORE, lambda: ["row 1 missing from index"])
    runs.make_checks_due(at=NOW)
    with pytest.raises(runs.NotAsPublishedError):
        runs.perform(Work.STORE, Work.STORE, at=NOW)

    assert client.get("/health/ready").json()["checks"]["integrity"] == "failed"
    monkeypatch.undo()
    runs.make_checks_due(at=NOW)
    runs.perform(Work.STORE, Work.STORE, at=NOW)
    assert client.get("/health/ready").json()["checks"]["integrity"] == "ok"


@pytest.fixture
def played(transactional_db: None, worlds: Worlds, tmp_path: Path) -> None:
    """A month whose reports are rated and whose lists are due."""
    worlds.stand("month", lambda: play_a_month(tmp_path))


@pytest.fixture
def published(transactional_db: None, worlds: Worlds, tmp_path: Path) -> RatingList:
    """Return a list made from reports whose bytes are there."""

    def stand() -> None:
        worlds.stand("month", lambda: play_a_month(tmp_path))
        publish_lists(MONTH, by=None, at=make.noon(MONTH))

    worlds.stand("published month", stand)
    taken = RatingList.objects.filter(date=MONTH, tournament_ratings__isnull=False).first()
    assert taken is not None
    return taken


ATTACKS = {
    "UPDATE tournaments_tournament SET registered_on = '2025-01-01'": "registered on",
    "UPDATE tournaments_tournament SET registration = 'approved'": "registration",
    "UPDATE tournaments_tournament SET base_seconds = base_seconds + 60": "base seconds",
    "UPDATE tournaments_tournament SET increment_seconds = 7": "increment seconds",
    "UPDATE tournaments_tournament SET time_control_text = '10+7'": "time control text",
    "UPDATE tournaments_tournament SET has_unequal_times = TRUE": "has unequal times",
    "UPDATE tournaments_tournament SET is_match = TRUE": "is match",
    "UPDATE tournaments_tournament SET games_per_match = 3": "games per match",
    "UPDATE tournaments_tournament SET match_waiver = 'QC 7'": "match waiver",
    "UPDATE tournaments_tournament SET is_hybrid = TRUE": "is hybrid",
    "UPDATE tournaments_tournament SET schedule = '[]'": "schedule",
    "UPDATE tournaments_tournament SET is_official = NOT is_official": "is official",
    "UPDATE tournaments_tournament SET decision_reference = 'x', decided_by = 'council'": "decided by",
    "UPDATE tournaments_report SET version = 7": "version",
    "UPDATE tournaments_report SET submitted_on = '2025-12-31'": "submitted on",
    "UPDATE tournaments_report SET accepted_on = '2025-12-31'": "accepted on",
}


def test_every_fact_changed_by_sql_is_found(published: RatingList) -> None:
    assert verify_list(published) is None
    missed = {}
    for attack, what in ATTACKS.items():
        with transaction.atomic():
            sql(attack)
            found = str(verify_list(published))
            transaction.set_rollback(True)
        if not found.startswith(what):
            missed[attack] = found
    assert missed == {}


def test_a_fact_changed_by_a_step_of_the_log_is_no_difference(published: RatingList) -> None:
    for tournament in Tournament.objects.all():
        change = {"field": "registered_on", "before": str(tournament.registered_on), "after": "2025-01-01"}
        at = published.published_at
        record_action(tournament, Action.CHANGE, reason="", by=None, at=at, changes=[change])
    Tournament.objects.update(registered_on="2025-01-01")

    assert verify_list(published) is None


def test_a_fact_changed_by_sql_after_a_step_of_the_log_is_found(published: RatingList) -> None:
    test_a_fact_changed_by_a_step_of_the_log_is_no_difference(published)

    sql("UPDATE tournaments_tournament SET registered_on = '2024-01-01'")

    assert str(verify_list(published)).startswith("registered on")


MARKED = "UPDATE tournaments_game SET mark = '{}', mark_reference = '{}' WHERE id = (SELECT min(g.id) {})"
TAKEN = (
    "FROM tournaments_game g JOIN ratings_tournamentrating t ON t.report_id = g.report_id WHERE g.is_played"
)


@pytest.mark.page
def test_a_mark_changed_by_sql_is_found(played: None) -> None:
    taken = published_with_a_mark()
    named = [mark for row in taken.manifest["reports"] for mark in row["marks"]]
    assert [(one["mark"], one["reference"]) for one in named] == [("fair-play", "FPL 7/2026")]
    assert verify_list(taken) is None
    for mark, reference in (("fair-play", "FPL 8/2026"), ("force-majeure", "FPL 7/2026"), ("", "")):
        with transaction.atomic():
            sql(MARKED.format(mark, reference, f"{TAKEN} AND g.mark <> ''"))
            assert str(verify_list(taken)).startswith("marks of games")
            transaction.set_rollback(True)


def published_with_a_mark() -> RatingList:
    """Return a list of which staff have marked one game, and taken one mark back."""
    game = Game.objects.filter(is_played=True, report__tournament__kind="rapid").order_by("pk").first()
    assert game is not None
    fair_play = Mark(game.round, game.white, GameMark.FAIR_PLAY, "FPL 7/2026")
    other = Mark(game.round, game.white, GameMark.FORCE_MAJEURE, "Flood")
    for mark in (other, Mark(game.round, game.white, "", ""), fair_play):
        mark_games(game.report.tournament, [mark], reason="", by=None, at=NOW)
    publish_lists(MONTH, by=None, at=make.noon(MONTH))
    return RatingList.objects.get(kind="rapid", date=MONTH)


@pytest.mark.page
@pytest.mark.parametrize(
    "attack",
    [
        MARKED.format("fair-play", "FPL 9/2026", "FROM tournaments_game g WHERE g.is_played"),
        "UPDATE tournaments_game SET mark = '', mark_reference = ''",
    ],
)
def test_a_mark_set_or_removed_by_sql_before_publication_is_not_in_the_log(played: None, attack: str) -> None:
    game = Game.objects.filter(is_played=True, report__tournament__kind="rapid").order_by("-pk").first()
    assert game is not None
    mark = Mark(game.round, game.white, GameMark.FAIR_PLAY, "FPL 7/2026")
    mark_games(game.report.tournament, [mark], reason="", by=None, at=NOW)
    sql(attack)
    rate_reports(Report.objects.values_list("pk", flat=True), at=NOW, lookups=Lookups())
    publish_lists(MONTH, by=None, at=make.noon(MONTH))

    problems = [verify_list(found) for found in RatingList.objects.filter(date=MONTH)]

    assert [found.what.partition(" ")[0] for found in problems if found] == ["marks"]
