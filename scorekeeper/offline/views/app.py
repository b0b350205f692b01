"""Views that make the crew's pages an installable app: the workers, the manifest, and the precached pages."""

from __future__ import annotations

from csp.constants import SELF
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

from scorekeeper.common.languages import get_english
from scorekeeper.common.public_files import send_public_file
from scorekeeper.offline.language_pack import get_pack_digest, make_pack
from scorekeeper.offline.plain_pad import list_plain_turns
from scorekeeper.offline.precache import read_script, render_worker_config

SCRIPT_TYPE = "text/javascript; charset=utf-8"
JSON_TYPE = "application/json"
WASM = "'wasm-unsafe-eval'"
ICONS = (("icon", "any"), ("icon-maskable", "maskable"))
SCREENSHOTS = (
    ("group", gettext_lazy("Who has played at this stop, and who has not")),
    ("pad", gettext_lazy("Tap the dice")),
    ("boxes", gettext_lazy("Tap the box")),
)
revalidate = cache_control(no_cache=True)


@revalidate
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker. It contains the list of precached files, so a change in any file makes a new version."""
    text = f"const APP = {render_worker_config()};\n{read_script('service_worker.js')}"
    return HttpResponse(text, content_type=SCRIPT_TYPE)


@revalidate
@csp_update({"script-src": [SELF, WASM]})
def engine_worker(request: HttpRequest) -> HttpResponse:
    """The worker in which the engine runs. Only this worker may use WebAssembly, no page may."""
    return HttpResponse(read_script("engine_worker.js"), content_type=SCRIPT_TYPE)


@revalidate
def manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest, for phones that install the app."""
    home = reverse("scorecards:group")
    content = {
        "id": home,
        "name": _("Tailgunner, for the crew of an event"),
        "short_name": "Tailgunner",
        "description": _("Record your group’s turns at every stop, with or without signal."),
        "start_url": home,
        "scope": "/",
        "display": "standalone",
        "orientation": "portrait",
        "background_color": "#f7f2e8",
        "theme_color": "#1c1714",
        "icons": [
            {"src": static("img/favicon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
            *(_describe_icon(name, use, size) for name, use in ICONS for size in (192, 512)),
        ],
        "shortcuts": [
            {"name": _("My group"), "url": home},
            {"name": _("Tables"), "url": reverse("tables:list")},
            {"name": _("Ready for the ride?"), "url": reverse("offline:ready")},
        ],
        "screenshots": [
            {
                "src": static(f"img/screenshots/{name}.png"),
                "sizes": "360x640",
                "type": "image/png",
                "form_factor": "narrow",
                "label": str(label),
            }
            for name, label in SCREENSHOTS
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")


def _describe_icon(name: str, use: str, size: int) -> dict[str, str]:
    return {"src": static(f"img/{name}-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": use}


def language(request: HttpRequest) -> HttpResponseBase:
    """All texts of the reader's language, for the engine."""
    code = get_language() or get_english()
    return send_public_file(request, get_pack_digest(code), lambda: ("", [make_pack(code).encode()]), JSON_TYPE)


@revalidate
def shell(request: HttpRequest) -> HttpResponse:
    """The precached page that opens any other: it starts the engine and is replaced by the engine's response."""
    return render(request, "offline/shell.html")


@revalidate
def ready(request: HttpRequest) -> HttpResponse:
    """The page that shows whether this phone is ready for a ride without signal, and what to do if not."""
    return render(request, "offline/ready.html")


@revalidate
def plain(request: HttpRequest) -> HttpResponse:
    """The page on which turns are entered without the rules, if they do not run on this phone."""
    return render(request, "offline/plain.html", {"plain_turns": list_plain_turns()})


@revalidate
def swap(request: HttpRequest) -> HttpResponse:
    """The page on which two phones swap entries."""
    return render(request, "offline/swap.html")
