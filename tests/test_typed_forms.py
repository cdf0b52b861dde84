"""Every form with a text field of the desk and the admin keeps what was typed when its author is signed out."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.db import transaction
from django.test import Client

from portal.models import User
from tests.test_access_matrix import pages
from tests.test_route_matrix import OWN, Values, address, browser_of, worlds

__all__ = ["worlds"]

pytestmark = pytest.mark.django_db
WORDS = "Words of an hour"
TEXTS = ("text", "email", "url")


class Forms(HTMLParser):
    """The forms of a page that are sent by POST: where to, and the fields in which something can be typed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self._fields: dict[str, str] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._fields = {} if told.get("method", "").lower() == "post" else None
            if self._fields is not None:
                self.found.append((told.get("action", ""), self._fields))
        elif self._fields is not None and tag in ("input", "textarea") and told.get("name"):
            kind = tag if tag == "textarea" else told.get("type", "text")
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
