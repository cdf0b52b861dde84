"""The security contact (RFC 9116)."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

SECURITY_CONTACT_HOLDS = timedelta(days=180)


@require_safe
def security_contact(request: HttpRequest) -> HttpResponse:
    """Return the security contact (RFC 9116); 404 if the installation has none."""
    contact = settings.ENVIRONMENT.security_contact
    if contact is None:
        raise Http404
    # Valid for half a year from today, so that the file never expires.
    expires = datetime.combine(timezone.now().date() + SECURITY_CONTACT_HOLDS, time.min, tzinfo=UTC)
    lines = [
        f"Contact: {contact}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {settings.SITE_URL}{request.path}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
