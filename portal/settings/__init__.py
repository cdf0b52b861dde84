"""The project's settings. What an installation decides comes from the environment (`portal.environment`)."""

from __future__ import annotations

import django_stubs_ext
from django.utils.translation import gettext_lazy as _

from portal.environment import BASE_DIR, LIST_STORAGE_FOLDER, protect_files, read_environment
from portal.logging import configure_structlog, logging_config
from portal.mail import for_this_django
from portal.settings.api import SPECTACULAR_SETTINGS, rest_framework
from portal.settings.backends import (
    BEAT_SCHEDULE,
    KEPT_PAGES_SECONDS,
    broker_settings,
    cache_settings,
    database_settings,
)
from portal.settings.security import CONTENT_SECURITY_POLICY, SECURITY_HEADERS, transport_settings

__all__ = [
    "BASE_DIR",
    "CONTENT_SECURITY_POLICY",
    "KEPT_PAGES_SECONDS",
    "SECURITY_HEADERS",
    "SPECTACULAR_SETTINGS",
]

# Django's generic classes take their type parameters at run time too: `ModelAdmin[...]`.
django_stubs_ext.monkeypatch()

ENVIRONMENT = read_environment()
VAR_DIR = ENVIRONMENT.var_dir
protect_files(ENVIRONMENT)

DEBUG = ENVIRONMENT.debug
DEMO = ENVIRONMENT.demo
SECRET_KEY = ENVIRONMENT.secret_key
SECRET_KEY_FALLBACKS = list(ENVIRONMENT.secret_key_fallbacks)
# The first encrypts what must be read again; the others still open what they encrypted.
SECRETS_KEYS = ENVIRONMENT.secrets_keys
SITE_URL = ENVIRONMENT.site_url
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(ENVIRONMENT.csrf_trusted_origins)

INSTALLED_APPS = [
    "portal",
    "core",
    "players",
    "tournaments",
    "ratings",
    "arenas",
    "public",
    "desk",
    "api",
    "demo",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "csp",
]

MIDDLEWARE = [
    # First: each line of the log that a request leaves has its ID.
    "portal.middleware.request_ids.request_id_middleware",
    "django.middleware.security.SecurityMiddleware",
    # Before the static files, which are to carry the same headers.
    "portal.middleware.headers.security_headers",
    "portal.middleware.headers.private_by_default",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    # Before all that reads an address by patterns.
    "portal.middleware.long_addresses.refuse_long_addresses",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "core.web.compression.compress",
    # Outside of the kept pages, whose answers count, too.
    "portal.middleware.answer_times.measure_requests",
    # Before sessions: a kept page is answered by one query.
    "portal.middleware.kept_pages.kept_pages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "portal.middleware.language.AddressLocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "portal.middleware.second_factor.require_second_factor",
    "portal.middleware.admin_forms.keep_admin_forms",
]

ROOT_URLCONF = "portal.urls"
WSGI_APPLICATION = "portal.wsgi.application"

TEMPLATES = [
    # The public pages (ADR 18). First, because Django's engine would find these files too.
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "OPTIONS": {"environment": "public.environment.environment"},
    },
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"staff": "ratings.admin.overview"},
        },
    },
]

DATABASES = {
    "default": database_settings(ENVIRONMENT.database, test_name=str(VAR_DIR / "test.sqlite3")),
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = cache_settings(ENVIRONMENT.redis_url, var_dir=VAR_DIR)

LIST_FOLDER_STORAGE = {
    "BACKEND": "django.core.files.storage.FileSystemStorage",
    "OPTIONS": {"location": str(VAR_DIR / "lists"), **ENVIRONMENT.list_storage_options},
}
# A proxy that announces its path to list files sends them itself.
FILES_BY_PROXY = ENVIRONMENT.behind_proxy
LIST_OTHER_STORAGE = {"BACKEND": ENVIRONMENT.list_storage, "OPTIONS": ENVIRONMENT.list_storage_options}
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": str(VAR_DIR / "media")},
    },
    "lists": LIST_FOLDER_STORAGE if ENVIRONMENT.list_storage == LIST_STORAGE_FOLDER else LIST_OTHER_STORAGE,
    "staticfiles": {"BACKEND": "portal.static_storage.StaticStorage"},
}
FIDE_LIST_FOLDER = ENVIRONMENT.fide_list_folder
LIST_SIGNING_KEY = ENVIRONMENT.list_signing_key

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
# WhiteNoise warns of a folder that is not there, as before the first `collectstatic`.
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
# Static files that are not collected yet are served from their source folder.
WHITENOISE_USE_FINDERS = True

AUTH_USER_MODEL = "portal.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
CSRF_FAILURE_VIEW = "portal.failed_requests.form_refused"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

ACCOUNT_ADAPTER = "portal.accounts.adapter.ClosedSignupAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
# Accounts come from invitations sent to the address, so that it needs no second proof.
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = False
MFA_ADAPTER = "portal.accounts.second_factor.EncryptingAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Browsers offer passkeys only by https and on this machine; without https only on this machine.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not ENVIRONMENT.https
# An address that waits for its confirmation gets no link to a new password, so that it may wait beside a second factor.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_ISSUER = "Rating portal"
# A code that changes while it is typed, or of a phone whose clock is a little off, is right too (RFC 6238, 5.2).
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "authenticate": "portal.accounts.second_factor.CodeForm",
    "reauthenticate": "portal.accounts.second_factor.CodeAgainForm",
    "add_webauthn": "portal.accounts.second_factor.AddKeyForm",
    "login_webauthn": "portal.accounts.second_factor.KeySignInForm",
    "authenticate_webauthn": "portal.accounts.second_factor.SecondKeyForm",
    "reauthenticate_webauthn": "portal.accounts.second_factor.KeyAgainForm",
}
REQUIRE_MFA = ENVIRONMENT.require_mfa
PLAYER_ACCOUNTS = ENVIRONMENT.player_accounts
# Another address is the account's once its mail is confirmed; until then the former one signs in.
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_FORMS = {
    "add_email": "portal.accounts.sign_up.AddressForm",
    "change_password": "portal.accounts.passwords.PasswordForm",
    "reset_password_from_key": "portal.accounts.passwords.PasswordByLinkForm",
    "reset_password": "portal.accounts.passwords.ForgottenForm",
}
# A stolen session changes neither address nor second factor: the password or a passkey is required again.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# A sign-in counts as one (`portal.receivers`).
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
# Security events of an account are emailed; an address without an account gets none.
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# A school is one address: a class signs in within a minute, and some mistype. Guessing an account is slow from any.
ACCOUNT_RATE_LIMITS = {
    "login": "120/m/ip",
    "login_failed": "30/m/ip,5/5m/key",
    "reset_password": "60/m/ip,5/m/key",
    "reset_password_from_key": "60/m/ip",
}

LANGUAGE_CODE = "en"
# A language is added when its catalogue is complete; tests/portal/test_translations.py checks it.
LANGUAGES = [("en", _("English")), ("fr", _("French")), ("es", _("Spanish")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "portal.formats"

DEFAULT_FROM_EMAIL = SERVER_EMAIL = ENVIRONMENT.email_from
globals().update(for_this_django(ENVIRONMENT.email))

REST_FRAMEWORK = rest_framework(behind_proxy=ENVIRONMENT.behind_proxy)
globals().update(transport_settings(https=ENVIRONMENT.https, behind_proxy=ENVIRONMENT.behind_proxy))
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
# With Strict, a person who follows the link of an email would seem to be signed out.
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"

# Reports are read in memory up to this size; larger uploads go to a temporary file first.
FILE_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024

CELERY_BROKER_URL, CELERY_BROKER_TRANSPORT_OPTIONS = broker_settings(ENVIRONMENT.redis_url, var_dir=VAR_DIR)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# What Redis answers while another server takes its place (UNBLOCKED) ends no worker.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
# How work ended is in its own row of the database (`core.outbox`).
CELERY_TASK_IGNORE_RESULT = True
# A task of a worker that was killed comes again, so that each must bear to run twice (ADR 2).
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# A process that publishes for minutes shall not hold other tasks meanwhile.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Whoever writes to the broker shall not stop workers, change their limits or read their configuration.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_SEND_TASK_EVENTS = False
# Each worker has a queue of its own for its pulse (`portal.celery.Pulse`).
CELERY_WORKER_DIRECT = True
# Slow receivers of webhooks hold up no publication: a worker of its own takes these.
CELERY_TASK_ROUTES = {"players.tasks.send_delivery": {"queue": "webhooks"}}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = BEAT_SCHEDULE
CELERY_BEAT_SCHEDULER = "portal.celery:Schedule"

LOGGING = logging_config(level=ENVIRONMENT.log_level, as_json=ENVIRONMENT.log_format == "json")
configure_structlog()

# The checks of a report against what the portal knows, in the order in which they run, and for whom each is.
REPORT_CHECKS = [
    ("tournaments.checks.registration.check_registration", "ARBITER"),
    ("tournaments.checks.former_version.check_former_version", "ARBITER"),
    ("tournaments.checks.people.check_people", "EVERYBODY"),
    ("ratings.reported.check_against_lists", "ARBITER"),
    ("tournaments.checks.other_events.check_same_file", "ARBITER"),
    ("tournaments.checks.hybrid.check_hybrid_games", "ARBITER"),
    ("tournaments.checks.other_events.check_other_events", "FEDERATION"),
]
# What the QC is told of an accepted report by more than its games.
REPORT_INDICATORS = ["ratings.reported.improbable_results"]
