"""Every address of the URL configuration says who has access, and the walk knows an object for each of its names.

A new page belongs to one group below. Whoever adds one without saying so meets a failure that says what to add.
"""

from __future__ import annotations

import pytest

from tests import make
from tests.walk.access import ACCESS
from tests.walk.roles import OWN
from tests.walk.routes import names_in, pages, patterns
from tests.walk.worlds import Values

pytestmark = pytest.mark.page

# What everybody may read. The tests of these pages say what they show.
PUBLIC = (
    "health/",
    # Guarded by a token, or to this machine alone: tests/portal/test_metrics.py.
    "metrics",
    "api/v1",
    "search",
    "about/",
    "check/",
    "data/",
    "players/",
    "tournaments/",
    "arenas/",
    "arbiters/",
    "lists/",
    "federations/",
    "follows/",
    "rules/",
    "pools/",
    "calculators/",
    "corrections/",
    "invitations/",
    "robots.txt",
    "sitemap",
    "tools/",
    ".well-known/",
)
# The pages of one's own account, where allauth asks to sign in where it must; the admin, for staff; the desk, by role.
OTHERS = ("accounts/", "admin/", "desk/")
# What no object of a federation stands for: an answer is the same for any value.
OF_NOBODY = {"", "scope", "content_type_id", "uidb36", "chapter"}


def test_every_page_declares_who_has_access() -> None:
    unknown = [pattern for pattern, _ in pages() if pattern and not pattern.startswith((*PUBLIC, *OTHERS))]

    assert unknown == [], (
        "Add the page's first part to PUBLIC if everybody may read it, or put it under desk/."
    )


def test_every_page_of_the_desk_declares_its_predicate() -> None:
    silent = [
        pattern for pattern, view in pages() if pattern.startswith("desk/") and not hasattr(view, "requires")
    ]

    assert silent == [], "Put @requires(...) or @requires_for_tournament(...) on the view."


def test_table_of_access_has_the_pages_of_the_desk_alone() -> None:
    assert sorted(ACCESS) == [pattern for pattern in patterns() if pattern.startswith("desk/")]


def test_every_parameter_stands_for_an_object(worlds: dict[str, Values]) -> None:
    unknown = {
        pattern: missing
        for pattern, _view in pages()
        if (missing := names_in(pattern) - {*worlds[OWN]} - OF_NOBODY)
    }

    assert unknown == {}, "Make one of what the parameter names in worlds.py, for each federation."


def test_admin_is_closed_after_the_role_ends(db: None) -> None:
    browser = make.browser(make.user(is_staff=True))

    assert browser.get("/admin/").status_code == 403
