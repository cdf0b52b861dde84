"""Merging duplicate players in the browser: the preview, and redirects of old URLs."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.choices import Role
from players.models import MergeProposal, Player
from ratings.models import Merger
from tests import make
from tests.codes import codes_of_answer
from tests.public.pages import codes, page, rows, text_of

pytestmark = pytest.mark.django_db
MERGE = "/desk/players/merge"


@pytest.fixture
def staff() -> Client:
    user = make.user()
    make.appointment(user=user, role=Role.STAFF, federation=None)
    return make.browser(user)


def twin_of(player: Player) -> Player:
    """Return a second player with the same data."""
    return make.player(name=player.name, sex=player.sex, birth_year=player.birth_year)


def typed(old: Player, new: Player, step: str) -> dict[str, Any]:
    return {"player": old.pk, "into": new.pk, "reason": "Same passport.", "step": step}


def test_effect_is_shown_before_anything_is_saved(staff: Client, month: make.Month) -> None:
    other = twin_of(month.hero)
    markup = staff.post(MERGE, typed(month.hero, other, "look")).content.decode()
    assert ["Rapid", "1905, 31 rated games", "unrated", "1905, 31 rated games"] in rows(markup)
    assert "Merge players permanently" in markup
    assert not Player.objects.exclude(merged_into=None).exists()


def test_merge_is_not_offered_for_two_who_met(staff: Client, month: make.Month) -> None:
    shown = staff.post(MERGE, typed(month.hero, month.newcomer, "look"))
    assert [one.is_obstacle for one in shown.context["found"]].count(True) == 1
    assert 'value="merge"' not in shown.content.decode()
    refused = staff.post(MERGE, typed(month.hero, month.newcomer, "propose"))
    assert codes_of_answer(refused) == {"player": ["obstacle"]}
    assert not Player.objects.exclude(merged_into=None).exists()


def test_reason_is_required(staff: Client, month: make.Month) -> None:
    answer = staff.post(MERGE, typed(month.hero, month.hero, "merge") | {"reason": " "})
    assert codes_of_answer(answer) == {"into": ["same-player"], "reason": ["required"]}
    answer = staff.post(MERGE, typed(month.hero, make.player(), "merge") | {"reason": " "})
    assert answer.status_code == 200
    assert not Merger.objects.exists()


@pytest.mark.slow
def test_old_addresses_redirect_and_published_lists_remain(
    staff: Client, month: make.Month, client: Client
) -> None:
    other = twin_of(month.hero)
    answer = staff.post(MERGE, typed(month.hero, other, "merge"))
    assert (answer.status_code, answer["Location"]) == (302, MERGE)
    make.publish("rapid", date(2026, 3, 1))
    old = f"/players/{month.hero.pk}/"
    assert client.get(old)["Location"] == f"/players/{other.pk}/"
    assert "merged into" in text_of(page(client, f"{old}rapid/2026-02-01/"))
    assert "merged" in codes(page(client, f"{old}rapid/2026-03-01/"))
    joined = page(client, f"/players/{other.pk}/rapid/2026-03-01/")
    assert f'href="{old}rapid/2026-03-01/"' in joined
    assert "1905" in text_of(page(client, f"/players/{other.pk}/"))
    assert "Same passport." in text_of(page(client, "/lists/corrections/"))
    assert client.get(f"/api/v1/players/{month.hero.pk}")["Location"].endswith(f"/api/v1/players/{other.pk}")


@pytest.mark.slow
@pytest.mark.database
def test_different_records_need_two_people_to_merge(staff: Client, month: make.Month) -> None:
    other = make.player(name="Hero, Johanna", birth_year=1990)
    shown = staff.post(MERGE, typed(month.hero, other, "look"))
    compared = {old: differs for _label, old, _new, differs in shown.context["records"]}
    assert {compared[month.hero.name], compared[str(month.hero.birth_year)]} == {True}
    assert "Merge players permanently" not in shown.content.decode()
    refused = staff.post(MERGE, typed(month.hero, other, "merge"))
    assert codes_of_answer(refused) == {"__all__": ["second-person"]}
    answer = staff.post(MERGE, typed(month.hero, other, "propose"))["Location"]
    assert answer == f"/desk/cases/{MergeProposal.objects.get().number}/"
    assert not staff.get(answer).context["may_decide"]
    staff.post(answer, {"verdict": "grant"})
    assert not Player.objects.exclude(merged_into=None).exists()

    colleague = make.browser("staff")
    assert "Confirm merge" in colleague.get("/desk/").content.decode()
    assert colleague.get(answer).context["may_decide"]
    colleague.post(answer, {"verdict": "grant"})
    assert Player.objects.get(pk=month.hero.pk).merged_into_id == other.pk
    officer = make.browser("officer")
    assert officer.post(answer, {"verdict": "cancel"}).status_code in (403, 404)


def test_d_131_staff_who_are_officers_of_a_federation_of_theirs_propose_the_merge(month: make.Month) -> None:
    own, other = make.person("staff"), twin_of(month.hero)
    make.appointment(user=own, role=Role.OFFICER, federation=month.hero.federation)
    colleague = make.browser("staff")
    shown = make.browser(own).post(MERGE, typed(month.hero, other, "look"))
    assert shown.context["bar"].code == "own-matter-D-131"
    assert 'value="merge"' not in shown.content.decode()
    refused = make.browser(own).post(MERGE, typed(month.hero, other, "merge"))
    assert codes_of_answer(refused) == {"__all__": ["own-matter-D-131"]}
    case = make.browser(own).post(MERGE, typed(month.hero, other, "propose"))["Location"]
    colleague.post(case, {"verdict": "grant"})
    assert Player.objects.get(pk=month.hero.pk).merged_into_id == other.pk
