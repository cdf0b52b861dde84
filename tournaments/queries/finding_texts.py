"""What a stored finding says to a reader: its message in the language of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from tournaments.messages import PORTAL_MESSAGES
from tournaments.trf import MESSAGES

TEMPLATES: Mapping[str, str] = {**MESSAGES, **PORTAL_MESSAGES}
# Values that are words of ours, not of the report.
WORDS = frozenset({"meaning", "what", "direction", "kind", "reported_kind", "registered_kind"})


def finding_text(finding: Mapping[str, Any]) -> str:
    """Return the message of a finding, as it is stored, in the language of the page.

    A finding whose text was another one when it was stored keeps the words that it has.
    """
    template = TEMPLATES.get(finding["code"], "")
    values = finding.get("params") or {}
    try:
        if template.format(**values) != finding["message"]:
            return str(finding["message"])
        worded = {name: gettext(value) if name in WORDS else value for name, value in values.items()}
        return gettext(template).format(**worded)
    except (KeyError, IndexError):
        return str(finding["message"])
