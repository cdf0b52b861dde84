"""Every form of the desk and the admin in which something is typed keeps it when its author is signed out."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.contrib import admin
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from players.staff_admin import EvidenceInline
from portal.models import User
from tests.test_access_matrix import pages
from tests.test_route_matrix import OWN, Values, address, browser_of, worlds

__all__ = ["worlds"]

pytestmark = pytest.mark.django_db
WORDS = "Words of an hour"
TEXTS = ("text", "email", "url")


class Forms(HTMLParser):
    """The forms of a page that are sent by POST: where to, what is typed into their fields, and what these held."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self._fields: dict[str, str] | None = None
        self.values: dict[str, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._fields = {} if told.get("method", "").lower() == "post" else None
            if self._fields is not None:
                self.found.append((told.get("action", ""), self._fields))
        elif self._fields is not None and tag in ("input", "textarea") and told.get("name"):
            kind = tag if tag == "textarea" else told.get("type", "text")
            self.values[told["name"]] = told.get("value", "")
            is_typed = kind in (*TEXTS, "textarea") and "readonly" not in told
            self._fields[told["name"]] = WORDS if is_typed else told.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._fields = None


def shown_again(client: Client, page: str, action: str, fields: dict[str, str]) -> str:
    """Return what a page shows after its form was sent without a session and its author has signed in again."""
    user = client.get(page).wsgi_request.user
    assert isinstance(user, User)
    client.logout()
    with transaction.atomic():
        client.post(action or page, fields)
        client.force_login(user)
        html = client.get(page).content.decode()
        transaction.set_rollback(True)
    client.force_login(user)
    return html


@pytest.mark.parametrize("role", ["officer", "arbiter", "qc", "council", "staff"])
def test_every_form_keeps_what_was_typed(worlds: dict[str, Values], role: str) -> None:
    client, kept, lost = browser_of(role), 0, []
    for pattern in sorted({pattern for pattern, _view in pages() if pattern.startswith(("desk/", "admin/"))}):
        page = address(pattern, worlds[OWN])
        answer = client.get(page)
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        for action, fields in Forms(answer.content.decode()).found:
            if WORDS not in fields.values():
                continue
            if WORDS in shown_again(client, page, action, fields):
                kept += 1
            else:
                lost.append((pattern, action))

    assert lost == []
    assert kept > 0


@pytest.mark.parametrize(
    ("page", "file"),
    [
        (
            "/desk/tournaments/bulk",
            "name,federation,kind,time_control,start,end,chief_arbiter,is_stated_rated,schedule\nA,,,,,,,,",
        ),
        ("/desk/players/bulk", "name,sex,birth_date\nAlder,,"),
    ],
)
def test_rows_that_are_corrected_in_the_page_are_kept(
    worlds: dict[str, Values], page: str, file: str
) -> None:
    client = browser_of("officer")
    wrong = client.post(page, {"rows_file": SimpleUploadedFile("a.csv", file.encode())})
    ((action, fields),) = [form for form in Forms(wrong.content.decode()).found if "text" in form[1]]
    cells = [name for name in fields if name.startswith("cell-")]
    assert cells

    shown = shown_again(client, page, action, {**fields, "text": file})

    assert [Forms(shown).values[name] for name in cells] == [WORDS] * len(cells)


def test_an_exclusion_whose_effect_is_shown_is_kept(worlds: dict[str, Values]) -> None:
    client, page = browser_of("staff"), "/admin/players/federationexclusion/add/"
    typed = {"federation": OWN, "excluded_from": "2026-04-01", "until": "", "reference": WORDS}
    ((action, fields),) = Forms(client.post(page, typed).content.decode()).found[-1:]

    assert fields["reference"] == WORDS
    assert WORDS in shown_again(client, page, action, fields)


def test_the_admin_has_no_rows_in_which_something_could_be_typed() -> None:
    inlines = {inline for pages in admin.site._registry.values() for inline in pages.inlines}
    edited = [pages for pages in admin.site._registry.values() if pages.list_editable]

    assert inlines
    assert [inline for inline in inlines if not issubclass(inline, EvidenceInline)] == []
    assert edited == []
