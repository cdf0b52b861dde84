"""The page of the portal itself: who runs it and whom to write to, by the settings."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings
from django.test import Client, override_settings

from tests import make
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
    # As the contact and as who answers for personal data.
    assert shown.count("mailto:") == 2


def test_about_without_settings_has_contacts_and_tells_only_staff_what_is_missing(
    client: Client, db: None
) -> None:
    staff = make.browser(make.user(is_staff=True))
    with override_settings(ENVIRONMENT=replace(settings.ENVIRONMENT, operator=None, operator_contact=None)):
        shown, of_staff = page(client, "/about/"), page(staff, "/about/")
    contact = shown.partition('id="contact"')[2].partition("</aside>")[0]
    assert ("mailto:" in contact, "https://www.fide.com/" in contact) == (False, True)
    assert ['data-code="no-operator"' in text for text in (shown, of_staff)] == [False, True]
