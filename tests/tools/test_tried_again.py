"""Trials equal a second calculation by the verifier, which shares no code with the engine.

The verifier calculates a list from the public files. Here another text replaces the adopted ones in the evidence, as in
a trial.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ratings.models import RatingList
from ratings.systems.registry import rules_named
from ratings.text_trials import distribution, tried_on
from tests import make
from tests.tools.verifier import download, load

pytestmark = pytest.mark.django_db
RATINGS = (2700, 2650, 2080, 1990, 1510, 1405)
RESULTS = ("1-0", "1/2", "0-1")


@pytest.fixture
def february() -> RatingList:
    """Return a list with games over 400, 500 and 600 points, an initial rating and a lost rating."""
    first = make.rating_list()
    rated = [
        make.entry(rating_list=first, rating=rating, k_factor=10 if rating > 2400 else 20).player
        for rating in RATINGS
    ]
    games = make.round_robin(len(RATINGS) + 1)
    pairings = [(*game[:3], RESULTS[number % 3]) for number, game in enumerate(games)]
    make.play_and_rate(make.tournament(event_id="SUI-FAR"), [*rated, make.player()], pairings)
    return make.publish("rapid", date(2026, 2, 1))


def ratings_under(
    rating_list: RatingList, text: str, folder: Path
) -> dict[int, tuple[int | None, int | None]]:
    """Return the ratings of a published list before and after, where a text of the verifier changes them."""
    verifier, files = load(), download(rating_list, folder)
    evidence, rules = verifier.Evidence(str(files.evidence)), verifier.TEXTS[text]
    evidence.adoptions = [(date.min, text)]
    reports = [*evidence.reports()]
    for report in reports:
        report["rules"] = text
        for player in report["players"]:
            # Players who are unrated at the start have no K.
            if player[-1] is not None:
                player[-1] = rules.used_k(player[-1])
    evidence.reports = lambda: reports
    official = verifier.ListFile(str(files.new)).rows
    month = verifier.Month(verifier.ListFile(str(files.before)), evidence)
    pairs = {
        key: (official[key]["rating"] if key in official else None, entry["rating"] if entry else None)
        for key, entry in month.entries()
    }
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


@pytest.mark.parametrize("text", ["fide-rapid-blitz-2024-12", "fide-rapid-blitz-2022"])
def test_trial_agrees_with_the_verifier(text: str, february: RatingList, tmp_path: Path) -> None:
    month = tried_on(february, rules_named(text))
    ratings = ratings_under(february, text, tmp_path)
    assert len(ratings) > 2
    rows = [{"fide_id": key, "before": before, "after": after} for key, (before, after) in ratings.items()]
    assert {row["fide_id"]: (row["before"], row["after"]) for row in month["differences"]} == ratings
    assert month["distribution"] == distribution(rows)
    assert [month[name] for name in ("new", "lost")] == [
        sum(row[side] is None for row in rows) for side in ("before", "after")
    ]
