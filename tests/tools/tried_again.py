"""A second calculation of trials by `tools/verify_list.py`, which shares no code with the engine.

The verifier calculates a list from the public files. Here another text replaces the adopted ones in the evidence, as in
a trial.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from ratings.models import RatingList
from ratings.services.text_trials import distribution
from ratings.systems.variants import Parameters
from tests.tools.verifier import download, load

# A proposal, known to the engine as parameters and to the verifier as a text.
AMENDED, CAP_500_K_30 = "fide-rapid-blitz-2024-12", "cap 500, K 30"
TRIED = {AMENDED: Parameters(AMENDED), CAP_500_K_30: Parameters("fide-rapid-blitz-2024", cap=500, k=30)}
Ratings = dict[int, tuple[int | None, int | None]]


def load_verifier() -> ModuleType:
    """Return the verifier as a module, with the proposal added."""
    verifier = load()

    class Cap500K30(verifier.Text2024):  # type: ignore[name-defined]
        def counted(self, differences: list[int]) -> list[int]:
            return [max(-500, min(500, difference)) for difference in differences]

        def used_k(self, _listed: int) -> int:
            return 30

        def listed_k(self, *_of: Any) -> int:
            return 30

    verifier.TEXTS[CAP_500_K_30] = Cap500K30()
    return verifier


def ratings_under(rating_list: RatingList, text: str) -> Ratings:
    """Return the ratings of a published list before and after, where a text of the verifier changes them."""
    verifier = load_verifier()
    with TemporaryDirectory() as folder:
        files = download(rating_list, Path(folder))
        evidence = verifier.Evidence(str(files.evidence))
        _put(text, evidence, verifier.TEXTS[text], first_day=verifier.date.min)
        official = verifier.ListFile(str(files.new)).rows
        month = verifier.Month(verifier.ListFile(str(files.before)), evidence)
    found = {
        key: (official[key]["rating"] if key in official else None, entry["rating"] if entry else None)
        for key, entry in month.entries()
    }
    return {key: pair for key, pair in found.items() if pair[0] != pair[1]}


def _put(name: str, evidence: Any, text: Any, *, first_day: Any) -> None:
    """Apply a text to all reports and the list. Players who are unrated at the start have no K."""
    evidence.adoptions = [(first_day, name)]
    for report in evidence.reports:
        report["rules"] = name
        for player in report["players"]:
            if player[-1] is not None:
                player[-1] = text.used_k(player[-1])


def disagreements(month: dict[str, Any], ratings: Ratings) -> list[str]:
    """Return the differences between a stored trial of a list and a second calculation."""
    rows = [{"fide_id": key, "before": before, "after": after} for key, (before, after) in ratings.items()]
    expected = {
        "players": len(rows),
        "distribution": distribution(rows),
        "new": sum(row["before"] is None for row in rows),
        "lost": sum(row["after"] is None for row in rows),
    }
    faults = [
        f"{name} {month[name]}, not {value}" for name, value in expected.items() if month[name] != value
    ]
    for row in month["differences"]:
        calculated = ratings.get(row["fide_id"])
        if calculated != (row["before"], row["after"]):
            faults.append(f"{row['fide_id']} {row['before']} to {row['after']}, not {calculated}")
    return faults
