"""Start-up checks: what is missing, and what to set."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from difflib import get_close_matches
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db import DatabaseError
from django.utils import timezone

from portal.backup import backup_problem
from portal.environment import ENV_FILE, LIST_STORAGE_FOLDER, LOCAL_HOSTS, VARIABLES, Environment
from portal.health import closed_folders
from portal.keys import other_keys, other_signing_key, plain_secrets
from portal.static_storage import lacks_files

# How variables of the portal begin.
PREFIXES = ("PORTAL_", "LIST_", "FIDE_")
# Pages and what is cached expire, and go first; messages do not, and stay.
EVICTION = "volatile-lru"


def register_all() -> None:
    """Register the checks of every start and those of `check --deploy`."""
    checks.register(check_var_folder)
    checks.register(check_installation, deploy=True)


def check_var_folder(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Report a PORTAL_VAR_DIR that cannot be written to."""
    probe = settings.VAR_DIR / ".writable"
    try:
        probe.touch()
        probe.unlink()
    except FileNotFoundError:
        return []
    except OSError as error:
        message = f"PORTAL_VAR_DIR ({settings.VAR_DIR}) cannot be written to: {error}."
        return [
            checks.Error(message, hint="Give the user that runs the portal its own folder.", id="portal.E001")
        ]
    return []


def check_installation(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Report what an installation that others rely on still lacks."""
    return [
        *missing_for_installation(settings.ENVIRONMENT),
        *misspelt_variables(os.environ),
        *evicting_redis(settings.ENVIRONMENT.redis_url),
        *missing_backup(timezone.now()),
        *unusable_here(),
        *keys_of_the_data(),
    ]


def misspelt_variables(names: Iterable[str]) -> Iterator[checks.CheckMessage]:
    """Yield a warning for each variable that nothing reads, and that looks like one of the portal."""
    known = [*VARIABLES, ENV_FILE]
    for name in sorted(set(names).difference(known)):
        near = get_close_matches(name, known, n=1, cutoff=0.85)
        if near or name.startswith(PREFIXES):
            meant = f"Did you mean {near[0]}?" if near else "Remove it, or correct its name."
            yield _warning(9, f"{name} is no variable of the portal, and is not read.", meant)


def evicting_redis(url: str | None) -> Iterator[checks.CheckMessage]:
    """Yield an error if Redis may throw jobs away, or has no limit; nothing where it does not answer."""
    if not url:
        return
    # Its client takes long to import.
    from redis import Redis, RedisError

    try:
        with Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as server:
            memory: dict[str, Any] = server.info("memory")
    except (RedisError, OSError):
        return
    if memory.get("maxmemory_policy") != EVICTION:
        yield _error(
            10,
            f"The maxmemory-policy of Redis is not {EVICTION}.",
            f"Set maxmemory and maxmemory-policy {EVICTION}. Readers then push out cached pages only, and no jobs.",
        )
    if not memory.get("maxmemory"):
        yield _error(
            12, "Redis has no maxmemory. It takes memory until the system ends it.", "Set maxmemory 512mb."
        )


def keys_of_the_data() -> Iterator[checks.CheckMessage]:
    """Yield what is wrong between the keys and what was written with them; nothing without a database."""
    with suppress(DatabaseError):
        for name in other_keys():
            yield _error(
                11,
                f"{name} is not the key with which the data was written.",
                "Set that key, or write it after a comma (docs/operations.md, Keys).",
            )
        if other_signing_key():
            yield _warning(
                5,
                "The newest list was signed with another LIST_SIGNING_KEY.",
                "If you rotated it, publish the new public key. Otherwise set the former key.",
            )
        if number := plain_secrets():
            yield _warning(
                6,
                f"Secrets of second factors that are not encrypted: {number}.",
                "Run rating-portal rotate_secrets once no process of the release before runs and you will not go "
                "back.",
            )


def missing_backup(at: datetime) -> Iterator[checks.CheckMessage]:
    """Yield a warning if the audit log has no recent backup; nothing without a database."""
    with suppress(DatabaseError):
        if problem := backup_problem(at):
            remedy = "Make a backup each day (docs/operations.md), of the files of lists and the keys, too."
            yield _warning(4, problem, remedy)


def unusable_here() -> Iterator[checks.CheckMessage]:
    """Yield an error for folders that cannot be written to, and for static files of another release or of none."""
    if closed := closed_folders(settings.VAR_DIR):
        own = f"chown --recursive portal:portal {settings.VAR_DIR}"
        yield _error(16, f"In PORTAL_VAR_DIR {', '.join(closed)} cannot be written to.", f"As root: {own}")
    if lacks_files():
        problem = "The static files of this release are not collected on this machine."
        yield _error(
            15, problem, "Run rating-portal collectstatic --no-input, and restart the web processes."
        )


def missing_for_installation(environment: Environment) -> Iterator[checks.CheckMessage]:
    """Yield a message for each variable that a real installation must set, with what to write."""
    several_machines = _is_elsewhere(environment.database)
    is_own_folder = several_machines and environment.list_storage == LIST_STORAGE_FOLDER
    if not environment.secret_key_given:
        yield _error(
            2, "SECRET_KEY is not set.", "Set 50 random characters or more, the same on every machine."
        )
    if not environment.https:
        yield _error(
            3,
            "SITE_URL is not an https address.",
            "Set the public address, for example https://ratings.example.org.",
        )
    if set(environment.allowed_hosts) <= set(LOCAL_HOSTS):
        yield _error(
            4, "ALLOWED_HOSTS has only the name of this machine.", "List the host names of the portal."
        )
    if not environment.email["EMAIL_BACKEND"].endswith("smtp.EmailBackend"):
        yield _error(
            5,
            "EMAIL_URL has no mail server. Emails stay on this machine.",
            "Set submission://user:password@host:587.",
        )
    if several_machines and not environment.redis_url:
        yield _error(
            6, "REDIS_URL is not set. Workers on other machines get no jobs.", "Set redis://host:6379/0."
        )
    if environment.demo:
        yield _error(
            7,
            "PORTAL_DEMO is on. Accounts with known passwords may exist.",
            "Set PORTAL_DEMO=0, on a new database.",
        )
    if environment.debug:
        yield _error(
            14, "DEBUG is on. Error pages show the code, settings and data to everybody.", "Set DEBUG=0."
        )
    if _is_open_redis(environment.redis_url):
        yield _error(
            9,
            "REDIS_URL is a Redis server on another machine without password, TLS or a verified certificate.",
            "Set rediss://:password@host:6379/0.",
        )
    if not environment.require_mfa:
        yield _warning(
            1, "REQUIRE_MFA is off. Every role can sign in with only a password.", "Set REQUIRE_MFA=1."
        )
    if not environment.list_signing_key:
        yield _warning(
            2, "LIST_SIGNING_KEY is not set. Lists are not signed.", "Create a key (docs/operations.md)."
        )
    if not environment.behind_proxy and not _is_loopback(environment.host):
        yield _error(
            13,
            "HOST is reached by other machines, and BEHIND_PROXY is off. A few slow callers stop the portal.",
            "Set HOST=127.0.0.1, put the proxy of deploy/nginx in front, and set BEHIND_PROXY=1.",
        )
    if environment.https and not environment.behind_proxy:
        yield _warning(
            3,
            "BEHIND_PROXY is off, but SITE_URL uses https. Limits count all visitors as one.",
            "Set BEHIND_PROXY=1.",
        )
    if is_own_folder and not (environment.var_dir / "lists").is_mount():
        yield _warning(
            7,
            "LIST_STORAGE is a folder of this machine. Another machine has none of its files.",
            "Set LIST_STORAGE=s3://bucket/prefix, or mount one folder on all machines at lists in PORTAL_VAR_DIR.",
        )
    if not (environment.operator and environment.operator_contact):
        yield _warning(
            10,
            "OPERATOR or OPERATOR_CONTACT is not set. Readers do not learn who runs the portal and whom to write to.",
            "Set both, for example OPERATOR_CONTACT=mailto:office@ratings.example.org.",
        )
    if several_machines and environment.fide_list_folder == environment.var_dir / "fide":
        yield _warning(
            8,
            "FIDE_LIST_FOLDER is a folder of this machine. A worker on another one does not find its files.",
            "Mount one folder on all machines, and set FIDE_LIST_FOLDER to it.",
        )


def _is_loopback(host: str) -> bool:
    """Return whether only this machine reaches what listens on the host."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _is_elsewhere(database: Mapping[str, Any]) -> bool:
    """Return whether the database is reached over the network: then other machines may use it, too."""
    host = database.get("HOST") or ""
    # A path is the folder of a socket; a file of SQLite is one machine's own.
    is_here = not host or host.startswith("/") or _is_loopback(host)
    return database["ENGINE"].endswith("postgresql") and not is_here


def _is_open_redis(url: str | None) -> bool:
    """Return whether a Redis on another machine is used without a password, TLS or a verified certificate."""
    parts = urlsplit(url or "")
    is_remote = parts.scheme in ("redis", "rediss") and not _is_loopback(parts.hostname or "")
    # `ssl_cert_reqs=none` turns the check of the certificate off.
    is_checked = parts.scheme == "rediss" and "none" not in parts.query.lower()
    return is_remote and not (parts.password and is_checked)


def _warning(number: int, problem: str, remedy: str) -> checks.CheckMessage:
    return checks.Warning(problem, hint=remedy, id=f"portal.W{number:03}")


def _error(number: int, problem: str, remedy: str) -> checks.CheckMessage:
    return checks.Error(problem, hint=remedy, id=f"portal.E{number:03}")
