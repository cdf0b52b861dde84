"""The module, the template and the test of an address are where the address says."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, resolve

# The pages of the rooms. Those of accounts and of the admin site belong to libraries, which name their own.
ROOMS = {"api": "api/v1/", "desk": "desk/", "public": ""}
# The page at the address of a room, and of an object in a package whose name is no name of an object.
OVERVIEWS = {"api": "root", "desk": "dashboard", "public": "home"}
OBJECTS = {
    "calculators": "calculators",
    "search": "suggestions",
    "chess": "chess",
    "fees": "fees",
    "lists": "rating_list",
    "people": "people",
    "qc": "case",
    "texts": "texts",
}
# Addresses whose module has another name, with the reason.
ELSEWHERE = {
    r"accounts/deadlines/": ("desk.calendar", "the feed of /desk/calendar/, for programs without a session"),
    r"desk/(appeals/$|corrections/|qc/$|players/(applications/|claims/|changes/$|changes/.*/decide))": (
        "desk.cases",
        "where these cases are now",
    ),
    r"desk/tournaments/.*/(answer|appeal)$": ("desk.cases", "leads to the newest case"),
    r"desk/(adjustments|texts/late)/.*/(confirm|cancel)$": ("desk.acts_on_lists", "what all such acts share"),
    r"desk/lists/": ("desk.publication", "the lists of a month before they are published"),
    r"desk/players/new$": ("desk.players.register", "`new` would not say what the page does"),
    r"desk/tournaments/new$": ("desk.tournaments.register", "`new` would not say what the page does"),
    r"desk/tournaments/.*/report$": (
        "desk.tournaments.upload",
        "`report` is what `reports` has each version of",
    ),
    r"desk/tournaments/.*/(choose|fix)$": ("desk.tournaments.fixes", "the fixes of a version"),
    r"desk/trail[/.]": ("desk.audit_log", "the address of the audit log is in bookmarks and scripts"),
    r"api/v1/(docs|schema|changelog|<anything:rest>)": ("api.documentation", "what the API says of itself"),
    r"api/v1$": ("api.root", "the index without its slash"),
    r"robots\.txt$": ("public.sitemaps", "names the sitemaps"),
    r".*feed\.atom$": ("public.feeds", "all feeds share one form"),
    r"lists/(verify_list|.*/history\.csv\.zip|.*/latest/<str)": ("public.lists.files", "files to download"),
    r"lists/.*/players\.": ("public.lists.part", "the players of a list that a filter leaves"),
    r"lists/.*/SHA256SUMS$": ("public.lists.verify", "what a reader verifies the files with"),
    r"players/.*/<kind:kind>/": ("public.players.calculation", "the calculation of a player on a list"),
    r"tournaments/.*/(report\.trf|results\.csv)$": ("public.tournaments.files", "files to download"),
}


def addresses(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, address)
        elif isinstance(pattern, URLPattern):
            yield address, inspect.unwrap(getattr(pattern.callback, "cls", pattern.callback))


PAGES = [
    (address, view.__module__)
    for address, view in addresses(get_resolver().url_patterns)
    if view.__module__.partition(".")[0] in ROOMS
]


def forms_of(name: str) -> set[str]:
    """Return a name in singular and plural."""
    return {name, name.removesuffix("s"), f"{name}s"}


def modules_named(address: str, room: str) -> set[str]:
    """Return the modules in which the view of an address may be, by the names in the address."""
    path = address.removeprefix(ROOMS[room]).removesuffix("/")
    parts = [part.partition(".")[0].replace("-", "_") for part in path.split("/") if part]
    names = [part for part in parts if not part.startswith("<")]
    if not names:
        return {f"{room}.{OVERVIEWS[room]}"}
    top, *others = names
    if not (settings.BASE_DIR / room / top).is_dir():
        joined = {f"{first.removesuffix('s')}_{second}" for first, second in zip(names, others, strict=False)}
        named = {form for name in names for form in forms_of(name)}
        return {f"{room}.{name}" for name in named | joined}
    package = settings.BASE_DIR / room / top
    existing = {file.stem for file in package.glob("*.py")}
    found = {form for name in others for form in forms_of(name) | {f"{name}_list"}} & existing
    own = {top} if len(parts) == 1 else {OBJECTS.get(top, top.removesuffix("s"))}
    return {f"{room}.{top}.{name}" for name in found or own}


def is_in_place(address: str, module: str) -> bool:
    return module in modules_named(address, module.partition(".")[0])


def test_every_view_is_where_its_address_says() -> None:
    misplaced = {address: module for address, module in PAGES if not is_in_place(address, module)}
    for pattern, (place, _reason) in ELSEWHERE.items():
        matched = {address for address in misplaced if re.match(pattern, address)}
        assert matched, f"{pattern} needs no reason"
        assert {misplaced.pop(address) for address in matched} == {place}
    assert misplaced == {}


def test_templates_stand_beside_their_view() -> None:
    misplaced = set()
    for module in {module for _address, module in PAGES}:
        room, name, *_rest = module.split(".")
        source = Path(settings.BASE_DIR, *module.split(".")).with_suffix(".py").read_text()
        own = tuple(f"{room}/{form}" for form in forms_of(name))
        templates = set(re.findall(rf'"({room}/[\w/-]+\.(?:html|svg))"', source))
        misplaced |= {(module, template) for template in templates if not template.startswith(own)}
    assert misplaced == set()


def test_tests_of_a_view_stand_under_its_name() -> None:
    expected = set()
    for module in {module for _address, module in PAGES}:
        *folders, name = module.split(".")
        expected.add(Path("tests", *folders, f"test_{name}.py"))
    assert {str(path) for path in expected if not (settings.BASE_DIR / path).is_file()} == set()


def test_former_address_of_the_audit_log_in_the_admin_redirects() -> None:
    match = resolve("/admin/tournaments/trailentry/7/change/")

    answer = match.func(RequestFactory().get("/", {"q": "SUI"}), *match.args, **match.kwargs)

    assert (answer.status_code, answer["Location"]) == (302, "/admin/players/logentry/7/change/?q=SUI")


@pytest.mark.parametrize(
    ("former", "present"),
    [
        ("calculators/systems/?rating=2100&opponent=2150", "calculators/?rating=2100&opponent=2150"),
        ("lists/health/", "lists/"),
        ("lists/rapid/2026-02-01/health/", "lists/rapid/2026-02-01/statistics/"),
        ("lists/rapid/2026-02-01/health.csv", "lists/rapid/2026-02-01/statistics/"),
    ],
)
@pytest.mark.parametrize("language", ["/", "/de/"])
def test_former_address_redirects_to_what_replaces_it(
    client: Client, language: str, former: str, present: str
) -> None:
    answer = client.get(language + former)

    assert (answer.status_code, answer["Location"]) == (302, language + present)
