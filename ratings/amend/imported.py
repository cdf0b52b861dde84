"""FIDE's corrected list for a month that is in use: the next list takes the differences (D-125, D-11).

The imported list stays as it was used. A correction of each player who differs keeps what FIDE's list says now. By a
standard list, the tournaments are rated anew in which the player had no other rating (7.2.1): waiting ones at once,
published ones by a correction. The participants' ratings remember when they were calculated, and so what was known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from core.bulk import batched
from core.errors import refused
from core.sql import ids_subquery
from players.fide_list import ListedRating, ListRecord
from players.models import Player
from ratings.amend.anew import rate_published_anew, reports_rated_by_standard
from ratings.choices import SENTENCES, LineKind, ListKind, Origin
from ratings.in_force import FideFigures, amended_figures, corrected_figures
from ratings.ledger.chain import POINT
from ratings.models import Correction, CorrectionLine, ListEntry, RatingList
from ratings.rate import rate_reports
from tournaments.choices import Stage
from tournaments.lookups import Lookups

BATCH = 20_000
# A file that leaves out more than one player in a hundred, or half of a short list, is incomplete, not corrected.
FEW, ONE_IN = 20, 100


@dataclass(slots=True)
class CorrectedList:
    """Takes the records of a file as they come, and keeps who differs from the list as it is in use."""

    rating_list: RatingList
    differing: dict[int, tuple[FideFigures, FideFigures]] = field(default_factory=dict)
    _seen: set[int] = field(default_factory=set)
    _batch: dict[int, FideFigures] = field(default_factory=dict)

    def add(self, record: ListRecord) -> None:
        """Compare a record if it has a rating of the kind."""
        rating: ListedRating | None = getattr(record, self.rating_list.kind)
        if rating is not None:
            self._seen.add(record.fide_id)
            self._batch[record.fide_id] = FideFigures(rating.rating, rating.k)
            if len(self._batch) >= BATCH:
                self._compare()

    def record(self, *, by: Any, at: datetime, born_otherwise: Collection[int] = ()) -> str:
        """Record a correction for each player who differs, with what follows from it, and return what was done.

        Of those whose year of birth was decided here FIDE's K is none that corrects (D-136). `RefusedError` where the
        file leaves out so many players that it is incomplete.
        """
        self._compare()
        self._compare_missing()
        for key in self.differing.keys() & set(born_otherwise):
            before, now = self.differing.pop(key)
            if now.rating != before.rating:
                self.differing[key] = (before, now._replace(k=before.k))
        day, kind = self.rating_list.date, ListKind(self.rating_list.kind)
        known = set(Player.objects.filter(pk__in=ids_subquery(self.differing)).values_list("pk", flat=True))
        players = sorted(known)
        reason = SENTENCES.state("fide-corrected", kind=kind.value, date=day)
        corrections = Correction.objects.bulk_create(
            Correction(
                player_id=key,
                amendments=amended_figures(self.rating_list, *self.differing[key]),
                by=by,
                at=at,
                **Correction.columns_of(reason),
            )
            for key in players
        )
        if kind == ListKind.STANDARD:
            number = self._rate_anew(players, reason=reason, at=at)
        else:
            replaced = self._on_later_list(players)
            lines = [
                self._line(correction, *self.differing[key])
                for key, correction in zip(players, corrections, strict=True)
                if key not in replaced
            ]
            CorrectionLine.objects.bulk_create(lines)
            number = len(lines)
        return SENTENCES.say("list-corrects", kind=kind.value, date=day, number=number)

    def _on_later_list(self, players: Iterable[int]) -> set[int]:
        """Return the players whom an imported list after this one has: its figures replace the corrected ones."""
        later = RatingList.objects.filter(
            kind=self.rating_list.kind, date__gt=self.rating_list.date, origin=Origin.IMPORTED
        )
        rows = ListEntry.objects.filter(rating_list__in=later, player__in=ids_subquery(players)).listed()
        return set(rows.order_by().values_list("player", flat=True))

    def _rate_anew(self, players: Iterable[int], *, reason: str, at: datetime) -> int:
        """Rate the tournaments anew for which the ratings count; return how many players the next lists correct."""
        reports = reports_rated_by_standard(self.rating_list, players)
        # What no list has taken is simply rated anew: there is nothing published to correct.
        published = [report for report in reports if report.tournament.stage == Stage.PUBLISHED]
        rate_reports({report.pk for report in reports if report not in published}, at=at, lookups=Lookups())
        corrected = rate_published_anew(published, reason=reason, at=at)
        return len({line.player_id for _tournament, lines in corrected for line in lines})

    def _line(self, correction: Correction, before: FideFigures, after: FideFigures) -> CorrectionLine:
        kind = LineKind.CHANGE
        if before.rating is None or after.rating is None:
            kind = LineKind.INITIAL if before.rating is None else LineKind.LOST
        is_change = kind == LineKind.CHANGE
        return CorrectionLine(
            correction=correction,
            player_id=correction.player_id or 0,
            corrected_list=self.rating_list,
            kind=kind,
            before_hundredths=None if before.rating is None else POINT * before.rating,
            after_hundredths=None if after.rating is None else POINT * after.rating,
            difference_hundredths=POINT * ((after.rating or 0) - (before.rating or 0)) if is_change else 0,
        )

    def _compare(self) -> None:
        held = self._figures_held(self._batch)
        for key, now in self._batch.items():
            before = held.get(key, FideFigures())
            # FIDE's files may leave K out: that is no other K.
            now = now if now.k is not None else now._replace(k=before.k)
            if now != before:
                self.differing[key] = (before, now)
        self._batch = {}

    def _compare_missing(self) -> None:
        entries = ListEntry.objects.filter(rating_list=self.rating_list).listed().order_by()
        listed = list(entries.values_list("player", flat=True))
        missing = [key for key in listed if key not in self._seen]
        if len(missing) > max(FEW, len(listed) // ONE_IN) or 2 * len(missing) > len(listed):
            message = _(
                "The file leaves out %(number)d players of the list that is in use, so it is not a corrected list."
            )
            raise refused("list-incomplete-D-125", message % {"number": len(missing)}, "file")
        for batch in batched(missing, BATCH):
            for key, before in self._figures_held(batch).items():
                # An earlier correction may have taken the player off the list already.
                if before.rating is not None:
                    self.differing[key] = (before, FideFigures())

    def _figures_held(self, player_ids: Iterable[int]) -> dict[int, FideFigures]:
        """Return the figures of players on the list, as an earlier correction of FIDE's left them."""
        ids = list(player_ids)
        rows = ListEntry.objects.filter(rating_list=self.rating_list, player__in=ids_subquery(ids)).listed()
        held = {key: FideFigures(*row) for key, *row in rows.values_list("player", "rating", "k_factor")}
        # FIDE may correct a month more than once: each file is compared with what the one before said.
        return held | corrected_figures(ids).get(self.rating_list.pk, {})
