"""The entry list of a tournament: saved as a whole by those who report it, and carried along by mergers."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest
from django.db import connection

from players.merging import merge_players
from players.models import LogEntry
from tests import make
from tests.codes import refusal
from tests.log import steps
from tests.tournaments.test_at_once import both
from tournaments.changed_fields import shown_changes
from tournaments.choices import Action
from tournaments.entries import MAX_ENTRIES, entered_ids, public_entry_counts, save_entries
from tournaments.models import NamedArbiter, Tournament, TournamentEntry
from tournaments.qc import decide

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def coming() -> Tournament:
    federation = make.federation(code="SUI")
    for fide_id in range(101, 106):
        make.player(fide_id=fide_id, name=f"Player {fide_id}", federation=federation)
    return make.tournament(federation=federation, start=date(2026, 3, 14))


@pytest.fixture
def officer(coming: Tournament) -> Any:
    return make.person("officer", coming.federation)


def test_the_whole_list_is_replaced_and_the_log_says_what_changed(coming: Tournament, officer: Any) -> None:
    save_entries(coming, [101, 102, 102], by=officer, at=NOW)
    changes = save_entries(coming, [103, 102], by=officer, at=NOW)

    assert (entered_ids(coming), changes.added, changes.removed) == ([102, 103], [103], [101])
    steps = LogEntry.objects.filter(tournament=coming).order_by("pk")
    assert [(step.action, step.by, step.changes) for step in steps] == [
        (Action.ENTER, officer, [{"field": "entries", "before": [], "after": [101, 102]}]),
        (Action.ENTER, officer, [{"field": "entries", "before": [101], "after": [103]}]),
    ]
    assert [(one.before, one.after) for one in shown_changes(steps[1].changes)] == [("101", "103")]


def test_the_log_shows_the_first_of_many_ids() -> None:
    step = LogEntry(changes=[{"field": "entries", "before": [], "after": [*range(1, 43)]}])
    assert [(one.before, one.after) for one in shown_changes(step.changes)] == [
        ("–", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 32 more")
    ]


@pytest.mark.parametrize("again", [[101, 102], [102, 101, 101], [101, 102, 77]])
def test_the_same_list_again_changes_nothing(coming: Tournament, officer: Any, again: list[int]) -> None:
    make.player(fide_id=77, merged_into_id=101)
    save_entries(coming, [101, 102], by=officer, at=NOW)
    before = list(TournamentEntry.objects.values_list("pk", flat=True))

    assert not save_entries(coming, again, by=officer, at=NOW)
    assert list(TournamentEntry.objects.values_list("pk", flat=True)) == before
    assert steps().count() == 1


def test_an_empty_list_removes_all(coming: Tournament, officer: Any) -> None:
    save_entries(coming, [101], by=officer, at=NOW)
    assert save_entries(coming, [], by=officer, at=NOW).removed == [101]
    assert entered_ids(coming) == []


@pytest.mark.parametrize(
    ("ids", "code"),
    [
        ([101, 999], "unknown"),
        ([0], "unknown"),
        ([101, 105], "deceased"),
        (range(1, MAX_ENTRIES + 2), "too-many"),
    ],
)
def test_a_wrong_list_is_refused_as_a_whole(
    coming: Tournament, officer: Any, ids: list[int], code: str
) -> None:
    coming.entries.create(player_id=104)
    make.player(fide_id=106, merged_into_id=101)
    type(coming.entries.get().player).objects.filter(pk=105).update(died_on=date(2026, 2, 1))
    with refusal() as codes:
        save_entries(coming, ids, by=officer, at=NOW)
    assert (codes.found, entered_ids(coming), steps().count()) == ([code], [104], 0)


@pytest.mark.parametrize(
    ("values", "is_open"),
    [
        ({}, True),
        ({"registration": "waiting"}, True),
        ({"registration": "approved"}, True),
        ({"registration": "refused"}, False),
        ({"registration": "withdrawn"}, False),
        ({"registration": "not-rated"}, False),
        ({"stage": "reported"}, False),
        ({"stage": "published"}, False),
    ],
)
def test_a_list_is_open_until_a_report_is_accepted(
    coming: Tournament, officer: Any, values: dict[str, str], is_open: bool
) -> None:
    Tournament.objects.filter(pk=coming.pk).update(**values)
    if is_open:
        assert save_entries(coming, [101], by=officer, at=NOW)
        return
    with refusal() as codes:
        save_entries(coming, [101], by=officer, at=NOW)
    assert codes.found == ["wrong-state"]


@pytest.mark.parametrize(
    ("role", "is_official", "is_allowed"),
    [
        ("officer", False, True),
        ("officer", True, False),
        ("staff", False, True),
        ("staff", True, True),
        ("arbiter", False, True),
        ("qc", False, False),
        ("auditor", False, False),
    ],
)
def test_those_who_report_the_tournament_save_its_list(
    coming: Tournament, role: str, is_official: bool, is_allowed: bool
) -> None:
    Tournament.objects.filter(pk=coming.pk).update(is_official=is_official)
    coming.refresh_from_db()
    of_federation = {} if role in ("staff", "qc", "auditor") else {"federation": coming.federation}
    user = make.appointment(role=role, **of_federation).user
    if role == "arbiter":
        NamedArbiter.objects.create(tournament=coming, user=user, named_at=NOW)
    if is_allowed:
        assert save_entries(coming, [101], by=user, at=NOW)
        return
    with refusal() as codes:
        save_entries(coming, [101], by=user, at=NOW)
    assert codes.found == ["not-yours"]


@pytest.mark.parametrize("role", ["officer", "arbiter"])
def test_another_federation_is_refused(coming: Tournament, role: str) -> None:
    other = make.person(role, "AUT")
    with refusal() as codes:
        save_entries(coming, [101], by=other, at=NOW)
    assert codes.found == ["not-yours"]


def test_a_merger_carries_entries_along_and_enters_nobody_twice(coming: Tournament, officer: Any) -> None:
    other = make.tournament(federation=coming.federation)
    save_entries(coming, [101, 102, 103], by=officer, at=NOW)
    save_entries(other, [101, 104], by=officer, at=NOW)
    players = {row.player_id: row.player for row in TournamentEntry.objects.select_related("player")}
    for player in players.values():
        player.name, player.birth_year = "Same Name", 1990
        player.save()

    staff = make.person("staff")
    merge_players(players[101], into=players[102], reason="One person", by=staff, at=NOW)

    assert (entered_ids(coming), entered_ids(other)) == ([102, 103], [102, 104])


def test_entries_neither_bar_a_withdrawal_nor_are_shown_after_it(coming: Tournament, officer: Any) -> None:
    save_entries(coming, [101], by=officer, at=NOW)
    assert public_entry_counts([coming]) == {coming.pk: 1}

    decide(coming, Action.WITHDRAW, reason="No venue", by=officer, at=NOW)

    coming.refresh_from_db()
    assert (coming.registration, public_entry_counts([coming])) == ("withdrawn", {})


@pytest.mark.django_db(transaction=True)
def test_two_lists_saved_at_once_are_not_mixed(coming: Tournament, officer: Any) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    save_entries(coming, [101], by=officer, at=NOW)
    lists = ([102, 103], [104, 105])

    assert both(*(partial(save_entries, coming, ids, by=officer, at=NOW) for ids in lists)) == ["", ""]

    assert entered_ids(coming) in lists
    assert LogEntry.objects.filter(action=Action.ENTER).count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_list_saved_while_players_are_merged_has_the_present_id(coming: Tournament, officer: Any) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    going, staying = make.PlayerFactory.create_batch(
        2, name="Same Name", birth_year=1990, federation=coming.federation
    )
    staff = make.person("staff")

    refused = both(
        partial(save_entries, coming, [101, going.pk], by=officer, at=NOW),
        partial(merge_players, going, into=staying, reason="One person", by=staff, at=NOW),
    )

    assert (refused, entered_ids(coming)) == (["", ""], sorted([101, staying.pk]))
