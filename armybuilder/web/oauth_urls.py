"""Addresses of OAuth 2.1, under the names by which django-oauth-toolkit looks for them.

Its views are loaded with the first request to one of them: with what they check they take 10 MB of a process.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils.module_loading import import_string
from django.views.decorators.csrf import csrf_exempt

app_name = "oauth2_provider"

View = Callable[..., HttpResponseBase]


@cache
def _loaded(name: str) -> View:
    view: View = import_string(name).as_view()
    return view


def _late(name: str) -> View:
    """A view by the name of its class; for those of a browser's forms, which are asked for their token."""

    def view(request: HttpRequest, **parts: Any) -> HttpResponseBase:
        return _loaded(name)(request, **parts)

    return view


def _late_for_programs(name: str) -> View:
    """The same for what programs ask, which have no cookie."""
    return csrf_exempt(_late(name))


urlpatterns = [
    path(
        ".well-known/oauth-authorization-server",
        _late_for_programs("oauth2_provider.views.OAuthServerMetadataView"),
        name="oauth-server-metadata",
    ),
    path("oauth/authorize/", _late("armybuilder.web.views.consent.Consent"), name="authorize"),
    path("oauth/token/", _late_for_programs("oauth2_provider.views.TokenView"), name="token"),
    path("oauth/revoke/", _late_for_programs("oauth2_provider.views.RevokeTokenView"), name="revoke-token"),
]
