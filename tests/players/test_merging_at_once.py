"""Merges of FIDE IDs at the same moment: each ID leads on to one person, and never in a circle."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from core.errors import RefusedError
from players.cases import decide
from players.choices import CaseState
from players.merging import merge_players
from players.models import Player, Transfer
from players.transfers import ask_transfer
from ratings.models import Correction, Merger, RatingList
from ratings.publish.publish import publish_list
from ratings.runs import perform_now
from tests import make
from tests.clean import clean
from tests.players.test_at_once import at_once
from tests.trf_files import Event
from tournaments.models import Report
from tournaments.reports import accept_report, upload_report

NOW = datetime(2026, 1, 20, 9, 30, tzinfo=UTC)
NEXT = date(2026, 2, 1)
# Records that differ take a second person.
NAME = "Alder, Ada"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("several_writers")]


@pytest.fixture
def merge() -> Callable[[Player, Player], Callable[[], Any]]:
    """Return a function that makes an act: whether the merge was done, or the key of the refusal."""
    staff = make.person("staff")

    def act_of(player: Player, into: Player) -> Callable[[], Any]:
        def act() -> Any:
            try:
                return merge_players(player, into=into, reason="One person.", by=staff, at=NOW)
            except RefusedError as error:
                return error.refusals[0].code

        return act

    return act_of


def successors(*players: Player) -> list[int | None]:
    found = Player.objects.in_bulk([one.pk for one in players])
    return [found[one.pk].merged_into_id for one in players]


def test_one_merge_asked_for_twice_at_once_is_made_once(merge: Callable[..., Any]) -> None:
    old, new = make.entry(player__name=NAME).player, make.player(name=NAME)

    done = at_once([merge(old, new)] * 3)

    assert sorted(done) == [False, False, True]
    assert (Correction.objects.count(), sorted(Merger.objects.values_list("kind", flat=True))) == (
        1,
        ["blitz", "rapid"],
    )


def test_two_ids_merged_into_each_other_at_once_make_no_circle(merge: Callable[..., Any]) -> None:
    one, other = make.player(name=NAME), make.player(name=NAME)

    done = at_once([merge(one, other), merge(other, one)])

    assert sorted(str(item) for item in done) in (["True", "merged"], ["True", "merged-already"])
    assert sorted(successors(one, other), key=str) in ([other.pk, None], [one.pk, None])


def test_chain_merged_at_once_leads_to_its_end_by_one_step(merge: Callable[..., Any]) -> None:
    first, second, third = (make.player(name=NAME) for _ in range(3))

    done = at_once([merge(first, second), merge(second, third)])

    if done == [True, True]:
        assert successors(first, second, third) == [third.pk, third.pk, None]
    else:
        assert done == ["merged", True]
        assert successors(first, second, third) == [None, third.pk, None]


def test_merge_at_the_moment_of_a_transfer_ends_with_either_first(merge: Callable[..., Any]) -> None:
    """A merge locks the player and then the case; who decided locked the case first, and both waited for ever."""
    swiss, austria = make.federation(code="SUI"), make.federation(code="AUT")
    asks, answers = make.person("officer", swiss), make.person("officer", austria)
    for _ in range(5):
        old, new = make.player(name=NAME, federation=swiss), make.player(name=NAME, federation=austria)
        transfer = ask_transfer(old, to=austria, by=asks, at=NOW)

        def agree(transfer: Transfer = transfer) -> bool:
            return decide(transfer, CaseState.APPROVED, by=answers, at=NOW)

        agreed, _merged = at_once([agree, merge(old, new)])

        transfer.refresh_from_db()
        assert transfer.state == (CaseState.APPROVED if agreed else CaseState.WITHDRAWN)


def test_merge_while_a_list_is_published_is_taken_by_this_list_or_the_next(merge: Callable[..., Any]) -> None:
    """One of both IDs is listed, never both and never none."""
    first = make.rating_list(date=date(2026, 1, 1))
    old = make.entry(rating_list=first, rating=1900, player__name=NAME).player
    new = make.player(name=NAME)

    done = at_once([merge(old, new), lambda: publish_list("rapid", NEXT, by=None, at=make.noon(NEXT))])
    publish_list("rapid", date(2026, 3, 1), by=None, at=make.noon(date(2026, 3, 1)))

    assert done[0]
    listed = [
        list(item.entries.values_list("player", "rating"))
        for item in RatingList.objects.filter(origin="published").order_by("date")
    ]
    assert listed[0] in ([(old.pk, 1900)], [(new.pk, 1900)])
    assert listed[1] == [(new.pk, 1900)]


def listed_after(do: Callable[[list[Callable[[], Any]]], Any]) -> dict[str, str]:
    """Let `do` merge a player and accept a report that names the old ID; return the files of the list by name."""
    clean()
    swiss = make.federation(code="SUI")
    first = make.rating_list(date=date(2026, 1, 1))
    names = ((1_300_001, NAME), (1_300_002, "Birch, Ben"), (1_300_003, "Cedar, Cleo"))
    old, *_ = people = [make.player(fide_id=number, name=name, federation=swiss) for number, name in names]
    for player, rating in zip(people, (1900, 1850, 1800), strict=True):
        make.entry(rating_list=first, player=player, rating=rating)
    new = make.player(fide_id=1_300_009, name=NAME, federation=swiss)
    tournament = make.tournament(event_id="SUI-OPEN", federation=swiss, name="Open of Alphaville")
    rounds = [[(1, 2, "1-0")], [(2, 3, "1/2")], [(3, 1, "0-1")]]
    content = Event([*names], rounds, round_dates=["26/01/10"] * 3).content()
    on = NOW.date()
    report = upload_report(tournament, content, file_name="open.trf", by=None, on=on, at=NOW)
    staff = make.person("staff")

    def merge() -> Any:
        return merge_players(Player.objects.get(pk=old.pk), into=new, reason="One person.", by=staff, at=NOW)

    def accept() -> Any:
        seen = Report.objects.get(pk=report.pk)
        return accept_report(seen, acknowledgement="Compared.", by=staff, on=on, at=NOW, dispatch=perform_now)

    do([merge, accept])
    published = publish_list("rapid", NEXT, by=None, at=make.noon(NEXT)).rating_list
    assert [*published.entries.filter(player__in=[old, new]).values_list("player", "games")] == [(new.pk, 2)]
    return dict(published.files.values_list("path", "sha256"))


def test_d_1_a_merge_and_an_acceptance_at_once_give_the_same_list_as_one_after_the_other() -> None:
    """The person has all games, and opponents met the rating of the ID that the report names, in any order."""
    merged_first = listed_after(lambda acts: [act() for act in acts])
    assert merged_first
    assert listed_after(lambda acts: [act() for act in reversed(acts)]) == merged_first
    for _ in range(5):
        assert listed_after(at_once) == merged_first
