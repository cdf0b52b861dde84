"""The images of pages for sharing."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils.datastructures import MultiValueDict
from PIL import Image, ImageFont

from core.html.charts.lines import Point, Series
from players.models import Player
from public.cards import FONT, Card, CardFigure, in_font, picture_of
from ratings.models import RatingList
from tests.factories import publish
from tests.public.pages import page
from tests.ratings.played import Month
from tournaments.models import Participant, Tournament


def addresses(month: Month) -> list[str]:
    """Return the pages that have an image."""
    event = month.tournaments[0].event_id
    return [
        f"/players/{month.hero.pk}/",
        f"/players/{month.hero.pk}/rapid/2026-02-01/",
        "/lists/rapid/2026-02-01/",
        "/lists/rapid/2026-02-01/federations/SUI/",
        f"/tournaments/{event}/",
    ]


def pixels(response: Any) -> bytes:
    """Return the pixels of an image. Assert that it has the announced type and size."""
    assert response.headers["Content-Type"] == "image/png"
    image = Image.open(BytesIO(response.content))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    return image.tobytes()


@pytest.mark.django_db
def test_page_links_to_its_existing_image(client: Client, month: Month) -> None:
    for address in addresses(month):
        markup = page(client, address)
        told = MultiValueDict[str, str]()
        for name, value in re.findall(
            r'<meta (?:property|name)="((?:og:image|twitter)[\w:]*)" content="([^"]*)">', markup
        ):
            told.appendlist(name, value)
        picture = f"{settings.SITE_URL}{address}card.png"
        assert all(told.pop("og:image:alt"))
        assert dict(told.lists()) == {
            "twitter:card": ["summary_large_image"],
            "og:image": [picture],
            "og:image:type": ["image/png"],
            "og:image:width": ["1200"],
            "og:image:height": ["630"],
        }
        response = client.get(f"{address}card.png")
        assert response.status_code == 200
        pixels(response)


@pytest.mark.django_db
def test_other_pages_have_no_image(client: Client, month: Month) -> None:
    for address in ("/", f"/players/{month.hero.pk}/on/2026-01-01/"):
        markup = page(client, address)
        assert "og:image" not in markup
        assert markup.count('<meta name="twitter:card" content="summary">') == 1


@pytest.mark.django_db
def test_image_is_a_304_until_a_list_is_published(client: Client, month: Month) -> None:
    event = month.tournaments[0].event_id
    shown = [f"/players/{month.hero.pk}/card.png", f"/tournaments/{event}/card.png"]
    before = [client.get(address) for address in shown]
    for address, response in zip(shown, before, strict=True):
        assert response.headers["Cache-Control"] == "public, no-cache"
        assert client.get(address, headers={"If-None-Match": response.headers["ETag"]}).status_code == 304
    publish("rapid", date(2026, 3, 1))
    after = client.get(shown[0], headers={"If-None-Match": before[0].headers["ETag"]})
    assert (after.status_code, pixels(after) == pixels(before[0])) == (200, False)


@pytest.mark.django_db
def test_image_of_a_tournament_changes_with_its_winner(client: Client, month: Month) -> None:
    address = addresses(month)[-1] + "card.png"
    before = client.get(address)
    Participant.objects.filter(player=month.hero).update(rank=None)
    Participant.objects.filter(player=month.others[0]).update(rank=1)
    after = client.get(address)
    assert pixels(after) != pixels(before)
    assert after.headers["ETag"] != before.headers["ETag"]


@pytest.mark.django_db
def test_unknown_image_is_a_404_and_images_are_read_only(client: Client, month: Month) -> None:
    unknown = ("/players/987654321/card.png", "/lists/rapid/2020-02-01/card.png", "/tournaments/X-1/card.png")
    assert [client.get(address).status_code for address in unknown] == [404, 404, 404]
    for address in addresses(month):
        assert client.post(f"{address}card.png").status_code == 405
        head = client.head(f"{address}card.png")
        assert (head.status_code, head.content) == (200, b"")


@pytest.mark.django_db
def test_names_of_any_length_and_script_are_drawn(client: Client, month: Month) -> None:
    event = month.tournaments[0]
    Player.objects.filter(pk=month.hero.pk).update(name="W" * 100)
    Tournament.objects.filter(pk=event.pk).update(name="北京\u202e" * 30, city="\n")
    assert RatingList.objects.filter(date=date(2026, 2, 1)).count() == 1
    for address in addresses(month):
        pixels(client.get(f"{address}card.png"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Hero, Hanna", "Hero, Hanna"),
        ("Zürich – Łódź", "Zürich – Łódź"),
        ("Zu\u0308rich", "Zürich"),
        ("Nguyễn Thị Thủy", "Nguyễn Thị Thủy"),
        ("Кубок Иванова-Петрова 2026", "Кубок Иванова-Петрова 2026"),
        ("Παπαδόπουλος", "Παπαδόπουλος"),
        ("ﬁnal", "final"),
        ("北京 Open", "Open"),
        ("北京", ""),
        ("a\nb\u202ec", "a bc"),
        ("", ""),
        ("W" * 500, "W" * 120),
    ],
)
def test_text_uses_only_letters_of_the_font(text: str, written: str) -> None:
    assert in_font(text) == written


def test_font_has_every_letter_that_is_not_replaced() -> None:
    font = ImageFont.truetype(FONT, 40, layout_engine=ImageFont.Layout.BASIC)
    missing = bytes(font.getmask("\ue000"))
    assigned = (
        letter for letter in map(chr, range(0x21, 0x2300)) if unicodedata.category(letter)[0] in "LNP"
    )
    drawn = [letter for letter in assigned if in_font(letter) == letter]
    assert len(drawn) > 1300
    assert [letter for letter in drawn if bytes(font.getmask(letter)) == missing] == []


def test_title_outside_the_font_is_replaced() -> None:
    assert pixels(picture_of(Card("北京", "ALP-1"))) == pixels(picture_of(Card("ALP-1", "ALP-1")))


def test_long_line_is_cut_inside_the_image() -> None:
    drawn = picture_of(Card("W" * 120, "", facts=["W" * 120], rows=[("W" * 120, "2500")]))
    image = Image.open(BytesIO(drawn.content))
    assert image.crop((1130, 0, 1200, 630)).getcolors() == [(70 * 630, image.getpixel((1199, 0)))]


def test_chart_has_a_line_for_each_rating_type_in_its_colour() -> None:
    def colours(*kinds: str) -> set[Any]:
        series = [
            Series(kind, kind, [Point(date(2026, 1, 1), 1800 + place), Point(date(2026, 3, 1), None)])
            for place, kind in enumerate(kinds)
        ]
        image = Image.open(BytesIO(picture_of(Card("A", "A", chart=series)).content))
        return {colour for _count, colour in image.crop((80, 396, 1040, 586)).getcolors(5000) or ()}

    assert colours("rapid", "blitz") - colours("rapid") == {(0x9A, 0x4A, 0x12)}


def test_figures_are_drawn() -> None:
    card = Card("A", "A", figures=[CardFigure("rapid", "Rapid", "2500")])
    assert pixels(picture_of(card)) != pixels(picture_of(Card("A", "A")))


def test_colours_are_those_of_the_pages() -> None:
    tokens = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    card = Card(
        "Alder, Ada", "7", figures=[CardFigure(kind, kind, "1800") for kind in ("rapid", "blitz", "standard")]
    )

    image = Image.open(BytesIO(picture_of(card).content)).convert("RGB")

    drawn: Any = image.getcolors(1 << 24)
    shown = {f"#{bytes(colour).hex()}" for _count, colour in drawn}
    used = ["paper", "ink", "ink-quiet", "accent", "kind-rapid", "kind-blitz", "kind-standard"]
    assert [name for name in used if tokens.split(f"--{name}: ")[1][:7] not in shown] == []


@pytest.mark.django_db
def test_pages_offer_a_text_with_the_figure_and_their_address_to_share(client: Client, month: Month) -> None:
    calculation = f"/players/{month.hero.pk}/rapid/2026-02-01/"
    for address, told in (
        (calculation, (month.hero.name, "1905 (+5)")),
        (f"/players/{month.hero.pk}/", (month.hero.name, "1905")),
        ("/lists/rapid/2026-02-01/", ()),
    ):
        markup = page(client, address)
        copied = [text for text in re.findall(r'data-copy="([^"]*)"', markup) if address in text]
        assert any(
            text.endswith(settings.SITE_URL + address) and all(part in text for part in told)
            for text in copied
        ), address
        assert "card.png" in markup
    for address in (calculation, "/lists/rapid/2026-02-01/"):
        assert 'href="/lists/rapid/2026-02-01/verify/#cite"' in page(client, address)
    assert f"/players/{month.hero.pk}/badge.svg" in page(client, calculation)
