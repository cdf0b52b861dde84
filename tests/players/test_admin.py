"""What staff enter of players and federations in the admin: what is wrong is said beside its field, in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.forms import modelform_factory
from django.test import Client

from players.admin import FederationForm
from players.models import Federation, FederationExclusion, Player
from players.staff_admin import shown_values
from ratings.models import FeeRate, TournamentRating
from tests import make
from tests.codes import codes_of_form

pytestmark = pytest.mark.page

LUX = {"federation": "LUX"}


@pytest.mark.parametrize(
    ("model", "typed", "told"),
    [
        (
            "player",
            {"fide_id": "101", "surname": "Zarnik", "given_names": "Olvo", "birth_year": "1700"},
            {"birth_year": ["Enter 1850 or more."]},
        ),
        (
            "federation",
            {"code": "XYZ", "name": "Affiliated", "affiliation_reference": "C 1"},
            {"territory_of": ["Select the federation (article 0.2)."]},
        ),
        (
            "federation",
            {"code": "XYZ", "name": "Affiliated", "territory_of": "LUX"},
            {"affiliation_reference": ["Enter the decision of FIDE Council (article 0.2)."]},
        ),
        (
            "federationexclusion",
            {"excluded_from": "2026-04-01", "until": "2026-04-01", "reference": "C 1"},
            {"until": ["Enter a day after the first day of the exclusion."]},
        ),
    ],
)
def test_what_the_table_refuses_is_said_beside_its_field(
    db: None, client: Client, model: str, typed: dict[str, str], told: dict[str, list[str]]
) -> None:
    make.federation(code="LUX")
    client.force_login(make.person("staff"))

    page = client.post(f"/admin/players/{model}/add/", {**LUX, **typed, "confirm": "Save exclusion"})

    errors = page.context["adminform"].form.errors
    assert {field: errors[field] for field in told} == told
    assert "__all__" not in errors
    assert (Player.objects.exists(), FederationExclusion.objects.exists()) == (False, False)


def test_d_131_officer_of_a_federation_neither_excludes_nor_readmits_it(db: None, client: Client) -> None:
    own = make.person("staff")
    make.appointment(user=own, role="officer", federation=make.federation(code="LUX"))
    make.person("staff")
    client.force_login(own)
    typed = {**LUX, "excluded_from": "2026-04-01", "reference": "C 1"}
    exclusion = FederationExclusion.objects.create(
        federation_id="LUX", excluded_from=date(2026, 1, 1), recorded_at=make.noon(date(2026, 1, 1))
    )
    for place in ("add", f"{exclusion.pk}/change"):
        for step in ({}, {"confirm": "Save exclusion"}):
            page = client.post(f"/admin/players/federationexclusion/{place}/", {**typed, **step})
            assert codes_of_form(page.context["adminform"].form) == {"__all__": ["own-matter-D-131"]}
    assert FederationExclusion.objects.values_list("excluded_from", "until").get() == (date(2026, 1, 1), None)


def test_d_131_officer_of_a_federation_changes_its_name_and_not_its_rights(db: None, client: Client) -> None:
    own = make.person("staff")
    make.appointment(user=own, role="officer", federation=make.federation(code="LUX"))
    Federation.objects.filter(pk="LUX").update(is_member=False)
    make.person("staff")
    client.force_login(own)
    address, named = "/admin/players/federation/LUX/change/", {"name": "Luxembourg Chess"}

    for right in ({"is_member": "on"}, {"listing_reference": "C 1"}):
        page = client.post(address, {**named, **right, "confirm": "Save federation"})
        assert codes_of_form(page.context["adminform"].form) == {"__all__": ["own-matter-D-131"]}
    assert client.post(address, named).status_code == 302
    assert Federation.objects.values_list("name", "is_member", "listing_reference").get(pk="LUX") == (
        "Luxembourg Chess",
        False,
        "",
    )


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 5])
def test_rows_of_evidence_ask_no_more_than_one(
    db: None, client: Client, django_assert_max_num_queries: Callable[..., Any], size: int
) -> None:
    event = make.play_month(size).tournaments[0]
    rated = TournamentRating.objects.get(report__tournament=event)
    client.force_login(make.person("staff"))

    for page in (f"ratings/tournamentrating/{rated.pk}", f"tournaments/tournament/{event.pk}"):
        client.get(f"/admin/{page}/change/")
        with django_assert_max_num_queries(12):
            assert client.get(f"/admin/{page}/change/").status_code == 200


def test_a_form_opened_before_a_colleague_changed_the_row_is_refused_once(db: None, client: Client) -> None:
    exclusion = FederationExclusion.objects.create(
        federation=make.federation(code="LUX"),
        excluded_from=date(2026, 4, 1),
        reference="C 1",
        recorded_at=make.noon(date(2026, 3, 1)),
    )
    client.force_login(make.person("staff"))
    address = f"/admin/players/federationexclusion/{exclusion.pk}/change/"
    seen = client.get(address).context["seen"]
    FederationExclusion.objects.update(until=date(2026, 9, 1), reference="C 2")

    typed = {"until": "", "reference": "C 1", "confirm": "Save exclusion"}
    refused = client.post(address, {**typed, "seen": seen})

    told = "Stored now: Readmitted on: 2026-09-01, Decision: C 2. If you send the form again"
    assert told in str(refused.context["adminform"].form.non_field_errors())
    assert FederationExclusion.objects.values_list("until", "reference").get() == (date(2026, 9, 1), "C 2")
    taken = client.post(address, {**typed, "seen": refused.context["seen"]})
    assert (taken.status_code, FederationExclusion.objects.get().reference) == (302, "C 1")


ROWS: dict[str, tuple[Callable[[], Any], dict[str, str]]] = {
    "players/player": (lambda: make.player(fide_id=101), {"title": "GM"}),
    "players/federation": (lambda: make.federation(code="LUX"), {"note": "In letter 7."}),
    "ratings/feerate": (
        lambda: FeeRate.objects.create(
            valid_from=date(2026, 1, 1), currency="EUR", per_tournament=5, per_player=1
        ),
        {"per_player": "2.00"},
    ),
}


@pytest.mark.parametrize("place", ROWS)
def test_a_row_is_saved_by_the_form_that_shows_it(db: None, client: Client, place: str) -> None:
    made, changed = ROWS[place]
    row = made()
    client.force_login(make.person("staff"))
    address = f"/admin/{place}/{row.pk}/change/"
    shown = client.get(address)
    form = shown.context["adminform"].form
    values = {name: form[name].value() for name in form.fields}
    kept = {name: value for name, value in values.items() if value is not None and value is not False}

    saved = client.post(address, {**kept, **changed, "seen": shown.context["seen"]})

    row.refresh_from_db()
    assert saved.status_code == 302
    assert {name: str(getattr(row, name)) for name in changed} == changed


def test_the_page_of_a_part_has_its_models_and_one_breadcrumb(db: None, client: Client) -> None:
    client.force_login(make.person("staff"))

    page = client.get("/admin/players/").content.decode()

    assert page.count('class="breadcrumbs ') == 1
    assert "Federations" in page
    assert "Calendar of lists" not in page


def test_a_filter_names_the_empty_value(db: None, client: Client) -> None:
    make.federation(code="LUX", continent="Europe")
    make.federation(code="XXX", continent="")
    client.force_login(make.person("staff"))

    page = client.get("/admin/players/federation/")

    (by_continent,) = [spec for spec in page.context["cl"].filter_specs if spec.title == "Continent"]
    shown = {choice["display"] for choice in by_continent.choices(page.context["cl"])}
    assert {"–", "Europe"} <= shown
    assert "" not in shown


def test_federations_are_in_the_language_of_the_page(db: None, client: Client) -> None:
    make.federation(code="RSA", name="South Africa", continent="Africa")
    client.force_login(make.person("staff"))

    page = client.get("/fr/admin/players/federation/?q=RSA").content.decode()

    assert "Afrique du Sud" in page
    assert "continent=Africa" in page
    assert "Africa<" not in page
    assert "South Africa" not in page


def test_relations_have_a_label_in_each_language(db: None, client: Client) -> None:
    client.force_login(make.person("staff"))
    make.player(fide_id=1001, merged_into=make.player())
    page = client.get("/fr/admin/players/player/").content.decode()
    form = client.get("/fr/admin/players/player/1001/change/").content.decode()

    assert "Fédération" in page
    # A head of figures is above them.
    assert '<th scope="col" class="num sortable' in page
    assert "Federation id" not in page
    assert "Fusionné dans" in form


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (True, "yes"),
        ("False", "no"),
        ("None", "–"),
        (None, "–"),
        ("['2026-10-03', '2026-10-04']", "2026-10-03, 2026-10-04"),
        (["a", None], "a, –"),
        ("[sic] it's 'White'", "[sic] it's 'White'"),
        ("LUX", "LUX"),
        (12, "12"),
    ],
)
def test_stored_values_are_read_as_words(stored: Any, shown: str) -> None:
    assert shown_values(stored) == shown


@pytest.mark.parametrize("code", ["x", "lux", "L/X", "LU"])
def test_code_of_a_federation_is_three_capital_letters(db: None, code: str) -> None:
    form = modelform_factory(Federation, FederationForm, fields=("code", "name"))
    assert codes_of_form(form({"code": code, "name": "Atlantis"})) == {"code": ["federation"]}


@pytest.mark.parametrize(
    ("names", "codes", "stored"),
    [
        ({"surname": "KLEIN", "given_names": "paul"}, {"surname": ["name-letters"]}, []),
        ({"surname": "KLEIN", "given_names": "paul", "take": "Klein, Paul"}, {}, []),
        ({"surname": "Klein", "given_names": "Paul"}, {}, ["Klein, Paul"]),
        ({"surname": "Pelé"}, {"surname": ["name-one-word"]}, []),
        ({"surname": "Pelé", "confirmed_name": "Pelé"}, {}, ["Pelé"]),
    ],
)
def test_name_of_a_new_player_is_entered_in_two_fields(
    db: None, client: Client, names: dict[str, str], codes: dict[str, list[str]], stored: list[str]
) -> None:
    make.federation(code="LUX")
    client.force_login(make.person("staff"))

    page = client.post("/admin/players/player/add/", {**LUX, "fide_id": "101", "sex": "M", **names})

    if not stored:
        assert codes_of_form(page.context["adminform"].form) == codes
    assert [player.name for player in Player.objects.all()] == stored
    part = client.get(
        "/admin/players/player/add/", names, headers={"HX-Request": "true", "HX-Target": "listed-name"}
    )
    assert part.context["form"].listed_name == ", ".join(list(names.values())[:2]).replace(", Pelé", "")
