"""What the library of accounts does otherwise here: sign-in, its limits, and mails by the workers."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse, translate_url
from django.utils import timezone
from django.utils.translation import get_language, override

from core.web.rates import caller_of
from players import notices
from players.choices import NoticeKind
from players.permissions import can_use_desk

# The values of the context of an email that are links.
LINKS = ("password_reset_url", "activate_url")


class ClosedSignupAdapter(DefaultAccountAdapter):
    """The library's own sign-up is closed: see `sign_up` beside, and invitations. Mails are sent by the workers."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return where a user's work is: the dashboard, or for other accounts their own chess."""
        return reverse("dashboard" if can_use_desk(request.user) else "chess:mine")

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponseBase:
        """Lead on in the language of the account, whichever language the page of signing in had."""
        response: HttpResponseBase = super().post_login(request, user, **options)
        if user.language and "Location" in response.headers:
            response.headers["Location"] = translate_url(response.headers["Location"], user.language)
        return response

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return whom attempts are counted by, as all other limits count."""
        return caller_of(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # By account and caller: guesses by others lock out no user.
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}:{caller_of(request)}"

    def get_reset_password_from_key_url(self, key: str) -> str:
        return _on_site(super().get_reset_password_from_key_url(key))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return _on_site(super().get_email_confirmation_url(request, emailconfirmation))

    def send_notification_mail(self, template_prefix: str, *args: Any, **options: Any) -> None:
        """Send nothing: `record_account` emails both the former and the new address."""
        if template_prefix != "account/email/email_changed":
            super().send_notification_mail(template_prefix, *args, **options)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue the email: a mail server that is down fails no page, and does not reveal who has an account."""
        page = get_language() or settings.LANGUAGE_CODE

        def write_email() -> Any:
            """Write the email in its language, which its links have too: they were made for the page."""
            language = get_language() or page
            with override(page):
                links = {name: translate_url(context[name], language) for name in LINKS if name in context}
            facts = {"request": self.request, "email": email, **context, **links}
            return self.render_mail(template_prefix, email, facts)

        # A new address is not yet an account's: the account of the context has the language.
        with override(getattr(context.get("user"), "language", "") or page):
            notices.post(
                to=[email],
                kind=NoticeKind.SECURITY,
                key=f"account:{uuid4().hex}",
                subject=lambda: write_email().subject,
                text=lambda: str(write_email().body),
                at=timezone.now(),
            )


def _on_site(address: str) -> str:
    """Return an address of this portal by the name of the installation, not by the one that the request gave."""
    parts = urlsplit(address)
    return f"{settings.SITE_URL}{parts.path}{'?' if parts.query else ''}{parts.query}"
