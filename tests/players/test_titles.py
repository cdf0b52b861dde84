"""Titles with their day: entered by staff, shown by the first list dated on the day or later."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from core.errors import RefusedError
from players.choices import Title
from players.models import Player, TitleGrant
from players.titles import apply_due_titles, grant_title
from ratings.models import ListEntry
from ratings.verify.verify import verify_list
from tests import make

NOW = datetime(2026, 1, 10, 9, 30, tzinfo=UTC)

pytestmark = [pytest.mark.django_db, pytest.mark.page]


def grant(player: Player, title: Title, day: date, by: Any, at: datetime = NOW) -> TitleGrant:
    return grant_title(player, title, granted_on=day, reference="Council, 4th quarter", by=by, at=at)


def titles_of(player: Player) -> list[tuple[str, str, str]]:
    entries = ListEntry.objects.filter(player=player).order_by("rating_list__date")
    return [(f"{entry.rating_list.date:%m}", entry.title, entry.women_title) for entry in entries]


@pytest.mark.database
def test_the_first_list_of_its_day_or_later_shows_a_title(staff: Any) -> None:
    player = make.player(sex="F")
    make.entry(player=player)
    grant(player, Title.WOMAN_FIDE_MASTER, date(2026, 2, 1), staff)
    grant(player, Title.FIDE_MASTER, date(2026, 2, 2), staff)

    lists = [make.publish("rapid", date(2026, month, 1)) for month in (2, 3)]

    assert titles_of(player) == [("01", "", ""), ("02", "WFM", "WFM"), ("03", "FM", "WFM")]
    assert [verify_list(one) for one in lists] == [None, None]


def test_one_recorded_late_stands_on_the_next_list_and_published_ones_stay(staff: Any) -> None:
    player = make.player()
    make.entry(player=player)
    make.publish("rapid", date(2026, 2, 1))

    grant(player, Title.CANDIDATE_MASTER, date(2025, 12, 15), staff, at=datetime(2026, 2, 9, tzinfo=UTC))
    make.publish("rapid", date(2026, 3, 1))

    assert titles_of(player) == [("01", "", ""), ("02", "", ""), ("03", "CM", "")]


def test_what_staff_corrected_afterwards_is_not_given_again(staff: Any) -> None:
    player = make.player()
    make.entry(player=player)
    grant(player, Title.CANDIDATE_MASTER, date(2026, 1, 15), staff)
    make.publish("rapid", date(2026, 2, 1))
    Player.objects.update(title="")

    make.publish("rapid", date(2026, 3, 1))

    assert titles_of(player)[1:] == [("02", "CM", ""), ("03", "", "")]


@pytest.mark.parametrize(
    ("held", "new", "shown"),
    [
        (("", ""), ["GM"], ("GM", "")),
        (("WGM", "WGM"), ["FM"], ("WGM", "WGM")),
        (("WGM", "WGM"), ["IM"], ("IM", "WGM")),
        (("CM", "WFM"), ["WIM"], ("WIM", "WIM")),
        (("FM", ""), ["WFM"], ("FM", "WFM")),
        (("", ""), ["CM", "WCM"], ("CM", "WCM")),
    ],
)
def test_the_columns_show_the_highest(
    staff: Any, held: tuple[str, str], new: list[str], shown: tuple[str, str]
) -> None:
    player = make.player(sex="F", title=held[0], women_title=held[1])
    for title in new:
        grant(player, Title(title), date(2026, 1, 15), staff)
    day = {"on": date(2026, 2, 1), "after": date(2026, 1, 1), "recorded_after": NOW, "at": NOW}

    changed = [apply_due_titles(**day) for _ in range(2)]  # type: ignore[arg-type]

    player.refresh_from_db()
    assert ((player.title, player.women_title), changed) == (shown, [int(held != shown), 0])


@pytest.mark.parametrize(
    ("facts", "title", "day", "field"),
    [
        ({"title": "IM"}, "FM", date(2026, 1, 15), "title"),
        ({"title": "IM"}, "IM", date(2026, 1, 15), "title"),
        ({"sex": "M"}, "WGM", date(2026, 1, 15), "title"),
        ({}, "GM", date(1949, 12, 31), "granted_on"),
        ({}, "GM", date(2027, 1, 12), "granted_on"),
    ],
)
def test_what_cannot_be_is_refused(
    staff: Any, facts: dict[str, str], title: str, day: date, field: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        grant(make.player(**facts), Title(title), day, staff)

    assert [refusal.field for refusal in refused.value.refusals] == [field]


def test_a_title_is_recorded_once_and_by_staff(staff: Any) -> None:
    player = make.player()
    grant(player, Title.GRANDMASTER, date(2026, 1, 15), staff)

    for who in (staff, make.person("officer")):
        with pytest.raises(RefusedError):
            grant(player, Title.GRANDMASTER, date(2026, 1, 16), who)
    assert TitleGrant.objects.count() == 1
