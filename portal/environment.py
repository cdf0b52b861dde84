"""Read and validate the environment variables."""

from __future__ import annotations

import base64
import contextlib
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from environs import Env, validate

from portal.mail import email_settings

ENV = Env()
BASE_DIR = Path(__file__).resolve().parent.parent
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
OTLP = "OTEL_EXPORTER_OTLP_ENDPOINT"
# The first is the default.
LOG_LEVELS = ("INFO", "DEBUG", "WARNING", "ERROR", "CRITICAL")
LOG_FORMATS = ("logfmt", "json")
LIST_STORAGE_FOLDER = "folder"
SIGNING_KEY_BYTES = 32
_FAMILY = re.compile(r"https?://\*\.[^*.]+\.[^*]+")
# RFC 9116 wants an address with its scheme.
CONTACT = r"(mailto:[!-~]+@[!-~]+|https://[!-~]+)\s*\Z"
# Who runs a demonstration, where nobody is named.
DEMO_OPERATOR, DEMO_CONTACT = "Demonstration of the rating portal", "mailto:portal@demo.example"
# Each variable, its purpose in a line, and an example; details are in docs/operations.md.
VARIABLES = {
    "PORTAL_VAR_DIR": ("folder of database file, queue, cache, list files, static files", "/srv/portal/var"),
    "HOST": ("address on which the web server listens", "127.0.0.1"),
    "PORT": ("port on which the web server listens", "8000"),
    "WEB_WORKERS": ("processes of the web server", "2"),
    "DEBUG": ("Django's error pages; never where others can reach it", "0"),
    "PORTAL_DEMO": ("fill an empty portal with the demonstration; never on a real one", "0"),
    "SECRET_KEY": ("50 random characters or more, the same on every machine", ""),
    "SECRET_KEY_FALLBACKS": ("former values of SECRET_KEY, with commas, until their sessions have ended", ""),
    "SECRETS_KEY": ("encrypts second factors: 50 random characters or more, the same on every machine", ""),
    "SITE_URL": ("the address people use", "https://ratings.example.org"),
    "ALLOWED_HOSTS": ("host names, with commas", "ratings.example.org"),
    "CSRF_TRUSTED_ORIGINS": ("further origins of forms, with commas", "https://www.example.org"),
    "BEHIND_PROXY": ("trust the caller's address and scheme as the proxy in front gives them", "1"),
    "PLAYER_ACCOUNTS": ("players create accounts with a confirmed address; 0 for invitations alone", "1"),
    "REQUIRE_MFA": ("whoever holds a role must set up a second factor", "1"),
    "DATABASE_URL": (
        "PostgreSQL; SQLite in the folder without it",
        "postgresql://user:password@host:5432/name",
    ),
    "REDIS_URL": ("cache and queue; files in the folder without it", "rediss://:password@host:6379/0"),
    "EMAIL_URL": ("the mail server; files in the folder without it", "submission://user:password@host:587"),
    "EMAIL_FROM": ("sender of mails", "ratings@example.org"),
    "LIST_STORAGE": ("list files: folder, an object store, or the class of a storage", "s3://bucket/prefix"),
    "LIST_STORAGE_OPTIONS": ("options of the storage, as JSON", '{"region_name": "eu-central-1"}'),
    "FIDE_LIST_FOLDER": (
        "folder of fetched FIDE lists, which staff import in the browser",
        "/srv/portal/var/fide",
    ),
    "LIST_SIGNING_KEY": ("32 random bytes in base64: the Ed25519 key that signs manifests", ""),
    "METRICS_TOKEN": ("20 characters or more: who may read /metrics; this machine alone without it", ""),
    "OPERATOR": ("who runs the portal, named on its page About", "Chess Federation of Example"),
    "OPERATOR_CONTACT": (
        "whom to write to about faults and personal data",
        "mailto:office@ratings.example.org",
    ),
    "SECURITY_CONTACT": ("whom to write to about a weakness", "mailto:security@ratings.example.org"),
    "SENTRY_DSN": ("where errors are reported, without personal data", "https://key@sentry.example.org/1"),
    "OTEL_EXPORTER_OTLP_ENDPOINT": ("where traces are sent, by HTTP", "http://collector.example.org:4318"),
    "LOG_LEVEL": ("DEBUG, INFO, WARNING, ERROR or CRITICAL", "INFO"),
    "LOG_FORMAT": ("logfmt, or json for machines", "logfmt"),
}


def env_example() -> str:
    """Return `.env.example`: every variable with its meaning, none of them set."""
    rows = [
        f"# {meaning[0].upper()}{meaning[1:]}.\n# {name}={value}\n"
        for name, (meaning, value) in VARIABLES.items()
    ]
    head = "# Variables of the portal. Remove the # before those that you set; without any the portal runs embedded."
    return "\n".join([f"{head}\n# Written by `make env-example` from portal/environment.py.\n", *rows])


@dataclass(frozen=True, slots=True)
class Environment:
    """Everything an installation may decide; the defaults are those of the embedded portal."""

    var_dir: Path
    host: str
    port: int
    web_workers: int
    debug: bool
    demo: bool
    secret_key: str
    secret_key_given: bool
    secret_key_fallbacks: tuple[str, ...]
    secrets_keys: tuple[str, ...]
    site_url: str
    allowed_hosts: tuple[str, ...]
    csrf_trusted_origins: tuple[str, ...]
    behind_proxy: bool
    require_mfa: bool
    player_accounts: bool
    database: dict[str, Any]
    redis_url: str | None
    email: dict[str, Any]
    email_from: str
    list_storage: str
    list_storage_options: dict[str, Any]
    fide_list_folder: Path
    list_signing_key: str | None
    metrics_token: str | None
    operator: str | None
    operator_contact: str | None
    security_contact: str | None
    sentry_dsn: str | None
    otlp_endpoint: str | None
    log_level: str
    log_format: str

    @property
    def https(self) -> bool:
        """Whether people reach the portal by https: the scheme of SITE_URL."""
        return self.site_url.startswith("https://")


# Names a file of variables, which web, workers and commands read alike.
ENV_FILE = "PORTAL_ENV_FILE"
_LINE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)")


def read_file(path: Path) -> dict[str, str]:
    """Return the variables of a file: a line NAME=VALUE each, the value as it stands, and lines that begin with #.

    Nothing is expanded: a key means the same to all who read it. One pair of quotes around a value is left out.
    `ImproperlyConfigured` for another line, by its number alone: it may have a secret.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        remedy = "Run the command as root, who becomes the user of the portal, or as that user."
        raise _refuse(ENV_FILE, f"is {path}, which cannot be read ({error})", remedy) from error
    found = {}
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        matched = _LINE.fullmatch(stripped)
        if matched is None:
            raise _refuse(ENV_FILE, f"is {path}, whose line {number} is not NAME=VALUE", "Correct that line.")
        name, value = matched[1], matched[2].strip()
        is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
        found[name] = value[1:-1] if is_quoted else value
    return found


def load_file() -> None:
    """Take the variables of the file that `PORTAL_ENV_FILE` names; what the process has is not replaced."""
    if path := os.environ.get(ENV_FILE):
        # Into the environment itself, where boto3 and OpenTelemetry read variables of their own.
        os.environ.update(
            {name: value for name, value in read_file(Path(path)).items() if name not in os.environ}
        )


def data_folder() -> Path:
    """Return `PORTAL_VAR_DIR`; without it `var` of a checkout, else the folder for the data of this user's programs.

    An installed portal is among other libraries, where nothing is written.
    """
    if given := os.environ.get("PORTAL_VAR_DIR", "").strip():
        return Path(given).absolute()
    if (BASE_DIR / "manage.py").exists():
        return BASE_DIR / "var"
    folder = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111 - may be no home
    if not Path(folder).is_absolute():
        raise _refuse("PORTAL_VAR_DIR", "is not set, and this user has no home", "Enter a folder.")
    return Path(folder) / "rating-portal"


def read_environment() -> Environment:
    """Return the environment; `ImproperlyConfigured` names the first bad variable and what to write."""
    load_file()
    var_dir = _made(data_folder())
    host, port = _text("HOST") or "127.0.0.1", _number("PORT", default=8000, most=65535)
    site_url = _site_url(default=f"http://{host}:{port}")
    demo = _flag("PORTAL_DEMO", default=False)
    given_key, former_keys = _text("SECRET_KEY"), _list("SECRET_KEY_FALLBACKS")
    list_storage, storage_options = _list_storage()
    return Environment(
        var_dir=var_dir,
        host=host,
        port=port,
        web_workers=_number("WEB_WORKERS", default=2, most=256),
        debug=_flag("DEBUG", default=False),
        demo=demo,
        secret_key=given_key or _kept_key(var_dir, "secret_key"),
        secret_key_given=bool(given_key),
        secret_key_fallbacks=former_keys,
        secrets_keys=_list("SECRETS_KEY")
        or ((given_key, *former_keys) if given_key else (_kept_key(var_dir, "secrets_key"),)),
        site_url=site_url,
        allowed_hosts=_allowed_hosts(site_url),
        csrf_trusted_origins=_origins(site_url),
        behind_proxy=_flag("BEHIND_PROXY", default=False),
        require_mfa=_flag("REQUIRE_MFA", default=False),
        player_accounts=_flag("PLAYER_ACCOUNTS", default=True),
        database=_database(var_dir),
        redis_url=_read(
            "REDIS_URL", ENV.str, "Enter redis://host:6379/0.", check=validate.Regexp(r"(rediss?|unix):")
        ),
        email=_email(var_dir),
        email_from=_text("EMAIL_FROM") or f"ratings@{urlsplit(site_url).hostname}",
        list_storage=list_storage,
        list_storage_options=storage_options,
        fide_list_folder=Path(_text("FIDE_LIST_FOLDER") or var_dir / "fide").absolute(),
        list_signing_key=_read(
            "LIST_SIGNING_KEY",
            _signing_key,
            "Remove it, run manage.py new_key LIST_SIGNING_KEY, and set the line that this prints.",
        ),
        metrics_token=_read(
            "METRICS_TOKEN",
            ENV.str,
            "Enter 20 or more random letters and digits.",
            check=validate.Regexp(r"[ -~]{20,}\s*\Z"),
        ),
        operator=_text("OPERATOR") or (DEMO_OPERATOR if demo else None),
        operator_contact=_contact("OPERATOR_CONTACT") or (DEMO_CONTACT if demo else None),
        security_contact=_contact("SECURITY_CONTACT"),
        sentry_dsn=_with_extra("SENTRY_DSN", extra="sentry", library="sentry_sdk"),
        otlp_endpoint=_with_extra(OTLP, extra="opentelemetry", library="opentelemetry.sdk"),
        log_level=_one_of("LOG_LEVEL", LOG_LEVELS),
        log_format=_one_of("LOG_FORMAT", LOG_FORMATS),
    )


def protect_files(environment: Environment) -> None:
    """Restrict the files of the embedded portal to its user.

    Behind a proxy the folder stays readable for the group of the units: the proxy sends static files.
    """
    is_embedded = environment.database["ENGINE"].endswith("sqlite3") and not environment.behind_proxy
    if is_embedded:
        os.umask(0o077)
    name = str(environment.database["NAME"])
    private = [Path(f"{name}{ending}") for ending in ("", "-wal", "-shm")]
    private += [environment.var_dir / key for key in ("secret_key", "secrets_key")]
    with contextlib.suppress(OSError):
        mails = environment.var_dir / "mail"
        if environment.email.get("EMAIL_FILE_PATH") == str(mails):
            # They have links that sign people in.
            mails.mkdir(mode=0o700, exist_ok=True)
            mails.chmod(0o700)
        if is_embedded:
            environment.var_dir.chmod(0o700)
        for path in private:
            if path.is_file():
                path.chmod(0o600)


def _refuse(name: str, problem: str, remedy: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} {problem}. {remedy}")


def _read(name: str, read: Callable[..., Any], remedy: str, *, default: Any = None, check: Any = None) -> Any:
    """Return what a method of environs makes of a variable, or the default where it is empty."""
    if _text(name) is None:
        return default
    try:
        found = read(name, validate=check)
    except (TypeError, ValueError) as error:
        # Not the value: it may be a secret.
        raise _refuse(name, "is not valid", remedy) from error
    return found.strip() if isinstance(found, str) else found


def _contact(name: str) -> str | None:
    remedy = "Enter mailto:security@ratings.example.org, or the https address of a page."
    return cast("str | None", _read(name, ENV.str, remedy, check=validate.Regexp(CONTACT)))


def _text(name: str) -> str | None:
    return ENV.str(name, "").strip() or None


def _list(name: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in ENV.list(name, [], subcast=str) if part.strip())


def _flag(name: str, *, default: bool) -> bool:
    return bool(_read(name, ENV.bool, f"Set {name}=1 or {name}=0.", default=default))


def _number(name: str, *, default: int, most: int) -> int:
    remedy = f"Enter a number from 1 to {most}."
    return int(_read(name, ENV.int, remedy, default=default, check=validate.Range(1, most)))


def _one_of(name: str, choices: tuple[str, ...]) -> str:
    """Return one of the choices, however it is spelt; the first is the default."""
    known = {choice.lower(): choice for choice in choices}
    found = (_text(name) or choices[0]).lower()
    if found not in known:
        raise _refuse(name, f"is {found!r}", f"Set it to one of {', '.join(choices)}.")
    return known[found]


def _object(name: str, **options: Any) -> dict[str, Any]:
    return {**ENV.json(name)}  # type: ignore[dict-item]


def _list_storage() -> tuple[str, dict[str, Any]]:
    """Return the class of the list files' storage, or "folder", and its options."""
    example = 'Enter an object, for example LIST_STORAGE_OPTIONS=\'{"key": "value"}\'.'
    options = _read("LIST_STORAGE_OPTIONS", _object, example, default={})
    value = _text("LIST_STORAGE") or LIST_STORAGE_FOLDER
    if not value.startswith("s3://"):
        return value, options
    _with_extra("LIST_STORAGE", extra="s3", library="storages")
    bucket, _, prefix = value.removeprefix("s3://").partition("/")
    if not bucket:
        raise _refuse(
            "LIST_STORAGE", f"is {value!r}, which names no bucket", "Write s3://bucket or s3://bucket/prefix."
        )
    # Credentials, region and address of the store come from boto3's own variables (AWS_...) or from the options.
    names = {
        "bucket_name": bucket,
        "location": prefix.strip("/"),
        "default_acl": None,
        # Files are written again under the names that rows have: the store must not choose others.
        "file_overwrite": True,
    }
    return "storages.backends.s3.S3Storage", names | options


def _with_extra(name: str, *, extra: str, library: str) -> str | None:
    """Return a variable that needs a library which is not always installed."""
    value = _text(name)
    if value is not None and not _is_installed(library):
        raise _refuse(
            name, "is set, but its library is not installed", f"pip install 'rating-portal[{extra}]'."
        )
    return value


def _is_installed(library: str) -> bool:
    try:
        # For a module within a package, `find_spec` imports the package, which may be missing.
        return find_spec(library) is not None
    except ModuleNotFoundError:
        return False


def _signing_key(name: str, **options: Any) -> str:
    key = ENV.str(name)
    if len(base64.b64decode(key.strip(), validate=True)) != SIGNING_KEY_BYTES:
        raise ValueError
    return key


def _made(var_dir: Path) -> Path:
    try:
        var_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        remedy = "Enter a folder that the portal can write to."
        raise _refuse("PORTAL_VAR_DIR", f"is {var_dir}, which cannot be made ({error})", remedy) from error
    return var_dir


def _site_url(*, default: str) -> str:
    value = (_text("SITE_URL") or default).rstrip("/")
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path:
        remedy = "Enter the public address, for example https://ratings.example.org."
        raise _refuse("SITE_URL", f"is {value!r}, not the address of a site", remedy)
    return value


def _allowed_hosts(site_url: str) -> tuple[str, ...]:
    if _text("ALLOWED_HOSTS") is None:
        return tuple(dict.fromkeys((urlsplit(site_url).hostname or "localhost", *LOCAL_HOSTS)))
    hosts = _list("ALLOWED_HOSTS")
    wrong = [host for host in hosts if host == "*" or "/" in host]
    if wrong:
        remedy = "Enter host names separated by commas, for example ratings.example.org,.example.net."
        raise _refuse("ALLOWED_HOSTS", f"has {wrong[0]!r}, which is not a host name", remedy)
    return hosts


def _origins(site_url: str) -> tuple[str, ...]:
    origins = _list("CSRF_TRUSTED_ORIGINS")
    wrong = [origin for origin in origins if not origin.startswith(("https://", "http://"))]
    if wrong:
        remedy = "Enter each with its scheme, for example https://ratings.example.org."
        raise _refuse("CSRF_TRUSTED_ORIGINS", f"has {wrong[0]!r} without a scheme", remedy)
    # `https://*.example.org` is a family of names; `https://*` and `https://*.org` are everybody's.
    if wide := [origin for origin in origins if "*" in origin and not _FAMILY.fullmatch(origin)]:
        remedy = "Enter each origin, for example https://www.example.org."
        raise _refuse("CSRF_TRUSTED_ORIGINS", f"has {wide[0]!r}, which lets every site send forms", remedy)
    return tuple(dict.fromkeys((site_url, *origins)))


def _database(var_dir: Path) -> dict[str, Any]:
    url = _text("DATABASE_URL") or f"sqlite:///{var_dir / 'portal.sqlite3'}"
    remedy = "Enter postgresql://user:password@host:5432/name, or sqlite:////folder/file.sqlite3."
    try:
        config = dict(dj_database_url.parse(url))
    except (dj_database_url.ParseError, dj_database_url.UnknownSchemeError, ValueError) as error:
        raise _refuse("DATABASE_URL", "is not the address of a database", remedy) from error
    if config["ENGINE"] not in ("django.db.backends.sqlite3", "django.db.backends.postgresql"):
        raise _refuse("DATABASE_URL", "is not a PostgreSQL or SQLite database", remedy)
    if not config["NAME"]:
        raise _refuse("DATABASE_URL", "has no database name", remedy)
    return config


def _email(var_dir: Path) -> dict[str, Any]:
    try:
        # Quoted, because `email_settings` decodes the folder.
        return email_settings(_text("EMAIL_URL") or f"file:///{quote(str(var_dir / 'mail'))}")
    except ValueError as error:
        remedy = "Enter submission://user:password@host:587, or console: to print emails."
        raise _refuse("EMAIL_URL", f"cannot be used ({error})", remedy) from error


def _kept_key(var_dir: Path, name: str) -> str:
    """Return the key that this installation made for itself, making it on the first call (mode 0600)."""
    path = var_dir / name
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=var_dir, prefix=f".{name}-") as draft:
            draft.write(secrets.token_urlsafe(64))
            draft.flush()
            # A link appears whole or not at all: of two processes that start together one wins.
            with contextlib.suppress(FileExistsError):
                os.link(draft.name, path)
    return path.read_text()


if __name__ == "__main__":
    (BASE_DIR / ".env.example").write_text(env_example())
