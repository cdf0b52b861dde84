"""Staff prepare an adjustment of a whole list, another one confirms it, and the public pages show it (D-133, D-131)."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from players.models import Player
from ratings.models import ListAdjustment
from ratings.publish.prospect import acts_on_next
from tests import make
from tests.codes import codes_of_messages
from tests.public.pages import page, text_of

pytestmark = pytest.mark.slow
FORM = {
    "kind": "rapid",
    "list_date": "2026-02-01",
    "side": "below",
    "limit": "2000",
    "share": "0.4",
    "reason": "Deflation",
    "reference": "FC 2026/1",
}


@pytest.fixture
def players(db: None) -> list[Player]:
    first = make.rating_list()
    make.rating_list(kind="blitz")
    return [
        make.entry(rating_list=first, rating=rating, player__name=f"Player, Of {rating}").player
        for rating in (1500, 2100)
    ]


def test_d133_effect_is_shown_before_the_adjustment_is_prepared(players: list[Player], db: None) -> None:
    staff = make.browser("staff")
    shown = staff.post("/desk/adjustments/", FORM | {"do": "show"}).context["shown"]
    assert [(band.low, band.players, band.before, band.after) for band in shown.bands] == [
        (1500, 1, 1500, 1700)
    ]
    assert not ListAdjustment.objects.exists()
    answer = staff.post("/desk/adjustments/", FORM)
    made = ListAdjustment.objects.get()
    assert answer["Location"] == f"/desk/adjustments/{made.pk}/"
    assert staff.get("/desk/adjustments/").status_code == 200
    assert made.confirmed_at is None
    acts = [acts_on_next(made.list_date, [kind]) for kind in ("rapid", "blitz")]
    assert [[(str(act.page), act.is_confirmed) for act in found] for found in acts] == [
        [(answer["Location"], False)],
        [],
    ]


def test_dashboard_keeps_the_acts_on_the_next_list_in_its_cache(db: None) -> None:
    for kind in ("rapid", "blitz"):
        make.entry(rating_list=make.rating_list(kind=kind, date=date(2026, 2, 1)), rating=1500)
    staff = make.browser("staff")
    staff.post("/desk/adjustments/", FORM | {"list_date": "2026-03-01"})
    for _counted_and_kept in range(2):
        (act,) = staff.get("/desk/").context["check"].acts
        assert (act.kind, act.is_confirmed) == ("rapid", False)


@pytest.mark.parametrize("wrong", [{"share": "much"}, {"share": "2"}, {"limit": "1"}, {"least": "2500"}])
def test_d133_wrong_formula_is_shown_again(players: list[Player], wrong: dict[str, str], db: None) -> None:
    answer = make.browser("staff").post("/desk/adjustments/", FORM | wrong)
    assert answer.status_code == 200
    assert not ListAdjustment.objects.exists()


def test_d131_another_person_confirms_the_adjustment_and_pages_show_it(
    players: list[Player], client: Client
) -> None:
    staff, other = make.browser("staff"), make.user(is_superuser=True)
    staff.post("/desk/adjustments/", FORM)
    address = f"/desk/adjustments/{ListAdjustment.objects.get().pk}/"
    assert codes_of_messages(staff.post(f"{address}confirm", follow=True)) == ["own-matter-D-131"]
    second = make.browser(other)
    assert second.post(f"{address}confirm", follow=True).context["may_confirm"] is False
    assert [(act.is_confirmed, act.players) for act in acts_on_next(date(2026, 2, 1), ["rapid"])] == [
        (True, 1)
    ]
    make.publish("rapid", date(2026, 2, 1))
    low, high = players
    shown = page(client, f"/players/{low.pk}/rapid/2026-02-01/")
    assert ('data-adjustment="200"' in shown, 'data-rating="1700"' in shown) == (True, True)
    assert "data-adjustment" not in page(client, f"/players/{high.pk}/rapid/2026-02-01/")
    for address in ("/lists/rapid/2026-02-01/", "/lists/rapid/2026-02-01/statistics/"):
        assert 'data-adjusted="2000"' in page(client, address)
    assert "data-adjusted" not in page(client, "/lists/rapid/2026-01-01/")
    assert "adjustment of the whole list" in text_of(page(client, f"/players/{low.pk}/"))
    manifest = client.get("/api/v1/lists/rapid/2026-02-01").json()["manifest"]
    assert manifest["adjustment"]["share"] == "2/5"


@pytest.mark.parametrize("role", ["officer", "qc", "arbiter"])
def test_d133_nobody_but_staff_adjusts(players: list[Player], role: str, db: None) -> None:
    assert make.browser(role).post("/desk/adjustments/", FORM).status_code in (302, 403, 404)
    assert not ListAdjustment.objects.exists()
