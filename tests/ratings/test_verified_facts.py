"""Deaths, exclusions and memberships: the manifest names those that a list depends on, the audit log proves them."""

from __future__ import annotations

import hashlib
from copy import deepcopy
from datetime import date

import pytest
from django.db import connection, transaction

from players.models import Federation
from ratings.models import ListEntry, RatingList
from ratings.publish.manifest import canonical_json
from ratings.verify.verify import MANIFEST_FACTS
from tests import make
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS, publish
from tests.shared import SharedRows
from tests.trf_files import Event

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

FEBRUARY, MARCH = "2026-02-01", "2026-03-01"
DEAD = "UPDATE players_player SET died_on = '2026-01-20' WHERE fide_id = 1003"
ALIVE = "UPDATE players_player SET died_on = NULL WHERE fide_id = 1002"
EARLIER = "UPDATE players_player SET died_on = '2026-01-02' WHERE fide_id = 1002"
CANCELLED = "DELETE FROM players_federationexclusion WHERE federation_id = 'EXC'"
ENDED = "UPDATE players_federationexclusion SET until = '2026-01-20' WHERE federation_id = 'EXC'"
JOINED = "UPDATE players_federation SET is_member = TRUE WHERE code = 'OUT'"
LEFT = "UPDATE players_federation SET is_member = FALSE WHERE code = 'SUI'"
EXCLUDED = (
    "INSERT INTO players_federationexclusion (federation_id, excluded_from, reference, recorded_at) "
    "VALUES ('SUI', '2026-01-10', '', '2026-01-10 12:00:00+00:00')"
)


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def verified(month: str = FEBRUARY) -> str:
    try:
        make.run("verify_list", "rapid", month)
    except make.RefusedCommandError as refused:
        reason: str = refused.args[0]["reasons"][0]
        return reason
    return ""


@pytest.fixture(scope="module")
def published(rows_of_module: SharedRows) -> RatingList:
    """Publish February after a death, while a federation is excluded and another one is not a member."""
    with rows_of_module():
        make.first_list(FIRST)
        make.submit(Event(PLAYERS, ALL_PLAY))
        make.run("mark_player", "1002", "--died-on", "2026-01-25")
        make.federation(code="OUT", is_member=False)
        make.federation(code="EXC")
        make.run("mark_federation", "EXC", "--excluded-from", "2026-01-10", "--until", "2026-06-01")
        make.federation(code="ERA")
        make.run("mark_federation", "ERA", "--excluded-from", "2020-01-01", "--until", "2021-01-01")
        publish(FEBRUARY)
        return RatingList.objects.get(kind="rapid", date=FEBRUARY)


@pytest.fixture
def february(published: RatingList, db: None) -> RatingList:
    return deepcopy(published)


def test_manifest_names_why_players_are_not_shown(february: RatingList) -> None:
    publish(MARCH)

    named = [
        {name: one.manifest[name] for name in ("deaths", "exclusions", "not_listed")}
        for one in RatingList.objects.filter(kind="rapid", date__gte=FEBRUARY).order_by("date")
    ]
    always = {
        "exclusions": [{"federation": "EXC", "from": "2026-01-10", "until": "2026-06-01"}],
        "not_listed": ["NON", "OUT"],
    }
    assert named == [
        {"deaths": [{"fide_id": 1002, "died_on": "2026-01-25"}], **always},
        {"deaths": [], **always},
    ]
    assert verified() == ""


def test_change_by_sql_after_publication_is_named(february: RatingList) -> None:
    changes = {
        ALIVE: "date of death, player 1002: stored none, expected 2026-01-25",
        DEAD: "date of death, player 1003: stored 2026-01-20, expected none",
        EARLIER: "date of death, player 1002: stored 2026-01-02, expected 2026-01-25",
        EXCLUDED: "exclusion, SUI from 2026-01-10: stored until further notice, expected none",
        CANCELLED: "exclusion, EXC from 2026-01-10: stored none, expected until 2026-06-01",
        ENDED: "exclusion, EXC from 2026-01-10: stored none, expected until 2026-06-01",
        JOINED: "players of a federation, OUT: stored listed, expected not listed",
        LEFT: "players of a federation, SUI: stored not listed, expected listed",
    }
    found = {}
    for statement in changes:
        with transaction.atomic():
            sql(statement)
            found[statement] = verified()
            transaction.set_rollback(True)

    assert found == changes


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (DEAD, "date of death, player 1003: stored 2026-01-20, expected none"),
        (EXCLUDED, "exclusion, SUI from 2026-01-10: stored until further notice, expected none"),
    ],
)
def test_change_by_sql_before_publication_is_named(february: RatingList, statement: str, said: str) -> None:
    sql(statement)
    publish(MARCH)
    assert ListEntry.objects.get(rating_list__date=MARCH, player=1003).rating

    assert verified(MARCH) == said


def test_change_by_sql_that_was_reversed_after_publication_is_named(february: RatingList) -> None:
    make.run("mark_player", "1003", "--died-on", "2026-02-10")
    sql("UPDATE players_player SET died_on = NULL WHERE fide_id = 1003")
    publish(MARCH)
    sql("UPDATE players_player SET died_on = '2026-02-10' WHERE fide_id = 1003")

    said = "date of death in the manifest, player 1003: stored none, expected 2026-02-10"
    assert verified(MARCH) == said


def test_later_steps_of_the_log_are_no_difference(february: RatingList) -> None:
    make.run("mark_player", "1002", "--not-dead", "--reason", "Another person.")
    make.run("mark_player", "1003", "--died-on", "2026-01-30")
    make.run("mark_federation", "EXC", "--excluded-from", "2026-01-10", "--until", "2026-01-20")
    make.run("mark_federation", "SUI", "--excluded-from", "2026-01-15")
    federation = Federation.objects.get(code="OUT")
    federation.is_member = True
    federation.save()

    assert verified() == ""


def test_death_of_a_player_on_no_list_is_not_named(february: RatingList) -> None:
    make.player(fide_id=77, died_on=date(2025, 5, 5))
    publish(MARCH)

    assert RatingList.objects.get(kind="rapid", date=MARCH).manifest["deaths"] == []
    assert verified(MARCH) == ""


def test_manifest_that_somebody_changed_is_named(february: RatingList) -> None:
    """What it names would still agree: only its hash, which the next list holds, does not (promise 1)."""
    february.manifest["remark"] = "Changed."
    february.save()

    assert verified().startswith("manifest,")


def test_facts_taken_out_of_a_manifest_with_its_hash_are_named(february: RatingList) -> None:
    facts = dict(february.manifest)
    unnamed = []
    for name in MANIFEST_FACTS:
        february.manifest = {key: value for key, value in facts.items() if key != name}
        february.manifest_sha256 = hashlib.sha256(canonical_json(february.manifest)).hexdigest()
        february.save()
        if f"without {name}" not in verified():
            unnamed.append(name)

    assert unnamed == []
