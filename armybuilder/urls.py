"""Addresses of the whole site: the admin, the JSON door and the HTML door."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", include("api.urls")),
    path("", include("armybuilder.web.urls")),
]
