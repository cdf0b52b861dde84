"""What pages offer to share them: a picture for previews of links, texts, citations, badges."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils.datastructures import MultiValueDict

from tests import make
from tests.public.pages import page


@pytest.mark.django_db
def test_each_kind_of_page_has_its_picture_and_former_ones_lead_to_it(
    client: Client, month: make.Month
) -> None:
    player = f"/players/{month.hero.pk}/"
    pages = {
        player: "player",
        f"{player}rapid/2026-02-01/": "player",
        "/lists/rapid/2026-02-01/": "list",
        "/lists/rapid/2026-02-01/federations/SUI/": "list",
        f"/tournaments/{month.tournaments[0].event_id}/": "tournament",
        "/": "general",
    }
    for address, kind in pages.items():
        told = MultiValueDict[str, str]()
        for name, value in re.findall(
            r'<meta (?:property|name)="((?:og:image|twitter)[\w:]*)" content="([^"]*)">',
            page(client, address),
        ):
            told.appendlist(name, value)
        assert all(told.pop("og:image:alt")), address
        picture = f"/static/img/share/{kind}.png"
        assert dict(told.lists()) == {
            "twitter:card": ["summary_large_image"],
            "og:image": [f"{settings.SITE_URL}{picture}"],
            "og:image:type": ["image/png"],
            "og:image:width": ["1200"],
            "og:image:height": ["630"],
        }, address
        content = Path(str(finders.find(f"img/share/{kind}.png"))).read_bytes()
        assert (content[:8], struct.unpack(">II", content[16:24])) == (b"\x89PNG\r\n\x1a\n", (1200, 630))
        if kind != "general":
            assert client.get(f"{address}card.png").headers["Location"] == picture


@pytest.mark.django_db
def test_pages_offer_a_text_with_the_figure_and_their_address_to_share(
    client: Client, month: make.Month
) -> None:
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
    for address in (calculation, "/lists/rapid/2026-02-01/"):
        assert 'href="/lists/rapid/2026-02-01/verify/#cite"' in page(client, address)
    assert f"/players/{month.hero.pk}/badge.svg" in page(client, calculation)
