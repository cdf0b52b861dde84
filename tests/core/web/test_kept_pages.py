"""Public pages are kept until a commit writes: never an old page, never somebody's page for somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.db.models import F
from django.test import Client

from arenas.models import Arena, Rating
from core.bulk import update_rows
from core.editions import close_pages, editions_of, note_statement
from core.web.kept_pages import MAX_ADDRESS
from players.models import Notice, Player
from players.services.appointments import end_sessions
from portal.models import User
from portal.settings.backends import cache_settings
from tests.factories import TournamentFactory, UserFactory, publish
from tests.ratings.played import Month, play_month
from tournaments.models import LogLink, Tournament
from tournaments.services.log_chain import link_log

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(autouse=True)
def kept(settings: Any) -> Iterator[None]:
    settings.KEPT_PAGES_SECONDS = 60
    settings.CACHES = {
        **settings.CACHES,
        "pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    }
    caches["pages"].clear()
    yield
    caches["pages"].clear()


@pytest.fixture
def month() -> Month:
    return play_month()


def queries_of(client: Client, address: str, **options: Any) -> tuple[Any, int]:
    """Return the response, and how many statements it took."""
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        response = client.get(address, **options)
    return response, len(asked)


def test_next_reader_is_answered_without_a_query(client: Client, month: Month) -> None:
    address = f"/players/{month.hero.pk}/"
    first, made = queries_of(client, address)
    again, asked = queries_of(Client(), address)
    assert (made > 0, asked) == (True, 0)
    assert (again.content, again.headers["ETag"]) == (first.content, first.headers["ETag"])
    assert again.headers["Content-Length"] == str(len(again.content))
    assert again.headers["Content-Security-Policy"] == first.headers["Content-Security-Policy"]
    for name in ("Cache-Control", "Vary", "Content-Type", "Content-Language", "X-Accel-Expires"):
        assert again.headers[name] == first.headers[name]


def test_kept_badge_can_be_shown_on_other_sites(client: Client, month: Month) -> None:
    for _ in range(2):
        badge, _asked = queries_of(client, f"/players/{month.hero.pk}/badge.svg")
        assert badge.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


KNOWN = [
    ("/", ""),
    ("/search", "q=hero"),
    ("/lists/", "year=2026"),
    ("/lists/rapid/2026-02-01/", "federation=SUI&sort=name"),
    ("/lists/corrections/", "after="),
    ("/players/{hero}/tournaments/", "page=1"),
    ("/tournaments/", "kind=rapid"),
    ("/players/compare/", "player={hero}"),
]


@pytest.mark.parametrize(("path", "query"), KNOWN, ids=lambda value: value.strip("/") or "home")
def test_only_parameters_that_a_page_reads_make_a_kept_page(
    client: Client, month: Month, path: str, query: str
) -> None:
    publish("rapid", date(2026, 2, 1))
    path = path.format(hero=month.hero.pk)

    def keeps(address: str) -> bool:
        found = client.get(address)
        assert found.status_code in (200, 404)
        return "X-Accel-Expires" in found.headers

    query = query.format(hero=month.hero.pk)
    assert keeps(f"{path}?{query}")
    assert [keeps(f"{path}?{query}&{name}=1") for name in ("unknown", "utm_source", "Q")] == [False] * 3


def test_reader_who_has_the_kept_page_gets_304(client: Client, month: Month) -> None:
    tag = client.get("/").headers["ETag"]
    response, asked = queries_of(client, "/", headers={"if-none-match": tag})
    assert (response.status_code, response.content, response.headers["ETag"], asked) == (304, b"", tag, 0)


@pytest.mark.parametrize("address", ["/", "/lists/", "/players/{hero}/"])
def test_publication_makes_new_pages_at_once(client: Client, month: Month, address: str) -> None:
    address = address.format(hero=month.hero.pk)
    before = client.get(address).content
    publish("rapid", date(2026, 3, 1))
    assert client.get(address).content != before


@pytest.mark.parametrize(
    "write",
    [
        lambda player: Player.objects.filter(pk=player.pk).update(name="Heroine, Hanna"),
        lambda player: Player(pk=player.pk, name="Heroine, Hanna").save(update_fields=["name"]),
        lambda player: Player.objects.bulk_update([Player(pk=player.pk, name="Heroine, Hanna")], ["name"]),
    ],
)
def test_any_write_shows_on_the_next_request(client: Client, month: Month, write: Any) -> None:
    address = f"/players/{month.hero.pk}/"
    client.get(address)
    write(month.hero)
    assert "Heroine, Hanna" in client.get(address).content.decode()


def test_write_that_is_rolled_back_keeps_the_pages(client: Client, month: Month) -> None:
    before = editions_of("/")
    with transaction.atomic():
        Player.objects.filter(pk=month.hero.pk).update(name="Nobody, N")
        transaction.set_rollback(True)
    assert editions_of("/") == before
    Player.objects.filter(pk=month.hero.pk).update(name="Somebody, S")
    assert editions_of("/") != before


@pytest.mark.usefixtures("month")
def test_tables_that_no_page_shows_keep_the_pages() -> None:
    before = editions_of("/")
    Notice.objects.all().delete()
    Client().force_login(UserFactory())
    after_user = editions_of("/")
    Notice.objects.update(attempts=1)
    assert editions_of("/") == after_user
    assert before != after_user  # An account may be an officer, whom pages name.


@pytest.mark.usefixtures("month")
def test_sign_ins_and_links_of_the_log_keep_the_pages() -> None:
    user = UserFactory()
    before = editions_of("/")

    Client().force_login(user)
    User.objects.filter(pk=user.pk).update(language="fr")
    link_log()
    assert LogLink.objects.exists()
    assert editions_of("/") == before

    User.objects.filter(pk=user.pk).update(language="fr", last_name="Officer")
    assert editions_of("/") != before


def test_arena_write_concerns_the_pages_of_arenas_alone() -> None:
    before, of_arenas = editions_of("/"), editions_of("/arenas/x/")
    Arena.objects.update(slug=F("slug"))
    assert editions_of("/") == before
    assert editions_of("/arenas/x/") != of_arenas


@pytest.mark.database
def test_rows_that_change_by_way_of_a_temporary_table_concern_their_own_pages() -> None:
    before, of_arenas = editions_of("/"), editions_of("/arenas/x/")
    with transaction.atomic():
        update_rows(Rating, ("id", "games"), [(1, 2)])

    assert editions_of("/") == before
    assert editions_of("/arenas/x/") != of_arenas


SETTINGS_OF_AN_ACCOUNT = {
    "sign out elsewhere": end_sessions,
    "one mail a day": lambda user: User.objects.filter(pk=user.pk).update(has_daily_digest=True),
    "another password": lambda user: User.objects.filter(pk=user.pk).update(password="x"),
}


@pytest.mark.parametrize("act", SETTINGS_OF_AN_ACCOUNT)
def test_settings_of_an_account_concern_no_page(act: str) -> None:
    user = UserFactory()
    before = editions_of("/")
    SETTINGS_OF_AN_ACCOUNT[act](user)

    assert editions_of("/") == before


def test_nobody_known_gets_or_leaves_a_kept_page(month: Month) -> None:
    known = Client()
    known.force_login(UserFactory())
    for _ in range(2):
        assert b"/accounts/logout/" in known.get("/").content
        assert b"/accounts/logout/" not in Client().get("/").content


@pytest.mark.parametrize(
    "headers", [{"authorization": "Token x"}, {"hx-request": "true"}, {"range": "bytes=0-9"}]
)
def test_special_requests_pass_by_what_is_kept(client: Client, month: Month, headers: dict[str, str]) -> None:
    client.get("/")
    assert queries_of(client, "/", headers=headers)[1] > 0


def test_page_with_a_token_of_a_form_is_not_kept(client: Client) -> None:
    client.get("/check/")
    first = client.get("/check/")
    assert "X-Accel-Expires" not in first.headers


def test_languages_and_addresses_have_pages_of_their_own(client: Client, month: Month) -> None:
    addresses = ("/", "/fr/", "/lists/", "/fr/lists/")
    pages = [client.get(address).content for address in addresses]
    assert len(set(pages)) == 4
    assert [client.get(address).content for address in addresses] == pages


def test_kept_page_is_not_given_under_an_unknown_host(client: Client, month: Month) -> None:
    client.get("/")
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400


def test_overlong_address_is_answered_and_not_kept(client: Client, month: Month) -> None:
    address = "/?x=" + "a" * MAX_ADDRESS
    client.get(address)
    assert queries_of(client, address)[1] > 0


def test_closed_pages_open_again_with_the_commit(client: Client, month: Month) -> None:
    client.get("/")
    with transaction.atomic():
        close_pages()
        assert editions_of("/") is None
        assert queries_of(client, "/")[1] > 0
    assert editions_of("/") is not None


def test_write_on_another_connection_does_not_wait_for_this_one() -> None:
    before = editions_of("/")
    other = connection.copy()
    other.execute_wrappers.append(note_statement)
    try:
        with transaction.atomic(), other.cursor() as cursor:
            cursor.execute("CREATE TEMPORARY TABLE unknown_to_all (one integer)")
            assert connection.run_on_commit == []
            assert editions_of("/") != before
    finally:
        other.close()


def test_cache_that_is_away_keeps_nothing(client: Client, month: Month, settings: Any) -> None:
    settings.CACHES = {**settings.CACHES, "pages": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    assert client.get("/").status_code == 200
    assert queries_of(client, "/")[1] > 0


@pytest.mark.parametrize("redis_url", [None, "redis://127.0.0.1:6379/0"])
def test_pages_have_a_cache_of_their_own(redis_url: str | None, tmp_path: Path) -> None:
    caches = cache_settings(redis_url, var_dir=tmp_path)
    assert [caches[name]["LOCATION"] == caches["default"]["LOCATION"] for name in ("default", "pages")] == [
        True,
        bool(redis_url),
    ]
    assert ("KEY_PREFIX" in caches["pages"]) == bool(redis_url)


def test_proxy_keeps_by_its_edition_for_long_and_else_for_a_second(client: Client, month: Month) -> None:
    pages = client.get("/edition/").headers["X-Page-Edition"]
    for _ in range(2):
        by_edition = client.get("/", headers={"x-page-edition": pages})
        otherwise = [client.get("/", headers=headers) for headers in ({}, {"x-page-edition": "another"})]
        assert by_edition.headers["X-Accel-Expires"] == "60"
        assert [response.headers["X-Accel-Expires"] for response in otherwise] == ["1", "1"]
    Player.objects.filter(pk=month.hero.pk).update(name="Heroine, Hanna")
    old = client.get("/", headers={"x-page-edition": pages})
    assert old.headers["X-Accel-Expires"] == "1"
    assert client.get("/edition/").headers["X-Page-Edition"] != pages


@pytest.mark.usefixtures("month")
def test_edition_of_arenas_is_not_that_of_other_pages(client: Client) -> None:
    told = {path: client.get(path).headers["X-Page-Edition"] for path in ("/edition/", "/edition/arenas/")}
    Arena.objects.update(slug=F("slug"))
    assert client.get("/edition/").headers["X-Page-Edition"] == told["/edition/"]
    assert client.get("/edition/arenas/").headers["X-Page-Edition"] != told["/edition/arenas/"]


def test_closed_pages_have_no_edition_to_keep_them_by(client: Client, month: Month) -> None:
    with transaction.atomic():
        close_pages()
        closed = client.get("/edition/")
    assert (closed.status_code, "X-Page-Edition" in closed.headers) == (204, False)
    assert closed.headers["X-Accel-Expires"] == "0"
    assert "X-Page-Edition" in client.get("/edition/").headers


def test_proxy_keeps_the_way_to_the_newest_list_until_the_next(client: Client, month: Month) -> None:
    pages = client.get("/edition/").headers["X-Page-Edition"]
    response = client.get("/lists/rapid/", headers={"x-page-edition": pages})
    assert (response.status_code, response.headers["X-Accel-Expires"]) == (302, "60")
    publish("rapid", date(2026, 3, 1))
    after = client.get("/lists/rapid/", headers={"x-page-edition": pages})
    assert (after.headers["Location"], after.headers["X-Accel-Expires"]) == ("/lists/rapid/2026-03-01/", "1")


def test_somebody_known_is_led_without_a_kept_answer(month: Month) -> None:
    known = Client()
    known.force_login(UserFactory())
    response = known.get("/lists/rapid/")
    assert (response.status_code, "X-Accel-Expires" in response.headers) == (302, False)
    assert "no-store" in response.headers["Cache-Control"]


def test_tournament_is_kept_before_it_is_on_a_list(client: Client, month: Month) -> None:
    waiting = TournamentFactory(name="Autumn Open")
    addresses = [f"/tournaments/{waiting.event_id}/", f"/tournaments/{waiting.event_id}/why"]
    assert [client.get(address).status_code for address in addresses] == [200, 200]
    assert [queries_of(Client(), address)[1] for address in addresses] == [0, 0]
    Tournament.objects.filter(pk=waiting.pk).update(name="Winter Open")
    assert all("Winter Open" in client.get(address).content.decode() for address in addresses)


MISSING = ("/lists/rapid/2026-03-01/", "/fr/lists/rapid/2026-03-01/", "/api/v1/lists/rapid/2026-03-01")


@pytest.mark.usefixtures("month")
@pytest.mark.parametrize("address", MISSING)
def test_page_that_is_missing_is_kept_until_there_is_one(client: Client, address: str) -> None:
    first, made = queries_of(client, address)
    again, asked = queries_of(Client(), address)
    assert (first.status_code, again.status_code, made > 0, asked) == (404, 404, True, 0)
    assert again.content == first.content
    for name in ("Cache-Control", "Content-Type", "Content-Language", "X-Accel-Expires"):
        assert again.headers[name] == first.headers[name]
    publish("rapid", date(2026, 3, 1))
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("headers", [{"if-none-match": "*"}, {"if-match": "*"}, {"if-unmodified-since": "x"}])
def test_conditions_change_nothing_where_a_page_is_missing(client: Client, headers: dict[str, str]) -> None:
    for _ in range(2):
        assert client.get(MISSING[0], headers=headers).status_code == 404


def test_missing_pages_of_somebody_known_are_not_kept(month: Month) -> None:
    known = Client()
    known.force_login(UserFactory())
    for _ in range(2):
        response = known.get(MISSING[0])
        assert b"/accounts/logout/" in response.content
        assert ("no-store" in response.headers["Cache-Control"], "X-Accel-Expires" in response.headers) == (
            True,
            False,
        )
        assert b"/accounts/logout/" not in Client().get(MISSING[0]).content


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/nothing/here/", "/desk/", "/invitations/x/", "/follows/own/x/"])
def test_missing_addresses_of_no_public_page_are_not_kept(client: Client, address: str) -> None:
    assert "X-Accel-Expires" not in client.get(address).headers


def test_answers_of_the_api_are_kept_like_pages(client: Client, month: Month) -> None:
    address = f"/api/v1/players/{month.hero.pk}"
    first, made = queries_of(client, address)
    again, asked = queries_of(Client(), address)
    assert (made > 0, asked, again.json()) == (True, 0, first.json())
    told = ("Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Cache-Control", "ETag")
    assert [again.headers[name] for name in told] == [first.headers[name] for name in told]
    assert client.get(address, headers={"if-none-match": first.headers["ETag"]}).status_code == 304
    Player.objects.filter(pk=month.hero.pk).update(name="Heroine, Hanna")
    assert client.get(address).json()["name"] == "Heroine, Hanna"


def test_head_is_answered_from_what_is_kept_and_leaves_nothing(client: Client, month: Month) -> None:
    for address in ("/lists/", MISSING[0], f"/api/v1/players/{month.hero.pk}"):
        client.head(address)
        page, made = queries_of(client, address)
        head = client.head(address)
        assert (head.content, head.status_code, made > 0) == (b"", page.status_code, True)
        assert head.headers["Cache-Control"] == page.headers["Cache-Control"]


def test_condition_that_fails_is_the_apis_own_answer(client: Client, month: Month) -> None:
    address = f"/api/v1/players/{month.hero.pk}"
    client.get(address)
    failed = client.get(address, headers={"if-match": '"other"'})
    assert (failed.status_code, failed.headers["Content-Type"]) == (412, "application/problem+json")


def test_reader_with_the_time_of_a_kept_answer_gets_304(client: Client, month: Month) -> None:
    address = "/api/v1/lists/rapid/2026-02-01"
    changed = client.get(address).headers["Last-Modified"]
    response, asked = queries_of(client, address, headers={"if-modified-since": changed})
    assert (response.status_code, asked) == (304, 0)


def test_answer_is_kept_no_longer_than_it_says(client: Client, month: Month, settings: Any) -> None:
    settings.KEPT_PAGES_SECONDS = 3600
    held = {"x-page-edition": client.get("/edition/").headers["X-Page-Edition"]}
    addresses = ("/", f"/api/v1/players/{month.hero.pk}")
    assert [client.get(one, headers=held).headers["X-Accel-Expires"] for one in addresses] == ["3600", "60"]


def test_proxy_is_not_told_what_one_caller_has_left(client: Client, month: Month) -> None:
    address = f"/api/v1/players/{month.hero.pk}"
    held = {"x-page-edition": client.get("/edition/").headers["X-Page-Edition"]}
    assert "RateLimit-Remaining" not in client.get(address, headers=held).headers
    assert "RateLimit-Remaining" in client.get(f"{address}/history").headers
    wrong = client.get(f"{address}?wrong=1", headers=held).headers
    assert ("RateLimit-Remaining" in wrong, "X-Accel-Expires" in wrong) == (True, False)


@pytest.mark.django_db
def test_answers_to_a_token_are_neither_kept_nor_given(client: Client) -> None:
    address = "/api/v1/tournaments/SUI-1/reports"
    for headers in ({}, {"authorization": "Token x"}):
        response = client.get(address, headers=headers)
        assert ("no-store" in response.headers["Cache-Control"], "X-Accel-Expires" in response.headers) == (
            True,
            False,
        )
