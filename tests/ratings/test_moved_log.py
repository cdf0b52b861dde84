"""Log and cases of a former release move into their tables, and the chain of the log proves itself before and after."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from tests.operations.installation import Installation
from tests.services import vendor
from tests.template import copy_template, postgresql_template

# The test's database brings its template, and that of the release before.
pytestmark = [pytest.mark.process, pytest.mark.django_db]
# In a process of its own, on a database of the release before.
MOVED = """
import hashlib, json, msgspec
from datetime import UTC, date, datetime
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from tests.template import FORMER, migrating_quickly
from tests.trf_files import Event

loader = MigrationExecutor(connection).loader
apps = loader.project_state([*FORMER, *loader.graph.leaf_nodes("portal")]).apps
table = apps.get_model
AT = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
user = table("portal.User").objects.create(email="olga@chess.example")
swiss = table("players.Federation").objects.get_or_create(code="SUI", name="Switzerland")[0]
ada = table("players.Player").objects.create(fide_id=1001, name="Birch, Ada", federation=swiss, title="FM")
event = table("tournaments.Tournament").objects.create(
    event_id="SUI-1", name="Open", kind="rapid", federation=swiss, start=date(2026, 3, 7), end=date(2026, 3, 8),
    registration="not-rated", base_seconds=900, increment_seconds=10,
    registered_on=date(2026, 3, 4))
steps = [
    table("tournaments.AuditEntry").objects.create(
        pk=pk, tournament=event, action=action, registration=after, registration_before=before, reason=reason,
        by=user, at=AT.replace(minute=pk), changes=changes)
    for pk, action, before, after, reason, changes in (
        (7, "register", "", "registered", "", []),
        (9, "change", "", "registered", "Hall", [{"field": "city", "before": "A", "after": "B"}]),
        (10, "publish", "", "registered", "rapid 2026-04", []),
        (11, "clear", "", "registered", "Seen", []),
        (12, "not-rate", "registered", "not-rated", "Two minutes.", []),
    )
]
appeal = table("tournaments.Appeal").objects.create(
    tournament=event, decision=steps[-1], communicated_on=date(2026, 3, 4), lodged_at=AT, ground="facts",
    statement="Three.", organiser="Club", lodged_by=user)
table("tournaments.CaseFile").objects.create(
    appeal=appeal, number=1, file_name="a.pdf", content=b"%PDF", size=4, sha256="0" * 64)
written = Event([(1001, "Birch, Ada"), (1002, "Alder, Ben"), (0, "Cedar, Cleo")], [[(1, 2, "1-0")]]).content()
# The lines of the three players.
ADA, BEN, CLEO = (1 + at for at, line in enumerate(written.decode().splitlines()) if line.startswith("001"))
named = "012 Alphaville"
before = written.decode().splitlines()[0] + chr(10)
key = "1-" + hashlib.sha256(f"{before}{named}".encode()).hexdigest()[:12]
found = [{"code": "event-name", "severity": "warning", "line": line, "fix": fix, "message": "", "params": {}}
         for line, fix in ((None, None), (1, None), (1, named), (1, named), (99, named))]
drafts = {"ids": {CLEO: 1003}, "results": {"1-1": "0-1"}, "fixes": {key: True, "1-0123456789ab": True},
          "joins": {f"{ADA}-{CLEO}": True}, "lines": {2: "022 Bern", ADA: "001 Ada", BEN: "001 Ben"},
          "answers": {ADA: "same", BEN: "other", CLEO: "other"}, "reasons": {"": "Seen."}}
report, *_others = [
    table("tournaments.Report").objects.create(
        tournament=event, version=version, state="checked", content=content, file_name="a.trf", findings=findings,
        submitted_on=date(2026, 3, 4), submitted_at=AT, draft=draft)
    for version, content, findings, draft in (
        (1, b"012 A", [], {}), (2, written, found, drafts), (3, b"", [], {"reasons": {"x": "y"}}))
]
corrections = [
    table("tournaments.ResultCorrection").objects.create(
        tournament=event, report=report, round=1, white=white, black=9, reason="Slip.", asked_by=user, asked_at=AT,
        verdict=verdict, mark_reference="FPL 7", other=5, result_before="1-0", state=state, decision_reason=answer,
        player=ada if state == "made" else None,
        decided_at=AT if answer else None)
    for white, verdict, state, answer in (
        (3, "0-1", "waiting", ""), (4, "white-player", "made", "Seen."), (5, "swap-black", "refused", "No."),
        (6, "colours", "waiting", ""), (7, "fair-play", "refused", "No."), (8, "rated", "waiting", ""))
]
published = {"tournament": event, "old_report": report, "reason": "Slip.", "at": AT}
corrected = table("ratings.Correction").objects
corrected.create(player=ada, data={"name": ["Alder, Ada", "Birch, Ada"]}, reason="Marriage.", at=AT)
corrected.create(**published, new_report=report)
corrected.create(**published | {"at": AT.replace(hour=11)}, new_report=report)
corrected.create(**published, new_report=report, data={"is_match": [False, True]})
corrected.create(**published | {"at": AT.replace(hour=11)})
aut = table("players.Federation").objects.get_or_create(code="AUT", name="Austria")[0]
asked = {"asked_by": user, "asked_at": AT}
moving = table("players.Transfer").objects.create(
    pk=5, player=ada, from_federation=swiss, to_federation=aut, asked_for=aut, **asked)
given = table("players.Application").objects.create(
    pk=7, name="Birch, Ada", federation=swiss, sex="F", score=90, likeness=ada, player=ada, state="approved",
    decided_by=user, decided_at=AT, answer="Seen.", **asked)
waiting = table("players.Application").objects.create(
    pk=8, name="Cedar, Cleo", federation=swiss, sex="F", score=90, likeness=ada, birth_date=date(2010, 5, 6), **asked)
waiver = [{"code": "waiver"}]
for pk, values in (
    (3, {"reason": "No hall.", "sort": "withdrawal", "state": "granted", "decision_reason": "So.", "decided_by": user,
         "decided_at": AT}),
    (4, {"reason": "Waiver.", "stated": waiver, "sort": "change",
         "changes": [{"field": "match_waiver", "before": "", "after": "FIDE"}]}),
):
    table("tournaments.RequestedChange").objects.create(pk=pk, tournament=event, **asked, **values)
questions = table("tournaments.InformationRequest").objects
for text, answer in (("Hall?", "Here."), ("Clock?", "")):
    questions.create(tournament=event, text=text, due_on=date(2026, 3, 9), asked_by=user, asked_at=AT, answer=answer,
                     answered_at=AT if answer else None, answered_by=user if answer else None)
for closed, flags in ((AT.replace(minute=11), True), (AT.replace(hour=11), False), (None, True)):
    table("tournaments.Hold").objects.create(tournament=event, reason="Why?", is_from_findings=flags,
                                             raised_at=AT, closed_at=closed, closed_by=user if closed else None)
files = table("tournaments.HandedReport").objects
sent = {"tournament": event, "content": b"012 A", "checked_at": AT, "handed_by": user, "handed_at": AT}
files.create(number=1, tournament=event, content=b"012", checked_at=AT)
files.create(number=2, **sent, state="replaced")
files.create(number=3, **sent, state="returned", reason="No.", remark="Please.", decided_by=user, decided_at=AT)
files.create(number=4, **sent, state="taken", report=report, decided_by=user, decided_at=AT)
files.create(number=5, **sent, state="waiting")
claims = table("players.Claim").objects
claims.create(pk=3, player=ada, user=user, reason="Club", state="withdrawn", asked_at=AT, ended_at=AT.replace(hour=10))
claims.create(pk=4, player=ada, user=user, reason="Club", evidence="Card", state="confirmed", decided_by=user,
              decided_at=AT, answer="Known.", asked_at=AT)
claims.create(pk=6, player=ada, user=table("portal.User").objects.create(email="eve@chess.example"), reason="Me",
              asked_at=AT)
eve = table("portal.User").objects.get(email="eve@chess.example")
for pk, values in (
    (2, {"state": "withdrawn", "statement": "–"}),
    (3, {"state": "agreed", "round": 2, "answer": "Yes.", "answered_by": user, "answered_at": AT.replace(hour=11),
         "settled_at": AT.replace(hour=12)}),
    (5, {"round": 1}),
):
    table("tournaments.Objection").objects.create(
        pk=pk, tournament=event, player=ada, user=eve, **{"statement": "I drew.", **values}, raised_at=AT,
        due_on=date(2026, 3, 11))
acts = table("players.Act").objects
acts.create(kind="account", deed="change", subject="OLGA@chess.example", by=user, by_name="olga@chess.example",
            at=AT, before='{"first_name": ""}', after='{"first_name": "Olga"}')
acts.create(kind="player", deed="hide", subject="Birch, Ada (1001)", by=user, by_name="olga@chess.example", at=AT)
acts.create(kind="list", deed="import", subject="rapid 2026-02-01", by_name="root (command)", at=AT)
history = table("players.HistoricalPlayer").objects
person = {"fide_id": 1001, "federation_id": "SUI", "history_date": AT, "title": "FM"}
for name, sort, reason in (("Alder, Ada", "~", ""), ("Birch, Ada", "~", "Marriage")):
    history.create(**person, name=name, history_type=sort, history_user_id=user.pk, history_change_reason=reason)

federations = table("players.HistoricalFederation").objects
federations.create(code="SUI", name="Switzerland", is_member=False, history_type="~", history_date=AT)
rates = table("ratings.HistoricalFeeRate").objects
for per_player, sort in (("1.00", "+"), ("2.00", "~"), ("2.00", "-")):
    rates.create(id=1, valid_from=date(2026, 1, 1), currency="EUR", per_tournament="50.00", per_player=per_player,
                 history_type=sort, history_date=AT)
table("players.HistoricalAppointment").objects.create(
    id=1, user_id=999, role="qc", history_type="+", history_date=AT)

def digest(row):
    plain = lambda value: value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    text = json.dumps({name: value for name, value in values.items() if value}, sort_keys=True, default=plain)
    return hashlib.sha256(text.encode()).hexdigest()

sha256 = "0" * 64
rows = [("tournament", row) for row in table("tournaments.AuditEntry").objects.order_by("pk")]
rows += [("act", row) for row in acts.order_by("pk")]
rows += [("player", row) for row in history.order_by("pk")]
for number, (source, row) in enumerate(rows, 1):
    sha256 = hashlib.sha256(f"{sha256} {source} {row.pk} {digest(row)}".encode()).hexdigest()
    table("tournaments.LogLink").objects.create(
        number=number, source=source, row=row.pk, digest=digest(row), sha256=sha256)
# One that no run has linked yet.
table("tournaments.AuditEntry").objects.create(
    pk=20, tournament=event, action="ask", registration="not-rated", reason="Why?", by=user, at=AT)

with migrating_quickly():
    call_command("migrate", verbosity=0)

from ratings.models import Correction
from players.models import Application, Case, Claim, LogEntry, LogLink, SealedEntry, Transfer
from players.log_chain import head, is_on_chain, link_log, linked_until, verify_log
from tournaments.models import Appeal, Handover, Objection, Report, RequestedChange, ResultCorrection
TOLD = ("id", "kind", "state", "key", "reason", "stated", "asked_by__email", "decided_by__email", "answer")
seal = LogEntry.objects.get(action="seal")
first = LogLink.objects.order_by("number").first()
linked = link_log()
problems = [str(problem) for problem in verify_log()]
players = LogEntry.objects.filter(player=1001).order_by("pk")
try:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT INTO tournaments_loglink VALUES (99, 'act', 99, '', '')")
    sealed = False
except DatabaseError:
    sealed = True
with connection.cursor() as cursor:
    cursor.execute("UPDATE players_sealedentry SET content = REPLACE(content, 'Hall', 'Fire') WHERE number = 2")
    cursor.execute("UPDATE players_sealedentry SET entry = 9999 WHERE number = 3")
forged = [str(problem) for problem in verify_log()]
reports = Report.objects.order_by("version").values_list("amendments", "reasons")
print(json.dumps({
    "lines": [ADA, BEN, CLEO], "drafts": [msgspec.to_builtins(report) for report in reports],
    "requests": [*RequestedChange.objects.filter(tournament=event.pk).order_by("pk").values_list(*TOLD, "amendments")],
    "cases": [*Case.objects.exclude(kind="request").order_by("kind", "number").values_list(
        "kind", "state", "key", "player", "federation", "asked_by__email", "answer")],
    "handed": [*Handover.objects.order_by("file__number").values_list("file__number", "reason", "report__version")],
    "corrections": [*ResultCorrection.objects.order_by("pk").values_list("white", "state", "reason", "answer")],
    "amended": [row.amendments for row in ResultCorrection.objects.order_by("pk")],
    "published": [row.amendments for row in Correction.objects.order_by("pk")],
    "kinds": [Transfer.objects.get(pk=5).key, Application.objects.get(pk=7).player_id,
              Application.objects.get(pk=8).birth_date],
    "claims": [*Claim.objects.order_by("pk").values_list("pk", "reason", "evidence", "decided_at__hour", "ended_at")],
    "objections": [*Objection.objects.order_by("pk").values_list(
        "pk", "reason", "round", "due_on", "asked_at__hour", "decided_at__hour", "decided_by__email",
        "settled_at__hour")],
    "claimant": str(Claim.objects.get(pk=6).asked_by_id),
    "steps": [*LogEntry.objects.filter(tournament__event_id="SUI-1").order_by("pk").values_list(
        "pk", "action", "before", "after", "reason", "by__email")],
    "changes": LogEntry.objects.get(pk=9).changes,
    "stated": [LogEntry.objects.get(pk=pk).stated for pk in (9, 10)],
    "appeal": Appeal.objects.values_list("decision", "tournament__event_id", "reason", "state", "files__file_name")[0],
    "account": LogEntry.objects.filter(area="account").values("account__email", "before", "changes", "by_name")[0],
    "player": [*players.values_list("action", "reason", "changes")],
    "member": LogEntry.objects.get(area="federation").changes,
    "fees": [*LogEntry.objects.filter(area="fee").order_by("pk").values_list("action", "changes")],
    "gone": LogEntry.objects.get(area="appointment").subject,
    "by_name": LogEntry.objects.get(area="list").by_name,
    "seal": (seal.subject == f"{len(rows)} {sha256}", first.entry == seal.pk, first.number == len(rows) + 1),
    "on_chain": (is_on_chain(len(rows), sha256), is_on_chain(head().entries, head().sha256)),
    "then": sorted(linked_until(2, [7, 9, 12])),
    "linked": linked, "problems": problems, "sealed": sealed, "forged": forged,
    "next": LogEntry.objects.create(area="portal", action="backup", at=AT).pk > seal.pk,
}, default=lambda value: msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else str(value)))
"""


def former(folder: Path) -> Installation:
    """Return an installation with the database of the release before."""
    (folder / "var").mkdir()
    if vendor() == "sqlite":
        assert copy_template(folder / "former.sqlite3", "former")
        return Installation(str(folder / "former.sqlite3"), folder / "var")
    given = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(urlunsplit(given), autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS former WITH (FORCE)")
        server.execute(f"CREATE DATABASE former TEMPLATE {postgresql_template('former')}")
    return Installation(urlunsplit(given._replace(path="/former")), folder / "var")


def test_the_former_log_is_moved_sealed_and_verified(tmp_path: Path) -> None:
    said = former(tmp_path).run_anew("shell", "--no-imports", "--verbosity", "0", "-c", MOVED)

    found = json.loads(said.splitlines()[-1])
    olga, eve = "olga@chess.example", "eve@chess.example"
    assert found["claims"] == [
        [3, "Club", "", 10, None],
        [4, "Club", "Card", 9, None],
        [6, "Me", "", None, None],
    ]
    ada, ben, cleo = found["lines"]
    assert found["drafts"] == [
        [[], {}],
        [
            [
                {"what": "result", "round": 1, "white": 1, "result": "0-1"},
                {"what": "identity", "line": cleo, "fide_id": 1003},
                {"what": "identity", "line": ada, "fide_id": 1001, "is_whole": True},
                {"what": "identity", "line": ben},
                {"what": "joined", "line": cleo, "into": ada},
                {"what": "fix", "line": 1, "before": "012 Open of Alphaville", "after": "012 Alphaville"},
                {"what": "line", "line": 2, "text": "022 Bern"},
                {"what": "line", "line": ada, "text": "001 Ada"},
                {"what": "line", "line": ben, "text": "001 Ben"},
            ],
            {"": "Seen."},
        ],
        [[], {"x": "y"}],
    ]
    assert found["objections"] == [
        [2, "–", None, "2026-03-11", 9, 9, None, None],
        [3, "I drew.", 2, "2026-03-11", 9, 11, olga, 12],
        [5, "I drew.", 1, "2026-03-11", 9, None, None, None],
    ]
    assert found["cases"] == [
        ["appeal", "waiting", "12", None, None, olga, ""],
        ["application", "approved", "", 1001, "SUI", olga, "Seen."],
        ["application", "waiting", "SUI 2010-05-06 Cedar, Cleo", None, "SUI", olga, ""],
        ["claim", "withdrawn", "", 1001, None, olga, ""],
        ["claim", "approved", "", 1001, None, olga, "Known."],
        ["claim", "waiting", found["claimant"], 1001, None, eve, ""],
        ["flags", "approved", "", None, None, None, ""],
        ["flags", "waiting", "1", None, None, None, ""],
        ["handed", "withdrawn", "", None, None, olga, ""],
        ["handed", "refused", "", None, None, olga, "No."],
        ["handed", "approved", "", None, None, olga, ""],
        ["handed", "waiting", "1", None, None, olga, ""],
        ["hold", "withdrawn", "", None, None, None, ""],
        ["information", "approved", "", None, None, olga, "Here."],
        ["information", "waiting", "1", None, None, olga, ""],
        ["objection", "withdrawn", "", 1001, None, eve, ""],
        ["objection", "approved", "", 1001, None, eve, "Yes."],
        ["objection", "waiting", "1 1001", 1001, None, eve, ""],
        ["result", "waiting", "1 1 3", None, None, olga, ""],
        ["result", "approved", "", 1001, None, olga, "Seen."],
        ["result", "refused", "", None, None, olga, "No."],
        ["result", "waiting", "1 1 6", None, None, olga, ""],
        ["result", "refused", "", None, None, olga, "No."],
        ["result", "waiting", "1 1 8", None, None, olga, ""],
        ["transfer", "waiting", "1001", 1001, "AUT", olga, ""],
    ]
    assert found["requests"] == [
        [3, "request", "approved", "", "No hall.", None, olga, olga, "So.", []],
        [
            4,
            "request",
            "waiting",
            "1",
            "Waiver.",
            [{"code": "waiver"}],
            olga,
            None,
            "",
            [{"what": "condition", "field": "match_waiver", "before": "", "after": "FIDE"}],
        ],
    ]
    assert found["handed"] == [[2, "", None], [3, "Please.", None], [4, "", 1], [5, "", None]]
    assert [row[:2] for row in found["corrections"]] == [
        [3, "waiting"], [4, "approved"], [5, "refused"], [6, "waiting"], [7, "refused"], [8, "waiting"],
    ]  # fmt: skip
    assert [one.pop("white") for [one] in found["amended"]] == [3, 4, 5, 6, 7, 8]
    assert [one for [one] in found["amended"]] == [
        {"what": "result", "round": 1, "result": "0-1", "before": "1-0"},
        {"what": "person", "round": 1, "seat": "w", "fide_id": 1001},
        {"what": "opponent", "round": 1, "seat": "b", "other": 5},
        {"what": "colours", "round": 1},
        {"what": "not-rated", "round": 1, "why": "fair-play", "reference": "FPL 7"},
        {"what": "not-rated", "round": 1},
    ]
    assert found["published"] == [
        [{"what": "datum", "field": "name", "before": "Alder, Ada", "after": "Birch, Ada"}],
        [{"what": "person", "round": 1, "white": 4, "seat": "w", "fide_id": 1001}],
        [{"what": "file", "name": "a.trf"}],
        [{"what": "condition", "field": "is_match", "before": False, "after": True}],
        [{"what": "withdrawal"}],
    ]
    assert found["kinds"] == ["1001", 1001, "2010-05-06"]
    assert found["steps"] == [
        [7, "register", "", "registered", "", olga],
        [9, "change", "", "registered", "Hall", olga],
        [10, "publish", "", "registered", "rapid 2026-04", olga],
        [11, "clear", "", "registered", "Seen", olga],
        [12, "not-rate", "registered", "not-rated", "Two minutes.", olga],
        [20, "ask", "", "not-rated", "Why?", olga],
    ]
    assert found["changes"] == [{"field": "city", "before": "A", "after": "B"}]
    assert found["stated"] == [None, [{"code": "list", "kind": "rapid", "month": "2026-04-01"}]]
    assert found["appeal"] == [12, "SUI-1", "Three.", "waiting", "a.pdf"]
    names = [{"field": "first_name", "before": "", "after": "Olga"}]
    assert found["account"] == {"account__email": olga, "before": "", "changes": names, "by_name": ""}
    (hide, *_), (first, _, stated), (renamed, why, changes) = found["player"]
    assert (hide, first, renamed, why) == ("hide", "edited", "edited", "Marriage")
    assert changes == [{"field": "name", "before": "Alder, Ada", "after": "Birch, Ada"}]
    # Nobody knows which of the fields of a first row somebody set here: titles would be kept for ever (D-136).
    assert {change["field"] for change in stated} == {"name", "federation_id"}
    assert {"field": "is_member", "before": None, "after": False} in found["member"]
    (added, _), (edited, prices), (deleted, _) = found["fees"]
    assert (added, edited, deleted) == ("added", "edited", "deleted")
    assert prices == [{"field": "per_player", "before": "1.00", "after": "2.00"}]
    assert found["gone"] == "#999"
    assert found["by_name"] == "root (command)"
    assert found["seal"] == [True, True, True]
    assert found["on_chain"] == [True, True]
    assert found["then"] == [7, 9]
    assert (found["linked"], found["problems"], found["sealed"]) == (0, [], True)
    assert found["forged"] == ["entry 2 (tournament 9): was changed", found["forged"][-1]]
    assert found["forged"][-1].endswith("(seal): is another one than the log names")
    assert found["next"]
