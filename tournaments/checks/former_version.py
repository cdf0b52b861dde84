"""A report against the accepted version of its tournament, which it would replace (D-135)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from players.spelling import words_of
from tournaments.checks.inspection import Inspection
from tournaments.choices import ReportState, Stage
from tournaments.models import Game, Participant
from tournaments.trf import Finding
from tournaments.trf.findings import found

MAX_NAMES = 10
# A FIDE ID, or the words of a name.
Key = int | tuple[str, ...] | None


def check_former_version(inspection: Inspection) -> Iterator[Finding]:
    """Yield that most players are not those of the accepted version, and which players and games of it leave."""
    tournament, report = inspection.tournament, inspection.report
    # Of an event without an accepted report nothing is looked up.
    if tournament.stage == Stage.PLANNED:
        return
    former = tournament.reports.filter(state=ReportState.ACCEPTED).values("pk", "version", "sha256").first()
    if former is None or former["sha256"] == report.sha256:
        return
    lines: dict[Key, int] = {}
    for record in report.players:
        player = inspection.people.players.get(record.number)
        fide_id = player.fide_id if player else None
        for key in (record.fide_id, fide_id, tuple(words_of(record.name))):
            lines.setdefault(key, record.number)
    rows = Participant.objects.filter(report=former["pk"]).order_by("number")
    kept: dict[int, int] = {}
    names = []
    for number, name, *ids in rows.values_list("number", "name", "fide_id", "player_id"):
        keys: list[Key] = [*ids, tuple(words_of(name))]
        line = next((lines[key] for key in keys if key and key in lines), None)
        if line is None:
            names.append(name)
        else:
            kept[number] = line
    common, count = len(set(kept.values())), len(report.players)
    if 2 * common < count:
        yield found("report-of-others", common=common, players=count, version=former["version"])
    games = _games_that_leave(inspection, former["pk"], kept)
    leaves: dict[str, str | int] = {"version": former["version"], "games": games}
    if names:
        shown = "; ".join(names[:MAX_NAMES]) + (" …" if len(names) > MAX_NAMES else "")
        yield found("version-leaves", **leaves, players=len(names), names=shown)
    elif games:
        yield found("version-games-leave", **leaves)


def _games_that_leave(inspection: Inspection, former: int, kept: dict[int, int]) -> int:
    """Return how many games over the board a report does not have: the same two players as often."""
    own = Counter(frozenset((game.white, game.black)) for game in inspection.report.games if game.played)
    pairs = Game.objects.filter(report=former, is_played=True).values_list("white", "black")
    theirs = Counter(frozenset((kept.get(white, -white), kept.get(black or 0, -1))) for white, black in pairs)
    return (theirs - own).total()
