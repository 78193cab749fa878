"""The way into the administration."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase


def enter(request: HttpRequest) -> HttpResponseBase:
    """The form of the administration; whoever is signed in and has no part in it reads the site's own page about that.

    Raises:
        PermissionDenied: signed in, and no administrator.
    """
    if request.user.is_authenticated and not admin.site.has_permission(request):
        raise PermissionDenied
    return admin.site.login(request)
