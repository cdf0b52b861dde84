"""How mails go out: Django's settings for `EMAIL_URL`."""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

import django

# What EMAIL_URL may begin with: Django's backend, the port, and how the connection to the server is encrypted.
_MAIL_SCHEMES = {
    "console": ("console", None, None),
    "file": ("filebased", None, None),
    "memory": ("locmem", None, None),
    "locmem": ("locmem", None, None),
    "dummy": ("dummy", None, None),
    "smtp": ("smtp", 25, None),
    "smtp+tls": ("smtp", 587, "TLS"),
    "submission": ("smtp", 587, "TLS"),
    "submit": ("smtp", 587, "TLS"),
    "smtp+ssl": ("smtp", 465, "SSL"),
    "smtps": ("smtp", 465, "SSL"),
}
_MAIL_OPTIONS = ("ssl", "tls", "timeout", "_server_email", "_default_from_email")
_YES_OR_NO = {
    "1": True,
    "yes": True,
    "true": True,
    "on": True,
    "0": False,
    "no": False,
    "false": False,
    "off": False,
}


def email_settings(url: str) -> dict[str, Any]:
    """Return Django's mail settings for an address such as `smtp+ssl://user:password@host?timeout=10`.

    User, password and folder are percent-decoded. Raises ValueError with the problem, but without the password.
    """
    parts = urlsplit(url)
    if parts.scheme not in _MAIL_SCHEMES:
        raise ValueError(f"it must begin with one of {', '.join(_MAIL_SCHEMES)}")
    backend, port, encryption = _MAIL_SCHEMES[parts.scheme]
    options = _mail_options(parts.query)
    config: dict[str, Any] = {"EMAIL_BACKEND": f"django.core.mail.backends.{backend}.EmailBackend"}
    if backend == "smtp":
        config |= _mail_server(parts, port=port, encryption=encryption, options=options)
    if backend == "filebased":
        # As in DATABASE_URL, four slashes begin an absolute path.
        folder = unquote(parts.path[1:])
        if not folder:
            raise ValueError("it names no folder; write file:////folder")
        config["EMAIL_FILE_PATH"] = folder
    for name in ("SERVER_EMAIL", "DEFAULT_FROM_EMAIL"):
        if sender := options.get(f"_{name.lower()}"):
            config[name] = sender
    return config


def _mail_server(
    parts: SplitResult, *, port: int | None, encryption: str | None, options: dict[str, str]
) -> dict[str, Any]:
    if not parts.hostname and parts.scheme != "smtp":
        raise ValueError("it names no host")
    try:
        port = parts.port or port
    except ValueError:
        # The library's message quotes a part of the password if that has a slash.
        raise ValueError("its port is not a number from 1 to 65535") from None
    for name in ("tls", "ssl"):
        if _YES_OR_NO[options.get(name, "no").lower()]:
            encryption = name.upper()
    return {
        "EMAIL_HOST": parts.hostname or "localhost",
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": encryption == "TLS",
        "EMAIL_USE_SSL": encryption == "SSL",
        # smtplib refuses a timeout of 0.
        "EMAIL_TIMEOUT": int(options.get("timeout", 0)) or None,
    }


def _mail_options(query: str) -> dict[str, str]:
    options = {name: values[-1] for name, values in parse_qs(query, strict_parsing=bool(query)).items()}
    for name, value in options.items():
        if name not in _MAIL_OPTIONS:
            raise ValueError(f"it has the unknown option {name!r}; known are {', '.join(_MAIL_OPTIONS)}")
        if name in ("ssl", "tls") and value.lower() not in _YES_OR_NO:
            raise ValueError(f"{name} is not yes or no")
        if name == "timeout" and not value.isdecimal():
            raise ValueError("timeout is not a number of seconds")
    return options


# The options of a mailer, which Django has from 6.1 on, by the settings that it had before.
_MAILER_OPTIONS = {
    "EMAIL_HOST": "host",
    "EMAIL_PORT": "port",
    "EMAIL_HOST_USER": "username",
    "EMAIL_HOST_PASSWORD": "password",
    "EMAIL_USE_TLS": "use_tls",
    "EMAIL_USE_SSL": "use_ssl",
    "EMAIL_TIMEOUT": "timeout",
    "EMAIL_FILE_PATH": "file_path",
}


def for_this_django(config: dict[str, Any]) -> dict[str, Any]:
    """Return mail settings as this version of Django wants them: from 6.1 on as `MAILERS`."""
    if django.VERSION < (6, 1):
        return config
    options = {option: config[name] for name, option in _MAILER_OPTIONS.items() if name in config}
    others = {
        name: value for name, value in config.items() if name not in ("EMAIL_BACKEND", *_MAILER_OPTIONS)
    }
    return others | {"MAILERS": {"default": {"BACKEND": config["EMAIL_BACKEND"], "OPTIONS": options}}}
