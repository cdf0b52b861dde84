"""The QC's cases, appeals and the audit log by HTTP requests."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from core.web.csv import guarded_cell
from players.models import Act, Federation, Player
from players.services.requests import agree, ask_transfer, withdraw_transfer
from ratings.services.corrections.correct import correct_report
from ratings.services.reported import one_in
from ratings.services.verification.verify import verify_list
from tests.desk.conftest import NOW, PLAYERS, ROUNDS, seen
from tests.downloads import saved_as
from tests.factories import (
    AppointmentFactory,
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    UserFactory,
    noon,
    play,
    play_and_rate,
    publish,
    round_robin,
)
from tests.trf_files import Event
from tournaments.models import Appeal, AuditEntry, OfficerToken, Tournament
from tournaments.queries.indicators import indicators_of
from tournaments.services.evidence import MAX_FILE_BYTES
from tournaments.services.qc import ask_for_information
from tournaments.services.reports import accept_report, upload_report
from tournaments.services.tokens import issue_token, revoke_token

CASE = "/desk/qc/SUI-PLAYED/"
LODGE = "/desk/tournaments/SUI-PLAYED/appeal/new"
TYPED = {"organiser": "Chess Club", "ground": "facts", "statement": "Both days were played at 15+10."}


def not_rated(tournament: Tournament, *, days_ago: int) -> None:
    Tournament.objects.update(registration="not-rated")
    AuditEntry.objects.create(
        tournament=tournament,
        action="not-rate",
        registration="not-rated",
        reason="Two minutes a player.",
        at=NOW - timedelta(days=days_ago),
    )


@pytest.mark.parametrize(("days_ago", "status", "lodged"), [(0, 302, 1), (7, 302, 1), (8, 200, 0)])
def test_0_4_the_officer_appeals_up_to_the_seventh_day(
    officer: Client, played: Tournament, days_ago: int, status: int, lodged: int
) -> None:
    not_rated(played, days_ago=days_ago)
    evidence = [SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n"), SimpleUploadedFile("b.pdf", b"%PDF-1.7")]

    answer = officer.post(LODGE, TYPED | {"evidence": evidence})

    assert (answer.status_code, Appeal.objects.count()) == (status, lodged)


def test_too_large_file_does_not_clear_the_form(officer: Client, played: Tournament) -> None:
    not_rated(played, days_ago=1)
    huge = SimpleUploadedFile("film.mp4", b"x" * (MAX_FILE_BYTES + 1))

    form = officer.post(LODGE, TYPED | {"evidence": [huge]}).context["form"]

    assert list(form.errors) == ["evidence"]
    assert {name: form[name].value() for name in TYPED} == TYPED
    assert Appeal.objects.count() == 0


def test_file_of_an_appeal_is_sent_as_a_download(officer: Client, played: Tournament) -> None:
    not_rated(played, days_ago=1)
    officer.post(LODGE, TYPED | {"evidence": [SimpleUploadedFile("a.html", b"%PDF-<script>")]})

    answer = officer.get("/desk/tournaments/SUI-PLAYED/appeal/files/1")

    assert saved_as(answer) == "a.html.pdf"
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == (
        "application/octet-stream",
        "nosniff",
    )
    assert answer.content == b"%PDF-<script>"
    assert officer.get("/desk/tournaments/SUI-PLAYED/appeal/files/2").status_code == 404


def test_council_upholds_and_the_public_reads_the_reasons(
    officer: Client, signed_in: Callable[[str], Client], played: Tournament
) -> None:
    not_rated(played, days_ago=7)
    officer.post(LODGE, TYPED)
    reason = "The clocks prove it."
    decided = {"outcome": "upheld", "reason": reason} | seen()

    refused = officer.post("/desk/tournaments/SUI-PLAYED/appeal", decided).status_code
    done = [
        signed_in("council").post("/desk/tournaments/SUI-PLAYED/appeal", decided).status_code for _ in "ab"
    ]
    public = Client().get("/tournaments/SUI-PLAYED/").content.decode()

    assert (refused, done, Tournament.objects.get().registration) == (403, [302, 200], "approved")
    assert (reason in public, "Two minutes" in public) == (True, False)


def test_appeal_shows_what_upholding_it_adds_to_which_list(
    officer: Client, signed_in: Callable[[str], Client], swiss: Federation
) -> None:
    basis = RatingListFactory(kind="rapid", date=date(2026, 2, 1))
    players = [ListEntryFactory(rating_list=basis).player for _ in range(3)]
    event = TournamentFactory(event_id="SUI-PLAYED", federation=swiss, start=date(2026, 2, 20))
    play_and_rate(event, players, round_robin(3))
    event.refresh_from_db()
    not_rated(event, days_ago=1)
    officer.post(LODGE, TYPED)

    effect = signed_in("council").get("/desk/tournaments/SUI-PLAYED/appeal").context["effect"]

    assert (effect.list_date, effect.is_published) == (date(2026, 3, 1), False)
    assert (effect.games, effect.players) == (3, 3)


@pytest.mark.slow
def test_d_87_upholding_an_appeal_shows_and_restores_a_withdrawn_published_report(
    officer: Client, signed_in: Callable[[str], Client], swiss: Federation
) -> None:
    basis = RatingListFactory(kind="rapid", date=date(2026, 1, 1))
    for (fide_id, name), rating in zip(PLAYERS, (2000, 1900, 1800), strict=True):
        player = PlayerFactory(fide_id=fide_id, name=name, federation=swiss)
        ListEntryFactory(rating_list=basis, player=player, rating=rating)
    event = TournamentFactory(event_id="SUI-PLAYED", name="Open of Alphaville", federation=swiss)
    day = date(2026, 1, 12)
    days: dict[str, Any] = {"start": "2026/01/10", "end": "2026/01/11", "round_dates": ["26/01/10"] * 3}
    content, at = Event(PLAYERS, ROUNDS, **days).content(), noon(day)
    report = upload_report(event, content, file_name="a.trf", by=None, on=day, at=at)
    accept_report(report, acknowledgement="Checked.", by=None, on=day, at=at)
    february = publish("rapid", date(2026, 2, 1))
    event.refresh_from_db()
    withdrawn: dict[str, Any] = {"file_name": "", "by": None, "on": NOW.date(), "at": NOW}
    correct_report(event, None, reason="Two minutes.", **withdrawn)
    officer.post(LODGE, TYPED)
    council = signed_in("council")

    effect = council.get("/desk/tournaments/SUI-PLAYED/appeal").context["effect"]
    done = council.post(
        "/desk/tournaments/SUI-PLAYED/appeal", {"outcome": "upheld", "reason": "The clocks."} | seen()
    )
    march = publish("rapid", date(2026, 3, 1))

    assert (effect.is_published, effect.games, effect.players) == (True, 3, 3)
    assert (done.status_code, Tournament.objects.get().registration) == (302, "approved")
    ratings = [dict(item.entries.values_list("player", "rating")) for item in (february, march)]
    assert ratings[0] == ratings[1]
    assert [verify_list(item) for item in (february, march)] == [None, None]


def test_case_has_notes_an_information_request_and_a_reply(
    officer: Client, chair: Client, played: Tournament
) -> None:
    chair.post(f"{CASE}note", {"note-text": "Known for short games."})
    asked = chair.post(f"{CASE}ask", {"ask-text": "Send the papers.", "ask-due_on": "2026-03-09"} | seen())
    page = officer.get("/desk/tournaments/SUI-PLAYED/").content.decode()
    answered = officer.post("/desk/tournaments/SUI-PLAYED/answer", {"answer": "In the post."})
    case = chair.get(CASE).content.decode()

    assert (asked.status_code, answered.status_code) == (302, 302)
    assert ("Send the papers." in page, "Known for" in page) == (True, False)
    assert ("Known for" in case, "In the post." in case) == (True, True)


def test_hold_by_staff_is_in_the_queue_until_released(
    chair: Client, signed_in: Callable[[str], Client], played: Tournament
) -> None:
    play(played, [], [])
    staff = signed_in("staff")

    reason = "All games within four minutes."
    staff.post(f"{CASE}question", {"question-reason": reason} | seen())
    queue = chair.get("/desk/qc/").context["queue"]
    chair.post(f"{CASE}clear", {"clear-reason": "The clocks agree."} | seen())

    assert [(row.event_id, row.why, row.deadline) for row in queue] == [
        ("SUI-PLAYED", reason, date(2026, 3, 31))
    ]
    assert chair.get("/desk/qc/").context["queue"] == []


def test_audit_log_is_paged_and_exported(
    signed_in: Callable[[str], Client], played: Tournament, swiss: Federation
) -> None:
    for number in range(60):
        AuditEntry.objects.create(
            tournament=played, action="change", registration="registered", reason=f"=cmd {number}", at=NOW
        )
    auditor = signed_in("auditor")

    first = auditor.get("/desk/trail/?kind=tournament").context["page"]
    second = auditor.get(f"/desk/trail/?kind=tournament&after={first.after}").context["page"]
    stream = b"".join(auditor.get("/desk/trail.ndjson?kind=tournament"))  # type: ignore[arg-type]
    table = b"".join(auditor.get("/desk/trail.csv?object=SUI-PLAYED"))  # type: ignore[arg-type]

    numbers = [row.number for row in (*first.rows, *second.rows)]
    assert (len(first.rows), len(second.rows), second.after) == (50, 10, "")
    assert numbers == sorted(numbers, reverse=True)
    assert [json.loads(line)["why"] for line in stream.splitlines()][:1] == ["=cmd 59"]
    assert (table.count(b"'=cmd"), table.count(b",=cmd")) == (60, 0)
    assert auditor.get("/desk/trail/?after=nonsense").status_code == 404


def test_audit_log_has_transfers_and_tokens_without_naming_players_twice(
    signed_in: Callable[[str], Client], swiss: Federation, austrian: Federation
) -> None:
    officer, staff = (AppointmentFactory(role="officer", federation=one).user for one in (swiss, austrian))
    player = PlayerFactory(federation=swiss)
    for close in (agree, withdraw_transfer):
        transfer = ask_transfer(player, to=austrian, by=officer, at=NOW)
        close(transfer, by=staff if close is agree else officer, at=NOW)
        Player.objects.filter(pk=player.pk).update(federation=swiss)
    issue_token(officer, swiss, name="Laptop", verbs=["read"], at=NOW)
    revoke_token(OfficerToken.objects.get(), at=NOW)
    auditor = signed_in("auditor")

    page = auditor.get(f"/desk/trail/?kind=player&object={player.pk}").context
    acts = [row for row in page["page"].rows if row.source == "act"]
    tokens = auditor.get("/desk/trail/?object=SUI: Laptop").context["page"].rows
    kinds = [value for value, _label in page["form"].fields["kind"].choices]

    assert [(row.before, row.after) for row in acts] == [("SUI", "AUT")] * 4
    assert list(Act.objects.order_by("pk").values_list("deed", flat=True)) == [
        "move",
        "agree",
        "move",
        "unmove",
        "token",
        "untoken",
    ]
    assert len(tokens) == 2
    assert len(kinds) == len(set(kinds))


def test_audit_log_shows_values_before_and_after(
    signed_in: Callable[[str], Client], swiss: Federation, db: None
) -> None:
    auditor = signed_in("auditor")
    swiss.officer_name = "Alder, Ada"
    swiss.save()

    rows = auditor.get("/desk/trail/?kind=federation&object=SUI").context["page"].rows

    assert [(row.before, row.after.split(": ")[-1]) for row in rows[:1]] == [("", "Alder, Ada")]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("=1", "'=1"),
        ("@x", "'@x"),
        ("-2", "'-2"),
        ("+2", "'+2"),
        ("＝1", "'＝1"),
        (" =1", "' =1"),
        ("x;=1", "x;'=1"),
        ('x;"@y', "x;\"'@y"),
        ("x\t＋1", "x\t'＋1"),
        ("a; b", "a; b"),
        ("a=b", "a=b"),
        ("", ""),
    ],
)
def test_no_cell_is_a_formula(value: str, shown: str) -> None:
    assert guarded_cell(value) == shown


def test_closed_ring_and_one_sided_games_are_indicated(swiss: Federation) -> None:
    players = [
        PlayerFactory(fide_id=1_300_001 + n, name=name, federation=swiss)
        for n, name in enumerate(("Alder, Ada", "Birch, Ben", "Cedar, Cleo"))
    ]
    games = [(1, 1, 2, "1-0"), (2, 1, 2, "1-0"), (3, 2, 3, "1/2")]
    events = [TournamentFactory(federation=swiss, start=date(2026, 1, day)) for day in (3, 10, 17)]
    for event in events:
        play(event, players, games)

    ring, one_sided = indicators_of(events[-1])
    names = ("Alder, Ada", "Birch, Ben", "Cedar, Cleo")
    assert (ring.code, [name in ring.sentence for name in names]) == ("closed-ring", [True] * 3)
    assert (one_sided.code, re.findall(r"\d+", one_sided.sentence)) == ("one-sided", ["6", "2"])
    assert [name in one_sided.sentence for name in names] == [True, True, False]


def test_arbiter_who_is_the_organiser_is_indicated(swiss: Federation) -> None:
    event = TournamentFactory(federation=swiss, chief_arbiter="Arbiter, Anna", organiser="Anna Arbiter")

    assert [found.code for found in indicators_of(event)] == ["same-person"]


@pytest.mark.parametrize(
    ("probabilities", "half_points", "times"),
    [
        # Five wins of five against equals have probability 1 in 2^5, nine against opponents 400 points up 1 in 12.5^9.
        ([50] * 5, 10, 32),
        ([50] * 5, 0, 32),
        ([50] * 5, 9, 5),
        ([8] * 9, 18, 7_450_580_596),
        ([92] * 9, 0, 7_450_580_596),
        ([50] * 4, 4, 1),
    ],
)
def test_7_1_2_probability_of_a_score(probabilities: list[int], half_points: int, times: int) -> None:
    assert one_in(probabilities, half_points) == times


@pytest.mark.parametrize("path", ["/desk/tournaments/SUI-PLAYED/why", "/tournaments/SUI-PLAYED/why"])
def test_progress_page_names_each_step(officer: Client, played: Tournament, path: str) -> None:
    steps = officer.get(path).context["progress"].steps

    assert [(step.code, step.state, step.article, step.deadline) for step in steps] == [
        ("decide", "done", "0.2", None),
        ("play", "done", "6.1.3", None),
        ("upload", "now", "8.1", date(2026, 6, 1)),
        ("accept", "next", "8.1", date(2026, 6, 1)),
        ("rate", "next", "7.1.2", None),
        ("publish", "next", "6.1.3", date(2026, 6, 1)),
    ]


def test_private_reasons_are_shown_only_at_the_desk(officer: Client, played: Tournament) -> None:
    not_rated(played, days_ago=1)

    own = officer.get("/desk/tournaments/SUI-PLAYED/why").content.decode()
    public = Client().get("/tournaments/SUI-PLAYED/why").content.decode()

    assert ("Two minutes a player." in own, "Two minutes a player." in public) == (True, False)


@pytest.mark.database
def test_effect_of_a_decision_not_to_rate_is_shown_before_it(chair: Client, played: Tournament) -> None:
    basis = RatingListFactory(kind="rapid", date=date(2026, 2, 1))
    players = [ListEntryFactory(rating_list=basis).player for _ in range(3)]
    assert chair.get(CASE).context["rated"] is None
    play_and_rate(played, players, [(1, 1, 2, "1-0")])

    shown = chair.get(CASE).context

    assert (shown["rated"].counted_games, shown["rated"].players) == (1, 2)
    assert shown["progress"].expected_list == date(2026, 4, 1)


def waiting(swiss: Federation, *names: str) -> list[Tournament]:
    """Return late registrations that wait for the QC, one a day from tomorrow on."""
    return [
        TournamentFactory(
            event_id=f"SUI-{name}",
            name=name,
            federation=swiss,
            start=NOW.date() + timedelta(days=number),
            registered_on=NOW.date(),
            registration="waiting",
        )
        for number, name in enumerate(names, start=1)
    ]


def test_cases_are_the_tasks_of_the_chair_and_for_others_what_they_wait_for(
    signed_in: Callable[[str], Client], swiss: Federation
) -> None:
    first, second, asked = waiting(swiss, "First", "Second", "Asked")
    ask_for_information(asked, "Which hall?", due_on=NOW.date(), by=UserFactory(), on=NOW.date(), at=NOW)

    chair = signed_in("qc").get("/desk/").context
    others = {role: signed_in(role).get("/desk/").context for role in ("council", "auditor", "staff")}

    assert [(need.code, need.about, need.deadline) for need in chair["work"]] == [
        ("case-late", "First", first.start),
        ("case-late", "Second", second.start),
    ]
    assert ["1 day before the first day" in dict(need.facts).values() for need in chair["work"]] == [
        True,
        False,
    ]
    assert [case.event_id for case in chair["with_officers"]] == ["SUI-Asked"]
    for role, context in others.items():
        codes = {need.code for need in context["work"]}
        assert not {code for code in codes if code.startswith("case-")}, role
        assert [case.event_id for case in context["with_qc"]] == ["SUI-First", "SUI-Second", "SUI-Asked"]


def test_the_chair_clears_three_cases_without_going_back_to_the_queue(
    chair: Client, swiss: Federation
) -> None:
    waiting(swiss, "First", "Second", "Third")

    page, addresses = "/desk/qc/SUI-First/", []
    for name in ("First", "Second", "Third"):
        sent = {"decision": "allow", "reason": "The hall was late."} | seen(f"SUI-{name}")
        page = chair.post(page, sent)["Location"]
        addresses.append(page)

    assert addresses == ["/desk/qc/SUI-Second/", "/desk/qc/SUI-Third/", "/desk/qc/"]
    assert set(Tournament.objects.values_list("registration", flat=True)) == {"approved"}


def test_a_link_of_the_tasks_selects_a_decision_and_does_not_make_it(
    chair: Client, swiss: Federation
) -> None:
    waiting(swiss, "First")

    form = chair.get("/desk/qc/SUI-First/?decision=allow").context["form"]

    assert form["decision"].value() == "allow"
    assert Tournament.objects.get().registration == "waiting"
