"""Mails: once to each recipient, whatever happens on the way."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test import override_settings
from django.utils.translation import get_language, gettext_lazy, override

from players import notices
from players.choices import OPTIONAL_NOTICES, NoticeKind, NoticeState
from players.models import Notice, NoticePreference
from portal.mail import email_settings, for_this_django
from tests import make
from tests.outbox import let_pass

AT = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
ACCOUNTS = (("ada", "fr"), ("ben", ""), ("eva", "es"))


def post(*to: Any, key: str = "publication:2026-03-01", kind: NoticeKind = NoticeKind.PUBLICATION) -> int:
    return notices.post(to=to, kind=kind, key=key, subject="March lists", text="They are out.", at=AT)


def the_notice() -> Notice:
    return Notice.objects.get()


def no_server() -> Any:
    """Return settings of a mail server that does not answer: a port that was free a moment ago."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    return override_settings(**for_this_django(email_settings(f"smtp://127.0.0.1:{port}")))


@pytest.mark.django_db
def test_a_key_is_posted_to_a_recipient_once() -> None:
    user = make.user(email="ada@example.org")
    assert [post(user, "Ada@example.org ", "ben@example.org"), post(user)] == [2, 1]
    assert set(Notice.objects.values_list("recipient", "user_id")) == {
        ("ada@example.org", user.pk),
        ("ben@example.org", None),
    }


@pytest.mark.django_db
def test_each_recipient_gets_a_text_in_their_language() -> None:
    """An account has its own, or English; an address that of its account, or of the page."""
    ada, ben, eva = (make.user(email=f"{name}@example.org", language=code) for name, code in ACCOUNTS)
    with override("de"):
        notices.post(
            to=[ada, ben, eva.email, "new@example.org"],
            kind=NoticeKind.SECURITY,
            key="k",
            subject=get_language,
            text=gettext_lazy("Language"),
            at=AT,
        )
    rows = Notice.objects.order_by("recipient")
    assert [(row.recipient, row.language, row.subject, row.content) for row in rows] == [
        ("ada@example.org", "fr", "fr", "Langue"),
        ("ben@example.org", "en", "en", "Language"),
        ("eva@example.org", "es", "es", "Idioma"),
        ("new@example.org", "de", "de", "Sprache"),
    ]


@pytest.mark.django_db
def test_a_kind_turned_off_is_not_sent_unless_it_always_is() -> None:
    user = make.user()
    notices.save_wanted_kinds(user, wanted=[])
    assert {kind for kind in NoticeKind if not post(user, key=kind, kind=kind)} == {*OPTIONAL_NOTICES}


@pytest.mark.django_db
def test_a_closed_account_gets_nothing() -> None:
    assert post(make.user(is_active=False)) == 0


@pytest.mark.django_db
def test_kinds_are_turned_off_and_on_again() -> None:
    user = make.user()
    notices.save_wanted_kinds(user, wanted=["decision"])
    notices.save_wanted_kinds(user, wanted=["decision", "digest"])
    assert notices.load_muted_kinds(user) == set(OPTIONAL_NOTICES) - {"decision", "digest"}


@pytest.mark.django_db
def test_what_is_always_sent_cannot_be_turned_off() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        NoticePreference.objects.create(user=make.user(), kind=NoticeKind.SECURITY)


@pytest.mark.django_db
def test_a_mail_delivered_twice_by_the_broker_goes_out_once() -> None:
    post(make.user(email="ada@example.org"))
    number = the_notice().pk
    assert [notices.send(number, at=AT), notices.send(number, at=AT)] == [True, False]
    assert [message.to for message in mail.outbox] == [["ada@example.org"]]
    assert (the_notice().state, the_notice().sent_at) == (NoticeState.SENT, AT)


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_a_mail_once() -> None:
    post("ada@example.org")
    number = the_notice().pk

    def work(_: int) -> bool:
        try:
            return notices.send(number, at=AT)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(work, range(4))) == [False, False, False, True]
    assert len(mail.outbox) == 1


@pytest.mark.django_db
def test_a_mail_is_sent_after_failures_and_later_each_time() -> None:
    post("ada@example.org")
    number = the_notice().pk
    with no_server():
        assert not notices.send(number, at=AT)
        let_pass(Notice.objects.all(), MINUTE)
        assert not notices.send(number, at=AT)
    assert (the_notice().attempts, the_notice().state) == (2, NoticeState.DUE)
    let_pass(Notice.objects.all(), MINUTE)
    assert not notices.send(number, at=AT)
    let_pass(Notice.objects.all(), MINUTE)
    assert notices.send(number, at=AT)
    assert (the_notice().attempts, the_notice().failure, len(mail.outbox)) == (3, "", 1)


@pytest.mark.django_db
def test_a_mail_waits_for_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("no folder")
    post("ada@example.org")
    with override_settings(**for_this_django(email_settings(f"file:///{tmp_path}/var/mail"))):
        assert not notices.send(the_notice().pk, at=AT)
        assert (the_notice().state, the_notice().attempts) == (NoticeState.DUE, 1)
        (tmp_path / "var").unlink()
        let_pass(Notice.objects.all(), MINUTE)
        assert notices.send(the_notice().pk, at=AT)
    assert len([*(tmp_path / "var" / "mail").iterdir()]) == 1


@pytest.mark.django_db
def test_a_mail_that_never_goes_out_fails_with_its_reason() -> None:
    post("ada@example.org")
    with no_server():
        for _ in range(notices.NOTICES.max_attempts + 1):
            notices.send(the_notice().pk, at=AT)
            let_pass(Notice.objects.all(), timedelta(days=1))
    assert (the_notice().state, the_notice().attempts) == (NoticeState.FAILED, notices.NOTICES.max_attempts)
    assert "refused" in the_notice().failure


@pytest.mark.django_db
def test_a_mail_whose_worker_died_is_not_risked_twice() -> None:
    post("ada@example.org")
    assert notices.NOTICES.claim(Notice.objects.all())
    let_pass(Notice.objects.all(), 14 * MINUTE)
    notices.sweep(at=AT)
    assert the_notice().state == NoticeState.SENDING
    let_pass(Notice.objects.all(), MINUTE)
    notices.sweep(at=AT)
    let_pass(Notice.objects.all(), 60 * MINUTE)
    assert (the_notice().state, notices.send(the_notice().pk, at=AT)) == ("failed", False)
    assert mail.outbox == []


@pytest.mark.django_db
def test_a_clock_set_back_holds_no_mail_up() -> None:
    post("ada@example.org")
    post("bob@example.org")
    assert notices.NOTICES.claim(Notice.objects.filter(recipient="bob@example.org"))
    let_pass(Notice.objects.all(), timedelta(days=-3))
    back = AT - timedelta(days=3)

    notices.sweep(at=back)

    states = dict(Notice.objects.values_list("recipient", "state"))
    assert states == {"ada@example.org": NoticeState.DUE, "bob@example.org": NoticeState.FAILED}
    assert notices.send(Notice.objects.get(recipient="ada@example.org").pk, at=back)


@pytest.mark.django_db
def test_a_mail_says_how_to_turn_its_kind_off() -> None:
    post(make.user())
    notices.send(the_notice().pk, at=AT)
    message = mail.outbox[0]
    link = message.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in message.body
    assert notices.mute_kind(link.rpartition("/")[2]) == NoticeKind.PUBLICATION
    assert NoticePreference.objects.values_list("kind", flat=True).get() == "publication"


@pytest.mark.django_db
def test_an_invitation_has_no_link_that_turns_it_off() -> None:
    post("ada@example.org", kind=NoticeKind.INVITATION)
    notices.send(the_notice().pk, at=AT)
    assert [name for name in mail.outbox[0].extra_headers if name.startswith("List")] == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("subject", "kept"),
    [("A\r\nBcc: x@example.org", "A Bcc: x@example.org"), ("a\x00b", "ab"), ("x" * 300, "x" * 199 + "…")],
)
def test_a_subject_is_one_line_of_bounded_length(subject: str, kept: str) -> None:
    notices.post(to=["a@example.org"], kind=NoticeKind.DECISION, key="k", subject=subject, text="\x00", at=AT)
    assert (the_notice().subject, the_notice().text) == (kept, "")
