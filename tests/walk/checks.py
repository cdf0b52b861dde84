"""What must hold for every address, also for one that is added tomorrow: each function yields the faults of a look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.test import Client

from api.authentication import required_scope
from core.templatetags.ui import MAX_TITLE
from tests.walk.access import ACCESS, SIGNS
from tests.walk.forms import WORDS, Forms, shown_again
from tests.walk.heads import crooked_tables, head_of, wrong_names
from tests.walk.looks import Look
from tests.walk.roles import FOREIGN, NOT_NAMED, OF_FEDERATIONS, OWN, PLAYER, SIGNED_IN, UNKNOWN
from tests.walk.worlds import MOST_QUERIES, MOST_QUERIES_OF_PREVIEW

Found = Mapping[str, Look]
# Sign-in, the texts of its scripts and its end are everybody's.
FREE_ADMIN = ("admin/login/", "admin/jsi18n/", "admin/logout/")
# They show what a decision would do by doing it and taking it back.
SHOWS_BY_DOING = {"desk/cases/<int:case_number>/"}
# Opening a version keeps what its check finds by what is known today (D-139).
KEEPS_ITS_CHECK = ("reports/<int:version>", "reports/<int:version>/", "handed/<int:number>/")
PERSONAL = ("desk/", "accounts/", "admin/", "invitations/")
# Public answers that are the same for everybody, signed in or not, and say so.
PUBLIC_FOR_ALL = (
    "api/v1",
    "lists/",
    "players/",
    "federations/",
    "tournaments/",
    "arenas/",
    "data/",
    "sitemap",
    "robots.txt",
    "corrections/",
)
# A file of all that is stored about a person, from every table.
FILES = {("POST", "accounts/data")}
LIMITED = ("desk/", "accounts/", "admin/")
# Each table of the log is asked once.
# Staff take the place of a role whose holders are all concerned (D-131).
# A version that is opened is checked by what is known today (D-139), and once more when it is accepted.
MORE_QUERIES = {
    # What staff confirm stands in two tables besides those of all tasks.
    "desk/$": 2,
    "desk/trail.": 1,
    # Beside the errors it plans what is valid of the change, which reads requests again.
    "desk/tournaments/<str:event_id>/change": 8,
    # What waits for the QC without a request follows from tournaments, their reports and steps.
    "desk/cases/": 2,
    # With the report, what the arbiter sent, the history, the indicators and the tasks about it.
    "desk/qc/<str:event_id>/": 7,
    "desk/tournaments/<str:event_id>/reports/<int:version>/": 12,
    "desk/tournaments/<str:event_id>/handed/<int:number>/": 6,
}


def failures(found: Found) -> Iterator[str]:
    """Nothing fails and nothing is counted by a limit."""
    for whose, seen in found.items():
        if seen.status >= 500 or seen.status == 429:
            yield f"{whose} {seen.status}"


def writes(role: str, pattern: str, method: str, found: Found) -> Iterator[str]:
    """Nothing but POST writes, and nothing that a visitor sends to a page does."""
    if pattern in SHOWS_BY_DOING or (method == "POST" and role):
        return
    kept = {"tournaments_report", "tournaments_handedreport"} if pattern.endswith(KEEPS_ITS_CHECK) else set()
    for whose, seen in found.items():
        if tables := seen.tables - kept:
            yield f"{whose} writes {sorted(tables)}"


def access(role: str, pattern: str, method: str, own: Look) -> Iterator[str]:
    """Each role gets from the desk what ACCESS says, and from the admin nothing unless it is staff."""
    if pattern.startswith("desk/"):
        sign = SIGNS.get(own.status, str(own.status))
        if not role:
            if sign != "x" and (sign != "D" or not own.leads.startswith("/accounts/login/")):
                yield f"visitors get {own.status} {own.leads}"
        elif pattern not in ACCESS:
            yield "is not in ACCESS"
        elif sign != (expected := ACCESS[pattern][method == "POST"][SIGNED_IN.index(role)]):
            yield f"{sign}, in ACCESS {expected}"
    is_closed = pattern.startswith("admin/") and pattern not in FREE_ADMIN and role != "staff"
    if is_closed and own.status not in (302, 403, 404, 405):
        yield f"{own.status}, open to others than staff"


def isolation(role: str, pattern: str, found: Found) -> Iterator[str]:
    """Nobody reaches what is another's, or learns that it is there: the answer is that for an unknown object."""
    if role not in (*OF_FEDERATIONS, PLAYER) or not pattern.startswith("desk/"):
        return
    for whose in (FOREIGN, NOT_NAMED):
        if whose in found:
            seen, unknown = found[whose], found[UNKNOWN]
            if seen.status != unknown.status:
                yield f"{whose} {seen.status}, unknown {unknown.status}"
            if seen.is_open or seen.tables:
                yield f"{whose} {seen.status}, writes {sorted(seen.tables)}"


def keeping(role: str, pattern: str, found: Found) -> Iterator[str]:
    """No answer to somebody signed in is kept by a browser or a proxy; a public one says itself that it may be."""
    for whose, seen in found.items():
        is_private = "private" in seen.kept and "no-store" in seen.kept
        is_for_all = pattern.startswith(PUBLIC_FOR_ALL) and "public" in seen.kept
        may_be_kept = not pattern.startswith(PERSONAL) and (is_for_all or (not role and seen.kept))
        if not (is_private or may_be_kept):
            yield f"{whose} Cache-Control “{seen.kept}”"


def queries(pattern: str, method: str, own: Look, again: Any) -> Iterator[str]:
    """No page asks the database often: the crowd has a row more than it may ask, so that none asks for each row.

    The first look fills caches; `again` looks a second time.
    """
    if not pattern.startswith(LIMITED) or (method, pattern) in FILES:
        return
    most = MOST_QUERIES_OF_PREVIEW if pattern.endswith("/preview") else MOST_QUERIES
    most += next((more for begin, more in MORE_QUERIES.items() if f"{pattern}$".startswith(begin)), 0)
    if own.is_open and own.reads > most and (second := again()).reads > most:
        yield f"{second.reads} queries"


def heads(pattern: str, own: Look) -> Iterator[str]:
    """Each page has title, description and one heading, clear links, verbs on buttons, straight tables."""
    if "</head>" not in own.html or (
        pattern.startswith(("admin/", "api/")) and not pattern.startswith("api/v1/docs")
    ):
        return
    title, description = head_of(own.html)
    # The portal's name follows what the page says of itself.
    if not title.partition(" · ")[0].strip() or len(title) > MAX_TITLE:
        yield f"title “{title}”"
    if not 20 < len(description) <= 250:
        yield f"description “{description}”"
    # The frame writes the heading from the title, unless the page has a head of its own.
    if (number := own.html.count("<h1")) != 1:
        yield f"{number} headings of the first level"
    yield from wrong_names(own.html)
    yield from crooked_tables(own.html)


def typed_forms(client: Client, pattern: str, place: str, own: Look, tried: set[Any]) -> Iterator[str]:
    """Every form of the desk and the admin keeps what was typed when its author is signed out.

    `tried` remembers the forms that another role had on the same page.
    """
    if not pattern.startswith(("desk/", "admin/")) or "<form" not in own.html:
        return
    for action, fields in Forms(own.html).found:
        form = (pattern, action, *fields)
        if WORDS in fields.values() and form not in tried:
            tried.add(form)
            if WORDS not in shown_again(client, place, action, fields):
                yield f"form “{action}” loses what was typed"


def scopes(view: Any, pattern: str, method: str, token: str, found: Found) -> Iterator[str]:
    """A token opens what its scope says, and no officer's tool learns of another federation's objects."""
    scope = scope_of(view, method)
    # Whether a token passes the door of a resource, whatever it finds inside.
    opens = scope is None or scope.token is None or token == (scope.verb or "arena")
    statuses = {whose: seen.status for whose, seen in found.items()}
    if opens != (statuses[OWN] not in (401, 403)):
        yield f"{statuses}, opens: {opens}"
    if scope and scope.verb and FOREIGN in statuses and statuses[FOREIGN] != statuses[UNKNOWN]:
        yield f"{statuses}"


def scope_of(view: Any, method: str) -> Any:
    """Return what a resource asks of a token for a method, or None if it does not take the method."""
    made = view.view_class() if hasattr(view, "view_class") else view.cls()
    return required_scope(made, method) if method in made.allowed_methods else None
