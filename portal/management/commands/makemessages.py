"""Collects the texts of code and pages for the catalogues of the languages."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Django's command, which knows our short name for a text that is translated late, too."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=_l"]
