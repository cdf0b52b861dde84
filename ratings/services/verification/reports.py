"""Are the reports behind a list still the ones that were rated, and their rows what the bytes say?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from ratings.models import RatingList, TournamentRating
from ratings.services.verification.entries import Difference
from tournaments.models import Game, Participant, Report
from tournaments.trf import read_report
from tournaments.trf.report import game_rows, participant_rows

# The report's own key, and the player found for a reported ID, are not in the bytes.
PARTICIPANT_VALUES = (
    "number", "fide_id", "name", "federation_code", "sex", "title", "rating", "half_points", "rank",
)  # fmt: skip
GAME_VALUES = ("round", "white", "black", "white_code", "black_code", "is_played")


def report_differences(rating_list: RatingList) -> Iterator[Difference]:
    """Yield what is not as the manifest says: missing, swapped or changed reports, participants and games."""
    ratings = TournamentRating.objects.filter(included_in=rating_list)
    stored = dict(ratings.values_list("report__tournament__event_id", "report_id"))
    listed = {row["event_id"]: row for row in rating_list.manifest.get("reports", [])}
    for event_id in sorted(stored.keys() | listed.keys()):
        if event_id not in stored or event_id not in listed:
            held, named = (str(event_id in side).lower() for side in (stored, listed))
            yield Difference("report of the manifest", event_id, held, named)
            continue
        report = Report.objects.only("content").get(pk=stored[event_id])
        yield from _content_differences(event_id, report, listed[event_id]["sha256"])


def _content_differences(event_id: str, report: Report, sha256: str) -> Iterator[Difference]:
    content = bytes(report.content)
    digest = hashlib.sha256(content).hexdigest()
    if digest != sha256:
        yield Difference("report", event_id, digest, sha256)
        return
    trf = read_report(content)
    rows = Participant.objects.filter(report=report).order_by("number").values_list(*PARTICIPANT_VALUES)
    yield from _row_differences("participant", event_id, list(rows), sorted(participant_rows(trf)))
    games = Game.objects.filter(report=report).values_list(*GAME_VALUES)
    yield from _row_differences(
        "game", event_id, sorted(games, key=_by_place), sorted(game_rows(trf), key=_by_place)
    )


def _by_place(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return row[:2]


def _row_differences(
    what: str, event_id: str, stored: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]
) -> Iterator[Difference]:
    for left, right in zip(stored, expected, strict=False):
        if left != right:
            yield Difference(what, f"{event_id} {right[:2]}", repr(left), repr(right))
            return
    if len(stored) != len(expected):
        yield Difference(f"number of {what}s", event_id, str(len(stored)), str(len(expected)))
