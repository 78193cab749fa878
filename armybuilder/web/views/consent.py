"""The page that asks whether a program may act for its reader."""

from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.http import HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from oauth2_provider.settings import oauth2_settings
from oauth2_provider.views import AuthorizationView


@method_decorator(never_cache, name="dispatch")
class Consent(AuthorizationView):
    """Asks whether a program may act for the user, and sends the answer to where the program waits."""

    template_name = "accounts/consent.html"

    def render_to_response(self, context: Any, **options: Any) -> HttpResponse:
        """The page; its form may be answered by a way back to the program, and to nowhere else."""
        response: HttpResponse = super().render_to_response(context, **options)
        back = urlsplit(context.get("redirect_uri") or "")
        if back.netloc:
            response._csp_update = {"form-action": [f"{back.scheme}://{back.netloc}"]}  # type: ignore[attr-defined]
        return response

    def redirect(self, redirect_to: str, application: Any) -> HttpResponse:
        """The way back, which names this site in a refusal as in a code (RFC 9207): programs take neither without."""
        if "iss" not in parse_qs(urlsplit(redirect_to).query):
            redirect_to = f"{redirect_to}&{urlencode({'iss': self._issuer()})}"
        response: HttpResponse = super().redirect(redirect_to, application)
        return response

    def _issuer(self) -> str:
        issuer: str = oauth2_settings.oauth2_authorization_server_issuer(self.request)
        return issuer
