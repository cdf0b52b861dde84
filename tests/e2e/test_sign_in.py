from __future__ import annotations

from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect


def test_staff_sign_in_and_reach_the_admin(page: Page) -> None:
    get_user_model().objects.create_superuser(email="staff@portal.example", password="a long enough word")

    page.goto("/admin/")
    page.goto("/accounts/login/?next=/admin/")
    page.locator("input[name=login]").fill("staff@portal.example")
    page.locator("input[name=password]").fill("a long enough word")
    page.locator("input[name=password]").press("Enter")

    expect(page).to_have_url(f"{page.url.split('/admin/')[0]}/admin/")
    expect(page.get_by_role("heading", name="Site administration")).to_be_visible()
