"""The federations of FIDE's lists stand after `migrate` and `flush`; what staff changed stays."""

from __future__ import annotations

import csv
import json
from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from players.federations import Stays, load_federations, unlisted_codes, who_left
from players.models import Federation, FederationExclusion, FormerFederation, Player, Transfer
from players.models.federation import FEDERATIONS_FILE, codes_named, known_federations
from players.models.federation import NAMES as TRANSLATED
from players.transfers import ask_transfer
from tests import make

pytestmark = pytest.mark.page


def codes_of_the_file() -> set[str]:
    with FEDERATIONS_FILE.open(encoding="utf-8", newline="") as file:
        return {row["code"] for row in csv.DictReader(file)}


@pytest.mark.django_db
def test_migrate_brings_all_federations_in() -> None:
    assert set(Federation.objects.values_list("code", flat=True)) == codes_of_the_file()
    assert Federation.objects.get(code="SUI").name == "Switzerland"


@pytest.mark.django_db
def test_loading_again_takes_one_query_and_writes_nothing() -> None:
    with CaptureQueriesContext(connection) as queries:
        assert load_federations() == []
    assert len(queries) == 1


@pytest.mark.django_db
def test_loading_creates_the_missing_one_and_keeps_what_staff_changed() -> None:
    Federation.objects.filter(code="SUI").update(name="Swiss Chess Federation", is_member=False)
    Federation.objects.get(code="NOR").delete()
    assert load_federations() == ["NOR"]
    assert Federation.objects.get(code="NOR").is_member is True
    changed = Federation.objects.get(code="SUI")
    assert (changed.name, changed.is_member) == ("Swiss Chess Federation", False)


@pytest.mark.django_db
def test_players_under_the_fide_flag_are_listed() -> None:
    """FIDE R&B 2024, 9.1: players under the FIDE flag are approved; those without a federation are not."""
    federation = Federation.objects.get(code="FID")
    assert (federation.is_member, bool(federation.listing_reference)) == (False, True)
    assert "FID" not in unlisted_codes(date(2026, 1, 1))


@pytest.mark.django_db(transaction=True)
def test_flush_leaves_all_federations_and_no_players() -> None:
    Player.objects.create(fide_id=1, federation_id="SUI")
    call_command("flush", interactive=False, verbosity=0)
    assert set(Federation.objects.values_list("code", flat=True)) == codes_of_the_file()
    assert Player.objects.count() == 0


NAMES = {
    "fr": {"GER": "Allemagne", "SUI": "Suisse", "ENG": "Angleterre", "TPE": "Taipei chinois", "FID": "FIDE"},
    "es": {"GER": "Alemania", "SUI": "Suiza", "ENG": "Inglaterra", "TPE": "China Taipéi", "FID": "FIDE"},
    "de": {
        "GER": "Deutschland",
        "SUI": "Schweiz",
        "ENG": "England",
        "TPE": "Chinesisch Taipeh",
        "FID": "FIDE",
    },
}


@pytest.mark.parametrize("language", NAMES)
def test_federations_have_their_names_in_the_language_of_the_page(language: str) -> None:
    rows = {code: Federation(code=code, name=row["name"]) for code, row in known_federations().items()}
    english = {code: str(one) for code, one in rows.items()}
    with override(language):
        shown = {code: one.shown_name for code, one in rows.items()}

    assert {code: shown[code] for code in NAMES[language]} == NAMES[language]
    assert all(shown.values())
    assert english["GER"] == "Germany (GER)"
    without = [code for code, row in known_federations().items() if not row["territory"]]
    assert sorted({*without, "COD"}) == sorted([*TRANSLATED, "FID"])


def test_a_name_that_staff_changed_stays_in_every_language() -> None:
    with override("fr"):
        assert Federation(code="GER", name="Germany and friends").shown_name == "Germany and friends"
        assert Federation(code="XYZ", name="New land").shown_name == "New land"


def test_federations_are_found_by_the_name_of_the_page() -> None:
    assert codes_named("Suisse") == []
    with override("fr"):
        assert codes_named("suis") == ["SUI"]
        assert codes_named("états") == codes_named("etats") == ["ISV", "USA"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "arguments", [["XXX"], ["SUI", "--until", "2026-02-01"], ["SUI", "--until", "2026-01-31"]]
)
def test_exclusion_of_no_federation_or_of_no_time_is_refused(arguments: list[str]) -> None:
    out = StringIO()

    with pytest.raises(SystemExit) as ended:
        call_command("mark_federation", *arguments, "--excluded-from=2026-02-01", "--json", stdout=out)

    assert ended.value.code == 1
    assert (json.loads(out.getvalue())["marked"], len(json.loads(out.getvalue())["reasons"])) == (False, 1)
    assert not FederationExclusion.objects.exists()


@pytest.mark.django_db
@pytest.mark.database
def test_d143_players_were_of_the_federations_that_transfers_and_lists_say_also_under_merged_ids() -> None:
    first, second = date(2026, 3, 1), date(2026, 3, 10)
    player, other = make.player(federation__code="NOR"), make.player(federation__code="NOR")
    FormerFederation.objects.create(player=player, federation=make.federation(code="RUS"), until=first)
    spain = make.federation(code="ESP")
    asked = ask_transfer(player, to=spain, by=make.person("staff"), at=make.noon(first))
    Transfer.objects.filter(pk=asked.pk).update(state="approved", decided_at=make.noon(second), key="")
    player.federation_id = "ESP"
    stays = [("RUS", date.min, first), ("NOR", first, second), ("ESP", second, date.max)]
    assert Stays([player.pk]).of(player.pk, "ESP") == stays
    assert Stays([other.pk]).of(other.pk, "NOR") == [("NOR", date.min, date.max)]

    Player.objects.filter(pk=player.pk).update(merged_into=other)
    assert Stays([other.pk]).of(other.pk, "NOR") == [("NOR", date.min, date.max), *stays[:2]]
    assert {*Player.objects.filter(pk__in=who_left(["RUS"]))} == {player, other}
    assert {*Player.objects.filter(pk__in=who_left(["ESP", "SUI"]))} == set()
