"""A player's places on the newest lists: in the world, on the continent, in the federation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from players.choices import Continent
from ratings.choices import ListKind
from ratings.queries.profile import KindProfile
from ratings.queries.ranking import Part, Rankings, rankings_of


@dataclass(frozen=True, slots=True)
class Place:
    """A place among all players of a part of a list, and among the active ones: None for one who is inactive."""

    part: Part
    every: int
    active: int | None

    @property
    def within(self) -> str:
        """Among whom: a federation's code, a continent, or empty for the world."""
        return self.part.federation or self.part.continent

    @property
    def within_label(self) -> str:
        """The same as people read it."""
        return str(Continent(self.within).label) if self.within in Continent.values else self.within

    @property
    def scope(self) -> str:
        """The same as programs read it: world, continent or federation."""
        if self.part.federation:
            return "federation"
        return "continent" if self.part.continent else "world"


def places_of(profiles: Sequence[KindProfile]) -> dict[str, Sequence[Place]]:
    """Return the places of each kind, the world first; in two queries at most, however many kinds."""
    parts = {profile.kind: _parts(profile) for profile in profiles}
    rankings = rankings_of(part for of_kind in parts.values() for part in of_kind)
    return {profile.kind: _places(profile, parts[profile.kind], rankings) for profile in profiles}


def _parts(profile: KindProfile) -> list[Part]:
    """Return where the player has a place; on a standard list, which is not the portal's own, not in the federation."""
    entry = profile.newest.entry if profile.newest else None
    rating_list = profile.newest_list
    if rating_list is None or entry is None or profile.rating is None:
        return []
    parts = [Part(rating_list)]
    if entry.federation.continent:
        parts.append(Part(rating_list, continent=entry.federation.continent))
    if profile.kind != ListKind.STANDARD:
        parts.append(Part(rating_list, federation=entry.federation_id))
    return parts


def _places(profile: KindProfile, parts: Iterable[Part], rankings: dict[Part, Rankings]) -> list[Place]:
    rating, entry = profile.rating, profile.newest.entry if profile.newest else None
    if rating is None or entry is None:
        return []
    return [
        Place(
            part,
            every=rankings[part].every.place_of(rating),
            active=None if entry.is_inactive else rankings[part].active.place_of(rating),
        )
        for part in parts
    ]
