"""Addresses of the whole site: the admin, the JSON door and the HTML door."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.urls.resolvers import RoutePattern
from django.views.generic import RedirectView

from armybuilder.operations.state_page import state
from armybuilder.url_memory import URLResolverWithMemory

urlpatterns = [
    URLResolverWithMemory(RoutePattern("api/", is_endpoint=False), "api.urls"),
    path("admin/state/", admin.site.admin_view(state), name="state"),
    path("admin/", admin.site.urls),
    path("favicon.ico", RedirectView.as_view(url=f"{settings.STATIC_URL}web/mark.svg")),
    path("", include("armybuilder.web.oauth_urls")),
    URLResolverWithMemory(RoutePattern("", is_endpoint=False), "armybuilder.web.urls", app_name="web", namespace="web"),
]

handler400 = "armybuilder.web.problems.bad_request"
handler403 = "armybuilder.web.problems.permission_denied"
handler404 = "armybuilder.web.problems.page_not_found"
handler500 = "armybuilder.web.problems.server_error"
