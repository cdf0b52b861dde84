"""D-134: a list is judged before it is committed: stopped, explained by a person, published; or not at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from importlib import import_module
from typing import Any

import pytest
import time_machine
from django.test import Client

from core.digests import sha256_of
from players.models import Notice, Player
from players.models.log import LogEntry
from portal.health import _warnings as health_warnings
from ratings import runs, tasks
from ratings.choices import RunState, Work
from ratings.due_runs import RUNS
from ratings.judgements import stopped_lists
from ratings.ledger import periods as ledger_periods
from ratings.models import (
    Calculation,
    Explanation,
    Judgement,
    ListEntry,
    RatingList,
    Run,
    TournamentRating,
)
from ratings.publish import judging
from ratings.publish.figures import figures_of_stored, fill_figures
from ratings.publish.judging import StoppedError, bar_to_explain, explain
from ratings.publish.manifest import canonical_json
from ratings.publish.publish import publish_list, publish_lists
from ratings.rate import rate_report
from ratings.systems.judgement import Came, Left, ListFigures, Seen, Source, Stop, Unit
from ratings.systems.otb.period import PeriodResult, calculate
from tests import make
from tests.codes import codes_of_messages, refusal
from tournaments.models import Game, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page]
FEBRUARY = date(2026, 2, 1)
CODE = "federation-newcomers:SUI"
MANY = 52
NEW = range(2001, 2001 + MANY)
REASON = "The school league was rated for the first time."


@pytest.fixture
def flood() -> Tournament:
    """A month in which 52 newcomers of one federation play five games each against five rated players."""
    make.first_list({**{1001 + place: 1700 + place for place in range(5)}, **dict.fromkeys(NEW)})
    make.rating_list(kind="blitz")
    pairings = [
        (round_ + 1, 6 + place, number, "1/2" if place % 3 else "1-0")
        for place in range(MANY)
        for round_, number in enumerate(range(1, 6))
    ]
    event = make.tournament(event_id="SUI-FLOOD")
    make.play_and_rate(event, list(Player.objects.order_by("pk")), pairings)
    return event


def stopped() -> StoppedError:
    """Return why the list of February is not published."""
    with pytest.raises(StoppedError) as error:
        make.publish("rapid", FEBRUARY)
    return error.value


def seen_in_rapid() -> Seen:
    """Return the figure that stops the rapid list as it is stored."""
    return Judgement.objects.get(kind="rapid", date=FEBRUARY).stops[0].seen


@pytest.mark.database
def test_d_134_figure_out_of_bounds_stops_the_list_and_leaves_nothing_of_it(flood: Tournament) -> None:
    error = stopped()

    assert [(stop.code, stop.value, stop.high) for stop in error.open_stops] == [(CODE, MANY, 50)]
    (stop,) = error.stops
    assert (stop.events, len(stop.players), {one.before for one in stop.players}) == (
        ("SUI-FLOOD",),
        20,
        {None},
    )
    assert not RatingList.objects.filter(date=FEBRUARY).exists()
    assert not ListEntry.objects.filter(rating_list__date=FEBRUARY).exists()
    assert not Calculation.objects.exists()
    flood.refresh_from_db()
    assert flood.stage == "rated"
    (row,) = stopped_lists()
    assert (row.kind, row.date, row.stops, row.rating_list_id) == ("rapid", FEBRUARY, [stop], None)


def test_d_134_command_ends_with_1_until_each_figure_is_explained(flood: Tournament) -> None:
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("publish_lists", "2026-02-01")
    answer = refused.value.args[0]
    assert [(row["kind"], row["code"], row["value"], row["high"]) for row in answer["stops"]] == [
        ("rapid", CODE, MANY, 50)
    ]
    assert answer["codes"] == ["out-of-bounds-D-134"]
    # The other list does not wait for it.
    assert [row["kind"] for row in answer["published"]] == ["blitz"]
    with pytest.raises(make.RefusedCommandError):
        make.run("publish_lists", "2026-02-01", "--explain", "games", REASON)

    done = make.run("publish_lists", "2026-02-01", "--explain", CODE, REASON)

    assert [(row["kind"], row["new"]) for row in done["published"]] == [("rapid", True), ("blitz", False)]
    assert make.run("publish_lists", "2026-02-01", "--explain", CODE, REASON)["published"][0]["new"] is False
    rating_list = RatingList.objects.get(kind="rapid", date=FEBRUARY)
    (entry,) = rating_list.manifest["explanations"]
    assert (entry["figure"], entry["value"], entry["high"], entry["reason"]) == (CODE, MANY, 50, REASON)
    assert entry["by"].endswith("(command)")
    assert sha256_of(canonical_json(rating_list.manifest)) == rating_list.manifest_sha256
    assert judging.second_engine_differences(rating_list) == []
    assert not stopped_lists().exists()


def test_d_134_manifest_without_explanations_is_as_it_was(db: None) -> None:
    month = make.play_month()
    assert month.published is not None
    assert "explanations" not in month.published.manifest
    assert month.published.judgement.stops == []


def test_d_134_schedule_is_stopped_says_so_everywhere_and_publishes_when_explained(
    flood: Tournament, client: Client, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    staff, chair = (make.person(role) for role in ("staff", "qc"))
    at = datetime(2026, 2, 1, 0, 10, tzinfo=UTC)
    with time_machine.travel(at), django_capture_on_commit_callbacks():
        tasks.publish_due_lists()
    with pytest.raises(StoppedError):
        runs.perform(Work.PUBLISH, "rapid 2026-02-01", at=at)
    assert runs.perform(Work.PUBLISH, "blitz 2026-02-01", at=at)

    run = Run.objects.get(work=Work.PUBLISH, subject="rapid 2026-02-01")
    # A person has to act: no sweep tries it again.
    assert (run.state, RUNS.is_tried_again(run)) == (RunState.FAILED, False)
    mails = Notice.objects.filter(key__startswith="stopped:rapid:2026-02-01")
    assert {mail.recipient for mail in mails} == {staff.email, chair.email}
    assert all("SUI-FLOOD" in mail.text and "52" in mail.text for mail in mails)
    assert health_warnings()["rapid 2026-02-01"].startswith("publication stopped")
    metrics = client.get("/metrics").content.decode()
    assert 'portal_lists_stopped{kind="rapid"} 1.0' in metrics
    assert 'portal_lists_stopped{kind="blitz"} 0.0' in metrics
    assert 'data-stopped="2026-02-01"' in client.get("/").content.decode()

    desk = Client()
    with time_machine.travel(datetime(2026, 2, 1, 9, 0, tzinfo=UTC)):
        desk.force_login(chair)
        page = desk.get("/desk/lists/2026-02-01/")
        assert f'data-figure="{CODE}" data-state="out"' in page.content.decode()
        form = {"kind": "rapid", "code": CODE, "value": str(MANY), "cause": seen_in_rapid()[2]}
        assert desk.post("/desk/lists/2026-02-01/", form | {"reason": REASON}).status_code == 302
        # The QC explains; staff publish.
        assert desk.post("/desk/lists/2026-02-01/", {"publish": "1"}).status_code == 403
        desk.force_login(staff)
        page = desk.get("/desk/lists/2026-02-01/")
        assert f'data-figure="{CODE}" data-state="explained"' in page.content.decode()
        assert desk.post("/desk/lists/2026-02-01/", {"publish": "1"}).status_code == 302
    assert runs.perform(Work.PUBLISH, "rapid 2026-02-01", at=datetime(2026, 2, 1, 9, 1, tzinfo=UTC))

    rating_list = RatingList.objects.get(kind="rapid", date=FEBRUARY)
    (entry,) = rating_list.manifest["explanations"]
    assert (entry["reason"], entry["by"]) == (REASON, chair.get_full_name() or chair.get_username())
    assert health_warnings().keys() == {"backup"}
    shown = client.get("/lists/rapid/2026-02-01/statistics/").content.decode()
    assert f'data-explained="{CODE}"' in shown
    assert 'data-judged="explained"' in shown
    (logged,) = LogEntry.objects.filter(action="explain")
    assert (logged.by, logged.subject) == (chair, "rapid 2026-02-01")


@pytest.mark.database
def test_d_134_explanation_of_another_value_does_not_count(flood: Tournament) -> None:
    stopped()
    user, (code, value, cause) = make.person("staff"), seen_in_rapid()
    seen = (code, value - 1, cause)
    with refusal() as refused:
        explain("rapid", FEBRUARY, seen, REASON, by=user, at=make.noon(FEBRUARY))
    assert refused.found == ["figure-changed"]
    with refusal() as refused:
        explain("rapid", FEBRUARY, seen_in_rapid(), "  ", by=user, at=make.noon(FEBRUARY))
    assert refused.found == ["reason-missing"]
    explain("rapid", FEBRUARY, seen_in_rapid(), REASON, by=user, at=make.noon(FEBRUARY))
    Explanation.objects.update(value=MANY + 1)
    assert [stop.code for stop in stopped().open_stops] == [CODE]


def test_d_134_explanation_of_other_players_or_ratings_does_not_count(flood: Tournament) -> None:
    """As many newcomers, of whom one has another rating than was seen, by page and by command."""
    staff = make.person("staff")
    stopped()
    explain("rapid", FEBRUARY, seen_in_rapid(), REASON, by=staff, at=make.noon(FEBRUARY))
    Game.objects.filter(round=1, white=6).update(white_code="0", black_code="1")
    TournamentRating.objects.all().delete()
    rate_report(flood.reports.get(), at=make.noon(flood.end))

    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("publish_lists", "2026-02-01", "--explain", CODE, REASON)

    assert [(row["code"], row["value"]) for row in refused.value.args[0]["stops"]] == [(CODE, MANY)]
    assert Notice.objects.filter(key__startswith="stopped:rapid:2026-02-01").count() == 2
    assert make.run("publish_lists", "2026-02-01", "--explain", CODE, REASON)["published"][0]["new"]


def test_d_131_figure_of_a_federation_is_not_explained_by_its_officer_where_another_could(
    flood: Tournament, client: Client
) -> None:
    stopped()
    chair, other = (make.person("qc") for _one in range(2))
    make.appointment(user=chair, role="officer", federation=flood.federation)
    address, desk = "/desk/lists/2026-02-01/", make.browser(chair)
    form = {
        "kind": "rapid", "code": CODE, "value": str(MANY), "cause": seen_in_rapid()[2], "reason": REASON,
    }  # fmt: skip
    with time_machine.travel(make.noon(FEBRUARY)):
        shown = desk.get(address)
        assert [row.bar.code for row in shown.context["lists"][0]["rows"] if row.bar] == ["own-matter-D-131"]
        assert 'name="reason"' not in shown.content.decode()
        assert codes_of_messages(desk.post(address, form, follow=True)) == ["own-matter-D-131"]
        # Figures of the whole list are nobody's own.
        assert bar_to_explain(chair, Stop("newcomers", MANY, Unit.NUMBER)) is None
        other.is_active = False
        other.save()
        desk.post(address, form)
    make.publish("rapid", FEBRUARY)
    assert RatingList.objects.get(kind="rapid", date=FEBRUARY).manifest["explanations"][0]["alone"]
    assert LogEntry.objects.filter(action="alone", subject="rapid 2026-02-01", by=chair).exists()
    for page in (desk.get(address), client.get("/lists/rapid/2026-02-01/statistics/")):
        assert "(decided by one person alone)" in " ".join(page.content.decode().split())


def test_d_134_same_stop_is_mailed_once(flood: Tournament) -> None:
    make.appointment(role="staff")
    stopped()
    stopped()
    assert Notice.objects.filter(key__startswith="stopped:").count() == 1


def test_d_134_difference_planted_into_the_engine_stops_and_cannot_be_explained(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    month = make.play_month(is_published=False)

    def calculate_wrongly(period: Any) -> PeriodResult:
        result = calculate(period)
        return result._replace(rating=result.rating + 900) if result.rating else result

    monkeypatch.setattr(ledger_periods, "calculate", calculate_wrongly)
    given = {"move-over-400": REASON, "second-engine": REASON, "federation-newcomers:SUI": REASON}
    with pytest.raises(StoppedError) as error:
        publish_list("rapid", make.NEXT_LIST, by=None, at=make.noon(make.NEXT_LIST))
    assert [(stop.code, len(stop.players)) for stop in error.value.open_stops] == [("move-over-400", 2)]
    assert str(month.hero.pk) in {one[0] for one in error.value.differences}
    make.rating_list(kind="blitz")
    with refusal() as again:
        publish_lists(make.NEXT_LIST, by=None, at=make.noon(make.NEXT_LIST), explanations=given)
    assert set(again.found) == {"second-engine-D-134"}
    monkeypatch.undo()
    assert make.publish("rapid", make.NEXT_LIST).listed == 2


def test_d_134_difference_planted_into_the_second_engine_alone_stops(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    make.play_month(is_published=False)
    second = import_module("tools.verify_list")
    monkeypatch.setattr(second.Text2024, "used_k", lambda self, listed: 10)
    with pytest.raises(StoppedError) as error:
        make.publish("rapid", make.NEXT_LIST)
    assert (error.value.stops, bool(error.value.differences)) == ((), True)
    assert Judgement.objects.get(kind="rapid", date=make.NEXT_LIST).differences


@pytest.mark.database
def test_d_134_figures_of_a_published_list_are_counted_again_from_its_rows(flood: Tournament) -> None:
    make.federation(code="GER")
    gone = make.entry(rating_list=RatingList.objects.get(kind="rapid"), player__federation_id="GER").player
    Player.objects.filter(pk=gone.pk).update(died_on=date(2026, 1, 5))
    stopped()
    explain("rapid", FEBRUARY, seen_in_rapid(), REASON, by=make.person("staff"), at=make.noon(FEBRUARY))
    publish_lists(FEBRUARY, by=None, at=make.noon(FEBRUARY))
    rating_list = RatingList.objects.get(kind="rapid", date=FEBRUARY)
    figures = rating_list.judgement.figures

    assert (figures.came, figures.left) == ({Came.FIRST: MANY}, {Left.DECEASED: 1})
    assert (figures.games, figures.whole.listed) == (5 * MANY, MANY + 5)
    assert sum(figures.points.values()) == figures.whole.points
    again = figures_of_stored(rating_list)
    again.rated, again.as_listed, again.repeated = figures.rated, figures.as_listed, figures.repeated
    assert again == figures
    Judgement.objects.filter(rating_list=rating_list).delete()
    assert fill_figures(at=make.noon(FEBRUARY)) == 1
    assert Judgement.objects.get(rating_list=rating_list).figures == figures_of_stored(rating_list)
    assert fill_figures(at=make.noon(FEBRUARY)) == 0


def test_d_134_imported_list_has_the_figures_that_it_says(db: None) -> None:
    first, second = make.rating_list(), make.rating_list(date=FEBRUARY)
    RatingList.objects.filter(pk=second.pk).update(previous=first)
    stays, leaves, comes = (make.player() for _one in range(3))
    make.entry(rating_list=first, player=stays, rating=1800)
    make.entry(rating_list=first, player=leaves, rating=1500)
    make.entry(rating_list=second, player=stays, rating=1812, games=5)
    make.entry(rating_list=second, player=comes, rating=1600)
    fill_figures(at=make.noon(FEBRUARY))

    figures: ListFigures = Judgement.objects.get(rating_list=second).figures
    assert (figures.came, figures.left) == ({Came.UNKNOWN: 1}, {Left.UNKNOWN: 1})
    assert figures.points == {Source.GAMES: 1200, Source.FIRST: 160_000, Source.LOST: -150_000}
    assert (figures.games, figures.whole.played, figures.whole.listed) == (None, 1, 2)
    first_figures: ListFigures = Judgement.objects.get(rating_list=first).figures
    assert (first_figures.whole.newcomers, first_figures.whole.listed) == (0, 2)


def test_d_134_second_engine_in_parts_finds_what_it_finds_as_a_whole(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(judging, "MAX_DIFFERENCES", 1000)
    month = make.play_month(size=6)
    assert month.published is not None
    entry = ListEntry.objects.get(rating_list=month.published, player=month.hero)
    found = judging.second_engine_differences(month.published)
    assert (found, entry.rating is not None) == ([], True)
    second = import_module("tools.verify_list")
    monkeypatch.setattr(second.Text2024, "used_k", lambda self, listed: 10)
    wrong = judging.second_engine_differences(month.published)
    monkeypatch.setattr(judging, "ROWS_AT_ONCE", 1000)
    monkeypatch.setattr(second.PlainLines, "without", lambda self, *contents: contents)
    assert sorted(wrong) == sorted(judging.second_engine_differences(month.published)) != []
