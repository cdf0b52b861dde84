from __future__ import annotations

import pytest
from django.contrib.auth import authenticate, get_user_model
from django.db import IntegrityError, transaction
from django.test import Client

from tests import make


@pytest.mark.django_db
class TestUser:
    def test_email_is_kept_in_small_letters(self) -> None:
        user = get_user_model().objects.create_user(email="  Anna@Portal.EXAMPLE ", password="word")

        assert user.email == "anna@portal.example"

    def test_address_in_other_case_signs_in(self) -> None:
        user = get_user_model().objects.create_user(email="anna@portal.example", password="word")

        assert authenticate(username="Anna@portal.example", password="word") == user

    def test_account_without_a_password_cannot_sign_in(self) -> None:
        user = get_user_model().objects.create_user(email="anna@portal.example")

        assert not user.has_usable_password()

    def test_address_belongs_to_one_account(self) -> None:
        get_user_model().objects.create_user(email="anna@portal.example")

        with pytest.raises(IntegrityError), transaction.atomic():
            get_user_model().objects.create_user(email="ANNA@portal.example")

    def test_account_needs_an_address(self) -> None:
        with pytest.raises(ValueError, match="email address"):
            get_user_model().objects.create_user(email="")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("role", "expected"),
    [("officer", "/desk/"), ("qc", "/desk/"), ("staff", "/desk/"), (None, "/desk/chess/")],
)
def test_sign_in_leads_to_where_ones_work_is(client: Client, role: str | None, expected: str) -> None:
    user = make.person(role) if role else make.user()
    user.set_password("a long enough word")
    user.save()
    answer = client.post("/accounts/login/", {"login": user.email, "password": "a long enough word"})
    assert (answer.status_code, answer["Location"]) == (302, expected)


@pytest.mark.django_db
def test_account_without_a_role_begins_at_the_own_chess_and_has_no_desk(client: Client) -> None:
    user = make.user()
    user.set_password("a long enough word")
    user.save()

    words = {"login": user.email, "password": "a long enough word"}
    landed = client.post("/accounts/login/", words, follow=True)

    assert [path for path, _status in landed.redirect_chain] == ["/desk/chess/"]
    assert (landed.status_code, "<h1>My chess</h1>" in landed.content.decode()) == (200, True)
    assert client.get("/desk/").status_code in (302, 403, 404)
