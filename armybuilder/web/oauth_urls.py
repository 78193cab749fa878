"""Addresses of OAuth 2.1, under the names by which django-oauth-toolkit looks for them."""

from django.urls import path
from oauth2_provider.views import OAuthServerMetadataView, RevokeTokenView, TokenView

from armybuilder.web.views.programs import Consent

app_name = "oauth2_provider"

urlpatterns = [
    path(".well-known/oauth-authorization-server", OAuthServerMetadataView.as_view(), name="oauth-server-metadata"),
    path("oauth/authorize/", Consent.as_view(), name="authorize"),
    path("oauth/token/", TokenView.as_view(), name="token"),
    path("oauth/revoke/", RevokeTokenView.as_view(), name="revoke-token"),
]
