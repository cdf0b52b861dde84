"""Following by email without an account: confirmation link, one email per list, one click to end (point 9)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from players import notices
from players.choices import NoticeKind
from players.models import Notice
from players.notices import Letter
from portal.personal_data import data_of_account, data_of_player, remove_account
from ratings import due_runs, follows, runs
from ratings.choices import RunState, Work
from ratings.models import Follow, Follower, Run
from tests import make
from tests.outbox import let_pass
from tests.public.pages import page, text_of
from tests.shared import SharedRows

pytestmark = pytest.mark.django_db
FIRST_HOUR = datetime(2026, 1, 20, 12, tzinfo=UTC)
ADA = "ada@example.org"
LINK = re.compile(r"http://[^/\s]+(/\S*follows/(?:own|confirm)/\S+)")


@pytest.fixture(autouse=True)
def clock() -> Any:
    cache.clear()
    with time_machine.travel(FIRST_HOUR, tick=False) as travelled:
        yield travelled


@pytest.fixture(scope="module")
def month_of_module(rows_of_module: SharedRows) -> make.Month:
    with rows_of_module(), time_machine.travel(FIRST_HOUR, tick=False):
        return make.play_month(is_published=False)


def ask(client: Client, address: str = ADA, prefix: str = "", **subject: Any) -> Any:
    return client.post(f"{prefix}/follows/", {"email": address, **subject})


def sent_to(client: Client, month: make.Month) -> str:
    """Ask to follow the hero, and return what the answer names."""
    (named,) = re.findall(r'data-sent="(\d+)"', ask(client, player=month.hero.pk).content.decode())
    return str(named)


def deliver() -> list[Any]:
    """Send due emails and return the messages of this round."""
    mail.outbox.clear()
    for notice in Notice.objects.filter(state="due").order_by("pk"):
        notices.send(notice.pk, at=datetime.now(UTC))
    return list(mail.outbox)


def link_in(message: Any) -> str:
    found = LINK.search(message.body)
    assert found, message.body
    return found[1]


def follow(client: Client, address: str = ADA, **subject: Any) -> None:
    ask(client, address, **subject)
    (message,) = deliver()
    assert client.post(link_in(message)).status_code == 200


def publish_february() -> None:
    make.publish("rapid", date(2026, 2, 1))
    for run in Run.objects.filter(work=Work.MAIL, state=RunState.DUE):
        runs.perform(run.work, run.subject, at=make.noon(date(2026, 2, 1)))


def test_form_is_on_the_pages_without_script_or_token(month: make.Month) -> None:
    make.publish("rapid", date(2026, 2, 1))
    careful, event = Client(enforce_csrf_checks=True), month.tournaments[0]
    for address in (f"/players/{month.hero.pk}/", f"/tournaments/{event.event_id}/", "/federations/SUI/"):
        answer = careful.get(address)
        assert 'action="/follows/"' in answer.content.decode()
        assert (answer["Cache-Control"], answer.cookies) == ("public, no-cache", {})
    answer = ask(careful, player=month.hero.pk)
    assert answer.status_code == 200
    assert f'data-sent="{month.hero.pk}"' in answer.content.decode()
    assert str(answer.context["subject"].page) in answer.content.decode()
    assert (answer.context["email"], answer.context["valid_until"]) == (ADA, FIRST_HOUR + follows.VALID_FOR)


def test_account_with_a_confirmed_address_follows_at_once(client: Client, month: make.Month) -> None:
    make.publish("rapid", date(2026, 2, 1))
    user, address = make.user(), f"/players/{month.hero.pk}/"
    own = EmailAddress.objects.filter(user=user)
    client.force_login(user)
    own.update(verified=False)
    asked = {"player": month.hero.pk, "follow": "yes"}
    assert client.post("/follows/account/", asked)["Location"] == f"/follows/?player={month.hero.pk}"
    own.update(verified=True)
    for value, state in (("yes", "yes"), ("yes", "yes"), ("no", "no")):
        assert client.post("/follows/account/", asked | {"follow": value})["Location"] == address
        assert f'data-following="{state}"' in page(client, address)
    assert (deliver(), Follow.objects.count(), Follower.objects.count()) == ([], 0, 0)


def test_account_follows_by_a_form_with_a_token_only(month: make.Month) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(make.user())
    asked = {"player": month.hero.pk, "follow": "yes"}
    assert careful.post("/follows/account/", asked).status_code == 403


def test_nothing_is_followed_before_the_button_of_the_link(client: Client, month: make.Month) -> None:
    ask(client, player=month.hero.pk)
    (message,) = deliver()
    assert (message.to, month.hero.name in message.subject) == ([ADA], True)
    # A mail scanner opens the link.
    assert f'type="submit">Follow {month.hero.name}' in page(client, link_in(message))
    assert Follow.objects.get().confirmed_at is None
    assert month.hero.name in client.post(link_in(message)).content.decode()
    assert Follow.objects.get().confirmed_at == FIRST_HOUR
    # The link belongs to the owner of the email address: it is not stored after sending.
    assert Notice.objects.get().text == ""


def test_link_is_valid_for_48_hours(client: Client, month: make.Month, clock: Any) -> None:
    ask(client, player=month.hero.pk)
    link = link_in(deliver()[0])
    clock.shift(timedelta(hours=47))
    assert client.get(link).status_code == 200
    clock.shift(timedelta(hours=1))
    assert [client.get(link).status_code, client.post(link).status_code] == [404, 404]
    call_command("retention", verbosity=0)
    assert (Follower.objects.count(), Follow.objects.count(), Notice.objects.count()) == (0, 0, 0)


def test_link_works_if_already_followed(client: Client, month: make.Month, clock: Any) -> None:
    follow(client, player=month.hero.pk)
    clock.shift(timedelta(days=3))
    ask(client, prefix="/de", player=month.hero.pk)
    link = link_in(deliver()[0])
    assert [client.get(link).status_code, client.post(link).status_code] == [200, 200]
    kept = Follow.objects.get()
    assert (kept.confirmed_at, kept.language) == (FIRST_HOUR, "en")


def test_form_and_email_promise_what_a_follower_of_the_subject_gets(
    client: Client, month: make.Month
) -> None:
    subjects = {
        "player": str(month.hero.pk),
        "tournament": month.tournaments[0].event_id,
        "federation": "SUI",
    }
    for field, key in subjects.items():
        ask(client, **{field: key})
        (message,) = deliver()
        for shown in (page(client, f"/follows/?{field}={key}"), message.body):
            assert [one for one, promise in follows.PROMISES.items() if str(promise) in shown] == [field]


@pytest.mark.database
def test_one_email_per_list_has_everything_followed(client: Client, month: make.Month) -> None:
    event = month.tournaments[0]
    follow(client, player=month.hero.pk)
    follow(client, tournament=event.event_id)
    follow(client, federation="SUI")
    publish_february()
    (message,) = deliver()
    assert (message.to, message.subject) == ([ADA], "Rating list published: rapid, February 2026")
    body = message.body
    assert re.search(r"\* Hero, Hanna\n  Rating 1905 \(.5\), 1 rated game\n", body)
    assert f"http://127.0.0.1:8000/players/{month.hero.pk}/rapid/2026-02-01/" in body
    assert f"* {event.name}\n" in body
    assert "* Switzerland\n  1 tournament, " in body
    html, kind = message.alternatives[0]
    assert kind == "text/html"
    assert f'href="http://127.0.0.1:8000/players/{month.hero.pk}/rapid/2026-02-01/"' in html


def test_repeated_publication_and_killed_worker_repeat_no_email(client: Client, month: make.Month) -> None:
    follow(client, player=month.hero.pk)
    publish_february()
    # The worker was killed after the emails were stored and before the job was marked as done.
    Run.objects.filter(work=Work.MAIL).update(state=RunState.RUNNING)
    let_pass(Run.objects.all(), timedelta(minutes=1))
    left = runs.sweep(at=make.noon(date(2026, 2, 2)), dispatch=due_runs.leave_due)
    assert "rapid 2026-02-01" in [run.subject for run in left if run.work == Work.MAIL]
    runs.perform(Work.MAIL, "rapid 2026-02-01", at=make.noon(date(2026, 2, 2)))
    assert len(deliver()) == 1
    assert deliver() == []


def test_confirmation_after_publication_starts_with_the_next_list(client: Client, month: make.Month) -> None:
    follow(client, "ben@example.org", player=month.hero.pk)
    make.publish("rapid", date(2026, 2, 1))
    with time_machine.travel("2026-02-01T12:01:00Z", tick=False):
        ask(client, player=month.hero.pk)
        client.post(link_in(deliver()[0]))
        runs.perform(Work.MAIL, "rapid 2026-02-01", at=make.noon(date(2026, 2, 2)))
        assert [message.to for message in deliver()] == [["ben@example.org"]]


def test_followers_get_no_email_without_a_change(client: Client, month: make.Month) -> None:
    follow(client, player=make.player(federation__code="AUT").pk)
    publish_february()
    assert deliver() == []


def test_one_click_of_a_mail_program_ends_all_and_removes_the_address(
    client: Client, month: make.Month
) -> None:
    follow(client, player=month.hero.pk)
    follow(client, federation="SUI")
    publish_february()
    (message,) = deliver()
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = message.extra_headers["List-Unsubscribe"].strip("<>").removeprefix("http://127.0.0.1:8000")
    program = Client(enforce_csrf_checks=True)
    assert program.get(link).status_code == 200
    assert Follow.objects.count() == 2
    for _again in range(2):
        assert program.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert (Follower.objects.count(), Notice.objects.filter(recipient=ADA).count()) == (0, 0)


def test_ending_the_last_follow_removes_the_address(client: Client, month: make.Month) -> None:
    follow(client, player=month.hero.pk)
    follow(client, federation="SUI")
    link = str(follows.own_page(Follower.objects.get().pk))
    assert all(name in text_of(page(client, link)) for name in (ADA, "Hero, Hanna", "Switzerland"))
    for number in Follow.objects.values_list("pk", flat=True):
        assert client.post(link, {"follow": number}).status_code == 302
    assert not Follower.objects.exists()
    assert "No pages followed" in page(client, link)


def test_a_guessed_link_shows_nobodys_follows(client: Client, month: make.Month) -> None:
    follow(client, player=month.hero.pk)
    assert "No pages followed" in page(client, "/follows/own/1:guessed/")
    assert client.post("/follows/own/1:guessed/").status_code == 200
    assert Follow.objects.count() == 1


def test_emails_to_an_address_are_limited_and_the_answer_is_the_same(
    client: Client, month: make.Month, clock: Any
) -> None:
    answers = []
    for _again in range(5):
        clock.shift(timedelta(minutes=1))
        answers.append(sent_to(client, month))
    assert answers == [str(month.hero.pk)] * 5
    assert len(deliver()) == follows.MAX_CONFIRMATIONS
    clock.shift(timedelta(hours=24))
    assert sent_to(client, month) == str(month.hero.pk)
    assert len(deliver()) == 1


def test_double_click_sends_one_email(client: Client, month: make.Month) -> None:
    first, second = (sent_to(client, month) for _click in range(2))

    assert (first == second, len(deliver())) == (True, 1)


def test_requests_of_others_keep_back_nobodys_email(client: Client, month: make.Month) -> None:
    others = [Letter(f"{number}@example.org", "Confirm", "Link", "en") for number in range(200)]
    notices.post_each(others, kind=NoticeKind.FOLLOW, key="follow", at=FIRST_HOUR)
    Notice.objects.update(state="sent", sent_at=FIRST_HOUR)

    ask(client, player=month.hero.pk)

    assert [message.to for message in deliver()] == [[ADA]]


def test_a_network_may_follow_ten_times_an_hour(client: Client, month: make.Month) -> None:
    answers = [ask(client, f"{number}@example.org", player=month.hero.pk) for number in range(11)]
    assert [answer.status_code for answer in answers] == [*[200] * 10, 429]
    # The window of an hour ends at 13:00.
    assert (answers[-1]["Retry-After"], answers[-1].context["until"].strftime("%H:%M")) == ("3600", "13:00")
    ipv6 = {"REMOTE_ADDR": "2001:db8::1"}, {"REMOTE_ADDR": "2001:db8::ffff:1"}
    data = {"email": ADA, "player": month.hero.pk}
    for place in range(10):
        assert client.post("/follows/", data, **ipv6[place % 2]).status_code == 200
    assert client.post("/follows/", data, **ipv6[0]).status_code == 429


def test_forms_of_other_sites_are_refused(client: Client, month: make.Month) -> None:
    data = {"email": ADA, "player": month.hero.pk}
    assert client.post("/follows/", data, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert not Follower.objects.exists()


@pytest.mark.parametrize("subject",
    [
        {}, {"player": "x"}, {"player": "9" * 30}, {"tournament": "NO-1"},
        {"tournament": "\x00"}, {"federation": "SUI\x00"},
    ],
)  # fmt: skip
def test_unknown_object_cannot_be_followed(client: Client, subject: dict[str, str]) -> None:
    assert ask(client, **subject).status_code == 404


def test_invalid_email_is_refused_at_its_field(client: Client, month: make.Month) -> None:
    answer = ask(client, "ada@", player=month.hero.pk)
    assert (answer.status_code, list(answer.context["form"].errors)) == (200, ["email"])


def test_emails_are_in_the_language_of_the_page(client: Client, month: make.Month) -> None:
    ask(client, prefix="/de", player=month.hero.pk)
    link = link_in(deliver()[0])
    assert link.startswith("/de/follows/confirm/")
    client.post(link)
    publish_february()
    (message,) = deliver()
    assert f"/de/players/{month.hero.pk}/rapid/2026-02-01/" in message.body
    assert "/de/follows/own/" in message.body
    assert '<html lang="de">' in message.alternatives[0][0]


def test_a_merged_player_is_followed_under_the_remaining_id(client: Client, month: make.Month) -> None:
    staff = make.person("staff")
    duplicate = make.player(name="Hero, Hanna", birth_year=month.hero.birth_year)
    follow(client, player=duplicate.pk)
    make.merge_by_two(duplicate, into=month.hero, reason="Same person", by=staff, at=FIRST_HOUR)
    publish_february()
    assert "Hero, Hanna" in deliver()[0].body


def test_email_is_in_the_data_of_its_account_and_of_no_player(client: Client, month: make.Month) -> None:
    user = make.user(email=ADA)
    follow(client, player=month.hero.pk)
    assert [row["player"] for row in data_of_account(user)["follows"]] == [month.hero.pk]
    assert not any("Follow" in name for name in data_of_player(month.hero)["tables"])
    remove_account(user, reason="Left", by=None, at=FIRST_HOUR)
    assert not Follower.objects.exists()


def test_a_tournament_without_results_can_be_followed(client: Client) -> None:
    event = make.tournament()
    follow(client, tournament=event.event_id)
    assert Follow.objects.get().tournament == event
