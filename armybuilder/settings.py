"""Every setting of the site, read from the environment (see .env.example); the defaults need nothing but Python."""

import os
import re
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from whitenoise.compress import Compressor

from armybuilder import late_packages

late_packages.install()

BASE_DIR = Path(__file__).resolve().parent.parent


class _Environment(environ.Env):
    """The environment; a value that cannot be read is named, and a switch is on or off and nothing else."""

    OFF = frozenset({"", "0", "false", "off", "no", "n"})

    def get_value(self, var: str, cast: Any = None, **options: Any) -> Any:
        """The value of a variable. Raises ImproperlyConfigured where it makes no sense."""
        given = str(self.ENVIRON.get(var, ""))
        word = given.strip().lower()
        if cast is bool and not word.isdecimal() and word not in {*self.BOOLEAN_TRUE_STRINGS, *self.OFF}:
            raise ImproperlyConfigured(f"{var} is {given!r}, and can be 1 or 0.")
        try:
            return super().get_value(var, cast=cast, **options)
        except ValueError as wrong:
            raise ImproperlyConfigured(f"{var} is {given!r}, and cannot be: {wrong}.") from None

    def matching(self, var: str, pattern: str, remedy: str, default: str) -> str:
        """A text of this form, or the default where nothing is set. Raises ImproperlyConfigured for any other."""
        given: str = self.str(var, default="").strip() or default
        if not re.fullmatch(pattern, given):
            raise ImproperlyConfigured(f"{var} is {given!r}, and can be {remedy}.")
        return given

    def folder(self, var: str, default: Path) -> Path:
        """A whole path, or the default where nothing is set."""
        return Path(self.str(var, default="").strip() or default).resolve()

    def database(self, var: str, default: str) -> dict[str, Any]:
        """How a database is reached. Raises ImproperlyConfigured for another kind, without telling the password."""
        if not re.match(r"(postgres|postgresql|sqlite)://", address := self.str(var, default="").strip() or default):
            raise ImproperlyConfigured(f"{var} can be postgres://user:password@host:5432/name, or nothing for SQLite.")
        found: dict[str, Any] = self.db_url_config(address)
        return found


env = _Environment()
if (BASE_DIR / ".env").is_file():
    env.read_env(BASE_DIR / ".env")

VAR_DIR = env.folder("VAR_DIR", BASE_DIR / "var")
"""Everything this installation writes: database, uploads, compiled game data, the generated secret key."""

BACKUP_DIR = env.folder("BACKUP_DIR", VAR_DIR / "backups")
BACKUPS_KEPT = env.int("BACKUPS_KEPT", default=14)
"""Backups left in their folder when another is made; 0 keeps all."""
DOCS_DIR = env.folder("DOCS_DIR", BASE_DIR / "var" / "docs")
"""The documentation as pages, which `make docs` builds."""

COMPILED_CACHE_DIR = VAR_DIR / "cache"
HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
WEB_WORKERS = env.int("WEB_WORKERS", default=1)
WEB_THREADS = env.int("WEB_THREADS", default=8)
CLIENT_SECONDS = env.int("CLIENT_SECONDS", default=8)
"""A client that has not sent its request by then, nor sends 16 KB a second, is hung up on."""
PUBLIC_URL = env.matching(
    "PUBLIC_URL", r"(https?://[^\s/?#@]+/*)?", "an address without a path, such as https://lists.example.org", ""
).rstrip("/")
"""The address players use, e.g. https://lists.example.org; empty takes it from each request."""


def _secret_key() -> str:
    """The key in SECRET_KEY, or the one in var/secret_key, made with mode 600 when it is first needed."""
    if key := env.str("SECRET_KEY", default=""):
        return key
    path = VAR_DIR / "secret_key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"secret_key.{os.getpid()}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
            file.flush()
            os.fsync(file.fileno())  # an empty key after a loss of power would be the end of every session
        try:
            os.link(draft, path)  # fails when another process was first: then its key counts
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()


# Lazy, so that commands which sign nothing (check, simulate, line_protocol) neither read nor write a file.
SECRET_KEY = SimpleLazyObject(_secret_key)

DEBUG = env.bool("DEBUG", default=False)
_OWN_HOSTS = {HOST, urlsplit(PUBLIC_URL).hostname or HOST} - {"0.0.0.0", "::", "localhost", "127.0.0.1", "::1"}  # noqa: S104
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS",
    default=["localhost", "127.0.0.1", "[::1]", *sorted(f"[{host}]" if ":" in host else host for host in _OWN_HOSTS)],
)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[PUBLIC_URL] if PUBLIC_URL else [])

INSTALLED_APPS = [
    "oauth2_provider",
    "armybuilder.management.apps.CommandsConfig",
    "armybuilder.accounts",
    "armybuilder.datafiles",
    "armybuilder.reference",
    "armybuilder.armylists",
    "armybuilder.heroes",
    "armybuilder.simulations",
    "armybuilder.events",
    "armybuilder.webhooks",
    "armybuilder.web",
    "armybuilder.operations.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "corsheaders",
    "csp",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "django_otp_webauthn",
    "django_filters",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "armybuilder.request_trail.RequestTrail",
    "armybuilder.page_middleware.SignOfLife",
    "armybuilder.page_middleware.FileHeaders",
    "django.middleware.security.SecurityMiddleware",
    "armybuilder.page_middleware.PageCompression",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "armybuilder.page_middleware.Language",
    "armybuilder.page_middleware.ForeignScripts",
    "api.conventions.Conventions",
    "armybuilder.short_way.ShortWay",
    "armybuilder.unchanged_pages.UnchangedPages",
    "armybuilder.page_middleware.PageContentSecurityPolicy",
    "armybuilder.page_middleware.PageHeaders",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "armybuilder.accounts.browser_sessions.SeenBrowsers",
    "armybuilder.page_middleware.PageMessages",
    "armybuilder.page_middleware.PageFrames",
    "armybuilder.page_middleware.PageHtmx",
    "armybuilder.page_middleware.PageThrottle",
    "armybuilder.short_way.EndOfShortWay",
    "django.middleware.common.CommonMiddleware",
    "armybuilder.replica.ReplicaReads",
]

ROOT_URLCONF = "armybuilder.urls"
WSGI_APPLICATION = "armybuilder.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                "armybuilder.web.template_loader.Loader",
                ("django.template.loaders.cached.Loader", ["django.template.loaders.app_directories.Loader"]),
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "armybuilder.web.frame.frame",
            ],
        },
    },
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{VAR_DIR / 'armybuilder.sqlite3'}")}
DATABASES["default"] |= {"CONN_MAX_AGE": env.int("CONN_MAX_AGE", default=600), "CONN_HEALTH_CHECKS": True}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "armybuilder.sqlite"
    DATABASES["default"]["OPTIONS"] = {
        # A transaction takes the write lock at its start: two writers queue up instead of failing half-way.
        "transaction_mode": "IMMEDIATE",
        "timeout": env.int("SQLITE_BUSY_SECONDS", default=20),
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }

REPLICA_SECONDS = env.int("REPLICA_SECONDS", default=5)
"""How old may be what is read from the replica; while it is further behind it is not used."""
if env.str("REPLICA_DATABASE_URL", default=""):
    DATABASES["replica"] = (
        DATABASES["default"] | env.database("REPLICA_DATABASE_URL", "") | {"TEST": {"MIRROR": "default"}}
    )
    DATABASE_ROUTERS = ["armybuilder.replica.ReplicaRouter"]

PGBOUNCER = env.bool("PGBOUNCER", default=False)
"""Whether PgBouncer in transaction mode stands before PostgreSQL: then nothing is left behind on a connection."""
if PGBOUNCER:
    for _database in DATABASES.values():
        _database |= {"DISABLE_SERVER_SIDE_CURSORS": True, "CONN_MAX_AGE": 0}

DATABASE_SECONDS = env.int("DATABASE_SECONDS", default=30)
"""The longest a server process waits for one statement of PostgreSQL, or for a database that hangs."""
for _database in DATABASES.values():
    if _database["ENGINE"] == "django.db.backends.postgresql":
        _database["ENGINE"] = "armybuilder.postgresql"
        _database["OPTIONS"] = {
            # Statements of compiled queries are kept by the connection; PgBouncer gives each to another one.
            "prepare_threshold": None if PGBOUNCER else 2,
            "connect_timeout": 5,
            # A machine that is gone is noticed within half a minute instead of two hours.
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 30_000,
        } | _database.get("OPTIONS", {})

REDIS_URL = env.str("REDIS_URL", default="")
QUEUE = "redis" if REDIS_URL else "embedded"
"""Who performs queued work: Celery workers by Redis, or a processes beside the web process."""

TASK_SECONDS = env.int("TASK_SECONDS", default=600)
"""The longest a single task may run."""

EMBEDDED_PROCESSES = env.int("EMBEDDED_PROCESSES", default=min(2, os.cpu_count() or 1))
"""Workers beside a web process without Redis; each is started when there is work. 0: a thread, for tests only."""

WORKER_MEMORY_KILOBYTES = env.int("WORKER_MEMORY_KILOBYTES", default=1_000_000)
"""What needs more memory fails, and a worker that has grown is replaced."""

SIMULATIONS_AT_ONCE = env.int("SIMULATIONS_AT_ONCE", default=20)
"""Simulations one user, or one address without an account, may have waiting or running."""
GUEST_SIMULATIONS_AT_ONCE = env.int("GUEST_SIMULATIONS_AT_ONCE", default=100)
"""The same of all who are not signed in, together."""

LEASE_SECONDS = env.int("LEASE_SECONDS", default=10)
"""After this long without a sign of life a worker's piece of a simulation is given to another."""

SIMULATIONS_KEPT_DAYS = env.int("SIMULATIONS_KEPT_DAYS", default=90)
"""Simulations asked longer ago are forgotten, with the pictures of their charts; 0 keeps all."""

BIN_DAYS = env.int("BIN_DAYS", default=90)
"""Lists longer in the bin are deleted for good; 0 keeps all."""

REVISIONS_KEPT = env.int("REVISIONS_KEPT", default=2_000)
"""Newest states of one list that are kept; 0 keeps all."""

KEPT_BYTES_OF_A_GUEST = env.int("KEPT_BYTES_OF_A_GUEST", default=50 * 2**20)
KEPT_BYTES_OF_A_USER = env.int("KEPT_BYTES_OF_A_USER", default=500 * 2**20)
"""Bytes that the lists of one guest or user, those in the bin too, may take with their states."""

CHART_DAYS = env.int("CHART_DAYS", default=365)
"""How long the address of a chart, as it stands in forums, is good after its simulation."""

CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = TASK_SECONDS + 30
CELERY_TASK_SOFT_TIME_LIMIT = TASK_SECONDS
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A process of a worker that has grown to half of it is replaced after the task in its hands.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = WORKER_MEMORY_KILOBYTES // 2 or None
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Opening the database takes longer than most questions; before each task what is old or broken is closed (tasks.py).
CELERY_DB_REUSE_MAX = 1000
# A request never waits for a queue that is away: the row is kept and a sweep sends it again.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Redelivery of what a killed worker held: above the longest task, and looked for every second.
    "visibility_timeout": TASK_SECONDS + 60,
    "unacked_restore_interval": 1,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 1,
    "socket_timeout": 5,  # longer than a worker's own waiting for a message; a Redis that hangs must not hold anybody
    "max_retries": 0,
    "socket_keepalive": True,
}

if REDIS_URL:
    CACHES = {
        "default": {"BACKEND": "armybuilder.resilient_cache.ResilientRedisCache", "LOCATION": REDIS_URL},
        "counts": {"BACKEND": "armybuilder.resilient_cache.CountingRedisCache", "LOCATION": REDIS_URL},
    }
else:
    CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "armybuilder"},
        # By themselves and with room: a cache that is full forgets, and no count may go for a cached answer.
        "counts": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": "counts",
            "OPTIONS": {"MAX_ENTRIES": 50_000},
        },
    }

# Whether administrators without a second factor must set one up first; who has one is always asked for it.
SECOND_FACTOR_REQUIRED = env.bool("SECOND_FACTOR_REQUIRED", default=False)
_SECURE_SITE = PUBLIC_URL if PUBLIC_URL.startswith("https://") else f"http://localhost:{PORT}"
OTP_TOTP_ISSUER = urlsplit(PUBLIC_URL).hostname or "Army Builder"
OTP_WEBAUTHN_RP_NAME = "Army Builder"
OTP_WEBAUTHN_RP_ID = urlsplit(_SECURE_SITE).hostname
OTP_WEBAUTHN_ALLOWED_ORIGINS = [_SECURE_SITE]
OTP_WEBAUTHN_ALLOW_PASSWORDLESS_LOGIN = False

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["armybuilder.accounts.backends.ThrottledBackend"]
LOGIN_URL = "/accounts/sign-in/"
LOGIN_REDIRECT_URL = "/lists/"
LOGOUT_REDIRECT_URL = "/"
PASSWORD_HASHERS = [
    "armybuilder.accounts.hashers.BoundedArgon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
PASSWORD_HASHES_AT_ONCE = env.int("PASSWORD_HASHES_AT_ONCE", default=2)
"""Passwords one process hashes at the same time; each takes 100 MB."""
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
SIGN_IN_ATTEMPTS = env.int("SIGN_IN_ATTEMPTS", default=10)
"""Failed sign-ins allowed for one name, and for one address, within SIGN_IN_WINDOW_SECONDS."""
SIGN_IN_WINDOW_SECONDS = env.int("SIGN_IN_WINDOW_SECONDS", default=900)

SIGN_UPS_PER_HOUR = env.int("SIGN_UPS_PER_HOUR", default=20)
"""New accounts from one address."""
GUEST_LISTS_PER_HOUR = env.int("GUEST_LISTS_PER_HOUR", default=120)
"""New lists of all without an account at one address."""
GUEST_THINGS_PER_HOUR = env.int("GUEST_THINGS_PER_HOUR", default=600)
"""Targets, layouts and changes of a collection that all without an account at one address may keep."""
PAGE_CHANGES_PER_MINUTE = env.int("PAGE_CHANGES_PER_MINUTE", default=600)
"""Forms and edits of pages one user, or one address without an account, may send."""

GUEST_DAYS = env.int("GUEST_DAYS", default=400)
"""A browser without an account that stays away longer loses the lists it made; no browser keeps a cookie longer."""

HTTPS = env.bool("HTTPS", default=PUBLIC_URL.startswith("https://"))
"""Whether players reach the site by https: secure cookies, redirect from http, HSTS."""
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "armybuilder.web.problems.csrf_failure"
SESSION_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = env.bool("SSL_REDIRECT", default=HTTPS)
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", default=False)
# X-Frame-Options is sent (PageFrames), by a class whose name the check does not know.
# Whether a whole domain is https alone is for its owner to say: HSTS_SUBDOMAINS, HSTS_PRELOAD.
# Programs on the user's own machine are sent back to http://127.0.0.1 (RFC 8252); see accounts/programs.py.
SILENCED_SYSTEM_CHECKS = ["security.W002", "security.W005", "security.W021", "oauth2_provider.W008"]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
PROXIES = env.int("PROXIES", default=0)
"""How many trusted proxies stand before the site; with any, X-Forwarded-Proto and -For are believed."""
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

OAUTH2_PROVIDER = {
    # OAuth 2.1: codes with PKCE by S256, exact addresses, tokens that are stored as hashes and refreshed once.
    "SCOPES_BACKEND_CLASS": "armybuilder.accounts.oauth_scopes.Scopes",
    "OAUTH2_VALIDATOR_CLASS": "armybuilder.accounts.oauth_validator.Validator",
    "PKCE_REQUIRED": True,
    # Programs have no secret, and no other way to a token: what they find at /.well-known/ says no more than is so.
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none"],
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3_600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 90 * 24 * 3_600,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https", "http"],  # http on the user's own machine alone, see accounts/programs.py
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
}

EMAIL_URL = env.str("EMAIL_URL", default="")
if EMAIL_URL and urlsplit(EMAIL_URL).scheme not in env.EMAIL_SCHEMES:
    raise ImproperlyConfigured("EMAIL_URL can be smtp+tls://user:password@host:587, or nothing for no letters.")
SENDS_MAIL = bool(EMAIL_URL)
"""Whether letters about forgotten passwords can be sent."""
if SENDS_MAIL:
    vars().update(env.email_url("EMAIL_URL"))
    EMAIL_TIMEOUT = 10
    DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default=f"army-builder@{urlsplit(PUBLIC_URL).hostname or HOST}")

# A session in the cache alone would be lost with it, and one process's memory must not hide another's sign-out.
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db" if REDIS_URL else "armybuilder.accounts.sessions"
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"

DATA_UPLOAD_MAX_MEMORY_SIZE = env.int("MAX_REQUEST_BYTES", default=4 * 2**20)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000  # the alliance grid posts some 800
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20
GAMEDATA_MAX_FILES = env.int("GAMEDATA_MAX_FILES", default=500)
GAMEDATA_MAX_FILE_BYTES = env.int("GAMEDATA_MAX_FILE_BYTES", default=32 * 2**20)
GAMEDATA_MAX_TOTAL_BYTES = env.int("GAMEDATA_MAX_TOTAL_BYTES", default=128 * 2**20)
DATA_SOURCE_ALLOWED_HOSTS = env.list("DATA_SOURCE_ALLOWED_HOSTS", default=[])
"""Hosts that data may be fetched from by http, or at a private address; every other one needs https and is public."""
WEBHOOK_ALLOWED_HOSTS = env.list("WEBHOOK_ALLOWED_HOSTS", default=[])
"""Hosts that webhooks may be sent to by http or at a private address; every other one needs https and is public."""
DATA_SOURCE_WAIT_SECONDS = env.int("DATA_SOURCE_WAIT_SECONDS", default=20)
DATA_SOURCE_SECONDS = env.int("DATA_SOURCE_SECONDS", default=300)
LIBRARIES_IN_MEMORY = env.int("LIBRARIES_IN_MEMORY", default=8)
"""How many parsed game data releases one process keeps at hand."""

LANGUAGE_CODE = env.matching("LANGUAGE_CODE", "en|ru", "en or ru", "en")
LANGUAGES = [("en", _("English")), ("ru", _("Russian"))]
LOCALE_PATHS = [BASE_DIR / "armybuilder" / "web" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="").strip() or "UTC"
try:
    ZoneInfo(TIME_ZONE)
except (ZoneInfoNotFoundError, ValueError, OSError):
    raise ImproperlyConfigured(f"TIME_ZONE is {TIME_ZONE!r}, and can be UTC or one such as Europe/Berlin.") from None

STATIC_URL = "/static/"
STATIC_COLLECTED = env.bool("STATIC_COLLECTED", default=False)
"""False serves the files where they lie; True expects `manage.py collectstatic` and adds hashes and compression."""
STATIC_ROOT = env.folder("STATIC_ROOT_DIR", VAR_DIR / "static") if STATIC_COLLECTED else None
WHITENOISE_USE_FINDERS = not STATIC_COLLECTED
WHITENOISE_ALLOW_ALL_ORIGINS = False  # scripts and letters are asked for by pages of this site alone
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
"""What is compressed already, and maps to sources: megabytes that no visitor's browser asks for."""
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": VAR_DIR / "uploads"}},
    "staticfiles": {
        "BACKEND": "armybuilder.web.smaller_files.CollectedFiles"
        if STATIC_COLLECTED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

_RATE = (r"\d+/(s|sec|second|m|min|minute|h|hour|d|day)", "a number for a time, such as 600/min or 10/s")
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.ApiTokenAuthentication",
        "api.authentication.SiteAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.permissions.TokenScope", "api.parameters.KnownParameters"],
    "DEFAULT_RENDERER_CLASSES": ["api.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.JSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.negotiation.Negotiation",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "api.schema_scopes.ScopedSchema",
    "DEFAULT_THROTTLE_CLASSES": ["api.throttles.RequestThrottle"],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.matching("API_RATE_ANON", *_RATE, "600/min"),
        "user": env.matching("API_RATE_USER", *_RATE, "1200/min"),
        "simulate": env.matching("API_RATE_SIMULATE", *_RATE, "120/min"),
        "wrong_token": env.matching("API_RATE_WRONG_TOKEN", *_RATE, "30/min"),
    },
    "NUM_PROXIES": PROXIES,
    "URL_FORMAT_OVERRIDE": None,
    "EXCEPTION_HANDLER": "api.problems.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

CORS_ALLOWED_ORIGINS = env.list("API_ORIGINS", default=[])
"""Sites whose scripts may use the API from a browser, with a token; e.g. https://tools.example.org."""
CORS_URLS_REGEX = r"^/(api|oauth/token|oauth/revoke)/"
CORS_ALLOW_HEADERS = [
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "prefer",
]
CORS_EXPOSE_HEADERS = [
    "ETag",
    "Location",
    "Link",
    "Retry-After",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Content-Disposition",
    "Deprecation",
    "Sunset",
]

SPECTACULAR_SETTINGS = {
    "TITLE": "Army Builder",
    "DESCRIPTION": "Build, check, share and simulate army lists.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {"DetachmentType": "armybuilder.reference.models.Detachment.Type"},
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.schema.complete_description",
    ],
}

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
"""What Prometheus shows as a bearer token to read /metrics; empty: nobody may."""

SENTRY_DSN = env.str("SENTRY_DSN", default="")
"""Where errors are reported to, with the package sentry-sdk, which has to be installed for it."""
if SENTRY_DSN:
    try:
        import sentry_sdk
    except ImportError:
        raise ImproperlyConfigured("SENTRY_DSN is set: install it as well, pip install sentry-sdk.") from None
    sentry_sdk.init(dsn=SENTRY_DSN, send_default_pii=False)

LOG_FORMAT = env.matching("LOG_FORMAT", "line|json", "line or json", "line")
"""`line` for people, `json` for programs that collect logs; both with the ids of request and computation."""
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "trail": {"()": "armybuilder.request_trail.Trail"},
        "untraced": {"()": "armybuilder.request_trail.Untraced"},
    },
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}:{trail} {message}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "fmt": "{asctime}{levelname}{name}{request_id}{computation_id}{process}{message}",
            "style": "{",
            "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
        },
    },
    # Standard error: standard output belongs to the answers of commands.
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["trail"]}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="WARNING")},
    "loggers": {
        # It would warn of each HEAD request that a view answers as GET; the body is dropped, as it should be.
        "gunicorn.http.wsgi": {"level": "ERROR"},
        "django": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="WARNING"), "propagate": False},
        "armybuilder": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO"), "propagate": False},
        "django.security.DisallowedHost": {"filters": ["untraced"]},
        # A line a request is for those who collect them.
        "armybuilder.access": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
    },
}
