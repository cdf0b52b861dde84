"""Emails: stored in the caller's transaction, sent after commit, each once.

A worker claims an email before it connects to the mail server. If it dies before it records the end, nobody knows
whether the email went out: it is not sent again but fails with that reason, for staff to see. A failure that the mail
server or the connection reports is retried, with a longer wait each time. An email is written in the language of its
recipient.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from smtplib import SMTPException
from typing import Any, ClassVar, NamedTuple

import structlog
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import signing
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from core.outbox import SWEEP_SIZE, Outbox
from core.pages import Page
from core.secrets import encrypt
from core.workers import send_to_workers
from players.choices import ALWAYS_SENT, OPTIONAL_NOTICES, NoticeKind, NoticeState
from players.failures import FAILURES
from players.models import Notice, NoticePreference

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
        "creates_account": "/accounts/signup/" in link,
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


# The link of an invitation, a new password or a follow is private: the text is stored encrypted, so that no copy of the
# database has the link, and is deleted when it is no longer needed for sending.
SECRET_KINDS = (NoticeKind.INVITATION, NoticeKind.SECURITY, NoticeKind.FOLLOW)
WITHOUT_SECRETS = Case(
    When(kind__in=SECRET_KINDS, then=Value("")), default=F("text"), output_field=TextField()
)
# After the deadline emails of the morning, so that one of a last day arrives on that day.
DIGEST_HOUR, DIGEST_MINUTE = 9, 30
LONGEST_WAIT = timedelta(days=1, hours=1)
# Django calls it a wrong setting where the folder of emails cannot be made, as on a full disk.
NOT_SENT = (OSError, SMTPException, ImproperlyConfigured)
logger = structlog.get_logger(__name__)
# A text, or what writes it in the active language.
Text = str | Promise | Callable[[], str]


class Notices(Outbox[Notice]):
    """The emails that are due. Nobody knows whether one whose worker died went out, so that it is not sent again."""

    model = Notice
    running, waiting, failed, done = (
        NoticeState.SENDING,
        NoticeState.DUE,
        NoticeState.FAILED,
        NoticeState.SENT,
    )
    max_attempts = 8
    # The eighth attempt comes two hours after the first.
    waits = tuple(timedelta(minutes=2**failures) for failures in range(8))
    lost_after = timedelta(minutes=15)
    retries_lost = False
    on_loss: ClassVar[Mapping[str, Any]] = {
        **Notice.columns_of(FAILURES.state("email-uncertain")),
        "text": WITHOUT_SECRETS,
    }

    def send(self, row: Notice) -> None:
        """Tell the workers of an email."""
        send_to_workers("players.tasks.send_notice", row.pk)

    def is_workable(self) -> Q:
        """Leave out the emails of the day, which are collected."""
        return Q(in_digest=False)

    def values_of_failure(self, row: Notice, error: Exception, *, is_last: bool) -> dict[str, Any]:
        """Return the reason, in English as it is stored; a text that is no longer needed is deleted."""
        logger.warning("mail failed", notice=row.pk, attempts=row.attempts, error=str(error))
        values = Notice.columns_of(str(error)[:500] or type(error).__name__)
        return values | {"text": WITHOUT_SECRETS} if is_last else values


NOTICES = Notices()


@dataclass(frozen=True, slots=True)
class Letter:
    """An email to one address, with the account behind it where there is one.

    `unsubscribe_path` ends such emails to a follower by one POST (RFC 8058).
    """

    address: str
    subject: str
    text: str
    language: str
    unsubscribe_path: str = ""
    user: Any = None


def post(*, to: Iterable[Any], kind: NoticeKind, key: str, subject: Text, text: Text, at: datetime) -> int:
    """Queue an email, send it after commit, and return the number of recipients.

    `to` are users or addresses. A recipient gets a key once. Users who muted the kind and closed accounts are left out.
    Subject and text are written once for each language of the recipients.
    """
    recipients = _recipients(to, kind)
    written = {language: _write_text(subject, text, language) for language in {one[1] for one in recipients}}
    letters = (
        Letter(address, *written[language], language, user=user) for address, language, user in recipients
    )
    return post_each(letters, kind=kind, key=key, at=at)


def _write_text(subject: Text, text: Text, language: str) -> tuple[str, str]:
    with override(language):
        return tuple(str(one() if callable(one) else one) for one in (subject, text))  # type: ignore[return-value]


def post_each(letters: Iterable[Letter], *, kind: NoticeKind, key: str, at: datetime) -> int:
    """Queue an individual email for each recipient, as `post` does with one for all, and return how many."""
    notices = []
    for letter in letters:
        is_daily = letter.user is not None and letter.user.has_daily_digest and kind not in ALWAYS_SENT
        notices.append(
            Notice(
                recipient=letter.address,
                user=letter.user,
                kind=kind,
                key=key,
                subject=_one_line(letter.subject),
                text=_text_to_store(letter.text, kind),
                language=letter.language,
                unsubscribe_path=letter.unsubscribe_path,
                created_at=at,
                due_at=_digest_after(at) if is_daily else Now(),
                in_digest=is_daily,
            )
        )
    # An email that is posted twice is one row, by the constraint on recipient and key.
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    due = Notice.objects.filter(
        key=key,
        recipient__in=[notice.recipient for notice in notices if not notice.in_digest],
        state=NoticeState.DUE,
        attempts=0,
    )
    rows = list(due.only("pk"))
    NOTICES.send_after_commit(rows)
    return len(rows)


def _text_to_store(text: str, kind: NoticeKind) -> str:
    # PostgreSQL keeps no NUL in a text.
    plain = text.replace("\x00", "")
    return encrypt(plain) if kind in SECRET_KINDS else plain


def send(notice_id: int, *, at: datetime) -> bool:
    """Send a due email unless another worker has claimed it; return whether it was sent."""

    def do(notice: Notice) -> dict[str, Any]:
        message_of(notice).send()
        return {"sent_at": at, **Notice.columns_of(""), "text": WITHOUT_SECRETS}

    try:
        return NOTICES.perform(Notice.objects.filter(pk=notice_id), do)
    except NOT_SENT:
        return False


def sweep(*, at: datetime) -> None:
    """Enqueue emails that are due, and give up those whose worker died while it was sending."""
    collect_digests(at=at)
    NOTICES.sweep()


def collect_digests(*, at: datetime) -> int:
    """Queue one email for each person whose emails of the day are due, and return how many people."""
    # By the clock of the schedule, which set the hour; later than the next one is what an earlier clock wrote.
    is_due = Q(due_at__lte=at) | Q(due_at__gt=at + LONGEST_WAIT)
    due = Notice.objects.filter(is_due, state=NoticeState.DUE, in_digest=True, user__isnull=False)
    people = list(due.order_by("user").values_list("user", flat=True).distinct()[:SWEEP_SIZE])
    return sum(_collect_digest(due.filter(user=person), at=at) for person in people)


def _collect_digest(due: QuerySet[Notice], *, at: datetime) -> bool:
    """Queue one email for the rows of a person and mark them as sent, together or not at all."""
    with transaction.atomic():
        # Accounts are not locked: a sign-in would wait for the email.
        rows = list(due.select_for_update(of=("self",)).select_related("user").order_by("created_at", "pk"))
        if not rows:
            return False
        Notice.objects.filter(pk__in=[row.pk for row in rows]).update(state=NoticeState.SENT, sent_at=at)
        post(
            to=[rows[0].user],
            kind=NoticeKind.DAILY,
            key=f"daily:{rows[-1].pk}",
            subject=lambda: _("Your emails of the day: %(number)d") % {"number": len(rows)},
            text=lambda: digest_text(rows),
            at=at,
        )
    return True


def _digest_after(at: datetime) -> datetime:
    """Return when the emails that arise now are sent together: at the next 09:30 UTC."""
    today = datetime(at.year, at.month, at.day, DIGEST_HOUR, DIGEST_MINUTE, tzinfo=UTC)
    return today if at <= today else today + timedelta(days=1)


def _recipients(to: Iterable[Any], kind: NoticeKind) -> list[tuple[str, str, Any]]:
    """Return whom an email of a kind goes to: the address, the language and the account, None without one.

    An address without an account, or language, has that of the page.
    """
    wanted = [one.strip().lower() if isinstance(one, str) else one for one in to]
    addresses = [one for one in wanted if isinstance(one, str)]
    accounts = get_user_model()._default_manager.filter(email__in=addresses).exclude(language="")
    languages = dict(accounts.values_list("email", "language")) if addresses else {}
    here = get_language() or settings.LANGUAGE_CODE
    found: dict[str, tuple[str, Any]] = {}
    for one in wanted:
        if isinstance(one, str):
            found.setdefault(one, (languages.get(one, here), None))
        elif one.is_active:
            found.setdefault(one.email, (one.language or settings.LANGUAGE_CODE, one))
    users = [user for _language, user in found.values() if user is not None]
    muted = NoticePreference.objects.filter(user__in=users, kind=kind).values_list("user_id", flat=True)
    refusing = set() if kind in ALWAYS_SENT else {*muted}
    return [(address, *one) for address, one in found.items() if one[1] is None or one[1].pk not in refusing]


def _one_line(subject: str) -> str:
    # Django refuses a subject with a line break, which a name could bring along.
    line = " ".join(subject.replace("\x00", "").split())
    return line if len(line) <= 200 else line[:199] + "…"


# Which emails a person wants, and how often.
def choose_digest(user: Any, *, is_daily: bool) -> None:
    """Choose between one email a day and single emails; in the second case waiting ones are sent at once."""
    with transaction.atomic():
        get_user_model()._default_manager.filter(pk=user.pk).update(has_daily_digest=is_daily)
        user.has_daily_digest = is_daily
        if not is_daily:
            Notice.objects.filter(user=user, state=NoticeState.DUE, in_digest=True).update(
                in_digest=False, due_at=Now()
            )


def load_muted_kinds(user: Any) -> frozenset[str]:
    return frozenset(NoticePreference.objects.filter(user=user).values_list("kind", flat=True))


def save_wanted_kinds(
    user: Any, *, wanted: Iterable[str], offered: Collection[str] = OPTIONAL_NOTICES
) -> None:
    """Mute all kinds of the offered ones but those wanted; what was not offered stays as it is."""
    unwanted = set(offered) - set(wanted)
    with transaction.atomic():
        NoticePreference.objects.filter(user=user, kind__in=offered).exclude(kind__in=unwanted).delete()
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
