"""The page on which a person chooses mails, and the link in a mail."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client

from players import notices
from players.choices import OPTIONAL_NOTICES, NoticeKind
from players.models import Notice
from players.notices import NOTICES, unsubscribe_token
from portal.models import User
from tests import make

PAGE = "/accounts/notifications"
AT = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def link_of_a_mail() -> str:
    notices.post(to=[make.user()], kind=NoticeKind.DEADLINE, key="k", subject="Due", text="Report it.", at=AT)
    return f"{PAGE}/off/{unsubscribe_token(Notice.objects.get())}"


def test_only_people_who_are_signed_in_choose() -> None:
    answer = Client().get(PAGE)
    assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={PAGE}")


def test_a_choice_of_what_the_roles_get_is_kept_and_shown() -> None:
    client, user = Client(), make.appointment(role="officer", federation=make.federation()).user
    client.force_login(user)
    for _ in range(2):
        assert client.post(PAGE, {"wanted": ["decision", "digest"], "language": "en"}).status_code == 302
    assert notices.load_muted_kinds(user) == set(OPTIONAL_NOTICES) - {"decision", "digest"}
    boxes = [box.data["value"] for _group, some in client.get(PAGE).context["form"].groups() for box in some]
    assert sorted(boxes) == sorted(OPTIONAL_NOTICES)
    assert client.get(PAGE).context["form"]["wanted"].value() == ["decision", "digest"]

    player = make.user(email="player@example.org")
    client.force_login(player)
    assert client.get(PAGE).context["form"].kinds == [NoticeKind.CLAIM, NoticeKind.NEXT_LIST]
    assert client.post(PAGE, {"wanted": ["claim"], "language": "en"}).status_code == 302
    # What was not offered is not turned off: a role may come.
    assert notices.load_muted_kinds(player) == {NoticeKind.NEXT_LIST}


def test_one_email_a_day_is_a_choice_of_the_account() -> None:
    client, user = Client(), make.user()
    client.force_login(user)
    client.post(PAGE, {"wanted": ["claim"], "daily": "on", "language": "en"})
    notices.post(
        to=[User.objects.get(pk=user.pk)], kind=NoticeKind.CLAIM, key="k", subject="S", text="T", at=AT
    )
    assert (client.get(PAGE).context["form"]["daily"].value(), Notice.objects.get().in_digest) == (True, True)

    client.post(PAGE, {"wanted": ["claim"], "language": "en"})

    assert client.get(PAGE).context["form"]["daily"].value() is False
    assert NOTICES.claim(Notice.objects.filter(in_digest=False)) == [Notice.objects.get()]


def test_the_language_of_emails_is_a_choice_of_the_account() -> None:
    client, user = Client(), make.user(language="es")
    client.force_login(user)
    assert client.get(PAGE).context["form"]["language"].value() == "es"

    client.post(PAGE, {"wanted": [], "language": "de"})
    client.post(PAGE, {"wanted": [], "language": "it"})

    assert User.objects.get(pk=user.pk).language == "de"


def test_a_kind_that_is_none_is_refused_at_its_field() -> None:
    client, user = Client(), make.user()
    client.force_login(user)
    answer = client.post(PAGE, {"wanted": ["security\x00"], "language": "en"})
    assert list(answer.context["form"].errors) == ["wanted"]
    assert notices.load_muted_kinds(user) == frozenset()


def test_the_link_of_a_mail_asks_first_and_turns_off_by_post() -> None:
    link, client = link_of_a_mail(), Client(enforce_csrf_checks=True)
    user = Notice.objects.get().user
    assert client.get(link).status_code == 200
    assert notices.load_muted_kinds(user) == frozenset()
    assert [client.post(link, {"List-Unsubscribe": "One-Click"}).status_code for _ in range(2)] == [200, 200]
    assert notices.load_muted_kinds(user) == {"deadline"}


@pytest.mark.parametrize("token", ["x", "a:b:c", "%00"])
def test_a_forged_link_does_not_exist(token: str) -> None:
    assert Client().post(f"{PAGE}/off/{token}").status_code == 404


def test_new_passwords_are_asked_for_in_plain_words() -> None:
    client, owner = Client(), make.user()
    owner.set_password("quiet rooks at noon")
    owner.save()
    client.force_login(owner)
    shown = client.get("/accounts/password/change/").content.decode()
    for text in ("Current password", "New password (again)", "At least 12 characters. Not a common password"):
        assert text in shown
    assert "can’t" not in shown
