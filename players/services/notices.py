"""Emails: stored in the caller's transaction, sent after commit, each once.

A worker claims an email before it connects to the mail server. If it dies before it records the end, nobody knows
whether the email went out: it is not sent again but fails with that reason, for staff to see. A failure that the mail
server or the connection reports is retried, with a longer wait each time. An email is sent as plain text and as HTML,
with what to do as one link and how to get fewer emails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from smtplib import SMTPException
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import signing
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import F, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from core.work import Policy, claim, has_passed, record_end, send_to_workers
from players.choices import ALWAYS_SENT, OPTIONAL_NOTICES, NoticeKind, NoticeState
from players.models import Notice, NoticePreference

SEND = "players.tasks.send_notice"
POLICY = Policy(
    claimed_at="owned_at",
    max_attempts=8,
    waits=tuple(timedelta(minutes=2**failures) for failures in range(8)),
    lost_after=timedelta(minutes=15),
    clock_skew=timedelta(minutes=15),
)
# The link of an invitation, a new password or a follow is private: the text is deleted when it is no longer needed
# for sending.
SECRET_KINDS = (NoticeKind.INVITATION, NoticeKind.SECURITY, NoticeKind.FOLLOW)
# After the deadline emails of the morning, so that one of a last day arrives on that day.
DIGEST_HOUR, DIGEST_MINUTE = 9, 30
LONGEST_WAIT = timedelta(days=1, hours=1)
logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Recipient:
    """An address, and the account behind it where there is one."""

    address: str
    user: Any = None

    def is_daily_for(self, kind: NoticeKind) -> bool:
        """Return whether the user gets emails of this kind once a day in one email."""
        return self.user is not None and self.user.has_daily_digest and kind not in ALWAYS_SENT


@dataclass(frozen=True, slots=True)
class Letter:
    """An individual email to one follower; `off` is the path that ends such emails by one POST (RFC 8058)."""

    address: str
    subject: str
    text: str
    language: str
    off: str = ""


def post(*, to: Iterable[Any], kind: NoticeKind, key: str, subject: str, text: str, at: datetime) -> int:
    """Queue an email, send it after commit, and return the number of recipients.

    `to` are users or addresses. A recipient gets a key once. Users who muted the kind and closed accounts are left out.
    """
    notices = [
        Notice(
            recipient=recipient.address,
            user=recipient.user,
            kind=kind,
            key=key,
            subject=_one_line(subject),
            text=text.replace("\x00", ""),
            created_at=at,
            send_after=_digest_after(at) if recipient.is_daily_for(kind) else at,
            in_digest=recipient.is_daily_for(kind),
        )
        for recipient in _without_muted(_recipients(to), kind)
    ]
    return _queue(notices, key=key)


def post_each(letters: Iterable[Letter], *, kind: NoticeKind, key: str, at: datetime) -> int:
    """Queue an individual email for each follower, as `post` does with one for all, and return how many."""
    notices = [
        Notice(
            recipient=letter.address,
            kind=kind,
            key=key,
            subject=_one_line(letter.subject),
            text=letter.text.replace("\x00", ""),
            language=letter.language,
            off=letter.off,
            created_at=at,
            send_after=at,
        )
        for letter in letters
    ]
    return _queue(notices, key=key)


def _queue(notices: Sequence[Notice], *, key: str) -> int:
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    due = Notice.objects.filter(
        key=key,
        recipient__in=[notice.recipient for notice in notices if not notice.in_digest],
        state=NoticeState.DUE,
        attempts=0,
    )
    numbers = list(due.values_list("pk", flat=True))
    # Not a partial: Django logs on_commit errors by `__qualname__`.
    transaction.on_commit(lambda: _enqueue(numbers), robust=True)
    return len(numbers)


def send(notice_id: int, *, at: datetime) -> bool:
    """Send a due email unless another worker has claimed it; return whether it was sent."""
    due = Notice.objects.filter(
        POLICY.is_due("send_after", at=at), pk=notice_id, state=NoticeState.DUE, in_digest=False
    )
    if not claim(due, POLICY, at=at, state=NoticeState.SENDING):
        return False
    notice = Notice.objects.get(pk=notice_id)
    try:
        message_of(notice).send()
    # Django calls it a wrong setting where the folder of emails cannot be made, as on a full disk.
    except (OSError, SMTPException, ImproperlyConfigured) as error:
        _record_failure(notice, error, at=at)
        return False
    _record_end(notice, state=NoticeState.SENT, sent_at=at, failure="")
    return True


def sweep(*, at: datetime) -> None:
    """Enqueue emails that are due, and give up those whose worker died while it was sending."""
    lost = Notice.objects.filter(POLICY.has_lost_claim(at=at), state=NoticeState.SENDING)
    lost.filter(kind__in=SECRET_KINDS).update(text="")
    lost.update(
        state=NoticeState.FAILED,
        failure="The worker stopped while sending. The email may or may not have been sent.",
    )
    collect_digests(at=at)
    due = Notice.objects.filter(POLICY.is_due("send_after", at=at), state=NoticeState.DUE, in_digest=False)
    _enqueue(due.order_by("send_after", "pk").values_list("pk", flat=True)[: POLICY.sweep_size])


def collect_digests(*, at: datetime) -> int:
    """Queue one email for each person whose emails of the day are due, and return how many people."""
    is_due = has_passed("send_after", timedelta(), at=at, ahead=LONGEST_WAIT)
    due = Notice.objects.filter(is_due, state=NoticeState.DUE, in_digest=True, user__isnull=False)
    people = list(due.order_by("user").values_list("user", flat=True).distinct()[: POLICY.sweep_size])
    return sum(_collect_digest(due.filter(user=person), at=at) for person in people)


def _collect_digest(due: QuerySet[Notice], *, at: datetime) -> bool:
    """Queue one email for the rows of a person and mark them as sent, together or not at all."""
    with transaction.atomic():
        rows = list(due.select_for_update(of=("self",)).select_related("user").order_by("created_at", "pk"))
        if not rows:
            return False
        Notice.objects.filter(pk__in=[row.pk for row in rows]).update(state=NoticeState.SENT, sent_at=at)
        post(
            to=[rows[0].user],
            kind=NoticeKind.DAILY,
            key=f"daily:{rows[-1].pk}",
            subject=_("Your emails of the day: %(number)d") % {"number": len(rows)},
            text=digest_text(rows),
            at=at,
        )
    return True


def _digest_after(at: datetime) -> datetime:
    """Return when the emails that arise now are sent together: at the next 09:30 UTC."""
    today = datetime(at.year, at.month, at.day, DIGEST_HOUR, DIGEST_MINUTE, tzinfo=UTC)
    return today if at <= today else today + timedelta(days=1)


def choose_digest(user: Any, *, is_daily: bool) -> None:
    """Choose between one email a day and single emails; in the second case waiting ones are sent at once."""
    with transaction.atomic():
        get_user_model()._default_manager.filter(pk=user.pk).update(has_daily_digest=is_daily)
        user.has_daily_digest = is_daily
        if not is_daily:
            Notice.objects.filter(user=user, state=NoticeState.DUE, in_digest=True).update(
                in_digest=False, send_after=F("created_at")
            )


def load_muted_kinds(user: Any) -> frozenset[str]:
    """Return the kinds that a user has muted."""
    return frozenset(NoticePreference.objects.filter(user=user).values_list("kind", flat=True))


def save_wanted_kinds(user: Any, *, wanted: Iterable[str]) -> None:
    """Mute all optional kinds but the wanted ones."""
    unwanted = set(OPTIONAL_NOTICES) - set(wanted)
    with transaction.atomic():
        NoticePreference.objects.filter(user=user).exclude(kind__in=unwanted).delete()
        rows = [NoticePreference(user=user, kind=kind) for kind in sorted(unwanted)]
        NoticePreference.objects.bulk_create(rows, ignore_conflicts=True)


def mute_kind(token: str) -> NoticeKind | None:
    """Mute the kind of an unsubscribe link and return it; None if the token is invalid."""
    meant = read_token(token)
    if meant is None:
        return None
    user_id, kind = meant
    NoticePreference.objects.bulk_create(
        [NoticePreference(user_id=user_id, kind=kind)], ignore_conflicts=True
    )
    return kind


def read_token(token: str) -> tuple[int, NoticeKind] | None:
    """Return the user id and the kind of an unsubscribe link; None if the token is invalid."""
    try:
        user_id, kind = signing.loads(token, salt=OFF_SALT)
    except signing.BadSignature:
        return None
    return user_id, NoticeKind(kind)


def _enqueue(notice_ids: Iterable[int]) -> None:
    for notice_id in notice_ids:
        send_to_workers(SEND, notice_id)


def _recipients(to: Iterable[Any]) -> list[Recipient]:
    found: dict[str, Recipient] = {}
    for one in to:
        recipient = Recipient(one.strip().lower()) if isinstance(one, str) else Recipient(one.email, one)
        if recipient.user is None or recipient.user.is_active:
            found.setdefault(recipient.address, recipient)
    return list(found.values())


def _without_muted(recipients: list[Recipient], kind: NoticeKind) -> list[Recipient]:
    if kind in ALWAYS_SENT:
        return recipients
    users = [recipient.user for recipient in recipients if recipient.user is not None]
    refusing = set(
        NoticePreference.objects.filter(user__in=users, kind=kind).values_list("user_id", flat=True)
    )
    return [one for one in recipients if one.user is None or one.user.pk not in refusing]


def _record_failure(notice: Notice, error: Exception, *, at: datetime) -> None:
    logger.warning("mail failed", notice=notice.pk, attempts=notice.attempts, error=str(error))
    reason = str(error)[:500] or type(error).__name__
    if POLICY.has_attempts_left(notice.attempts):
        again_at = at + POLICY.wait_after(notice.attempts)
        _record_end(notice, state=NoticeState.DUE, send_after=again_at, failure=reason)
    else:
        _record_end(notice, state=NoticeState.FAILED, failure=reason)


def _record_end(notice: Notice, **values: Any) -> None:
    if values["state"] != NoticeState.DUE and notice.kind in SECRET_KINDS:
        values["text"] = ""
    record_end(Notice.objects.filter(pk=notice.pk, state=NoticeState.SENDING), **values)


def _one_line(subject: str) -> str:
    line = " ".join(subject.replace("\x00", "").split())
    return line if len(line) <= 200 else line[:199] + "…"


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
    """A paragraph, or a list with several items: each item, and a paragraph as the only one, is some lines."""

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
    off = ""
    if notice.user_id and notice.kind not in ALWAYS_SENT:
        off = site + reverse("notifications-off", args=[unsubscribe_token(notice)])
    elif notice.off:
        off = site + notice.off
    if off:
        headers |= {"List-Unsubscribe": f"<{off}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    links = _links_of(notice.text)
    link = links[-1] if links else site + reverse("desk")
    # As HTML the link is named: its own paragraph would be the same link a second time.
    bare = Block(is_list=False, items=[[[Piece(link, link)]]])
    context = {
        "text": notice.text,
        "subject": notice.subject,
        "language": get_language() or settings.LANGUAGE_CODE,
        "blocks": [block for block in blocks_of(notice.text) if block != bare],
        "link": link,
        "has_link": bool(links),
        "off": off,
        "site": site,
        "settings": off if notice.off else site + reverse("notifications"),
    }
    text = render_to_string("mails/notice.txt", context)
    message = EmailMultiAlternatives(notice.subject, text, to=[notice.recipient], headers=headers)
    message.attach_alternative(render_to_string("mails/notice.html", context), "text/html")
    return message


def digest_text(collected: Iterable[Notice]) -> str:
    """Return the text of one email for several: each with its subject, and the dashboard as what to do."""
    parts = [f"{notice.subject}\n\n{notice.text.strip()}" for notice in collected]
    dashboard = settings.SITE_URL + reverse("desk")
    return "\n\n".join([*parts, f"{_('Your dashboard:')} {dashboard}"])


def unsubscribe_token(notice: Notice) -> str:
    """Return the signed token of the unsubscribe link."""
    return signing.dumps([notice.user_id, notice.kind], salt=OFF_SALT)


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


def _links_of(text: str) -> list[str]:
    return [found[0] for found in _address().finditer(text)]


def _address() -> re.Pattern[str]:
    """Return what matches an address of the portal: a name that somebody entered is never a link."""
    return re.compile(rf"(?<!\S){re.escape(settings.SITE_URL)}/\S*")
