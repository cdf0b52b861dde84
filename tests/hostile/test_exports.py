"""Every CSV that the portal gives: no cell begins as a formula of a spreadsheet; and names of files are only names."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse

from arenas.models import Arena, Member, Rating
from players.models import LogEntry, Membership, Player
from tests import make
from tournaments.models import CaseFile, Participant, Report, Tournament

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
# What else begins a formula is tested with the two writers.
FORMULAS = ("=1+1", "\t=1")
NUMBER = re.compile(r"-?\d+(\.\d+)?")
# The one module that writes CSV by the library, and those that use it; whoever adds one adds its export to the test
# below. A list's file is written by `players/fide_list/writing.py` line by line.
CSV_MODULE = "core/web/csv.py"
# Writes cells back into the text of a form, which nobody downloads.
CSV_READER = "core/web/csv_reader.py"
WRITERS = {
    "desk/audit_log.py",
    "desk/tournaments/bulk.py",
    "desk/tournaments/fide.py",
    "public/federations/clubs.py",
    "desk/players/bulk.py",
    "arenas/standings.py",
    "desk/fees/fees.py",
    "api/list_entries.py",
    "public/lists/part.py",
    "public/tournaments/files.py",
    "ratings/games.py",
    "ratings/movements.py",
    "ratings/program_files.py",
}


def test_all_writers_of_csv_are_known() -> None:
    found: dict[str, set[str]] = {}
    own_apps = [
        Path(app.path) for app in apps.get_app_configs() if Path(app.path).parent == settings.BASE_DIR
    ]
    for folder in own_apps:
        for path in folder.rglob("*.py"):
            text = path.read_text()
            if "csv" not in text:
                continue
            calls = [node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
            names = {ast.unparse(call) for call in calls}
            for name in names & {"csv.writer", "csv.DictWriter", "csv_text", "csv_response"}:
                found.setdefault(name, set()).add(path.relative_to(settings.BASE_DIR).as_posix())

    assert (found["csv.writer"], "csv.DictWriter" in found) == ({CSV_MODULE, CSV_READER}, False)
    assert (found["csv_text"] | found["csv_response"]) - {CSV_MODULE} == WRITERS


def is_harmless(cell: str) -> bool:
    return NUMBER.fullmatch(cell) is not None or not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.fixture(params=FORMULAS)
def formula(request: pytest.FixtureRequest, db: None) -> str:
    """Let everything that people may name bear the name of a formula."""
    text: str = request.param
    month = make.play_month(2, is_published=False)
    Player.objects.update(name=f"{text}, P")
    Tournament.objects.update(name=f"{text} Open", city=text, chief_arbiter=text)
    make.publish("rapid", date(2026, 2, 1))
    Participant.objects.update(name=text)
    make.entry(rating_list=month.first, player__name=f"{text}, Q")
    make.step(
        month.tournaments[0],
        "change",
        "registered",
        reason=text,
        at=NOW,
        by=make.user(email="person@example.org"),
        changes=[{"field": "name", "before": text, "after": text}],
    )
    for player in Player.objects.filter(federation="SUI"):
        Membership.objects.create(federation_id="SUI", player=player, club=text.strip(), since=NOW.date())
        LogEntry.objects.create(area="player", action="added", player=player, at=NOW)
    arena = Arena.objects.get(slug="flyordie")
    member = Member.objects.create(arena=arena, handle=text, joined=date(2026, 1, 1))
    Rating.objects.create(member=member, category=arena.categories[0], state={}, hundredths=150_000)
    return text


def of_the_audit_log(formula: str) -> str:
    return text_of(make.browser("staff"), "/desk/trail.csv")


def of_a_statement(formula: str) -> str:
    return text_of(make.browser("staff"), "/desk/fees/rapid/2026-02-01/SUI.csv")


def of_the_pattern(formula: str) -> str:
    return text_of(make.browser("officer"), "/desk/tournaments/bulk.csv")


def of_the_pattern_of_players(formula: str) -> str:
    return text_of(make.browser("officer"), "/desk/players/bulk.csv")


def of_the_list(formula: str) -> str:
    return text_of(Client(), "/lists/rapid/2026-02-01/files/rapid-2026-02-01.csv")


def of_a_part(formula: str) -> str:
    return text_of(Client(), "/lists/rapid/2026-02-01/players.csv?sort=name")


def of_results(formula: str) -> str:
    return text_of(Client(), reverse("tournaments:results", args=[Tournament.objects.all()[0].event_id]))


def of_programs(formula: str) -> str:
    return text_of(Client(), "/lists/combined/players_list.csv")


def of_a_delta(formula: str) -> str:
    return text_of(Client(), "/lists/rapid/2026-02-01/changes.csv")


def of_the_api(formula: str) -> str:
    return text_of(Client(), "/api/v1/lists/rapid/latest/entries.csv")


def of_a_club(formula: str) -> str:
    return text_of(Client(), f"/federations/SUI/clubs/players.csv?{urlencode({'club': formula.strip()})}")


def of_the_archive_for_fide(formula: str) -> str:
    address = reverse("desk:fide-archive", args=[Tournament.objects.all()[0].event_id])
    content = b"".join(make.browser("officer").get(address).streaming_content)  # type: ignore[attr-defined]
    return ZipFile(io.BytesIO(content)).read("new-players.csv").decode()


def of_an_imported_list(formula: str) -> str:
    return text_of(Client(), "/api/v1/lists/rapid/2026-01-01/entries.csv")


def of_an_arena(formula: str) -> str:
    return text_of(Client(), "/api/v1/arenas/flyordie/list.csv")


def of_the_command(formula: str) -> str:
    said = io.StringIO()
    call_command("arena_list", "flyordie", format="csv", stdout=said)
    return said.getvalue()


def text_of(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    assert answer["Content-Type"].startswith("text/csv")
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[arg-type]
    return content.decode()


EXPORTS: tuple[Callable[[str], str], ...] = (
    of_the_audit_log,
    of_a_statement,
    of_the_pattern,
    of_the_list,
    of_a_delta,
    of_a_part,
    of_results,
    of_programs,
    of_the_api,
    of_a_club,
    of_the_archive_for_fide,
    of_the_pattern_of_players,
    of_an_imported_list,
    of_an_arena,
    of_the_command,
)
WITHOUT_NAMES = (of_the_pattern, of_the_pattern_of_players)


def test_no_cell_is_a_formula(formula: str) -> None:
    cells = {export: [cell for row in rows_of(export(formula)) for cell in row] for export in EXPORTS}
    harmful = {
        export.__name__: found
        for export, exported in cells.items()
        if (found := [cell for cell in exported if not is_harmless(cell)])
    }
    named = {
        export
        for export, exported in cells.items()
        if any(cell.lstrip("'\t\r").startswith(formula.strip()) for cell in exported)
    }

    assert harmful == {}
    assert named == {*EXPORTS} - {*WITHOUT_NAMES}


NAMES = (
    'a".trf',
    "a\\b.trf",
    "../../etc/passwd",
    "a\r\nX-Injected: 1.trf",
    "ä\u202e.trf",
    "a;b=c.trf",
    "a%0d%0a.trf",
    "' OR 1.trf",
    "x" * 190,
    "\U0001f600.trf",
)
SENT = re.compile(r"attachment; filename=\"(?:[^\"\\]|\\.)*\"|attachment; filename\*=utf-8''[\w.%~-]*")


def test_names_of_files_stay_names(db: None) -> None:
    """What the forms let through is stored without path and control characters: see the tests of uploads."""
    officer = make.appointment(role="officer")
    browser = make.browser(officer.user)
    event = make.play_month(1).tournaments[0]
    for name in NAMES:
        with transaction.atomic():
            clean = _stored(event, officer.federation, name)
            for address in (
                reverse("desk:report-file", args=[event.event_id, 1]),
                reverse("desk:appeal-file", args=[event.event_id, 1]),
            ):
                head = browser.get(address)["Content-Disposition"]
                assert SENT.fullmatch(head), head
                assert "/" not in head.replace("\\", "") or "/" in clean, name
            transaction.set_rollback(True)


def _stored(event: Tournament, federation: Any, name: str) -> str:
    from tournaments.files import safe_file_name

    clean = safe_file_name(name)
    Tournament.objects.filter(pk=event.pk).update(federation=federation)
    Report.objects.filter(tournament=event).update(file_name=clean)
    decision = make.step(event, "not-rate", "not-rated", reason="Why.", at=NOW)
    appeal = make.appeal(decision, at=NOW)
    CaseFile.objects.create(
        appeal=appeal, number=1, file_name=clean, content=b"%PDF", size=4, sha256="0" * 64
    )
    return clean
