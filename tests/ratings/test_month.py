"""A month from reports to lists, by the commands, as an officer's scripts would run it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from players.models import FederationExclusion, Player
from ratings.models import Calculation, ListEntry, ListFile
from tests import make
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS, entry_of, publish
from tests.trf_files import Event
from tournaments.choices import Registration, Stage
from tournaments.models import Game, Report, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]


def test_submitted_report_is_accepted_rated_and_has_a_list(month: Any) -> None:
    tournament = Tournament.objects.get()
    assert month == {
        "accepted": True,
        "reasons": [],
        "codes": [],
        "warnings": [],
        "tournament": tournament.event_id,
        "list": "2026-02-01",
    }
    assert (tournament.registration, tournament.stage) == (Registration.REGISTERED, Stage.RATED)
    assert Game.objects.filter(is_played=True).count() == 15


def test_same_report_again_changes_nothing(month: Any) -> None:
    assert make.submit(Event(PLAYERS, ALL_PLAY)) == month
    assert (Report.objects.count(), Tournament.objects.count()) == (1, 1)
    publish("2026-02-01")
    assert make.submit(Event(PLAYERS, ALL_PLAY)) == month
    assert Report.objects.count() == 1


def test_new_version_replaces_the_former_until_it_is_published(month: Any) -> None:
    changed = [*ALL_PLAY[:4], [(3, 6, "1-0"), (4, 2, "0-1"), (5, 1, "0-1")]]
    event_id = ["--event-id", Tournament.objects.get().event_id]
    make.submit(Event(PLAYERS, changed), *event_id)
    assert list(Report.objects.order_by("version").values_list("version", "state")) == [
        (1, "replaced"),
        (2, "accepted"),
    ]
    publish("2026-02-01")
    with pytest.raises(make.RefusedCommandError, match="D-11"):
        make.submit(Event(PLAYERS, ALL_PLAY[:4]), *event_id)


def test_0_2_late_registration_needs_the_reason_with_which_the_qc_allows_it() -> None:
    make.first_list(FIRST)
    event = Event(PLAYERS, ALL_PLAY)
    with pytest.raises(make.RefusedCommandError) as refused:
        make.submit(event, registered="2026-01-08")
    assert refused.value.args[0]["accepted"] is False
    assert not Tournament.objects.exists()
    assert make.submit(event, "--qc-approved", "venue moved", registered="2026-01-08")["accepted"] is True
    assert Tournament.objects.get().registration == Registration.APPROVED


def test_0_2_three_days_before_the_start_is_in_time() -> None:
    make.first_list(FIRST)
    assert make.submit(Event(PLAYERS, ALL_PLAY), registered="2026-01-07")["accepted"] is True


@pytest.mark.parametrize(
    ("event", "extra", "days", "said"),
    [
        (Event(PLAYERS, ALL_PLAY), [], {"registered": "2026-01-11"}, "0.2"),
        (Event(PLAYERS, ALL_PLAY), ["--qc-approved", "x"], {"registered": "2026-01-11"}, "0.2"),
        (Event(PLAYERS, ALL_PLAY), ["--time-control", "90+30"], {}, "1.1"),
        (Event(PLAYERS, ALL_PLAY), ["--time-control", "3+2"], {}, "1.1"),
        (Event(PLAYERS, ALL_PLAY), ["--federation", "XYZ"], {}, "XYZ"),
        (
            Event(PLAYERS, ALL_PLAY, start="2021/12/30", end="2021/12/31"),
            [],
            {"registered": "2021-12-01"},
            "D-13",
        ),
        (Event(PLAYERS, [[(1, 2, "1-0")]] * 16, end="2026/01/10"), [], {}, "3.1"),
    ],
)
def test_rules_of_registration_and_report_refuse_and_write_nothing(
    event: Event, extra: list[str], days: dict[str, str], said: str
) -> None:
    make.first_list(FIRST)
    with pytest.raises(make.RefusedCommandError) as refused:
        make.submit(event, *extra, **days)
    answer = refused.value.args[0]
    assert any(said in words for words in (*answer["reasons"], *answer["codes"]))
    assert Game.objects.count() == 0


def test_6_1_3_tournament_that_ends_after_the_closing_date_goes_into_the_next_list() -> None:
    make.first_list(FIRST)
    event = Event(PLAYERS, ALL_PLAY, start="2026/01/29", end="2026/01/30")
    assert make.submit(event, submitted="2026-01-31")["list"] == "2026-03-01"


def test_6_1_3_official_event_may_end_on_the_day_before_the_list() -> None:
    make.first_list(FIRST)
    event = Event(PLAYERS, ALL_PLAY, start="2026/01/29", end="2026/01/31")
    assert make.submit(event, "--official", submitted="2026-01-31")["list"] == "2026-02-01"


def test_d_80_command_takes_no_waiver_without_the_consent_of_the_qc() -> None:
    make.first_list(FIRST)
    match = Event(PLAYERS[:2], [[(1, 2, "1-0")]] * 3, name="Match")
    with pytest.raises(make.RefusedCommandError) as refused:
        make.submit(match, "--match", "--match-waiver", "Letter 4")
    assert "waiting for the QC" in refused.value.args[0]["reasons"][0]
    assert Tournament.objects.get().match_waiver == ""
    make.submit(match, "--match", "--match-waiver", "Letter 4", "--qc-approved", "Asked in time.")
    assert Tournament.objects.get().match_waiver == "Letter 4"


def test_9_2_deceased_player_leaves_the_list_with_the_next_one(month: Any) -> None:
    make.run("mark_player", "1002", "--died-on", "2026-01-25")
    publish("2026-02-01")
    assert entry_of(1002).status == "deceased"
    assert Calculation.objects.get(player=1002).result == "deceased-9.2"
    assert entry_of(1001).rating == 2007
    publish("2026-03-01")
    assert not ListEntry.objects.filter(player=1002, rating_list__date="2026-03-01").exists()
    assert make.run("verify_list", "rapid", "2026-02-01")["verified"] is True
    assert make.run("verify_list", "rapid", "2026-03-01")["verified"] is True


def test_d_19_who_dies_on_the_day_of_a_list_is_on_it_and_leaves_with_the_next(month: Any) -> None:
    Player.objects.filter(pk=1002).update(died_on="2026-02-01")
    publish("2026-02-01")
    assert entry_of(1002).status == "listed"
    publish("2026-03-01")
    assert entry_of(1002, "2026-03-01").status == "deceased"


def test_9_1_excluded_federation_is_withheld_and_comes_back(month: Any) -> None:
    """The tournament of 10 January began before the exclusion: it counts for what is kept (D-114)."""
    days = ["--excluded-from", "2026-01-31", "--until", "2026-03-01"]
    shown = make.run("mark_federation", "SUI", *days, "--dry-run")
    assert (shown["marked"], shown["listed"], shown["withheld"]) == (
        False,
        {"rapid": 5, "blitz": 0},
        {"rapid": 0, "blitz": 0},
    )
    assert not FederationExclusion.objects.exists()
    make.run("mark_federation", "SUI", *days)
    publish("2026-02-01")
    assert entry_of(1001).status == "withheld"
    assert entry_of(1001).rating == 2007
    shown = make.run("mark_federation", "SUI", *days, "--dry-run")
    assert (shown["listed"]["rapid"], shown["withheld"]["rapid"]) == (0, 6)
    publish("2026-03-01")
    assert (entry_of(1001, "2026-03-01").status, entry_of(1001, "2026-03-01").rating) == ("listed", 2007)
    assert make.run("verify_list", "rapid", "2026-02-01")["verified"] is True
    assert make.run("verify_list", "rapid", "2026-03-01")["verified"] is True


def test_order_of_submission_makes_no_difference(request: Any) -> None:
    """The same two events the other way round give the same bytes."""
    events = [
        Event(PLAYERS, ALL_PLAY[:3], name="First of Alphaville"),
        Event(PLAYERS, ALL_PLAY[3:], name="Second of Betatown"),
    ]
    hashes = []
    for order in (events, events[::-1]):
        with transaction.atomic():
            make.first_list(FIRST)
            make.first_list({}, kind="blitz")
            for event in order:
                make.submit(event)
            publish("2026-02-01")
            hashes.append(
                list(
                    ListFile.objects.order_by("rating_list__kind", "format").values_list("sha256", flat=True)
                )
            )
            assert Player.objects.count() == 6
            transaction.set_rollback(True)
    assert hashes[0] == hashes[1]


def test_d_76_report_is_in_time_until_the_third_list_is_published() -> None:
    days = ("2026-04-01", "2026-04-02")
    for kind in ("rapid", "blitz"):
        make.first_list(FIRST if kind == "rapid" else {}, kind=kind)
    for on in ("2026-02-01", "2026-03-01"):
        publish(on)
    for day in days:
        with transaction.atomic():
            assert make.submit(Event(PLAYERS, ALL_PLAY), submitted=day)["accepted"] is True
            transaction.set_rollback(True)
    publish("2026-04-01")
    for day in days:
        with transaction.atomic():
            with pytest.raises(make.RefusedCommandError, match="third list"):
                make.submit(Event(PLAYERS, ALL_PLAY), submitted=day)
            transaction.set_rollback(True)
