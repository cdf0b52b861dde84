"""Somebody who works at the desk by clicks alone."""

from __future__ import annotations

import re
from html import unescape

from django.test import Client

HREF = re.compile(r'href="([^"]*)"')


class Reader:
    """Somebody who only follows links and presses buttons that a page shows, counted."""

    def __init__(self, client: Client, page: str) -> None:
        self.client, self.clicks = client, 0
        self.address = page
        self.answer = client.get(page)
        assert self.answer.status_code == 200

    @property
    def html(self) -> str:
        return str(self.answer.content.decode())

    def follow(self, address: str) -> None:
        """Click the link to an address; relative ones begin with `?`."""
        links = [unescape(link) for link in HREF.findall(self.html)]
        assert address in [link.partition("#")[0] for link in links], (address, links)
        base = self.address.partition("?")[0]
        self._open(base + address if address.startswith("?") else address)

    def press(self, name: str, value: str, **typed: str) -> None:
        """Press a button of the page's form, with what is typed and the fields that it hides."""
        assert f'name="{name}" value="{value}"' in self.html
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', self.html))
        self.clicks += 1
        self.answer = self.client.post(self.address, {**hidden, **typed, name: value}, follow=True)
        if self.answer.redirect_chain:
            self.address = self.answer.redirect_chain[-1][0]

    def _open(self, address: str) -> None:
        self.clicks += 1
        self.address = address
        self.answer = self.client.get(address)
        assert self.answer.status_code == 200
