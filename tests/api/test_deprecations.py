"""What will go says so: in its headers, whatever it answers, and in the description."""

from datetime import date
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import include, path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.deprecations import Deprecation, deprecated
from api.schema import PUBLIC
from armybuilder.urls import urlpatterns as of_the_site

SINCE, SUNSET, INSTEAD = date(2026, 1, 1), date(2026, 7, 15), "/docs/api_changes/"
HEADERS = ("@1767225600", "Wed, 15 Jul 2026 00:00:00 GMT", '</docs/api_changes/>; rel="deprecation"; type="text/html"')


class Ending(APIView):
    """A view of which one method goes."""

    @deprecated(SINCE, SUNSET, INSTEAD)
    @extend_schema(operation_id="read_ending", tags=["lists"], responses={200: None}, auth=PUBLIC)
    def get(self, request: Request) -> Response:
        """What will go."""
        if "x-gone" in request.query_params:
            raise NotFound
        return Response({"still": "here"}, headers={"Link": '</next/>; rel="next"'} if "x-link" in request.GET else {})

    @extend_schema(operation_id="make_ending", tags=["lists"], request=None, responses={200: None}, auth=PUBLIC)
    def post(self, request: Request) -> Response:
        """What stays."""
        return Response({"stays": True})


OF_THE_API = [path("lists/ending/", Ending.as_view())]
urlpatterns = [path("api/v1/", include(OF_THE_API))]


def told(response: Any) -> tuple[str | None, ...]:
    return tuple(response.get(name) for name in ("Deprecation", "Sunset", "Link"))


@override_settings(ROOT_URLCONF=__name__)
def test_answers_say_since_when_until_when_and_what_instead(client: Client, db: None) -> None:
    read = client.get("/api/v1/lists/ending/")
    assert (read.status_code, told(read)) == (200, HEADERS)
    same = client.get("/api/v1/lists/ending/", headers={"If-None-Match": read["ETag"]})
    assert (same.status_code, told(same)) == (304, HEADERS)
    refused = client.get("/api/v1/lists/ending/?x-gone=1")
    assert (refused.status_code, told(refused)) == (404, HEADERS)
    assert told(client.head("/api/v1/lists/ending/")) == HEADERS
    linked = client.get("/api/v1/lists/ending/?x-link=1")
    assert linked["Link"] == f'</next/>; rel="next", {HEADERS[2]}'


@override_settings(ROOT_URLCONF=__name__)
def test_what_stays_says_nothing(client: Client, db: None) -> None:
    assert told(client.post("/api/v1/lists/ending/")) == (None, None, None)


def test_the_description_says_it() -> None:
    paths = SchemaGenerator(patterns=[*of_the_site, *urlpatterns]).get_schema(request=None, public=True)["paths"]
    going, staying = paths["/api/v1/lists/ending/"]["get"], paths["/api/v1/lists/ending/"]["post"]
    assert going["deprecated"] is True
    assert {"Deprecation", "Sunset", "Link"} <= going["responses"]["200"]["headers"].keys()
    assert "deprecated" not in staying
    assert "Sunset" not in staying["responses"]["200"]["headers"]


def test_nothing_goes_sooner_than_promised() -> None:
    with pytest.raises(ValueError, match="less than 183 days"):
        Deprecation(date(2026, 1, 1), date(2026, 6, 1), INSTEAD)
