"""Emails as text and HTML, and several of a day as one."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail

from players import notices
from players.choices import NoticeKind, NoticeState
from players.models import Notice
from players.notices import Block, Piece, blocks_of, message_of
from tests import make

AT = datetime(2026, 3, 4, 7, 30, tzinfo=UTC)
AT_DIGEST = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
SITE = "https://ratings.example.org"
pytestmark = [pytest.mark.django_db, pytest.mark.page]


@pytest.fixture(autouse=True)
def _site(settings: Any) -> None:
    settings.SITE_URL = SITE


def post(
    user: Any, key: str, *, kind: NoticeKind = NoticeKind.DECISION, text: str = "It was decided."
) -> None:
    notices.post(to=[user], kind=kind, key=key, subject=f"About {key}", text=text, at=AT)


def html_of(notice: Notice) -> str:
    [alternative] = message_of(notice).alternatives
    assert alternative[1] == "text/html"
    return str(alternative[0])


def test_a_text_becomes_paragraphs_lists_and_links_of_the_portal() -> None:
    text = (
        f"Two are due.\n\n* Open\n  {SITE}/desk/a\n* Cup\n\nSee {SITE}/desk/ or https://evil.example/{SITE}/"
    )

    assert blocks_of(text) == [
        Block(False, [[[Piece("Two are due.")]]]),
        Block(True, [[[Piece("Open")], [Piece(f"{SITE}/desk/a", f"{SITE}/desk/a")]], [[Piece("Cup")]]]),
        Block(
            False,
            [
                [
                    [
                        Piece("See "),
                        Piece(f"{SITE}/desk/", f"{SITE}/desk/"),
                        Piece(f" or https://evil.example/{SITE}/"),
                    ]
                ]
            ],
        ),
    ]


def test_every_email_has_both_forms_and_one_link_to_act() -> None:
    post(make.user(), "Open", text=f"<b>Anna</b> & Co decided.\n\n{SITE}/desk/tournaments/SUI-1/")

    message, html = message_of(Notice.objects.get()), html_of(Notice.objects.get())

    assert "<b>Anna</b> & Co decided." in message.body
    assert "<p>&lt;b&gt;Anna&lt;/b&gt; &amp; Co decided.</p>" in re.sub(r"\s+(?=<)|(?<=>)\s+", "", html)
    assert re.findall(r'<strong><a href="([^"]*)">', html) == [f"{SITE}/desk/tournaments/SUI-1/"]
    assert "Unsubscribe" in html
    assert (message.body.count("/desk/tournaments/SUI-1/"), html.count("/desk/tournaments/SUI-1/")) == (1, 1)


def test_an_email_has_the_face_of_the_portal_and_one_button() -> None:
    post(make.user(), "Open", text=f"It was decided.\n\n{SITE}/desk/tournaments/SUI-1/")

    html = html_of(Notice.objects.get())

    links = re.findall(r'<a href="([^"]*)">', html)
    assert 'bgcolor="#12422c"' in html
    assert [link for link in links if "notification" not in link and "/off/" not in link] == [
        f"{SITE}/",
        f"{SITE}/desk/tournaments/SUI-1/",
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"Open this link:\n{SITE}/follows/confirm/1/\n\nIt is valid for 48 hours.",
        f"Open this link:\n\n{SITE}/follows/confirm/1/\n\nIt is valid for 48 hours.",
    ],
)
def test_the_button_stands_where_the_text_has_its_link(text: str) -> None:
    post(make.user(), "Open", text=text)

    html = html_of(Notice.objects.get())

    assert html.count("/follows/confirm/1/") == 1
    places = [html.index(part) for part in ("Open this link:", "<strong><a href", "It is valid")]
    assert places == sorted(places)


def test_an_email_without_a_link_leads_to_the_dashboard() -> None:
    post(make.user(), "Open")

    message = message_of(Notice.objects.get())

    assert f": {SITE}/desk/\n" in message.body
    assert f'<a href="{SITE}/desk/">' in html_of(Notice.objects.get())


def test_emails_of_a_day_go_out_as_one() -> None:
    daily, single = make.user(has_daily_digest=True), make.user()
    for key in ("Open", "Cup"):
        post(daily, key)
        post(single, key)
    post(daily, "password", kind=NoticeKind.SECURITY)

    assert set(Notice.objects.filter(in_digest=True).values_list("user", "due_at")) == {(daily.pk, AT_DIGEST)}
    assert not Notice.objects.get(key="password").in_digest
    held = Notice.objects.filter(in_digest=True).values_list("pk", flat=True)
    assert not any(notices.send(number, at=AT_DIGEST) for number in held)
    assert [notices.collect_digests(at=at) for at in (AT, AT_DIGEST, AT_DIGEST)] == [0, 1, 0]
    digest = Notice.objects.get(kind=NoticeKind.DAILY)
    assert notices.send(digest.pk, at=AT_DIGEST)
    [sent] = mail.outbox
    assert (re.findall(r"\d+", sent.subject), sent.to) == (["2"], [daily.email])
    assert sent.body.index("About Open") < sent.body.index("About Cup") < sent.body.rindex(f"{SITE}/desk/")
    assert set(Notice.objects.filter(in_digest=True).values_list("state", flat=True)) == {NoticeState.SENT}


def test_an_email_after_the_hour_waits_for_the_next_day() -> None:
    user = make.user(has_daily_digest=True)
    late = AT_DIGEST + timedelta(seconds=1)
    notices.post(to=[user], kind=NoticeKind.APPEAL, key="k", subject="S", text="T", at=late)

    assert Notice.objects.get().due_at == AT_DIGEST + timedelta(days=1)
    assert [notices.collect_digests(at=late), notices.collect_digests(at=late + timedelta(days=1))] == [0, 1]
