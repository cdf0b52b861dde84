"""Imports through the browser: read, shown, confirmed, imported; the refusals are those of the command."""

from __future__ import annotations

import os
import threading
from datetime import UTC, date, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from core.errors import RefusedError
from players.models import Player
from portal.models import User
from ratings.choices import SENTENCES, ImportStep, RunState, Work
from ratings.due_runs import leave_due
from ratings.imports import browser
from ratings.imports.browser import (
    ImportRequest,
    cancel_import,
    confirm_import,
    file_in_folder,
    perform_import,
    request_import,
)
from ratings.models import CorrectionLine, FideImport, RatingList, Run, TournamentRating
from tests import make
from tests.codes import codes_of_messages, refusal
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS, publish
from tests.ratings.list_files import Listed, text_list
from tests.trf_files import Event
from tournaments.models import Tournament

NOW = datetime(2026, 2, 10, 9, 30, tzinfo=UTC)
JANUARY = date(2026, 1, 1)
START = "/admin/ratings/fideimport/start/"
FILE = text_list(
    Listed(101, "Zarnik, Olvo", standard=(2410, 0, 10), rapid=(2356, 7, 10)),
    Listed(102, "Brandel, Mira", rapid=(1850, 0, 40), sex="F"),
)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def staff(db: None) -> User:
    return make.person("staff")


@pytest.fixture
def console(staff: User) -> Client:
    return make.browser(staff)


def test_progress_reads_no_table_that_a_first_import_locks(
    staff: User, console: Client, django_assert_max_num_queries: Any
) -> None:
    """The lock of `loading` includes the federations, to which the dropped foreign keys of players point."""
    item = asked(staff)

    with django_assert_max_num_queries(12) as made:
        page = console.get(f"/admin/ratings/fideimport/{item.pk}/progress/")

    locked = ("players_player", "players_nameword", "ratings_listentry", "players_federation")
    assert page.status_code == 200
    assert [query for query in made.captured_queries if any(name in query["sql"] for name in locked)] == []


def asked(by: User, content: bytes = FILE, *, name: str = "players_list.txt", **values: Any) -> FideImport:
    """Return an import whose file is not read yet."""
    request = ImportRequest(**{"date": JANUARY, **values})
    return request_import(ContentFile(content, name=name), request, by=by, at=NOW, dispatch=leave_due)


def after_job(item: FideImport) -> FideImport:
    """Return an import after its present job."""
    perform_import(item.pk, at=NOW, dispatch=leave_due)
    item.refresh_from_db()
    return item


@pytest.mark.page
def test_effect_is_shown_before_anything_is_written(staff: User, console: Client) -> None:
    make.player(fide_id=102, name="Brandel, Mina", sex="F", birth_year=1980, title="")

    item = after_job(asked(staff))

    assert item.stage == "ready"
    assert not RatingList.objects.exists()
    assert [player.name for player in Player.objects.all()] == ["Brandel, Mina"]
    found = console.get(f"/admin/ratings/fideimport/{item.pk}/progress/").context["found"]
    assert found["players"] == {"read": 2, "created": 1, "changed": 1}
    assert [(row["kind"], row["listed"], row["created"]) for row in found["lists"]] == [
        ("standard", 1, True),
        ("rapid", 2, True),
        ("blitz", 0, True),
    ]
    (change,) = found["changes"]
    assert (change["fide_id"], ["Name", "Brandel, Mina", "Brandel, Mira"]) in [
        (102, [label, before, after]) for label, before, after in change["fields"]
    ]


def test_double_click_stores_and_reads_one_file(staff: User, django_capture_on_commit_callbacks: Any) -> None:
    def kept() -> set[str]:
        folder = Path(storages["lists"].path("incoming"))
        return {f"incoming/{path.parent.name}/list" for path in folder.glob("*/list")}

    before = kept()
    with django_capture_on_commit_callbacks(execute=True):
        first, second, other = asked(staff), asked(staff), asked(staff, force="The month is right.")

    assert (first.pk, other.pk != first.pk) == (second.pk, True)
    assert [*Run.objects.values_list("work", flat=True)] == [Work.READ] * 2
    assert kept() - before == {first.path, other.path}
    cancel_import(first, by=staff, at=NOW)
    assert asked(staff).pk != first.pk


def test_confirmed_file_is_imported_once_and_deleted(
    staff: User, django_capture_on_commit_callbacks: Any
) -> None:
    item = after_job(asked(staff))
    confirm_import(item, by=staff, at=NOW, dispatch=leave_due)
    confirm_import(item, by=staff, at=NOW, dispatch=leave_due)
    item.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        after_job(item)
    result = item.result

    after_job(item)

    assert (item.stage, item.result) == ("done", result)
    assert sorted(RatingList.objects.values_list("kind", "listed")) == [
        ("blitz", 0),
        ("rapid", 2),
        ("standard", 1),
    ]
    assert not storages["lists"].exists(item.path)
    assert Run.objects.filter(work=Work.IMPORT, state=RunState.DUE).count() == 1


@pytest.mark.page
@pytest.mark.parametrize(
    ("day", "code"),
    [(date(2026, 3, 1), "future-list-D-70"), (date(2026, 1, 2), "not-a-list-date")],
    ids=["D-70", "not-the-first"],
)
def test_date_is_refused_at_once(staff: User, day: date, code: str) -> None:
    with refusal() as refused:
        asked(staff, name="list.txt", date=day)
    assert refused.found == [code]
    assert not FideImport.objects.exists()


@pytest.mark.page
def test_d_70_list_of_the_future_is_refused_on_the_page(console: Client) -> None:
    file = SimpleUploadedFile("players_list.txt", FILE)

    answer = console.post(START, {"date": "2026-03-01", "file": file})

    (said,) = answer.context["form"].errors["date"]
    assert "1 March 2026" in said
    assert not FideImport.objects.exists()


@pytest.mark.page
@pytest.mark.slow
def test_d_77_late_standard_list_shows_its_corrections_first(
    month: Any, staff: User, console: Client
) -> None:
    publish("2026-02-01")
    players = [Listed(1000 + n, f"Player, P{1000 + n}", standard=(1800, 0, 20)) for n in range(1, 7)]
    item = after_job(asked(staff, text_list(*players), kind="standard"))

    notices = console.get(f"/admin/ratings/fideimport/{item.pk}/progress/").context["found"]["notices"]
    before = CorrectionLine.objects.count()
    confirm_import(item, by=staff, at=NOW, dispatch=leave_due)
    after_job(item)

    corrected = {line.player_id for line in CorrectionLine.objects.all()}
    event = Tournament.objects.get().event_id
    late = SENTENCES.state("standard-corrects", date=date(2026, 1, 1), event=event, number=len(corrected))
    assert (item.stage, notices, before) == ("done", [late], 0)
    assert {1001, 1006} <= corrected


@pytest.mark.page
def test_d_72_sign_in_the_name_is_refused_and_overridden_with_a_reason(staff: User, console: Client) -> None:
    refused = after_job(asked(staff, name="standard_dec25frl.txt"))
    assert refused.stage == "refused"
    assert refused.refusals[0][0]["name"] == "standard_dec25frl.txt"
    with pytest.raises(RefusedError):
        confirm_import(refused, by=staff, at=NOW)
    # What is no list is none for any reason.
    no_list = after_job(asked(staff, b"Hello"))
    pages = [console.get(f"/admin/ratings/fideimport/{one.pk}/progress/") for one in (refused, no_list)]
    assert [page.context["may_force"] for page in pages] == [True, False]
    # The file that was refused is read again: nobody uploads it twice.
    address = f"/admin/ratings/fideimport/{refused.pk}/progress/"
    console.post(address, {"step": "override", "reason": " "})
    assert FideImport.objects.get(pk=refused.pk).stage == "refused"
    console.post(address, {"step": "override", "reason": "Named by mistake."})
    forced = after_job(FideImport.objects.get(pk=refused.pk))
    assert (forced.stage, forced.force, forced.refusals) == ("ready", "Named by mistake.", [])
    found = console.get(address).context["found"]
    assert (len(found["warnings"]), found["notices"]) == (1, [])


@pytest.mark.page
def test_d_142_staff_choose_which_waiting_reports_a_list_contains(
    month: Any, staff: User, console: Client
) -> None:
    item = after_job(asked(staff, date=date(2026, 2, 1)))
    event_id = Tournament.objects.get().event_id
    address = f"/admin/ratings/fideimport/{item.pk}/progress/"
    page = console.get(address).content.decode()
    assert SENTENCES.state("reports-wait", kind="rapid", date=date(2026, 2, 1), events=event_id) in page
    assert f'name="contained" value="{event_id}"' in page

    console.post(address, {"step": "confirm", "contained": [event_id]})
    item = after_job(FideImport.objects.get(pk=item.pk))

    assert item.result["contained"] == [event_id]
    rated_on = TournamentRating.objects.get().included_in
    assert (rated_on.origin, rated_on.date) == ("imported", date(2026, 2, 1))
    assert console.get(f"/tournaments/{event_id}/").status_code == 200


@pytest.mark.page
def test_d_142_report_accepted_since_the_effect_was_shown_is_not_contained(
    staff: User, console: Client
) -> None:
    make.first_list(FIRST)
    item = after_job(asked(staff, date=date(2026, 2, 1), adopt="Council"))
    make.submit(Event(PLAYERS, ALL_PLAY))
    console.post(f"/admin/ratings/fideimport/{item.pk}/progress/", {"step": "confirm"})
    item = after_job(FideImport.objects.get(pk=item.pk))
    assert ((item.preview or {})["waiting"], (item.result or {})["contained"]) == ([], [])
    assert TournamentRating.objects.get().included_in is None


def test_file_that_is_not_a_list_is_refused(staff: User) -> None:
    item = after_job(asked(staff, b"Not a list\n"))

    assert (item.stage, len(item.refusals)) == ("refused", 1)


def test_failed_import_changes_nothing_and_can_start_again(
    staff: User, console: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = after_job(asked(staff))
    confirm_import(item, by=staff, at=NOW, dispatch=leave_due)
    with monkeypatch.context() as broken:
        broken.setattr(browser, "_end", lambda item: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            perform_import(item.pk, at=NOW, dispatch=leave_due)
    assert not RatingList.objects.exists()

    console.post(f"/admin/ratings/fideimport/{item.pk}/progress/", {"step": "restart"})
    item.refresh_from_db()

    assert item.stage == "importing"
    assert after_job(item).stage == "done"


def test_cancelled_file_is_deleted_and_a_confirmed_one_is_not_cancelled(
    staff: User, django_capture_on_commit_callbacks: Any
) -> None:
    waiting, confirmed = after_job(asked(staff)), after_job(asked(staff, name="other.txt"))
    confirm_import(confirmed, by=staff, at=NOW, dispatch=leave_due)

    with django_capture_on_commit_callbacks(execute=True):
        cancel_import(waiting, by=staff, at=NOW)
    with pytest.raises(RefusedError):
        cancel_import(confirmed, by=staff, at=NOW)

    assert [storages["lists"].exists(item.path) for item in (waiting, confirmed)] == [False, True]
    assert after_job(waiting).stage == "cancelled"


@pytest.mark.django_db(transaction=True)
def test_file_being_read_is_not_cancelled_and_nobody_waits(console: Client) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    item = asked(User.objects.get())
    is_held, is_over = threading.Event(), threading.Event()

    def read() -> None:
        with transaction.atomic():
            FideImport.objects.select_for_update().get(pk=item.pk)
            is_held.set()
            is_over.wait(30)
        connection.close()

    reader = threading.Thread(target=read)
    reader.start()
    is_held.wait(30)
    try:
        answer = console.post(f"/admin/ratings/fideimport/{item.pk}/progress/", {"step": "cancel"})
    finally:
        is_over.set()
        reader.join()

    assert codes_of_messages(answer) == ["being-read"]
    item.refresh_from_db()
    assert item.stage == "reading"
    cancel_import(item, by=User.objects.get(), at=NOW)


@pytest.mark.page
@pytest.mark.parametrize("name", ["я" * 200 + ".txt", "🙂" * 90 + ".txt", "x" * 300 + ".txt"])
def test_long_file_name_is_shortened_by_bytes_before_its_extension(staff: User, name: str) -> None:
    item = after_job(asked(staff, name=name))

    assert (item.stage, len(item.file_name.encode()) <= browser.MAX_NAME) == ("ready", True)
    assert item.file_name.endswith(".txt")


@pytest.mark.page
def test_newest_readable_files_of_the_folder_are_offered(
    console: Client, tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.FIDE_LIST_FOLDER = tmp_path
    monkeypatch.setattr(browser, "MAX_FILES", 3)
    (tmp_path / "older").mkdir()
    for number in range(8):
        path = tmp_path / ("older" if number % 2 else "") / f"{number}.txt"
        path.write_bytes(FILE)
        os.utime(path, (1_000_000 + number, 1_000_000 + number))
    # A list that is gone by now, a name that is no text, and what is no list.
    (tmp_path / "gone.txt").symlink_to(tmp_path / "never")
    (tmp_path / os.fsdecode(b"\xff.txt")).write_bytes(FILE)
    (tmp_path / "notes.md").write_bytes(FILE)
    (tmp_path / "folder.txt").mkdir()

    assert browser.folder_files() == ["older/7.txt", "6.txt", "older/5.txt"]
    assert console.get(START).status_code == 200
    settings.FIDE_LIST_FOLDER = tmp_path / "none"
    assert browser.folder_files() == []


@pytest.mark.page
def test_only_staff_import(db: None, client: Client) -> None:
    officer = make.person("officer")
    client.force_login(officer)

    with pytest.raises(RefusedError):
        asked(officer)
    assert client.post(START, {"date": "2026-01-01"}).status_code == 302
    with pytest.raises(RefusedError):
        asked(make.user())


@pytest.mark.parametrize("name", ["../secret_key", "/etc/passwd", "none.txt", "out.txt", "a\x00b"])
def test_no_file_outside_the_folder_is_read(tmp_path: Path, settings: LazySettings, name: str) -> None:
    settings.FIDE_LIST_FOLDER = tmp_path / "fide"
    settings.FIDE_LIST_FOLDER.mkdir()
    (tmp_path / "secret_key").write_text("secret")
    (settings.FIDE_LIST_FOLDER / "out.txt").symlink_to(tmp_path / "secret_key")

    with pytest.raises(RefusedError):
        file_in_folder(name)


@pytest.mark.page
def test_file_of_the_folder_and_upload_are_read(
    console: Client, tmp_path: Path, settings: LazySettings
) -> None:
    settings.FIDE_LIST_FOLDER = tmp_path
    (tmp_path / "players_list_jan26.txt").write_bytes(FILE)

    chosen = console.post(START, {"path": "players_list_jan26.txt", "date": "2026-01-01"})
    sent = console.post(START, {"file": SimpleUploadedFile("list.txt", FILE), "date": "2026-01-01"})
    both = console.post(START, {"date": "2026-01-01"})

    items = list(FideImport.objects.order_by("pk"))
    assert [item.file_name for item in items] == ["players_list_jan26.txt", "list.txt"]
    assert [answer["Location"] for answer in (chosen, sent)] == [
        f"/admin/ratings/fideimport/{item.pk}/progress/" for item in items
    ]
    assert list(both.context["form"].errors) == ["file"]
    assert [after_job(item).stage for item in items] == ["ready", "ready"]


@pytest.mark.page
def test_page_shows_the_progress_of_the_job(staff: User, console: Client) -> None:
    item = asked(staff)
    browser._reporter(item)(ImportStep.READING, 500, 1000)

    page = console.get(f"/admin/ratings/fideimport/{item.pk}/progress/")

    assert page.context["progress"] == ("reading", 500, 1000)
    assert '<progress id="done" max="1000"' in page.content.decode()
    assert timedelta(0) <= NOW - item.at


@pytest.mark.page
def test_a_refused_file_is_read_in_the_language_of_the_page(staff: User, console: Client) -> None:
    item = after_job(asked(staff, b"Not a list\n"))
    page = console.get(f"/de/admin/ratings/fideimport/{item.pk}/progress/").content.decode()
    with override("de"):
        german = SENTENCES.say("not-a-list")
    assert (item.refusals, german in unescape(page)) == ([[{"code": "not-a-list"}]], True)
