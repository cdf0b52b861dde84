"""My chess: what a confirmed claim gives access to, and the year of birth that a minor hides."""

from __future__ import annotations

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import HiddenBirthYear, Player
from portal.models import User
from portal.personal_data import data_of_account, remove_account
from ratings.follows import own_address, set_follow, subject_named
from tests import make
from tests.desk.conftest import ADA, NOW, browser, claimed
from tournaments.models import Objection, Tournament

MINE, CLAIM, RESULT = "/desk/chess/", "/desk/chess/claim", "/desk/chess/tournaments/SUI-PLAYED/"


def test_pages_make_few_queries(ada: User, officer: Client, reported: Tournament) -> None:
    claim, client = claimed(ada), browser(ada)
    make.objection(tournament=reported, player=claim.player, asked_by=ada)
    own, counts = f"/players/{ADA}/", {}
    for who, page in (
        (client, own),
        (client, RESULT),
        (officer, "/desk/cases/?kind=claim"),
        (officer, f"/desk/cases/{claim.number}/"),
        (officer, "/desk/tournaments/SUI-PLAYED/objections/"),
    ):
        with CaptureQueriesContext(connection) as queries:
            assert who.get(page).status_code == 200
        counts[page] = len(queries)

    # The page of the player has what everybody reads, besides what is the player's own.
    assert {page: count for page, count in counts.items() if count > (21 if page == own else 12)} == {}


def test_my_chess_is_the_player_page_with_what_is_mine(ada: User, reported: Tournament) -> None:
    claim, client = claimed(ada), browser(ada)
    make.objection(tournament=reported, player=claim.player, asked_by=ada)
    followed = subject_named("federation", "SUI")
    assert followed is not None
    set_follow(own_address(ada), followed, is_followed=True, language="en", at=NOW)

    page = client.get(MINE, follow=True)
    others = Client().get(f"/players/{ADA}/").content.decode()

    assert page.redirect_chain == [(f"/players/{ADA}/", 302)]
    assert [one.tournament for one in page.context["mine"]["objections"]] == [reported]
    own = page.content.decode()
    assert (RESULT in own, RESULT in others, 'id="mine"' in others) == (True, False, False)
    assert f'<a href="{followed.page}">' in own
    # The bar marks My chess there, and Players for everybody else.
    assert [f'href="{address}" aria-current' in own for address in (MINE, "/players/")] == [True, False]
    assert '/players/" aria-current' in others


def test_my_chess_is_the_player_page_while_the_claim_waits(ada: User) -> None:
    claim = claimed(ada, state="waiting")

    page = browser(ada).get(MINE, follow=True)

    shown = page.context["claim"], page.context["mine"]
    assert (page.redirect_chain, shown) == ([(f"/players/{ADA}/", 302)], (claim, None))


def test_adr_15_a_minor_hides_the_year_of_birth_everywhere(ada: User, client: Client) -> None:
    claimed(ada)
    Player.objects.filter(pk=ADA).update(birth_year=2012)
    address = f"/players/{ADA}/"
    before = client.get(address).content.decode()

    browser(ada).post("/desk/chess/hide", {"hide": "yes"})
    hidden, api = client.get(address).content.decode(), client.get(f"/api/v1/players/{ADA}").json()
    browser(ada).post("/desk/chess/claim/end")

    assert ("2012" in before, "2012" in hidden, "U14" in hidden) == (True, False, True)
    assert (api["birth_year"], api["age_band"]) == (None, "U14")
    assert HiddenBirthYear.objects.count() == 0


def test_6_1_2_adult_cannot_hide_the_year_of_birth(ada: User) -> None:
    claimed(ada)

    browser(ada).post("/desk/chess/hide", {"hide": "yes"})

    assert HiddenBirthYear.objects.count() == 0


def test_export_and_removal_include_claims_and_objections(ada: User, reported: Tournament) -> None:
    claim = claimed(ada)
    make.objection(tournament=reported, player=claim.player, asked_by=ada, reason="Secret")

    own = data_of_account(ada)["own"]
    remove_account(ada, reason="asked", by=None, at=NOW)

    claim.refresh_from_db()
    assert (
        own["players.Claim.asked_by"][0]["reason"],
        own["tournaments.Objection.asked_by"][0]["reason"],
    ) == (
        "r",
        "Secret",
    )
    assert (claim.state, claim.reason) == ("ended", "")
    assert Objection.objects.filter(state="withdrawn", reason="–").count() == 1
