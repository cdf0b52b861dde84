"""What correcting a result does to its players, before it is made.

Before a list took the tournament it is the difference of two previews, or of two ratings; afterwards, what the next
list adds (D-11).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from ratings.choices import LineKind
from ratings.models import CorrectionLine, ParticipantRating
from ratings.services.corrections.lines import Taken
from ratings.services.corrections.reports import Effect
from ratings.services.corrections.results import CorrectedReport
from ratings.services.corrections.tournaments import GameDecision, correct_game, corrected_content, numbers_in
from ratings.services.preview import Preview, PreviewRow, preview_report
from ratings.systems.arithmetic import half_away_from_zero_hundredths
from tournaments.models import Tournament
from tournaments.queries.lookups import Lookups
from tournaments.services.checking import CheckedReport
from tournaments.services.report_people import ids_in, people_of
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity, read_report


@dataclass(frozen=True, slots=True)
class EffectSide:
    """A player before and after a correction: change in hundredths, new rating.

    `adjustment` is what the next list adds, `rounding` the part of it that no list has as a line (D-145); None before
    publication. What is not known is None.
    """

    name: str
    k: int | None = None
    changes: Sequence[int | None] = (None, None)
    ratings: Sequence[int | None] = (None, None)
    adjustment: int | None = None
    rounding: int = 0

    @property
    def points(self) -> int | None:
        """The adjustment as the next list adds it."""
        return None if self.adjustment is None else half_away_from_zero_hundredths(self.adjustment)

    @property
    def before_and_after(self) -> Sequence[tuple[int | None, int | None]]:
        """Change and rating before the correction, then after it."""
        return [*zip(self.changes, self.ratings, strict=True)]


@dataclass(frozen=True, slots=True)
class ResultEffect:
    """What a correction does: to the two players, for a wrong player to the third, and how many others it concerns."""

    sides: Sequence[EffectSide]
    others: int = 0
    # The half points of White, Black and of who takes the place of one, before and after.
    points: Sequence[tuple[int | None, ...]] = ()
    warnings: Sequence[str] = ()


def effect_of(
    source: CorrectedReport, read: TrfReport, decision: GameDecision, *, by: Any, at: datetime
) -> ResultEffect:
    """Return the effect of a correction without making it; `RefusedError` where it cannot be made so."""
    content = corrected_content(bytes(source.report.content), decision)
    after, numbers = read_report(content), numbers_in(read, decision)
    if source.is_published or not decision.is_of_the_report:
        made = correct_game(
            source.tournament, decision, reason="–", by=by, on=at.date(), at=at, is_dry_run=True
        )
        if source.is_published:
            found = _published_effect(made, source, read, numbers, decision)
            found = replace(found, warnings=made.warnings)
        else:
            found = _marked_effect(made, read, numbers)
    else:
        # A report with errors has no preview: it could not be rated as it stands.
        has_errors = any(finding["severity"] == Severity.ERROR for finding in source.report.findings)
        tournament = None if has_errors else source.tournament
        found = _effect_between(tournament, read, after, numbers, on=at.date())
    versions = (read.by_number(), after.by_number())
    points = [tuple(players[number].points for number in numbers) for players in versions]
    return replace(found, points=points)


def _effect_between(
    tournament: Tournament | None, before: TrfReport, after: TrfReport, numbers: Sequence[int], *, on: date
) -> ResultEffect:
    """Return what differs between two versions that no list has taken, by their previews; points without these."""
    lookups = Lookups()
    lookups.players.load_with_successors({*ids_in(before), *ids_in(after)})
    previews = [_rows_by_player(_preview(tournament, read, lookups, on=on)) for read in (before, after)]
    records = [read.by_number() for read in (before, after)]
    sides: list[EffectSide] = []
    shown: set[int | None] = set()
    for number in numbers:
        # A line of another player is shown as both: what one loses, and what the other gains.
        names: dict[int | None, str] = {}
        for of_report in records:
            names.setdefault(of_report[number].fide_id, of_report[number].name)
        sides += [_preview_side(name, [rows.get(key) for rows in previews]) for key, name in names.items()]
        shown |= names.keys()
    everybody = previews[0].keys() | previews[1].keys()
    others = sum(
        _result_of(previews[0].get(key)) != _result_of(previews[1].get(key)) for key in everybody - shown
    )
    return ResultEffect(sides, others)


def _preview(tournament: Tournament | None, read: TrfReport, lookups: Lookups, *, on: date) -> Preview | None:
    if tournament is None or not read.players:
        return None
    checked = CheckedReport(read, (), people_of(read, lookups.players, tournament).players)
    return preview_report(checked, tournament, on=on, lookups=lookups)


def _rows_by_player(preview: Preview | None) -> Mapping[int | None, PreviewRow]:
    """Return the players of a preview by the FIDE ID that the portal has of them."""
    return {row.player.fide_id: row for row in preview.rows if row.player} if preview else {}


def _result_of(row: PreviewRow | None) -> tuple[int, int | None]:
    return (row.result.change, row.result.rating) if row and row.result else (0, None)


def _preview_side(name: str, pair: Sequence[PreviewRow | None]) -> EffectSide:
    results = [row.result if row else None for row in pair]
    k = next((result.events[0].k for result in results if result and result.base is not None), None)
    changes = [result.change if result and result.base is not None else None for result in results]
    return EffectSide(name, k, changes, [result.rating if result else None for result in results])


def _marked_effect(made: Effect, read: TrfReport, numbers: Sequence[int]) -> ResultEffect:
    """Return what a mark changes before publication: the changes are those before K."""
    names = {number: record.name for number, record in read.by_number().items()}
    shares = {share.participant.number: share for share in made.shares}
    sides = [
        EffectSide(names[number], changes=shares[number].changes if number in shares else (None, None))
        for number in numbers
    ]
    return ResultEffect(sides, others=len(shares.keys() - {*numbers}))


def _published_effect(
    made: Effect, source: CorrectedReport, read: TrfReport, numbers: Sequence[int], decision: GameDecision
) -> ResultEffect:
    """Return what the next list would take: a correction that is not kept."""
    lines: dict[int, list[CorrectionLine]] = {}
    for line in made.lines:
        lines.setdefault(line.player_id, []).append(line)
    taken = {item.player_id: item for item in made.taken if item.kind == source.tournament.kind}
    rated = ParticipantRating.objects.filter(tournament_rating__report=source.report.pk)
    rows = {row.number: row for row in rated.filter(number__in=numbers)}
    sides, shown = [], set()
    records = read.by_number()
    for number in numbers:
        row = rows.get(number)
        player_id, k = (row.player_id or 0, row.own_k) if row else (0, None)
        sides.append(_adjust_side(records[number].name, k, lines.get(player_id, ()), taken.get(player_id)))
        shown.add(player_id)
    if decision.player is not None and decision.player.pk not in shown:
        of_player = lines.get(decision.player.pk, ())
        sides.append(_adjust_side(decision.player.name, None, of_player, taken.get(decision.player.pk)))
        shown.add(decision.player.pk)
    return ResultEffect(sides, others=len(lines.keys() - shown))


def _adjust_side(
    name: str, k: int | None, lines: Sequence[CorrectionLine], taken: Taken | None
) -> EffectSide:
    """Return a player with the difference of all lists; change and rating of the first that differs."""
    if not lines:
        return EffectSide(name, k, adjustment=0)
    first, difference = lines[0], sum(line.difference_hundredths for line in lines)
    parts: dict[str, Any] = {"adjustment": difference}
    if taken is not None:
        parts = {"adjustment": taken.difference, "rounding": taken.rounding}
    before, after = first.before_hundredths, first.after_hundredths
    if first.kind in (LineKind.INITIAL, LineKind.LOST):
        ratings = [None if value is None else value // 100 for value in (before, after)]
        return EffectSide(name, k, ratings=ratings, **parts)
    return EffectSide(name, k, changes=(before, after), **parts)
