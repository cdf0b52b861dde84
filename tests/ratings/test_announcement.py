"""Mails on published lists: to officers, once a month, and none for the past."""

from __future__ import annotations

from datetime import date

import pytest

from core.html.dates import day_text
from players.models import Notice
from ratings import runs
from ratings.choices import RunState, Work
from ratings.highlights import highlights_of, sentences_of
from ratings.models import RatingList, Run
from ratings.publish.publish import publish_list, publish_lists
from tests import make

pytestmark = pytest.mark.page

MARCH = date(2026, 3, 1)


@pytest.fixture(autouse=True)
def _lists_of_february(db: None) -> None:
    for kind in ("rapid", "blitz"):
        make.rating_list(kind=kind, date=date(2026, 2, 1))


def mail(day: date = MARCH) -> None:
    for run in Run.objects.filter(work=Work.MAIL, state=RunState.DUE):
        runs.perform(run.work, run.subject, at=make.noon(day))


def test_officers_get_one_email_a_month_with_the_news_of_their_federation() -> None:
    listed = make.entry(rating_list=RatingList.objects.get(kind="rapid"), player__name="Ada, Alder")
    own = listed.player.federation_id
    officer = make.person("officer", listed.player.federation)
    make.appointment(user=officer, role="deputy", federation=make.federation(code="AUT"))
    make.appointment(role="arbiter")
    for _ in range(2):
        publish_lists(MARCH, by=None, at=make.noon(MARCH))
        mail()
    assert sorted(Notice.objects.values_list("user", "key")) == sorted(
        (officer.pk, f"publication:{code}:2026-03-01") for code in (own, "AUT")
    )
    text = Notice.objects.get(key__contains=own).content
    pages = [f"/lists/{kind}/2026-03-01/federations/{own}/" for kind in ("rapid", "blitz")]
    closing = day_text(date(2026, 3, 29))
    told = sentences_of(highlights_of(RatingList.objects.get(kind="rapid", date=MARCH), own, ()))
    assert [part for part in (*pages, *told, closing) if part not in text] == []


def test_email_waits_for_the_other_list() -> None:
    make.appointment(role="officer")
    publish_list("rapid", MARCH, by=None, at=make.noon(MARCH))
    mail()
    assert not Notice.objects.exists()
    publish_list("blitz", MARCH, by=None, at=make.noon(MARCH))
    mail()
    assert Notice.objects.count() == 1


def test_d_134_list_that_waited_long_for_an_explanation_is_news() -> None:
    make.appointment(role="officer")
    publish_list("rapid", MARCH, by=None, at=make.noon(MARCH))
    mail()
    publish_list("blitz", MARCH, by=None, at=make.noon(date(2026, 4, 8)))
    mail(date(2026, 4, 8))
    assert Notice.objects.count() == 1


def test_a_list_of_the_past_is_no_news() -> None:
    make.appointment(role="officer")
    publish_lists(MARCH, by=None, at=make.noon(date(2026, 4, 2)))
    mail(date(2026, 4, 2))
    assert Notice.objects.count() == 0
