"""What stands in the way of an import: published is immutable (D-11)."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ratings.choices import SENTENCES
from ratings.models import CorrectionLine, ListEntry, RatingList, TournamentRating
from tests import make
from tests.ratings.alphaville import publish
from tests.ratings.list_files import Listed, text_list, written
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

JANUARY, FEBRUARY, MARCH = "2026-01-01", "2026-02-01", "2026-03-01"
FILE = text_list(
    *(
        Listed(1000 + n, f"Player, P{1000 + n}", standard=(1800, 0, 20), rapid=(1700, 0, 20))
        for n in range(1, 7)
    )
)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return written(tmp_path / "list.txt", FILE)


def refusal(*arguments: str) -> list[str]:
    """Return the codes of an import that must be refused and write nothing."""
    before = list(RatingList.objects.order_by("pk").values_list()), ListEntry.objects.count()
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("import_fide_list", *arguments)
    assert before == (list(RatingList.objects.order_by("pk").values_list()), ListEntry.objects.count())
    return list(refused.value.args[0]["codes"])


def test_d11_published_list_is_neither_replaced_nor_preceded_and_the_others_go_in(
    month: Any, path: str
) -> None:
    make.run("publish_lists", FEBRUARY)
    published = list(ListEntry.objects.filter(rating_list__kind="rapid").order_by("pk").values_list())
    assert refusal(path, "--date", FEBRUARY, "--kind", "rapid", "--adopt", "x") == ["published-D-11"]
    done = make.run("import_fide_list", path, "--date", JANUARY, "--adopt", "x", "--dry-run")
    assert [item["kind"] for item in done["lists"]] == ["standard"]
    followed = {"later": date(2026, 2, 1), "date": date(2026, 1, 1)}
    assert done["warnings"][:2] == [
        SENTENCES.state("later-published-D-11", kind=kind, **followed) for kind in ("rapid", "blitz")
    ]
    result = make.run("import_fide_list", path, "--date", FEBRUARY)
    assert result["lists"] == [{"kind": "standard", "listed": 6, "created": True}]
    assert published == list(ListEntry.objects.filter(rating_list__kind="rapid").order_by("pk").values_list())


def test_standard_list_that_changes_no_published_basis_goes_in_at_any_date(month: Any, path: str) -> None:
    publish(FEBRUARY)
    result = make.run("import_fide_list", path, "--date", FEBRUARY, "--kind", "standard")
    assert result["lists"] == [{"kind": "standard", "listed": 6, "created": True}]
    publish(MARCH)
    result = make.run("import_fide_list", path, "--date", MARCH, "--kind", "standard")
    assert result["lists"] == [{"kind": "standard", "listed": 6, "created": True, "differing": 0}]


def test_older_standard_list_goes_in_where_a_newer_one_was_in_force(month: Any, path: str) -> None:
    make.run("import_fide_list", path, "--date", JANUARY, "--kind", "standard")
    publish(FEBRUARY)
    result = make.run("import_fide_list", path, "--date", "2025-12-01", "--kind", "standard")
    assert result["lists"] == [{"kind": "standard", "listed": 6, "created": True}]


def test_list_by_which_a_tournament_is_rated_is_corrected(month: Any, path: str) -> None:
    result = make.run("import_fide_list", path, "--date", JANUARY)
    assert result["lists"] == [
        {"kind": "standard", "listed": 6, "created": True},
        {"kind": "blitz", "listed": 0, "created": True},
    ]
    said = SENTENCES.state("list-corrects", kind="rapid", date=date(2026, 1, 1), number=5)
    assert result["notices"] == [said]


def test_accepted_report_is_rated_again_by_the_list_that_came_later(month: Any, path: str) -> None:
    """D-1: 1006 has a standard rating on the list in force at the start now (7.2.1)."""
    former = TournamentRating.objects.get()
    assert former.standard_basis is None
    make.run("import_fide_list", path, "--date", JANUARY, "--kind", "standard")
    rating = TournamentRating.objects.get()
    assert rating.standard_basis == RatingList.objects.get(kind="standard")
    assert rating.participants.get(player=1006).start_status == "standard"


def test_corrected_file_replaces_a_list_on_which_nothing_builds(tmp_path: Path) -> None:
    wrong = (Listed(401, rapid=(2450, 0, 10)), Listed(402, rapid=(1900, 0, 20)))
    right = (Listed(401, rapid=(2045, 0, 20)), Listed(403, rapid=(1500, 0, 20)))
    make.run("import_fide_list", written(tmp_path / "wrong.txt", text_list(*wrong)), "--date", JANUARY)
    lists = set(RatingList.objects.values_list("pk", "kind"))
    result = make.run(
        "import_fide_list", written(tmp_path / "right.txt", text_list(*right)), "--date", JANUARY
    )
    assert [item["created"] for item in result["lists"]] == [True, True, True]
    assert set(RatingList.objects.values_list("pk", "kind")) == lists
    entries = ListEntry.objects.order_by("player").values_list("player", "rating", "reached_2400")
    assert list(entries) == [(401, 2045, False), (403, 1500, False)]
    assert RatingList.objects.get(kind="rapid").manifest["source"] == "right.txt"


def test_d_77_late_standard_list_comes_in_and_corrects(month: Any, path: str) -> None:
    """1006 had no rapid rating: with the standard rating of January every game with them counts (7.2.1)."""
    (warning,) = make.run("publish_lists", FEBRUARY)["warnings"]
    # It counts whom the missing list could concern.
    assert re.findall(r"\d+", warning) == ["2026", "1", "7", "2", "1"]
    entries = list(ListEntry.objects.filter(rating_list__date=FEBRUARY).order_by("pk").values_list())

    shown = make.run("import_fide_list", path, "--date", JANUARY, "--kind", "standard", "--dry-run")
    assert not CorrectionLine.objects.exists()
    done = make.run("import_fide_list", path, "--date", JANUARY, "--kind", "standard")

    lines = {line.player_id for line in CorrectionLine.objects.all()}
    assert {1001, 1006} <= lines
    event = Tournament.objects.get().event_id
    late = SENTENCES.state("standard-corrects", date=date(2026, 1, 1), event=event, number=len(lines))
    assert shown["warnings"] == done["warnings"] == [late]
    assert entries == list(ListEntry.objects.filter(rating_list__date=FEBRUARY).order_by("pk").values_list())
    publish(MARCH)
    assert not CorrectionLine.objects.filter(taken_by=None).exists()
    for on in (FEBRUARY, MARCH):
        assert make.run("verify_list", "rapid", on)["verified"] is True


def test_d_77_nothing_is_warned_of_where_the_standard_list_is_there(month: Any, path: str) -> None:
    make.run("import_fide_list", path, "--date", FEBRUARY, "--kind", "standard")
    assert make.run("publish_lists", FEBRUARY)["warnings"] == []
