"""The navigation in the header of every page marks the current section."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests import make
from tests.public.pages import page

pytestmark = pytest.mark.django_db

CURRENT = re.compile(r'<a [^>]*href="([^"]+)" aria-current="(page|true)">')


def marked(markup: str) -> set[tuple[str, str]]:
    """Return the sections that the navigation marks, in the row and in the menu alike."""
    bar = markup.partition("</header>")[0]
    places = [part.partition("</ul>")[0] for part in bar.split('aria-label="Main"')[1:]]
    found = [set(CURRENT.findall(part)) for part in places]
    assert found[0] == found[1]
    return found[0]


MARKED = {
    "/": set(),
    "/lists/": {("/lists/", "page")},
    "/lists/rapid/2026-02-01/changes/": {("/lists/", "true")},
    "/lists/corrections/": {("/lists/", "true")},
    "/players/?q=hero": {("/players/", "page")},
    "/tournaments/": {("/tournaments/", "page")},
    "/federations/SUI/": {("/federations/", "true")},
    "/tools/": {("/tools/", "page")},
    "/calculators/performance/": {("/tools/", "true")},
    "/check/": {("/tools/", "true")},
    "/tools/worked-cases/": {("/tools/", "true")},
    "/arenas/": {("/arenas/", "page")},
    "/rules/": {("/tools/", "true")},
}


def test_current_place_is_marked(client: Client) -> None:
    make.play_month(1)

    assert {address: marked(page(client, address)) for address in MARKED} == MARKED


def test_current_place_is_marked_in_another_language(client: Client) -> None:
    assert re.findall(r'<a [^>]*href="(/de/[a-z]+/)" aria-current="page">', page(client, "/de/tools/")) == [
        "/de/tools/",
        "/de/tools/",
    ]


@pytest.mark.parametrize(
    "address", ["/", "/search", "/players/", "/federations/", "/lists/rapid/2026-01-01/"]
)
def test_page_search_and_header_search_have_different_labels(client: Client, address: str) -> None:
    make.rating_list()
    searches = re.findall(r'<form[^>]*role="search"[^>]*>', page(client, address))
    names = [re.findall(r'aria-label="([^"]+)"', form) for form in searches]
    assert len(names) == 2
    assert (names[0], len(names[1])) == ([], 1)


@pytest.mark.parametrize("address", ["/check/", "/tournaments/calendar/month", "/arenas/flyordie/"])
def test_inputs_have_only_valid_html_attributes(client: Client, address: str) -> None:
    markup = page(client, address)
    dated = re.findall(r'<input[^>]*type="(?:month|date|datetime-local)"[^>]*>', markup)
    assert [tag for tag in dated if re.search(r"\s(?:maxlength|pattern)=", tag)] == []
    assert ' wrap="off"' not in markup


def test_tabs_of_an_account_mark_the_page_that_is_open(client: Client) -> None:
    client.force_login(make.user())
    for address in ("/accounts/password/change/", "/accounts/sessions/", "/accounts/2fa/"):
        tabs = page(client, address).partition('<nav class="tabs ')[2].partition("</nav>")[0]
        assert CURRENT.findall(tabs) == [(address, "page")]


@pytest.mark.parametrize(("address", "value"), [("/search?q=alder", "alder"), ("/tournaments/?q=alder", "")])
def test_site_search_has_the_words_of_a_search_alone(client: Client, address: str, value: str) -> None:
    (field,) = re.findall(r'<input[^>]*id="site-search"[^>]*>', client.get(address).content.decode())
    assert f'value="{value}"' in field
