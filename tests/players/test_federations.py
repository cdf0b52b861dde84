"""The federations of FIDE's lists stand after `migrate` and `flush`; what staff changed stays."""

from __future__ import annotations

import csv
from datetime import date

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Federation, Player
from players.queries.federations import unlisted_codes
from players.services.standing import FEDERATIONS_FILE, load_federations


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
