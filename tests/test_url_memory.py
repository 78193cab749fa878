"""Addresses that are remembered: the same answers, and little memory."""

from uuid import uuid4

import pytest
from django.urls import Resolver404, get_resolver, resolve, reverse

from armybuilder import url_memory
from armybuilder.url_memory import URLResolverWithMemory


def remembering() -> list[URLResolverWithMemory]:
    return [one for one in get_resolver().url_patterns if isinstance(one, URLResolverWithMemory)]


def test_an_address_leads_where_it_led() -> None:
    list_id = uuid4()
    address = reverse("web:list", args=[list_id])
    for _ in range(2):
        found = resolve(address)
        assert (found.view_name, found.kwargs) == ("web:list", {"list_id": list_id})
    for _ in range(2):
        with pytest.raises(Resolver404) as refused:
            resolve("/nothing/of/the/kind/")
        assert refused.value.args[0]["tried"]


def test_what_is_remembered_has_bounds_and_holds_no_patterns_that_were_tried() -> None:
    """Each address held the seventy patterns before its own: a web process grew by a megabyte a minute of use."""
    program, site = remembering()
    for one, address in ((program, "api/v1/systems/"), (site, f"lists/{uuid4()}/")):
        assert one._found.cache_info().maxsize == url_memory.KEPT
        assert one.resolve(address).tried is None
