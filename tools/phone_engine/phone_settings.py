"""Django settings for a phone: the apps of the crew's pages, a database in memory, no accounts."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.forms import ModelForm
from django.utils import timezone

from games.core.registry import list_game_packages
from scorekeeper.offline import clock
from tools.phone_engine.shims import install_shims

# The apps that the crew's pages use, lowest layer first.
CREW_APPS = (
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
)
TEMPLATE_BACKEND = "django.template.backends.django.DjangoTemplates"


def set_up_django(templates: str, extra_games: Sequence[str]) -> None:
    """Set up Django in an interpreter that is used for nothing else.

    Args:
        templates: the folder of the pages' templates; games have their own.
        extra_games: packages of additional games, as in the setting EXTRA_GAMES.
    """
    sys.set_int_max_str_digits(0)  # as in `python -m games`: a sum may have more digits than a number in the input
    # In Pyodide everything runs inside the browser's event loop, but none of our code awaits.
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    install_shims()
    timezone.now = clock.now
    # On the server, django_stubs_ext makes it generic: some forms are declared as ModelForm[CheckItem].
    ModelForm.__class_getitem__ = classmethod(lambda form, _model: form)  # type: ignore[attr-defined]
    site = "scorekeeper.offline.phone_site"
    settings.configure(
        EXTRA_GAMES=list(extra_games),
        INSTALLED_APPS=[
            "tools.phone_engine.shims.django_auth.apps.AuthConfig",
            *(f"scorekeeper.{app}" for app in CREW_APPS),
            "tools.phone_engine.shims.django_staticfiles.StaticFilesConfig",
            "django.forms",
        ],
        MIDDLEWARE=[
            "django.middleware.common.CommonMiddleware",
            f"{site}.session_middleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            f"{site}.PhoneAccessMiddleware",
        ],
        # Only the server handles pages of other roles.
        GUARDS={
            "crew": "scorekeeper.crew.access.admit_crew",
            "road captain": "scorekeeper.crew.access.admit_road_captain",
        },
        ROOT_URLCONF="scorekeeper.offline.phone_urls",
        TEMPLATES=[
            {
                "BACKEND": TEMPLATE_BACKEND,
                "DIRS": [templates, *_list_game_templates(extra_games)],
                "APP_DIRS": True,
                "OPTIONS": {
                    "builtins": ["scorekeeper.common.templatetags.dates"],
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.messages.context_processors.messages",
                        f"{site}.phone_context",
                    ],
                },
            }
        ],
        DATA_UPLOAD_MAX_NUMBER_FIELDS=1_200,  # as on the server
        FORM_RENDERER="django.forms.renderers.TemplatesSetting",
        MESSAGE_STORAGE="django.contrib.messages.storage.session.SessionStorage",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        # Nothing depends on this key: the phone handles only the requests of its one user.
        SECRET_KEY="not a secret: one user per phone",  # noqa: S106
        ALLOWED_HOSTS=["*"],
        USE_I18N=False,  # Django then asks `trans_null` for texts, for which the phone has a shim
        LANGUAGE_CODE="en-gb",
        LANGUAGES=[("en-gb", "English")],
        STATIC_URL="/static/",
        LOGGING_CONFIG=None,
    )
    # Only what fails is written to the browser's console: a page that needs signal (503) is no failure.
    logging.getLogger("django.request").addFilter(lambda record: getattr(record, "status_code", 500) == 500)
    apps.populate(settings.INSTALLED_APPS)
    import_module("scorekeeper.offline.request_handler").patch_event()  # it imports models, which need the apps


def _list_game_templates(extra_games: Sequence[str]) -> list[str]:
    specs = [find_spec(package) for package in list_game_packages(extra_games)]
    homes = [home for spec in specs if spec for home in spec.submodule_search_locations or ()]
    return [str(Path(home, "templates")) for home in homes]
