"""Pages that the domain names: which address one has is known to the doors alone."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse


class Page:
    """A page by the name of its address, what stands in the address, and the `rest` after the path.

    As text it is the path, in the language that is active.
    """

    def __init__(self, name: str, *args: object, rest: str = "") -> None:
        self.name, self.args, self.rest = name, args, rest

    def __str__(self) -> str:
        return reverse(self.name, args=self.args) + self.rest

    @property
    def link(self) -> str:
        """The whole address, for emails and other programs."""
        return f"{settings.SITE_URL}{self}"
