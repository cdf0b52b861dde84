"""What the head of an answer says of its content."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any


def saved_as(answer: Any) -> str:
    """Return the name under which a browser saves an answer, which must be a download."""
    head = EmailMessage()
    head["Content-Disposition"] = answer["Content-Disposition"]
    assert head.get_content_disposition() == "attachment"
    return str(head.get_filename())


def media_type(answer: Any) -> tuple[str, str | None]:
    """Return the media type of an answer and its character set."""
    head = EmailMessage()
    head["Content-Type"] = answer["Content-Type"]
    return head.get_content_type(), head.get_content_charset()
