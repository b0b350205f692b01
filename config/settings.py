"""Settings of Tailgunner, read from the environment; `docs/operations.md` lists the variables.

Terms: *demo* mode needs no settings, and is meant for one machine and its local network. *Production* mode is for a
public host, and refuses to start with settings that only suit the demo.

Cookies, redirects and HSTS depend on whether BASE_URL is https.
"""

from __future__ import annotations

import atexit
import gc
import re
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config import broker, database, environment, secret_key
from config.catalogues import ENGLISH, list_languages
from config.generic_forms import allow_models_in_brackets
from games.core.registry import list_game_packages
from scorekeeper.common.client_address import parse_networks
from scorekeeper.common.cookies import HOST_PREFIX
from scorekeeper.common.damaged_files import explain_error
from scorekeeper.common.private_files import make_private, make_private_folder

allow_models_in_brackets()
# The system frees all memory of a process that ends. Collecting garbage first took a third of a short command's time.
atexit.register(gc.freeze)

BASE_DIR = Path(__file__).resolve().parent.parent

# Mode and data folder

MODE = environment.text("TAILGUNNER_MODE", "demo")
if MODE not in ("demo", "production"):
    raise ImproperlyConfigured(f"TAILGUNNER_MODE is {MODE!r}; it can be demo or production.")
PRODUCTION = MODE == "production"
DEBUG = environment.flag("DEBUG")
DATA_DIR = Path(environment.text("DATA_DIR", "var")).expanduser()
if not DATA_DIR.is_absolute():
    DATA_DIR = BASE_DIR / DATA_DIR
try:
    make_private_folder(DATA_DIR)
    if DATA_DIR == BASE_DIR / "var":
        make_private(DATA_DIR)  # this program created it; for any other folder `manage.py check` only warns
    _saved_secret = "" if environment.text("SECRET_KEY") else secret_key.read_or_create(DATA_DIR / "secret-key")
    STATIC_ROOT = DATA_DIR / "static"
    STATIC_ROOT.mkdir(exist_ok=True)
    _file_options = {} if environment.text("REDIS_URL") else broker.make_file_options(DATA_DIR / "celery")
except OSError as error:
    raise SystemExit(explain_error(error, DATA_DIR, "") or str(error)) from None

# The public URL, and the settings that depend on it

BASE_URL = environment.text("BASE_URL", "http://127.0.0.1:8000").rstrip("/")
_address = urlsplit(BASE_URL)
if _address.scheme not in ("http", "https") or not _address.hostname:
    raise ImproperlyConfigured(f"BASE_URL is {BASE_URL!r}; write it like https://rides.example.org")
HTTPS = _address.scheme == "https"
# Set by `serve --tls`, which makes its own certificate: enables the pages for phones that do not trust it yet.
LOCAL_TLS = environment.flag("LOCAL_TLS")
AUTHORITY = DATA_DIR / "tls" / "ca.pem"
ALLOWED_HOSTS = [_address.hostname, "127.0.0.1", "localhost", "[::1]", *environment.names("ALLOWED_HOSTS")]
# Forms come from the public URL, even if a proxy in between changes the Host header.
CSRF_TRUSTED_ORIGINS = [f"{_address.scheme}://{_address.netloc}"]

# The proxies whose headers about the client are trusted. gunicorn and uvicorn read the same variable.
FORWARDED_ALLOW_IPS = environment.names("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")
try:
    parse_networks(tuple(FORWARDED_ALLOW_IPS))
except ValueError as error:
    raise ImproperlyConfigured(
        f"FORWARDED_ALLOW_IPS: {error}; write addresses, networks like 10.0.0.0/8, or *"
    ) from None

_secret = environment.text("SECRET_KEY")
if PRODUCTION:
    if len(_secret) < 50 or len(set(_secret)) < 5:
        raise ImproperlyConfigured(
            "Production needs a SECRET_KEY of its own, at least 50 characters long. One can be made with: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"
        )
    if DEBUG:
        raise ImproperlyConfigured("Production cannot run with DEBUG: its error pages show settings to strangers.")
    if _address.hostname in ("127.0.0.1", "localhost"):
        raise ImproperlyConfigured("Production needs BASE_URL: the address people open, like https://rides.example.org")
SECRET_KEY = _secret or _saved_secret

# Apps, URLs and middleware

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
# Bottom up: an app may import only the apps before it.
LOCAL_APPS = [
    "common",
    "rulebooks",
    "events",
    "stops",
    "crew",
    "bikes",
    "players",
    "ledger",
    "check_in",
    "scorecards",
    "tables",
    "agreements",
    "coach",
    "standings",
    "audience",
    "prizes",
    "event_page",
    "api",
    "webhooks",
    "push",
    "results",
    "live",
    "desk",
    "dice",
    "offline",
    "bundles",
    "prints",
    "seasons",
    "embeds",
    "personal_data",
]
INSTALLED_APPS = [
    *(f"scorekeeper.{app}" for app in LOCAL_APPS),
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "csp",
]
MIDDLEWARE = [
    "scorekeeper.common.request_id.RequestIdMiddleware",
    "scorekeeper.common.proxy_warning.ProxyWarningMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "scorekeeper.common.permissions_policy.add_permissions_policy",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Compresses a long leaderboard to a tenth. Safe against BREACH: Django masks the CSRF tokens anew for each page.
    "scorekeeper.common.gzip_middleware.BufferedGZipMiddleware",
    # Above all that may answer with a page, such as one about a failure.
    "scorekeeper.common.languages.LanguageMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "scorekeeper.common.database_unavailable.DatabaseUnavailableMiddleware",
    "scorekeeper.common.forgiving_addresses.ForgivingAddressMiddleware",
    "scorekeeper.events.noindex.NoIndexMiddleware",
    "scorekeeper.events.deleted_events.DeletedEventMiddleware",
    "scorekeeper.common.stale_forms.UnsentInputMiddleware",
    # Last: the others have identified the user and checked the CSRF token by now.
    "scorekeeper.common.access_control.AccessMiddleware",
]
# The guards that enforce the roles in `scorekeeper.rights`.
GUARDS = {
    "crew": "scorekeeper.crew.access.admit_crew",
    "road captain": "scorekeeper.crew.access.admit_road_captain",
    "former crew": "scorekeeper.crew.access.admit_former_crew",
    "signed in": "scorekeeper.events.guards.admit_signed_in",
    "ride": "scorekeeper.live.ride_access.admit_ride",
    "organiser": "scorekeeper.events.guards.admit_organiser",
    "season organiser": "scorekeeper.seasons.access.admit_season_organiser",
    "monitor": "scorekeeper.common.health.admit_monitor",
    "reader": "scorekeeper.api.access.admit_reader",
    "roster reader": "scorekeeper.api.access.admit_roster_reader",
    "recorder": "scorekeeper.api.access.admit_recorder",
}

# Functions that tell whether an account has rights beyond its events. Only the operator then resets its password.
FURTHER_RIGHTS = ["scorekeeper.seasons.selectors.has_created_season"]

# Games have their own templates, pictures and translations: a game is one folder.
EXTRA_GAMES = environment.names("EXTRA_GAMES")


def _game_folders(kind: str) -> list[Path]:
    """Return the folders of this name in the games' packages, if they exist."""
    packages: list[Path] = []
    for package in list_game_packages(EXTRA_GAMES):
        spec = find_spec(package)
        if spec is None:
            raise ImproperlyConfigured(f"EXTRA_GAMES names {package!r}, which cannot be imported.")
        packages += map(Path, spec.submodule_search_locations or [])
    return [folder / kind for folder in packages if (folder / kind).is_dir()]


TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *_game_folders("templates")],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["scorekeeper.common.templatetags.dates"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# Language and time. The language of a page is the reader's (`scorekeeper.common.languages`).

LANGUAGE_CODE = environment.text("LANGUAGE_CODE", ENGLISH)
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "games" / "core" / "locale", *_game_folders("locale")]
LANGUAGES = list_languages(LOCALE_PATHS, LANGUAGE_CODE)
if LANGUAGE_CODE not in dict(LANGUAGES):
    raise ImproperlyConfigured(f"LANGUAGE_CODE is {LANGUAGE_CODE!r}; write one of {', '.join(dict(LANGUAGES))}")
TIME_ZONE = environment.text("TIME_ZONE", "UTC")
USE_TZ = True

# The database

_database_url = environment.text("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'tailgunner.sqlite3'}"
DATABASES = {"default": database.parse_database_url(_database_url)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Accounts, cookies and browser security

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/desk/"
LOGOUT_REDIRECT_URL = "/"
# A correction at a table carries a field for each of up to 1,000 decisions, and a few more.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_200
CSRF_FAILURE_VIEW = "scorekeeper.common.stale_forms.refuse_stale_form"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
if HTTPS:
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{HOST_PREFIX}sessionid", f"{HOST_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME = f"{HOST_PREFIX if HTTPS else ''}tailgunner_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_SECURE = HTTPS
MESSAGE_STORAGE = "scorekeeper.common.message_storage.MessageStorage"
SECURE_SSL_REDIRECT = HTTPS
# Monitors request these from the processes directly, without the proxy's TLS.
SECURE_REDIRECT_EXEMPT = ["^(healthz|readyz|metrics)$"]
if LOCAL_TLS:
    # The plain HTTP port serves only these; everything else redirects to HTTPS.
    SECURE_REDIRECT_EXEMPT += ["^trust/$", "^tailgunner-ca.crt$", "^static/"]
    SECURE_SSL_HOST = _address.netloc
# A promise for a year. A club's laptop cannot make it for the names it has in someone's local network.
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS and not LOCAL_TLS else 0
# Subdomains and preload lists are promises about a club's other hosts, which are not ours to make.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# Static files: served by the web process, with a hash of their content in their names

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static", *_game_folders("static")]
# Ours only: no page uses the files of apps, and some of their scripts import what they do not contain.
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "scorekeeper.common.static_files.AtomicStaticFilesStorage"},
}
# The files that `make offline` builds are served as they are, with their compressed versions: /offline/engine.mjs
BUILT_DIR = BASE_DIR / "built"
WHITENOISE_ROOT = BUILT_DIR if BUILT_DIR.is_dir() else None

# Celery. Messages may be lost, since the sweeper finds the work that they were about; requests never wait for them.

REDIS_URL = environment.text("REDIS_URL")
CELERY_BROKER_URL = REDIS_URL or "files://localhost"  # scorekeeper.common.file_queue
CELERY_BROKER_TRANSPORT_OPTIONS = broker.REDIS_OPTIONS if REDIS_URL else _file_options
# A worker retries for as long as the broker is down.
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_QUEUES = broker.QUEUES
CELERY_TASK_ROUTES = broker.TASK_ROUTES
CELERY_TASK_DEFAULT_QUEUE = broker.SLOW_QUEUE
# A message leaves the queue when its task is done, and returns to it if the process dies. Every task is safe to repeat,
# and the sweeper finds the work of messages that are lost all the same.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_TASK_TIME_LIMIT = broker.MAX_TASK_SECONDS
# One message at a time, so that the next message goes to a free worker.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
# A worker that is stopping waits for its timer, which sleeps for this many seconds at a time.
CELERY_WORKER_TIMER_PRECISION = 0.1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_TIMEZONE = TIME_ZONE

# The sweeper, a process of its own: `manage.py sweep`

SWEEP_SECONDS = environment.number("SWEEP_SECONDS", 10)
if not SWEEP_SECONDS:
    raise ImproperlyConfigured("SWEEP_SECONDS is 0; sweeps need a pause of at least 1 second.")
COMPARE_SECONDS = 600

# The maximum number of viewers of live pages, per process, and how many percent of them may have one public address

LIVE_VIEWERS = environment.number("LIVE_VIEWERS", 5000)
LIVE_SHARE_PER_ADDRESS = environment.number("LIVE_SHARE_PER_ADDRESS", 25)
if not 1 <= LIVE_SHARE_PER_ADDRESS <= 100:
    raise ImproperlyConfigured(f"LIVE_SHARE_PER_ADDRESS is {LIVE_SHARE_PER_ADDRESS}; it can be 1 to 100 percent.")

# How often the API may be read in a minute, by a network address or with a token, and how often public documents may be
# made for an address. 0 is as often as anyone likes.

API_READS_PER_ADDRESS = environment.number("API_READS_PER_ADDRESS", 600)
API_READS_PER_TOKEN = environment.number("API_READS_PER_TOKEN", 600)
PRINTS_PER_ADDRESS = environment.number("PRINTS_PER_ADDRESS", 20)

# Whether webhooks and notifications may be sent to this machine, also without TLS: for tests and development

WEBHOOKS_TO_LOOPBACK = environment.flag("WEBHOOKS_TO_LOOPBACK")

# How push services reach whoever runs this installation (scorekeeper.push.vapid): an address of email or of a page

PUSH_CONTACT = environment.text("PUSH_CONTACT")
if "@" in PUSH_CONTACT and ":" not in PUSH_CONTACT:
    PUSH_CONTACT = f"mailto:{PUSH_CONTACT}"
if PUSH_CONTACT and re.fullmatch(r"mailto:[^@\s]+@[\w-]+(\.[\w-]+)+|https://[\w-]+(\.[\w-]+)+", PUSH_CONTACT) is None:
    raise ImproperlyConfigured(
        f"PUSH_CONTACT is {PUSH_CONTACT!r}; write an address of email, or one like https://rides.example.org"
    )

# The token that monitors send to /metrics

METRICS_TOKEN = environment.text("METRICS_TOKEN")

# The API for phones. scorekeeper.api authenticates them; there are no user accounts.

REST_FRAMEWORK = {
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "scorekeeper.api.problems.handle_api_error",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tailgunner",
    "VERSION": "1",  # of the API, as in its URLs; `pyproject.toml` has the version of the program
    "OAS_VERSION": "3.1.1",
    "ENUM_NAME_OVERRIDES": {
        "ComputedState": "scorekeeper.api.serializers.luck.COMPUTED_STATES",
        "ContestStatusEnum": "scorekeeper.events.models.Contest.Status",
        "EventStateEnum": "scorekeeper.events.models.Event.State",
        "CrewRole": "scorekeeper.crew.models.CrewMember.Role",
        "PlayerRole": "scorekeeper.players.models.Player.Role",
    },
    "POSTPROCESSING_HOOKS": [
        "scorekeeper.api.schema.add_webhook_schemas",
        "drf_spectacular.hooks.postprocess_schema_enums",
        "scorekeeper.api.schema.finish_schema",
    ],
    "WEBHOOKS": [
        "scorekeeper.webhooks.messages.STANDINGS_CHANGED",
        "scorekeeper.webhooks.messages.RESULTS_PUBLISHED",
        "scorekeeper.webhooks.messages.PING",
    ],
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PUBLIC": True,
}

LOGGING_CONFIG = "config.logs.configure"
# In a terminal, a line for every request would bury the URLs that `serve` prints.
LOGGING = {
    "level": environment.text("LOG_LEVEL", "INFO" if PRODUCTION else "WARNING").upper(),
    "as_json": PRODUCTION,
}
