"""The site's own address, for links that people and programs hand on."""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request


def site_address(request: HttpRequest | Request) -> str:
    """Scheme and host of the site, without a slash: as its operator names them, otherwise as they were asked."""
    return (settings.PUBLIC_URL or request.build_absolute_uri("/")).rstrip("/")


def address_without_a_request() -> str:
    """The same for commands: as the operator names the site, otherwise where this machine serves it."""
    return settings.PUBLIC_URL.rstrip("/") or f"http://localhost:{settings.PORT}"
