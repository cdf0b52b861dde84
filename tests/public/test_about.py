"""The page of the portal itself: who runs it and whom to write to, by the settings."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings
from django.test import Client, override_settings

from tests.public.pages import page


def test_about_names_the_operator_and_the_contacts_of_the_settings(client: Client, db: None) -> None:
    names = {
        "operator": "Federation <of> Home",
        "operator_contact": "mailto:o@x.example",
        "security_contact": None,
    }
    with override_settings(ENVIRONMENT=replace(settings.ENVIRONMENT, **names)):
        shown = page(client, "/about/")
    assert 'data-operator="Federation &lt;of&gt; Home"' in shown
    assert [
        part for part in ("mailto:o@x.example", 'href="mailto:', "/federations/") if part not in shown
    ] == []
    assert shown.count("mailto:") == 1


def test_about_without_settings_says_so(client: Client, db: None) -> None:
    with override_settings(ENVIRONMENT=replace(settings.ENVIRONMENT, operator=None, operator_contact=None)):
        assert 'data-operator=""' in page(client, "/about/")
