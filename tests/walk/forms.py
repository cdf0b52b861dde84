"""The forms of a page, and what the page shows of them after their author was signed out while typing."""

from __future__ import annotations

from html.parser import HTMLParser

from django.test import Client

from portal.models import User
from tests.walk.looks import unchanged

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
    user = User.objects.get(pk=client.session["_auth_user_id"])
    with unchanged(client):
        client.logout()
        client.post(action or page, fields)
        client.force_login(user)
        return client.get(page).content.decode()
