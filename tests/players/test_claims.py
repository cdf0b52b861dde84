"""Claims of player records: what ends with them, and records that are merged meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from players.cases import decide
from players.choices import CaseState
from players.claims import ask_claim, end_own_claim, revoke_claim
from players.merging import merge_players
from players.models import Claim, Federation, HiddenBirthYear, LogEntry, Notice, Player
from portal.models import User
from portal.personal_data import remove_account
from tests import make
from tests.codes import codes_of
from tests.log import acts
from tournaments.models import Objection

pytestmark = [pytest.mark.django_db, pytest.mark.page]
NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
NAME = "Alder, Ada"


@pytest.fixture
def player(swiss: Federation) -> Player:
    return make.player(name=NAME, federation=swiss, birth_year=2012)


def account(name: str) -> User:
    user = make.user(email=f"{name}@chess.example")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def claimed(player: Player, user: User, state: str = "approved") -> Claim:
    return make.claim(player=player, asked_by=user, state=state, asked_at=NOW)


def merge(player: Player, into: Player) -> None:
    staff = make.person("staff")
    merge_players(player, into=into, reason="One person", by=staff, at=NOW)


def test_reason_of_a_claim_is_not_in_the_audit_log(player: Player, officer: User) -> None:
    ada = account("ada")
    claim = ask_claim(player, reason="My passport", evidence="A licence", by=ada, at=NOW)
    decide(claim, CaseState.APPROVED, answer="Known", by=officer, at=NOW)

    assert list(acts().values_list("action", "after", "reason")) == [
        ("claim", ada.email, ""),
        ("grant", ada.email, "Known"),
    ]


@pytest.mark.parametrize("way", ["own", "revoked", "removed", "merged"])
def test_objections_end_with_the_claim(player: Player, officer: User, way: str) -> None:
    ada, eve = account("ada"), account("eve")
    claim = claimed(player, ada)
    event = make.tournament()
    own = make.objection(tournament=event, player=player, asked_by=ada)
    answered = make.objection(player=player, asked_by=ada, state="approved", answer="Yes")
    other = make.objection(tournament=event, asked_by=eve)

    if way == "own":
        end_own_claim(ada, at=NOW)
    elif way == "revoked":
        revoke_claim(claim, reason="Not her", by=officer, at=NOW)
    elif way == "removed":
        remove_account(ada, reason="Asked", by=None, at=NOW)
    else:
        kept = make.player(name=NAME, federation=player.federation, birth_year=2012)
        claimed(kept, eve)
        merge(player, kept)

    states = [Objection.objects.get(pk=one.pk).state for one in (own, answered, other)]
    assert (states, Claim.objects.get(pk=claim.pk).state) == (["withdrawn", "approved", "waiting"], "ended")
    assert LogEntry.objects.filter(action="take-back", subject__startswith=event.event_id).count() == 1


def test_a_merged_record_is_neither_claimed_nor_confirmed(player: Player, officer: User) -> None:
    kept = make.player(name=NAME, federation=player.federation, birth_year=2012)
    seen_before, claim = Player.objects.get(pk=player.pk), claimed(player, account("ada"), "waiting")
    merge(player, kept)

    asked = codes_of(lambda: ask_claim(seen_before, reason="r", evidence="", by=account("eve"), at=NOW))
    # The claim went to the record that is kept; the page showed it before.
    decided = codes_of(lambda: decide(claim, CaseState.APPROVED, answer="a", by=officer, at=NOW))
    moved = Claim.objects.get(pk=claim.pk)

    assert (asked, decided, moved.player, moved.state) == (["merged"], ["merged"], kept, "waiting")
    assert decide(moved, CaseState.APPROVED, answer="a", by=officer, at=NOW)


def test_a_merge_that_ends_a_claim_says_so(player: Player) -> None:
    kept = make.player(name=NAME, federation=player.federation, birth_year=2012)
    ada, eve = account("ada"), account("eve")
    ended, own = claimed(player, ada), claimed(kept, eve)
    merge(player, kept)

    ended.refresh_from_db()
    own.refresh_from_db()
    act, mail = LogEntry.objects.get(area="player", action="end"), Notice.objects.get(kind="claim")
    assert (ended.state, own.state) == ("ended", "approved")
    assert (act.after, act.by is not None, str(kept.pk) in act.reason) == (ada.email, True, True)
    assert (mail.recipient, str(kept.pk) in mail.text) == (ada.email, True)


@pytest.mark.database
def test_a_claim_that_was_read_before_the_merge_still_ends(player: Player, officer: User) -> None:
    kept = make.player(name=NAME, federation=player.federation, birth_year=2012)
    claim = claimed(player, account("ada"))
    HiddenBirthYear.objects.create(player=player, asked_at=NOW)
    merge(player, kept)

    assert revoke_claim(claim, reason="Not her", by=officer, at=NOW + timedelta(hours=1))
    assert not HiddenBirthYear.objects.exists()


def test_adr_15_the_old_fide_id_of_a_minor_hides_the_year_too(player: Player, client: Client) -> None:
    day = NOW.date().replace(day=1)
    listed = make.rating_list(kind="rapid", date=day, listed=1)
    make.entry(rating_list=listed, player=player, birth_year=2012, rating=1800)
    kept = make.player(name=NAME, federation=player.federation, birth_year=2012)
    HiddenBirthYear.objects.create(player=player, asked_at=NOW)
    merge(player, kept)

    address = f"/lists/rapid/{day.isoformat()}/"
    pages = [
        client.get(f"{address}{query}").content.decode() for query in ("", "?born_from=2013&born_to=2013")
    ]
    api = client.get(f"/api/v1/lists/rapid/{day.isoformat()}/entries").json()["results"][0]

    assert [(">2012<" in page, "U14" in page, str(player.pk) in page) for page in pages] == [
        (False, True, True)
    ] * 2
    assert (api["fide_id"], api["birth_year"], api["age_band"]) == (player.pk, None, "U14")
