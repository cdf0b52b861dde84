"""An exclusion or a re-admission that is entered after a list it touches is a correction (D-143, D-11)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.db.models import Q

from players.exclusions import Corrects, exclusion_begins
from players.federations import who_left
from players.models import Federation, FederationExclusion
from ratings.amend.lines import chains_of, lines_between, record_for_players, store_as_rated
from ratings.choices import PUBLISHED_KINDS, SENTENCES
from ratings.in_force import load_adoptions
from ratings.lists import lock_kinds
from ratings.models import Calculation, ParticipantRating
from tournaments.amendments import Datum
from tournaments.choices import ReportState, Stage

# What a correction keeps: until when the player's federation was excluded before, and is now.
EXCLUDED = "excluded"


@exclusion_begins.answered_by
def correct_lists(federation: Federation, days: tuple[date, date]) -> Corrects:
    """Return what corrects the lists that were published by other days of an exclusion, once these are stored."""
    lock_kinds(PUBLISHED_KINDS)
    persons, adoptions = _persons_concerned(federation, *days), load_adoptions()
    kinds = PUBLISHED_KINDS if persons else ()
    before = chains_of(kinds, persons, adoptions)

    def correct(exclusion: FederationExclusion, by: Any, at: datetime) -> dict[str, int]:
        after = chains_of(kinds, persons, adoptions)
        lines = lines_between(before, after)
        first, until = exclusion.excluded_from.isoformat(), exclusion.until
        excluded = Datum(field=EXCLUDED, before="", after=f"{first} – {until or ''}".strip())
        names = {"federation": federation.code, "date": first, "words": exclusion.reference}
        record_for_players(lines, excluded, SENTENCES.state("exclusion", **names), by=by, at=at)
        store_as_rated(after)
        return {
            kind: len({line.player_id for line in lines if line.corrected_list.kind == kind})
            for kind in PUBLISHED_KINDS
        }

    return correct


def _persons_concerned(federation: Federation, first: date, end: date) -> set[int]:
    """Return who was of the federation and has an event that began in these days, or a result on a list of them."""
    is_member = Q(player__federation=federation) | Q(player__in=who_left([federation.code]))
    played = ParticipantRating.objects.filter(
        is_member,
        tournament_rating__report__state=ReportState.ACCEPTED,
        tournament_rating__report__tournament__stage=Stage.PUBLISHED,
        tournament_rating__report__tournament__start__range=(first, end),
    )
    listed = Calculation.objects.filter(is_member, rating_list__date__range=(first, end))
    return {
        player_id or 0
        for rows in (played, listed)
        for player_id in rows.order_by().values_list("player_id", flat=True).distinct()
    }
