"""The page of a tournament: its registration, and only published results."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ratings import events
from ratings.models import Correction
from ratings.next_list import update_next_list
from tests import make
from tests.public.pages import codes, lines, page, rows, text_of
from tournaments.choices import Action
from tournaments.models import Participant, Report, Tournament, TournamentEntry
from tournaments.objections import DAYS_TO_OBJECT

pytestmark = pytest.mark.django_db
DAY = date(2026, 1, 10)


def address(tournament: Tournament, query: str = "") -> str:
    return f"/tournaments/{tournament.event_id}/{query}"


@pytest.mark.parametrize(
    ("registration", "code"),
    [
        ("registered", "upload"),
        ("waiting", "decide"),
        ("refused", "closed"),
        ("not-rated", "closed"),
        ("withdrawn", "closed"),
    ],
)
def test_registration_is_public_with_its_state(client: Client, registration: str, code: str) -> None:
    tournament = make.tournament(name="Open of Alphaville", registration=registration)
    markup = page(client, address(tournament))
    assert codes(markup) == [code]
    facts = ("SUI", "Alphaville", "10–11 Jan 2026", "Rapid 15+10")
    assert [fact for fact in facts if fact not in text_of(markup)] == []


def test_figures_are_public_once_the_tournament_is_rated(client: Client) -> None:
    month = make.play_month(is_published=False)
    hero, event = month.hero, month.tournaments[0]
    Tournament.objects.update(stage="reported")
    before = page(client, address(event))
    assert ("Hero, Hanna" in before, "/crosstable/" in before) == (False, False)
    Tournament.objects.update(stage="rated")
    rated = page(client, address(event))
    assert ("Hero, Hanna" in rated, "/crosstable/" in rated) == (True, True)
    assert client.get(f"/players/{hero.pk}/tournaments/").context["rows"] == []
    make.publish("rapid", date(2026, 2, 1))
    after = page(client, address(event))
    assert ("Hero, Hanna" in after, "/crosstable/" in after) == (True, True)


def test_public_history_omits_users_and_private_reasons(client: Client) -> None:
    tournament = make.tournament(registered_on=DAY - timedelta(days=40))
    for action, reason in (
        (Action.REGISTER, ""),
        (Action.REFUSE, "secret thoughts"),
        (Action.REPORT, ""),
        (Action.ALLOW, "other"),
    ):
        make.step(tournament, action, "registered", reason=reason, at=make.noon(DAY))
    answer = client.get(address(tournament))
    markup, events = answer.content.decode(), answer.context["events"]
    assert sum(event.at == make.noon(DAY) for event in events) == 2
    # Entered later than it was registered.
    assert events[0].at == tournament.registered_on
    assert ("secret thoughts" in markup, "submitted a report" in markup) == (False, False)


def test_standings_show_start_rating_change_and_performance(client: Client) -> None:
    month = make.play_month()
    event = month.tournaments[0]
    shown = rows(page(client, address(event)))[1:]
    towards = shown[1].pop(5)
    assert ("▲" in towards, "▼" in towards) == (False, False)
    assert shown == [
        ["1", "Hero, Hanna", "SUI", "1½", "1900", "▲ +4.8 gain", "1", "2500"],
        ["2", "Newcomer, Nora", "SUI", "½", "unrated", "1", "1900"],
        ["3", "Other, Otto 0", "SUI", "0", "1700", "▼ −4.8 loss", "1", "1100"],
    ]


def test_crosstable_names_opponents_by_the_ranks_of_its_rows(client: Client) -> None:
    month = make.play_month()
    event = month.tournaments[0]
    rating = address(event, "crosstable/")
    assert rows(page(client, rating)) == [
        ["Rank", "Name", "Rating", "Round 1", "Round 2", "Points", "Change"],
        [
            "1",
            "Hero, Hanna",
            "1900",
            "White 3 Other, Otto 0 1",
            "White 2 Newcomer, Nora ½",
            "1½",
            "▲ +4.8 gain",
        ],
        ["2", "Newcomer, Nora", "–", "", "Black 1 Hero, Hanna ½", "½", "–"],
        ["3", "Other, Otto 0", "1700", "Black 1 Hero, Hanna 0", "", "0", "▼ −4.8 loss"],
    ]
    # A report without the ranks of all: by the starting ranks, which have a column then.
    Participant.objects.filter(number=2).update(rank=None)
    assert [row[:5] for row in rows(page(client, rating))] == [
        ["Rank", "No.", "Name", "Rating", "Round 1"],
        ["1", "1", "Hero, Hanna", "1900", "White 2 Other, Otto 0 1"],
        ["2", "3", "Newcomer, Nora", "–", ""],
        ["–", "2", "Other, Otto 0", "1700", "Black 1 Hero, Hanna 0"],
    ]


def test_tournament_has_a_summary(client: Client) -> None:
    month = make.play_month()
    summary = client.get(address(month.tournaments[0])).context["summary"]
    # The game of the hero (1900) against the newcomer counts towards the newcomer's initial rating.
    assert (summary.average, summary.games, summary.unrated) == (1800, 2, 1)
    (board,) = client.get(address(month.tournaments[0], "rounds/2/")).context["round"].boards
    assert board.reasons == {board.white.number: "unrated-opponent-7.3.1"}


@pytest.mark.slow
def test_objections_are_offered_until_their_last_day(client: Client) -> None:
    event = make.play_month().tournaments[0]
    form, today = f'href="{reverse("chess:result", args=[event.event_id])}"', timezone.now().date()
    for days, is_offered in ((DAYS_TO_OBJECT, True), (DAYS_TO_OBJECT + 1, False)):
        Report.objects.update(accepted_on=today - timedelta(days=days))
        markup = page(client, address(event))
        assert (form in markup, "data-ended=" in markup) == (is_offered, not is_offered)
    # A corrected report is objected to from its own acceptance.
    first, corrected = Report.objects.get(), Report.objects.get()
    corrected.pk, corrected.version, corrected.state, corrected.accepted_on = None, 2, "checked", today
    corrected.save()
    reports = {"old_report": first, "new_report": corrected}
    correction = Correction.objects.create(tournament=event, **reports, at=timezone.now(), reason="x")
    assert "data-ended=" not in page(client, address(event))
    correction.delete()
    # In its place: whom a reader's claim waits for.
    Report.objects.update(accepted_on=today)
    claim = make.claim(state="waiting")
    client.force_login(claim.asked_by)
    answer = client.get(address(event))
    assert (answer.context["claim_waits_for"], form in answer.content.decode()) == (
        claim.player.federation.shown_name,
        False,
    )


def test_large_tournament_has_pages_and_shows_the_marked_player(client: Client) -> None:
    first = make.rating_list()
    hero = make.entry(rating_list=first).player
    crowd = make.PlayerFactory.create_batch(120)
    event = make.tournament()
    make.play_and_rate(event, [hero, *crowd], [(1, 1, 2, "1-0")])
    make.publish("rapid", date(2026, 2, 1))
    assert len(rows(page(client, address(event)))) == 101
    second = page(client, address(event, "?page=2"))
    assert (len(rows(second)), "101 to 121 of 121" in text_of(second)) == (22, True)
    marked = page(client, address(event, "?mark=121"))
    assert '"n121" aria-current="true"' in marked
    for number in ("3", "0", "x"):
        assert client.get(address(event, f"?page={number}")).status_code == 404
    assert client.get(address(event, "?mark=" + "9" * 40)).status_code == 200


@pytest.mark.slow
def test_correction_is_shown_with_the_list_of_its_adjustments(client: Client) -> None:
    month = make.play_month()
    event = month.tournaments[0]
    on = date(2026, 2, 10)
    reason = "Played with other rules."
    make.correct_report(event, None, reason=reason, on=on)
    markup = page(client, address(event))
    assert ('data-state="withdrawn"' in markup, 'data-list="2026-03-01"' in markup) == (True, True)
    assert f"Hero, Hanna {reason} March 2026 provisional ▼ −4.8 loss" in text_of(markup)
    assert not client.get(f"/players/{month.hero.pk}/").context["coming"]
    update_next_list("rapid", at=make.noon(on))
    answer = client.get(f"/players/{month.hero.pk}/")
    (coming,) = answer.context["coming"]
    assert (coming.row.new_rating, coming.change, coming.correction) == (1900, -480, -480)
    markup = answer.content.decode()
    assert f"{event.name} : {reason}" in text_of(markup)
    assert f'<a href="/tournaments/{event.event_id}/">{event.name}</a>' in markup
    assert ("D-11", "▼ −4.8 loss") in lines(page(client, f"/players/{month.hero.pk}/rapid/next/?articles=1"))
    make.publish("rapid", date(2026, 3, 1))
    markup = page(client, address(event))
    assert [row[0] for row in rows(markup, table=1)[1:]] == ["Hero, Hanna", "Newcomer, Nora", "Other, Otto 0"]
    assert rows(markup, table=1)[1][1:] == [reason, "March 2026", "▼ −4.8 loss"]
    shown = lines(page(client, f"/players/{month.hero.pk}/rapid/2026-03-01/?articles=1"))
    amounts = [amount for _articles, amount in shown]
    assert [one for one in ("+4.8", "0.0", "▼ −4.8 loss") if one not in amounts] == []
    assert shown[-1] == ("D-11", "1900")


@pytest.mark.parametrize("event_id", ["NO-SUCH", "a" * 41, "%00", "%0A", "x%2Fy"])
def test_unknown_tournament_is_a_404(client: Client, event_id: str) -> None:
    assert client.get(f"/tournaments/{event_id}/").status_code == 404


def test_issues_of_the_published_report_are_counted(client: Client) -> None:
    event = make.play_month().tournaments[0]
    address = f"/tournaments/{event.event_id}/report/"
    confirmed = "The arbiter confirms it."
    found = client.get(address).context["findings"]
    assert (found.errors, found.warnings, found.notices) == (0, 0, 0)
    Report.objects.filter(tournament=event).update(
        findings=[{"severity": "warning"}, {"severity": "warning"}, {"severity": "notice"}],
        acknowledgement=confirmed,
    )
    answer = client.get(address)
    found = answer.context["findings"]
    assert (found.warnings, found.notices, found.is_acknowledged) == (2, 1, True)
    assert confirmed not in answer.content.decode()


@pytest.fixture
def upcoming(monkeypatch: pytest.MonkeyPatch) -> Tournament:
    monkeypatch.setattr(timezone, "now", lambda: make.noon(date(2026, 1, 6)))
    return make.tournament(
        start=DAY,
        end=DAY,
        schedule=["2026-01-10"] * 3,
        round_times=["10:00", "", "12:30"],
        organiser="Club of Alphaville",
    )


def test_upcoming_tournament_says_when_who_plays_and_whom_to_ask(
    client: Client, upcoming: Tournament
) -> None:
    entry = make.entry(rating_list=make.rating_list(), rating=1812, player__name="Alder, Ada")
    TournamentEntry.objects.create(tournament=upcoming, player=entry.player)
    answer = client.get(address(upcoming))
    markup, context = answer.content.decode(), answer.context
    assert context["days"] == [(DAY, [(2, "1, 3", ["10:00", "12:30"]), (1, "2", [])])]
    assert [(one.player.name, one.highest) for one in context["entries"].players] == [("Alder, Ada", 1812)]
    assert [
        fact for fact in ("10:00, 12:30", "Alder, Ada", "1812", "Club of Alphaville") if fact not in markup
    ] == []
    assert 'data-contact="SUI"' in markup
    assert "mailto:" not in markup.partition("<main")[2]


def test_rounds_of_a_day_that_are_no_run_are_named_each(client: Client, upcoming: Tournament) -> None:
    Tournament.objects.update(schedule=["2026-01-10", "2026-01-11", "2026-01-10"], round_times=[])
    days = client.get(address(upcoming)).context["days"]
    assert [parts for _day, parts in days] == [[(2, "1, 3", [])], [(1, "2", [])]]


def test_upcoming_tournament_says_how_to_enter(client: Client, upcoming: Tournament) -> None:
    Tournament.objects.update(
        venue="Hall & <b>Co</b>",
        entry_url="https://club.example/?a=1&b=2",
        entry_email="o@club.example",
        entry_until=date(2026, 1, 8),
    )
    markup = page(client, address(upcoming))
    parts = (
        "query=Hall+%26+%3Cb%3ECo%3C%2Fb%3E%2C+Alphaville",
        'href="https://club.example/?a=1&amp;b=2" rel="nofollow noopener"',
        'href="mailto:o@club.example"',
        "Thu 8 Jan 2026",
    )
    assert [part for part in parts if part not in markup.replace("\xa0", " ")] == []
    assert "data-contact" not in markup


def test_ranks_follow_the_points_where_they_did_before_the_correction() -> None:
    stated = [Participant(number=number, rank=number, half_points=6 - number) for number in (1, 2, 3)]
    assert events.is_by_points([(1, 5), (2, 4), (None, 9), (3, 3)])

    stated[2].half_points = 5
    assert not events.is_by_points([(1, 5), (2, 4), (3, 5)])
    events.rank_by_points(stated)

    # Of equal points the one who stood higher.
    assert [one.rank for one in stated] == [1, 3, 2]
