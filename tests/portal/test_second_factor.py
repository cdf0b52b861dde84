from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.test import Client
from pytest_django import Settings


@pytest.fixture
def staff(db: None, client: Client) -> AbstractBaseUser:
    """Return a signed-in person with the admin's right."""
    user = get_user_model().objects.create_superuser(email="staff@portal.example")
    client.force_login(user)
    return user


def test_staff_without_a_second_factor_are_sent_to_set_one_up(
    client: Client, staff: AbstractBaseUser, settings: Settings
) -> None:
    settings.REQUIRE_MFA = True

    answer = client.get("/admin/")

    assert (answer.status_code, answer["Location"]) == (302, "/accounts/2fa/totp/activate/")


def test_staff_with_a_second_factor_pass(client: Client, staff: AbstractBaseUser, settings: Settings) -> None:
    settings.REQUIRE_MFA = True
    Authenticator.objects.create(user=staff, type=Authenticator.Type.TOTP, data={})

    assert client.get("/admin/").status_code == 200


def test_nobody_is_asked_where_the_installation_does_not_demand_it(
    client: Client, staff: AbstractBaseUser, settings: Settings
) -> None:
    settings.REQUIRE_MFA = False

    assert client.get("/admin/").status_code == 200


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
def test_health_answers_whatever_is_demanded(
    client: Client, staff: AbstractBaseUser, settings: Settings, path: str
) -> None:
    settings.REQUIRE_MFA = True

    assert client.get(path)["Content-Type"] == "application/json"


def test_nobody_signs_up_alone(client: Client, db: None) -> None:
    answer = client.post(
        "/accounts/signup/",
        {"email": "new@portal.example", "password1": "a long enough word", "password2": "a long enough word"},
    )

    assert answer.status_code == 200
    assert not get_user_model().objects.exists()


# What no browser sends: not JSON, no object, too deep or too long for its reader, or an object of another shape.
WRONG = ["", "x", "[]", "1", "[" * 3000, "9" * 5000, '{"response": []}', '{"response": {"userHandle": 5}}']


@pytest.mark.parametrize("credential", WRONG, ids=lambda text: text[:30])
def test_no_answer_of_a_key_fails(client: Client, db: None, credential: str) -> None:
    password = "a long enough word"
    get_user_model().objects.create_user("anna@portal.example", password)
    client.get("/accounts/2fa/webauthn/login/", headers={"Accept": "application/json"})
    refused = client.post("/accounts/2fa/webauthn/login/", {"credential": credential})
    client.post("/accounts/login/", {"login": "anna@portal.example", "password": password})
    page = client.post("/accounts/2fa/webauthn/add/", {"credential": credential, "name": "Laptop"})

    assert (refused.status_code, refused["Location"]) == (302, "/accounts/login/")
    assert (page.status_code, page.context["form"].is_valid()) == (200, False)
    assert not Authenticator.objects.exists()
