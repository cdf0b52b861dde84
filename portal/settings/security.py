"""Headers and cookies: only own resources, nothing inline, https if SITE_URL is an https address."""

from __future__ import annotations

from typing import Any

from csp.constants import NONE, SELF

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# Browser features that no page uses are disabled, also for injected content.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "browsing-topics",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "usb",
    )
)
SECURITY_HEADERS = {
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
}

ONE_YEAR = 365 * 24 * 3600


def transport_settings(*, https: bool, behind_proxy: bool) -> dict[str, Any]:
    """Return the settings that require https, or those of a portal only for this machine."""
    settings: dict[str, Any] = {
        "SECURE_SSL_REDIRECT": https,
        # Supervisors ask the web process itself, which speaks http.
        "SECURE_REDIRECT_EXEMPT": [r"^health/", r"^metrics$"],
        "SECURE_HSTS_SECONDS": ONE_YEAR if https else 0,
        "SECURE_HSTS_INCLUDE_SUBDOMAINS": https,
        "SECURE_HSTS_PRELOAD": https,
        "SESSION_COOKIE_SECURE": https,
        "CSRF_COOKIE_SECURE": https,
    }
    if https:
        # Browsers accept a cookie with this prefix only from this host, by https, for all of its paths.
        settings["SESSION_COOKIE_NAME"] = "__Host-sessionid"
        settings["CSRF_COOKIE_NAME"] = "__Host-csrftoken"
    # Without a proxy, any caller could send the header and pass for https.
    if behind_proxy:
        settings["SECURE_PROXY_SSL_HEADER"] = ("HTTP_X_FORWARDED_PROTO", "https")
    return settings
