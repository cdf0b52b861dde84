"""The rail: the places that a user has at the desk and in the admin, the same on all pages, with what waits there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

from desk.work import counts_of
from players.choices import Role
from players.permissions import (
    can_explain,
    can_manage_people,
    can_register,
    can_see_fees,
    can_use_desk,
    federations_of,
    is_staff,
    roles_of,
)
from tournaments.permissions import can_see_audit_log


@dataclass(frozen=True, slots=True)
class RailPage:
    """A page of a place: the name of its address, its label, who has it, and the counts that are shown beside it.

    `views` are the addresses of the same page in another form, which its own switch leads to, and of what it lists.
    """

    name: str
    label: str | Promise
    is_for: Callable[[Any], bool]
    counts: tuple[str, ...] = ()
    views: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RailLink:
    """A page as a user sees it; `current` is a value of `aria-current`, empty where the user is elsewhere."""

    label: str | Promise
    url: str
    count: int
    current: str


@dataclass(frozen=True, slots=True)
class RailPlace(RailLink):
    """A place, which leads to the first of its pages: `pages` are all, where the user is in it or has no other."""

    pages: Sequence[RailLink] = ()


@dataclass(frozen=True, slots=True)
class Rail:
    """The rail of a user: the places, roles of FIDE, and the federations that the user acts for."""

    places: Sequence[RailPlace]
    roles: Sequence[str]
    federations: Sequence[str]


def _enters_admin(user: Any) -> bool:
    return bool(user.is_staff)


def _is_officer(user: Any) -> bool:
    """Return whether the user registers for a federation, and does not enter the admin, which has these pages."""
    return can_register(user) and not _enters_admin(user)


def _has_tournaments(user: Any) -> bool:
    """Return whether a role shows other tournaments than those that the user arbitrates."""
    return is_staff(user) or any(role != Role.ARBITER for role, _code in roles_of(user))


def _only_verifies(user: Any) -> bool:
    """Return whether the user is an auditor alone, who has no tasks."""
    return {role for role, _code in roles_of(user)} == {Role.AUDITOR} and not is_staff(user)


def has_tasks(user: Any) -> bool:
    """Return whether the user decides or does anything: all but an auditor alone."""
    return can_use_desk(user) and not _only_verifies(user)


PLACES: Sequence[tuple[str | Promise, Sequence[RailPage]]] = (
    (
        _l("Tasks"),
        (
            RailPage("dashboard", _l("All tasks"), has_tasks, ("tasks",), views=("desk:queue",)),
            RailPage("desk:cases", _l("Requests"), has_tasks),
        ),
    ),
    (_l("Verification"), (RailPage("dashboard", _l("Verification"), _only_verifies),)),
    (_l("Requests"), (RailPage("desk:cases", _l("Requests"), _only_verifies),)),
    (
        _l("Tournaments"),
        (
            RailPage(
                "desk:tournaments",
                _l("All tournaments"),
                _has_tournaments,
                ("tournaments",),
                views=("desk:calendar", "admin:tournaments_tournament_changelist"),
            ),
            RailPage("desk:register", _l("Register tournament"), can_register),
        ),
    ),
    (
        _l("Players"),
        (
            RailPage("admin:players_player_changelist", _l("All players"), _enters_admin),
            RailPage("people:register", _l("Register player"), can_register),
            RailPage("people:bulk", _l("Import register"), can_register),
            RailPage("people:club", _l("Number and club"), can_register),
            RailPage("people:titles", _l("Titles"), is_staff),
            RailPage("people:arbiters", _l("Arbiters"), is_staff),
            RailPage("people:ask-change", _l("Request a data change"), can_register),
            RailPage("people:transfers", _l("Request a transfer"), can_register),
            RailPage(
                "people:merge", _l("Merge duplicate players"), can_register, views=("people:duplicates",)
            ),
        ),
    ),
    (
        _l("Rating lists"),
        (
            RailPage("ratings:lists", _l("Lists"), _is_officer),
            RailPage("ratings:corrections", _l("Corrections"), _is_officer),
            RailPage("admin:ratings_ratinglist_changelist", _l("All lists"), _enters_admin, ("publish",)),
            RailPage(
                "admin:ratings_fideimport_changelist",
                _l("Imports of FIDE lists"),
                _enters_admin,
                ("import-standard",),
            ),
            RailPage("desk:adjustments", _l("Adjustments of lists"), is_staff, ("desk:adjustment",)),
            RailPage("desk:publication", _l("Before publication"), can_explain, ("stopped",)),
            RailPage("desk:comparisons", _l("Comparisons with FIDE"), is_staff),
        ),
    ),
    (_l("Corrections"), (RailPage("admin:ratings_correction_changelist", _l("Corrections"), _enters_admin),)),
    (
        _l("Rating regulations"),
        (RailPage("desk:texts", _l("Rating regulations"), is_staff, ("desk:late-adoption",)),),
    ),
    (_l("Arenas"), (RailPage("admin:arenas_arena_changelist", _l("Arenas"), _enters_admin),)),
    (
        _l("People"),
        (
            RailPage("people:people", _l("People and roles"), can_manage_people, ("officer", "invitation")),
            RailPage("admin:portal_user_changelist", _l("Users"), _enters_admin),
        ),
    ),
    (
        _l("Programs"),
        (
            RailPage("desk:tokens", _l("API tokens"), can_register),
            RailPage("desk:webhooks", _l("Webhooks"), can_register),
        ),
    ),
    (_l("Fees"), (RailPage("fees:statements", _l("Fees"), can_see_fees),)),
    (_l("Audit log"), (RailPage("desk:audit-log", _l("Audit log"), can_see_audit_log),)),
    (
        _l("Site administration"),
        (
            RailPage("admin:index", _l("Overview"), _enters_admin),
            RailPage("admin:ratings_run_changelist", _l("Background jobs"), _enters_admin, ("failed-jobs",)),
        ),
    ),
)


def rail_of(user: Any, path: str, *, may_count: bool = True) -> Rail | None:
    """Return the rail of a user at an address, None for somebody without a role.

    A page that must answer while tables are locked may not count: it shows counts that are kept, or none.
    """
    if not can_use_desk(user):
        return None
    # For 30 seconds: counting on each page would ask as much as the dashboard.
    counts = counts_of(user, may_count=may_count)
    having = ((label, [page for page in pages if page.is_for(user)]) for label, pages in PLACES)
    mine = [(label, pages) for label, pages in having if pages]
    urls = {page.name: reverse(page.name) for _label, pages in mine for page in pages}
    # Inside of the dashboard, from which the addresses of all others follow, is what has no other place, save My chess.
    below = {
        reverse(name): urls[page.name]
        for _label, pages in mine
        for page in pages
        for name in (page.name, *page.views)
        if name != "dashboard"
    } | {reverse("chess:mine"): ""}
    # Addresses may begin with one another: the longest is the nearest page above.
    inside = below.get(max(filter(path.startswith, below), key=len, default=""), urls.get("dashboard"))

    def link(page: RailPage) -> RailLink:
        url = urls[page.name]
        current = "page" if path == url else "true" if url == inside else ""
        return RailLink(page.label, url, sum(counts.get(code, 0) for code in page.counts), current)

    return Rail(
        places=[_place(label, [*map(link, pages)], is_only=len(mine) == 1) for label, pages in mine],
        roles=[str(Role(role).label) for role, code in sorted(roles_of(user)) if not code],
        federations=sorted(federations_of(user)),
    )


def _place(label: str | Promise, links: Sequence[RailLink], *, is_only: bool) -> RailPlace:
    """Return a place with the pages below it where the user is there, or has no other; one with one page is that."""
    first, *others = links
    if not others:
        return RailPlace(label, first.url, first.count, first.current)
    is_here = any(link.current for link in links)
    count = sum(link.count for link in links)
    return RailPlace(label, first.url, count, "true" if is_here else "", links if is_here or is_only else ())
