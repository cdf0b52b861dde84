"""Rows of players, federations, exclusions, appointments and fees leave an entry in the log for each change."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db.models.signals import post_delete

from core.append_only import AppendOnlyError
from players.models import FederationExclusion, LogEntry, Player
from ratings.models import FeeRate, ListEntry
from tests import make

pytestmark = pytest.mark.page
AT = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


def entries(area: str) -> list[Any]:
    """Return the entries of an area: what, about what, and which fields changed."""
    found = LogEntry.objects.filter(area=area).order_by("pk")
    return [
        (one.action, one.subject, [tuple(change.values()) for change in one.changes], one.by, one.reason)
        for one in found
    ]


def test_each_change_of_a_player_is_logged_with_who_and_why(db: None) -> None:
    player, staff = make.player(name="Alder, Ada"), make.user()
    player.name, player.birth_date = "Birch, Ada", date(2001, 2, 3)

    player.save(by=staff, at=AT, reason="Marriage")
    player.save(by=staff, at=AT)

    added, edited = entries("player")
    assert added[0] == "added"
    assert ("name", None, "Alder, Ada") in added[2]
    changes = [("name", "Alder, Ada", "Birch, Ada"), ("birth_date", None, "2001-02-03")]
    assert edited == ("edited", f"Birch, Ada ({player.pk})", changes, staff, "Marriage")
    assert player.log_entries.count() == 2


def test_only_the_fields_that_are_saved_are_logged(db: None) -> None:
    player = make.player(name="Alder, Ada", title="")
    player.name, player.title = "Birch, Ada", "FM"

    player.save(update_fields=["title"], at=AT)

    assert [change["field"] for change in LogEntry.objects.get(action="edited").changes] == ["title"]


def test_a_change_is_against_what_is_stored(db: None) -> None:
    """Somebody else saved meanwhile: their change is not logged as one of this author."""
    player = make.player(name="Alder, Ada", title="")
    Player.objects.filter(pk=player.pk).update(name="Birch, Ada")
    player.title = "FM"

    player.save(at=AT)

    changes = LogEntry.objects.get(action="edited").changes
    assert changes == [
        {"field": "name", "before": "Birch, Ada", "after": "Alder, Ada"},
        {"field": "title", "before": "", "after": "FM"},
    ]


def test_what_is_deleted_is_logged_as_it_was(db: None) -> None:
    officer, staff = (
        make.appointment(role="officer", federation=make.federation(code="SUI")),
        make.user(),
    )

    officer.delete(by=staff, at=AT)

    gone = [("role", "officer", None), ("federation_id", "SUI", None)]
    assert entries("appointment")[-1] == ("deleted", "", gone, staff, "")
    assert LogEntry.objects.get(action="deleted").account == officer.user


def test_a_role_that_ends_with_its_account_is_logged(db: None) -> None:
    user = make.person("qc")
    number = user.pk

    user.delete()

    added, deleted = entries("appointment")
    assert (added[0], deleted[:2]) == ("added", ("deleted", f"#{number}"))


def test_federations_exclusions_and_fees_are_logged(db: None) -> None:
    swiss = make.federation(code="SUI", name="Switzerland")
    swiss.officer_name = "Alder, Ada"
    swiss.save(at=AT)
    excluded = FederationExclusion(federation=swiss, excluded_from=date(2026, 3, 1), recorded_at=AT)
    excluded.save(at=AT)
    rate = FeeRate(valid_from=date(2026, 1, 1), currency="EUR", per_tournament="50.00", per_player="1.00")
    rate.save(at=AT)

    assert entries("federation")[-1][1:3] == (
        "Switzerland (SUI)",
        [("officer_name", "", "Alder, Ada")],
    )
    assert entries("exclusion")[-1][:2] == ("added", "SUI 2026-03-01")
    assert entries("fee")[-1][:2] == ("added", "2026-01-01, EUR")


def test_an_entry_is_never_changed(db: None) -> None:
    make.player()
    entry = LogEntry.objects.get(area="player")

    with pytest.raises(AppendOnlyError):
        entry.save()
    with pytest.raises(AppendOnlyError):
        entry.delete()


def test_the_entry_stays_when_the_account_goes(db: None) -> None:
    who, player = make.user(), make.player(name="Alder, Ada")
    player.name = "Birch, Ada"
    player.save(by=who, at=AT)

    who.delete()

    assert LogEntry.objects.get(action="edited", area="player").by is None


def test_equal_amounts_are_no_change(db: None) -> None:
    rate = FeeRate.objects.create(
        valid_from=date(2026, 1, 1), currency="EUR", per_tournament=Decimal("50.00"), per_player=Decimal(1)
    )
    rate.per_tournament = Decimal(50)

    rate.save(at=AT)

    assert [entry[0] for entry in entries("fee")] == ["added"]


def test_a_row_that_is_there_is_changed_whoever_made_the_object(db: None) -> None:
    known = make.player(name="Alder, Ada")

    Player(fide_id=known.pk, name="Birch, Ada", federation=known.federation).save(at=AT)

    assert [entry[0] for entry in entries("player")] == ["added", "edited"]


def test_other_tables_are_deleted_at_once() -> None:
    """A receiver of all deletions would have each row of a list looked at."""
    assert not post_delete.has_listeners(ListEntry)
    assert post_delete.has_listeners(FederationExclusion)


def test_exclusions_that_are_deleted_together_keep_their_name(db: None) -> None:
    swiss = make.federation(code="SUI")
    FederationExclusion(federation=swiss, excluded_from=date(2026, 3, 1), recorded_at=AT).save(at=AT)

    FederationExclusion.objects.all().delete()

    assert entries("exclusion")[-1][:2] == ("deleted", "SUI 2026-03-01")
