"""The message of an email: plain text and HTML, with what to do as one link and how to get fewer emails."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from core.pages import Page
from players.choices import ALWAYS_SENT, NoticeKind
from players.models import Notice

OFF_SALT = "players.notices.off"
ITEM = "* "
PARAGRAPHS = re.compile(r"\n\s*\n")


class Piece(NamedTuple):
    """A part of a line, and where it links to, if it is an address of the portal."""

    text: str
    url: str = ""


Line = Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a list with several items: each item, and a paragraph as the only one, is some lines.

    One without an item is the button of the email.
    """

    is_list: bool
    items: Sequence[Sequence[Line]]


def message_of(notice: Notice) -> EmailMultiAlternatives:
    """Return the email of a row: its text, the same as HTML, and the headers for unsubscribing."""
    with override(notice.language or get_language()):
        return _message_of(notice)


def _message_of(notice: Notice) -> EmailMultiAlternatives:
    site = settings.SITE_URL
    # The same name at each attempt: a mail that a server took without saying so is folded with the next.
    headers = {"Message-ID": f"<notice-{notice.pk}@{settings.DEFAULT_FROM_EMAIL.rpartition('@')[2]}>"}
    unsubscribe_link = ""
    if notice.user_id and notice.kind not in ALWAYS_SENT:
        unsubscribe_link = Page("notifications-off", unsubscribe_token(notice)).link
    elif notice.unsubscribe_path:
        unsubscribe_link = site + notice.unsubscribe_path
    if unsubscribe_link:
        # Mail programs offer the button only where both headers are there (RFC 8058).
        headers |= {
            "List-Unsubscribe": f"<{unsubscribe_link}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    links = [found[0] for found in _address().finditer(notice.content)]
    # The last one is what to do: a text says first what happened.
    link = links[-1] if links else Page("dashboard").link
    context = {
        "text": notice.content,
        "subject": notice.subject,
        "language": get_language() or settings.LANGUAGE_CODE,
        "blocks": _with_button(blocks_of(notice.content), link),
        "link": link,
        "has_link": bool(links),
        "off": unsubscribe_link,
        "site": site,
        "settings": unsubscribe_link if notice.unsubscribe_path else Page("notifications").link,
    }
    text = render_to_string("mails/notice.txt", context)
    message = EmailMultiAlternatives(notice.subject, text, to=[notice.recipient], headers=headers)
    message.attach_alternative(render_to_string("mails/notice.html", context), "text/html")
    return message


def _with_button(blocks: Sequence[Block], link: str) -> list[Block]:
    """Return the blocks with the button in place of the line that is its link, else at the end.

    As HTML the link is named: that line would be the same link a second time.
    """
    bare, button = [Piece(link, link)], Block(is_list=False, items=[])
    found: list[Block] = []
    for block in blocks:
        lines = [] if block.is_list else [*block.items[0]]
        if bare not in lines or button in found:
            found.append(block)
            continue
        place = lines.index(bare)
        parts = (lines[:place], lines[place + 1 :])
        before, after = ([Block(is_list=False, items=[part])] if part else [] for part in parts)
        found += [*before, button, *after]
    return found if button in found else [*found, button]


def digest_text(collected: Iterable[Notice]) -> str:
    """Return the text of one email for several: each with its subject, and the dashboard as what to do."""
    parts = [f"{notice.subject}\n\n{notice.content.strip()}" for notice in collected]
    dashboard = _("Your dashboard:") + f"\n{Page('dashboard').link}"
    return "\n\n".join([*parts, dashboard])


def unsubscribe_token(notice: Notice) -> str:
    """Return the signed token of the unsubscribe link."""
    return signing.dumps([notice.user_id, notice.kind], salt=OFF_SALT)


def read_token(token: str) -> tuple[int, NoticeKind] | None:
    """Return the user id and the kind of an unsubscribe link; None if the token is invalid or the kind has gone."""
    try:
        # Without an age: the link of an old email must still end such emails.
        user_id, kind = signing.loads(token, salt=OFF_SALT)
        return user_id, NoticeKind(kind)
    except (signing.BadSignature, ValueError):
        return None


def blocks_of(text: str) -> list[Block]:
    """Return the paragraphs and lists of a text. Only addresses of the portal become links."""
    return [_block(part.strip("\n")) for part in PARAGRAPHS.split(text.strip()) if part.strip()]


def _block(part: str) -> Block:
    lines = part.splitlines()
    if not lines[0].startswith(ITEM):
        return Block(is_list=False, items=[[_pieces(line) for line in lines]])
    items: list[list[Line]] = []
    for line in lines:
        if line.startswith(ITEM):
            items.append([_pieces(line.removeprefix(ITEM))])
        else:
            items[-1].append(_pieces(line))
    return Block(is_list=True, items=items)


def _pieces(line: str) -> Line:
    return [*_split(line.strip())]


def _split(line: str) -> Iterator[Piece]:
    end = 0
    for found in _address().finditer(line):
        if found.start() > end:
            yield Piece(line[end : found.start()])
        yield Piece(found[0], found[0])
        end = found.end()
    if end < len(line):
        yield Piece(line[end:])


def _address() -> re.Pattern[str]:
    """Return what matches an address of the portal: a name that somebody entered is never a link."""
    return re.compile(rf"(?<!\S){re.escape(settings.SITE_URL)}/\S*")
