"""The content of the demonstration."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from datetime import date
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import authenticate, get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import Resolver404, resolve

from arenas.models import Arena, Game, Member
from demo.people import HOME, LOWEST
from demo.world import make_arenas
from players.models import Appointment, Notice, Player
from ratings.choices import EntryStatus, Origin, RunState
from ratings.models import (
    Calculation,
    CorrectionLine,
    ListEntry,
    ParticipantRating,
    PoolEvent,
    RatingList,
    Run,
)
from ratings.verify.verify import verify_list
from tests.arenas.played import everything
from tests.demo.conftest import NOW, TODAY, World
from tests.tools import verifier
from tests.walk.heads import wrong_names
from tournaments.choices import Stage
from tournaments.list_dates import closing_date, due_list
from tournaments.models import Report, Tournament
from tournaments.regulations import is_registered_in_time

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("world"), pytest.mark.slow]
LINK = re.compile(r'<a\b[^>]*href="([^"]+)"')
MONTHS = [date(2026, month, 1) for month in range(6, 12)]


def test_players_of_one_federation_and_guests_of_five() -> None:
    of_federations = Counter(Player.objects.values_list("federation_id", flat=True))

    assert of_federations.pop(HOME) == 400
    assert of_federations == {"DEN": 9, "ISL": 9, "POR": 9, "SLO": 9, "SUI": 9}


def test_three_imported_lists_and_six_published_months_of_each_kind() -> None:
    lists = RatingList.objects.order_by("kind", "date")

    imported = lists.filter(origin=Origin.IMPORTED).values_list("kind", "date")
    assert list(imported) == [(kind, date(2026, 5, 1)) for kind in ("blitz", "rapid", "standard")]
    published = lists.filter(origin=Origin.PUBLISHED).values_list("kind", "date")
    assert list(published) == [(kind, month) for kind in ("blitz", "rapid") for month in MONTHS]


def test_every_list_is_verified() -> None:
    assert [verify_list(item) for item in RatingList.objects.all()] == [None] * 15


def test_every_published_list_follows_from_its_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    published = RatingList.objects.filter(origin=Origin.PUBLISHED).order_by("kind", "date")

    codes = [verifier.run(verifier.download(item, tmp_path, before="txt", new="csv")) for item in published]
    assert (codes, capsys.readouterr().err) == ([0] * 12, "")


def test_every_report_of_the_half_year_is_published_without_a_warning() -> None:
    published = Tournament.objects.filter(stage=Stage.PUBLISHED)

    assert Counter(published.values_list("registration", "reports__state")) == {
        ("registered", "accepted"): 20,
        ("registered", "replaced"): 1,
    }
    findings = Report.objects.filter(tournament__in=published).values_list("findings", flat=True)
    assert [item for of_report in findings for item in of_report if item["severity"] != "notice"] == []


def test_current_tournaments_cover_every_state() -> None:
    current = Tournament.objects.exclude(stage=Stage.PUBLISHED).filter(federation=HOME)

    assert Counter(current.values_list("registration", "stage", "reports__state")) == {
        ("registered", "planned", None): 6,
        ("waiting", "planned", None): 2,
        ("approved", "planned", None): 1,
        ("refused", "planned", None): 1,
        ("withdrawn", "planned", None): 1,
        ("not-rated", "planned", None): 1,
        ("registered", "planned", "checked"): 2,
        ("registered", "rated", "accepted"): 1,
    }


@pytest.mark.parametrize(
    ("name", "severities"), [("Vineyard Rapid", {"warning": 2}), ("Red Rocks Blitz", {"error": 4})]
)
def test_checked_reports_have_their_planned_issues(name: str, severities: dict[str, int]) -> None:
    findings = Report.objects.get(tournament__name=name).findings

    assert Counter(item["severity"] for item in findings if item["severity"] != "notice") == severities


@pytest.mark.parametrize(
    ("name", "due"), [("Forge Rapid", date(2026, 12, 1)), ("Post Horn Rapid", date(2026, 11, 1))]
)
def test_one_missing_report_is_due_and_one_is_overdue(name: str, due: date) -> None:
    tournament = Tournament.objects.get(name=name)

    assert (due_list(tournament.end), tournament.reports.count()) == (due, 0)


def test_tournament_after_the_closing_date_is_on_the_list_after_next() -> None:
    tournament = Tournament.objects.get(name="Castle Festival Rapid")
    taken = RatingList.objects.get(tournament_ratings__report__tournament=tournament)

    assert tournament.end > closing_date(date(2026, 8, 1))
    assert taken.date == date(2026, 9, 1)


def test_a_correction_shows_on_the_next_list() -> None:
    lines = CorrectionLine.objects.values_list("corrected_list__date", "taken_by__date")

    assert list(lines) == [(date(2026, 9, 1), date(2026, 10, 1))] * 2


def _outcomes() -> list[str]:
    return list(Calculation.objects.values_list("result", flat=True))


def _reasons() -> list[str]:
    rows = ParticipantRating.objects.values_list("outcomes", flat=True)
    return [reason for outcomes in rows for outcome in outcomes for reason in outcome.reasons]


@pytest.mark.parametrize(
    "outcome",
    ["initial-7.2.4", "pooled-6.1.4", "disregarded-7.2.2", "first-by-standard-7.2.1", "below-floor-6.2.1"],
)
def test_lists_show_how_players_become_rated_and_unrated(outcome: str) -> None:
    assert _outcomes().count(outcome) > 0


@pytest.mark.parametrize(
    "reason", ["capped-7.3.1", "unrated-opponent-7.3.1", "bye-4.1", "forfeit-4.1", "match-decided-5.2"]
)
def test_games_show_why_they_are_rated_or_not(reason: str) -> None:
    assert _reasons().count(reason) > 0


def test_some_initial_ratings_use_games_of_several_months() -> None:
    closed = PoolEvent.objects.filter(closed_by__isnull=False)
    events = Counter(closed.values_list("player", "kind", "closed_by"))

    assert max(events.values()) > 1


def test_deceased_player_is_not_on_the_next_list() -> None:
    departed = Player.objects.get(died_on__isnull=False)
    entries = ListEntry.objects.filter(player=departed, rating_list__kind="rapid").order_by(
        "rating_list__date"
    )

    assert departed.died_on == date(2026, 9, 12)
    assert list(entries.values_list("rating_list__date", "status"))[-2:] == [
        (date(2026, 9, 1), EntryStatus.LISTED),
        (date(2026, 10, 1), EntryStatus.DECEASED),
    ]


def test_nobody_is_listed_below_the_floor() -> None:
    assert ListEntry.objects.listed().filter(rating__lt=LOWEST).count() == 0


def test_no_background_job_is_left() -> None:
    assert Counter(Run.objects.values_list("state", flat=True)) == {RunState.DONE: 46}


def test_no_email_is_sent_about_past_events() -> None:
    assert list(Notice.objects.values_list("subject", flat=True)) == []


def test_accounts_sign_in_with_the_shown_passwords(world: World, rf: Any) -> None:
    for account in world.accounts:
        assert authenticate(rf.post("/"), email=account.email, password=account.password) == account.user


def test_accounts_have_one_role_and_a_verified_email(world: World) -> None:
    assert [(account.email, account.title) for account in world.accounts] == [
        ("officer@demo.example", "rating officer (LUX)"),
        ("deputy@demo.example", "deputy rating officer (LUX)"),
        ("arbiter@demo.example", "chief arbiter (LUX)"),
        ("officer.sui@demo.example", "rating officer (SUI)"),
        ("qc@demo.example", "QC chair"),
        ("staff@demo.example", "FIDE staff"),
        ("council@demo.example", "FIDE Council"),
        ("auditor@demo.example", "auditor"),
    ]
    assert (
        Appointment.objects.count() == EmailAddress.objects.filter(verified=True, primary=True).count() == 8
    )


def test_links_and_buttons_name_their_object(world: World, client: Client) -> None:
    """Where lists follow each other and players meet twice, a month, a change or a verb is no name."""
    users = {account.email: account.user for account in world.accounts}
    seen: set[str] = set()
    pages = [*pages_from(client, "/", seen)]
    for email in ("officer@demo.example", "staff@demo.example"):
        client.force_login(users[email])
        pages += pages_from(client, "/desk/", seen)

    wrong = [f"{place}: {fault}" for place, markup in pages for fault in wrong_names(markup)]

    assert not wrong, "\n".join(wrong)
    assert len(pages) >= 80


def pages_from(client: Client, start: str, seen: set[str]) -> Iterator[tuple[str, str]]:
    """Yield address and markup of one page for each route not seen that links lead to, from a start on its side."""
    waiting = deque([start])
    while waiting:
        place = waiting.popleft().partition("#")[0]
        try:
            route = resolve(place.partition("?")[0]).route
        except Resolver404:
            continue
        if (
            route in seen
            or route.startswith(("api/", "admin/"))
            or route.startswith("desk/") != start.startswith("/desk/")
        ):
            continue
        answer = client.get(place)
        if answer.status_code != 200:
            continue
        seen.add(route)
        if answer.streaming or "html" not in answer["Content-Type"]:
            continue
        markup = answer.content.decode()
        yield place, markup
        waiting.extend(urljoin(place, unescape(link)) for link in LINK.findall(markup))


def test_no_password_is_stored_in_plain(world: World) -> None:
    stored = set(get_user_model().objects.values_list("password", flat=True))

    assert stored.isdisjoint(account.password for account in world.accounts)


def test_each_step_is_reported(world: World) -> None:
    arenas = 3
    assert len(world.told) == 2 + 20 + 6 + 1 + 1 + arenas


def test_a_second_call_changes_nothing() -> None:
    users, lists = get_user_model().objects.count(), RatingList.objects.count()
    output = StringIO()

    call_command("demo", if_empty=True, stdout=output)

    assert output.getvalue() == "Demo data was not created: the portal already has data.\n"
    assert (get_user_model().objects.count(), RatingList.objects.count()) == (users, lists)


def test_arenas_have_games_of_every_kind_and_are_created_once() -> None:
    for arena in Arena.objects.all():
        games = arena.games
        assert (games.filter(is_late=True).exists(), games.exclude(cancelled_at=None).count()) == (True, 1)
        assert arena.lists.exists()
    unrated = set(Game.objects.exclude(unrated="").values_list("unrated", flat=True))
    assert unrated == {
        "both-unrated-3.6",
        "short-game-D-51",
        "unrated-not-full-member-2.1",
        "unrated-time-control-2.3",
    }
    assert Member.objects.filter(arena__slug="foa-rbb", player=None).exists()
    before = [everything(arena) for arena in Arena.objects.all()]

    make_arenas(today=TODAY, at=NOW, tell=lambda step: None)

    assert [everything(arena) for arena in Arena.objects.all()] == before


def test_tournaments_are_registered_by_the_rules() -> None:
    """Each is registered three days before its first day, or by a QC decision (0.2)."""
    tournaments = list(Tournament.objects.prefetch_related("log_entries", "reports"))
    decided_by_the_qc = {"waiting", "approved", "refused"}

    late = [
        one.name
        for one in tournaments
        if not is_registered_in_time(one.start, one.registered_on)
        and not one.is_official
        and one.registration not in decided_by_the_qc
    ]
    actions = {
        one.name: [(step.action, step.at.date()) for step in one.log_entries.all()] for one in tournaments
    }
    first = {name: steps[0] for name, steps in actions.items()}
    reports = [(one.end, report.submitted_on) for one in tournaments for report in one.reports.all()]

    assert len(tournaments) == 37
    assert late == []
    assert first == {one.name: ("register", one.registered_on) for one in tournaments}
    assert all(day == sorted(day) for day in ([at for _, at in steps] for steps in actions.values()))
    assert all(end <= submitted_on for end, submitted_on in reports)


def test_tournaments_named_after_a_weekday_are_played_on_it() -> None:
    days = [f"{date(2026, 6, number):%A}" for number in range(1, 8)]
    named = [
        (one.name, f"{one.start:%A}")
        for one in Tournament.objects.all()
        if any(day in one.name for day in days)
    ]

    assert named == [("Friday Blitz", "Friday")]
