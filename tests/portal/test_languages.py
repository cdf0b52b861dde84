"""The language of a page stands in its address; English has no prefix."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from portal.models import User
from tests import make

pytestmark = pytest.mark.django_db
PREFIXES = {"en": "", **{code: f"/{code}" for code, _name in settings.LANGUAGES if code != "en"}}


@pytest.mark.parametrize(("language", "prefix"), PREFIXES.items())
@pytest.mark.parametrize("wanted", ["de", "fr;q=0.9"])
def test_address_alone_decides_the_language(client: Client, prefix: str, language: str, wanted: str) -> None:
    response = client.get(f"{prefix}/lists/", headers={"accept-language": wanted})
    assert (response.status_code, response["Content-Language"]) == (200, language)
    assert f'<html lang="{language}">' in response.content.decode()
    assert "Accept-Language" not in response.get("Vary", "")


def test_page_names_itself_in_every_language(client: Client) -> None:
    page = client.get("/fr/search?q=nova").content.decode()
    alternates = re.findall(r'<link rel="alternate" hreflang="(\w+)" href="([^"]+)">', page)
    assert alternates == [
        (code, f"{settings.SITE_URL}{prefix}/search?q=nova") for code, prefix in PREFIXES.items()
    ]


def test_links_stay_in_the_language(client: Client) -> None:
    page = client.get("/fr/").content.decode()
    with override("fr"):
        assert f'href="{reverse("ratings:lists")}"' in page
    assert 'href="/lists/"' not in re.sub(r"<link[^>]+>|<a [^>]*hreflang[^>]+>", "", page)


def test_unknown_language_is_no_page(client: Client) -> None:
    assert client.get("/it/lists/").status_code == 404


@pytest.mark.parametrize("path", ["/api/v1/", "/health/live"])
def test_programs_have_one_address(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200
    assert client.get(f"/fr{path}").status_code == 404


def language_of(user: User) -> str:
    return User.objects.get(pk=user.pk).language


def test_menu_of_a_user_keeps_the_language_and_shows_the_page_in_it(client: Client) -> None:
    user = make.user(language="en")
    client.force_login(user)
    page = client.get("/search?q=nova").content.decode()
    assert '<input type="hidden" name="next" value="/fr/search?q=nova">' in page

    answer = client.post("/accounts/language", {"language": "fr", "next": "/fr/search?q=nova"})

    assert (answer.status_code, answer["Location"], language_of(user)) == (302, "/fr/search?q=nova", "fr")


def test_language_that_is_none_and_foreign_page_are_refused(client: Client) -> None:
    user = make.user(language="en")
    client.force_login(user)

    answer = client.post("/accounts/language", {"language": "it", "next": "https://example.org/"})

    assert (answer["Location"], language_of(user)) == ("/", "en")


def test_first_sign_in_gives_the_account_the_language_of_its_page(client: Client) -> None:
    user, chosen = make.user(), make.user(language="es")
    for one in (user, chosen):
        with override("de"):
            client.force_login(one)
    assert (language_of(user), language_of(chosen)) == ("de", "es")


@pytest.mark.parametrize(
    ("language", "page", "after"),
    [("de", "", "/de/desk/"), ("en", "/fr", "/desk/"), ("", "/fr", "/fr/desk/")],
)
def test_signing_in_leads_to_the_language_of_the_account(
    client: Client, language: str, page: str, after: str
) -> None:
    user = make.appointment(role="officer", user__language=language).user
    user.set_password("a long enough word")
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)

    answer = client.post(f"{page}/accounts/login/", {"login": user.email, "password": "a long enough word"})

    assert (answer.status_code, answer["Location"]) == (302, after)


def test_the_admin_is_a_place_of_the_dashboard_in_each_language(client: Client) -> None:
    client.force_login(make.person("staff"))
    page = client.get("/de/admin/")

    html = page.content.decode()
    assert (page["Content-Language"], len(page.wsgi_request.language_links)) == ("de", 4)
    assert 'href="/de/desk/" aria-current="true"' in html
    assert {link["code"]: link["url"] for link in page.wsgi_request.language_links}["fr"] == "/fr/admin/"
