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
    assert shown.count("mailto:") == 1


def test_about_without_settings_has_contacts_and_tells_only_staff_what_is_missing(
    client: Client, db: None
) -> None:
    staff = make.browser(make.user(is_staff=True))
    with override_settings(ENVIRONMENT=replace(settings.ENVIRONMENT, operator=None, operator_contact=None)):
        shown, of_staff = page(client, "/about/"), page(staff, "/about/")
    # Only the rating officer is a contact: no other address is known.
    assert shown.partition('id="contact"')[2].partition("</section>")[0].count("<a ") == 1
    codes = ['data-code="no-operator"', 'data-code="no-contact"']
    assert [[code in text for code in codes] for text in (shown, of_staff)] == [[False, False], [True, True]]
