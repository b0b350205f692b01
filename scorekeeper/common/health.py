"""A page for whoever watches whether the program answers."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer "ok" without asking the database: it tells whether this process lives, not whether all is well."""
    return HttpResponse("ok\n", content_type="text/plain")
