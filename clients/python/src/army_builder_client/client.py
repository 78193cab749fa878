"""The client: one signed-in connection to a site."""

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import quote
from uuid import uuid4

import httpx

from army_builder_client.answers import ArmyList, ListRow, Report, SharedList, ShareLink, Sheet
from army_builder_client.errors import Problem
from army_builder_client.retrying import RetryingTransport

Parameters = Mapping[str, str | float | bool]

API = "/api/v1/"


class ArmyBuilder:
    """A site's API; every method raises Problem for what the site refuses.

    Use it by `with`, or call `close()`.

    Args:
        site: address of the site, e.g. `https://armies.example`.
        token: made under /accounts/tokens/; without one what needs no account can be used.
        language: of sheets and problems, `en` or `ru`.
        timeout: seconds until an answer counts as lost.
        transport: another one than that which tries again.
    """

    def __init__(
        self,
        site: str,
        token: str | None = None,
        *,
        language: str = "en",
        timeout: float = 30.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"Accept-Language": language, "Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._http = httpx.Client(
            base_url=site.rstrip("/"), headers=headers, timeout=timeout, transport=transport or RetryingTransport()
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        params: Parameters | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """The successful answer to any request.

        Args:
            path: below `/api/v1/`, e.g. `systems/`, or from the root of the site, as `address` members are.

        Raises:
            Problem: the site refuses.
            httpx.TransportError: it cannot be reached.
        """
        address = path if path.startswith("/") else API + path
        response = self._http.request(method, address, json=json, params=params, headers=headers)
        if not response.is_success:
            raise Problem.of(response)
        return response

    def get(self, path: str, **params: str | float | bool) -> Any:
        """What an address holds."""
        return self.request("GET", path, params=params or None).json()

    def every(self, path: str, **params: str | float | bool) -> Iterator[dict[str, Any]]:
        """Everything in a collection that comes in pages, page by page as it is asked for."""
        page = self.get(path, **params)
        while True:
            yield from page["results"]
            if page["next"] is None:
                return
            # Of the link only what stands behind the host: the token goes to no other site.
            page = self.get(httpx.URL(page["next"]).raw_path.decode("ascii"))

    def all_parts(self, path: str, **params: str | float | bool) -> Iterator[Any]:
        """Everything in a collection whose answer is an array, part by part as it is asked for."""
        answer = self.request("GET", path, params={"page_size": 200} | params)
        while True:
            yield from answer.json()
            if "next" not in answer.links:
                return
            answer = self.request("GET", httpx.URL(answer.links["next"]["url"]).raw_path.decode("ascii"))

    def create(self, path: str, body: object, *, key: str | None = None) -> Any:
        """What a POST makes; sent again after a lost answer, it is made once.

        Args:
            key: Idempotency-Key; a new one by default. Keep one of your own to repeat a request in another run.
        """
        return self.request("POST", path, json=body, headers={"Idempotency-Key": key or str(uuid4())}).json()

    def units(self, system: str, **filters: str | float | bool) -> Iterator[dict[str, Any]]:
        """The units of a game; filters are those of the address, e.g. `faction`, `role`, `max_points`, `search`."""
        return self.every(f"systems/{_part(system)}/units/", **filters)

    def lists(self, **filters: str | float | bool) -> Iterator[ListRow]:
        """One's own lists, e.g. by `system`, `verdict`, `ordering`."""
        return cast(Iterator[ListRow], self.every("lists/", **filters))

    def create_list(self, system: str, name: str, *, key: str | None = None, **members: object) -> ArmyList:
        """A new list; members are e.g. `catalogue_id`, `points_limit`, `allegiance`."""
        return cast(ArmyList, self.create("lists/", {"system": system, "name": name, **members}, key=key))

    def read_list(self, list_id: str) -> ArmyList:
        """One of one's own lists."""
        return cast(ArmyList, self.get(f"lists/{_part(list_id)}/"))

    def edit(self, army: ArmyList, *edits: Mapping[str, object]) -> ArmyList:
        """The list after these edits, all of them or none.

        Raises:
            Problem: among others 409 where the list has changed since it was read.
        """
        answer: dict[str, Any] = self.request(
            "POST",
            f"lists/{_part(army['id'])}/edits/",
            json=edits,
            headers={"If-Match": f'"{army["revision"]}"'},
        ).json()
        return cast(ArmyList, answer["list"])

    def sheet(self, list_id: str) -> Sheet:
        """The evaluated list: units, points, findings in words."""
        return cast(Sheet, self.get(f"lists/{_part(list_id)}/", fields="sheet")["sheet"])

    def check(self, list_id: str) -> Report:
        """The verdict on a list."""
        return cast(Report, self.request("POST", f"lists/{_part(list_id)}/check/").json())

    def share(self, list_id: str, *, key: str | None = None, **members: object) -> ShareLink:
        """A new share link; members are `expires_at` and `frozen`."""
        return cast(ShareLink, self.create(f"lists/{_part(list_id)}/share-links/", members, key=key))

    def shared(self, token: str) -> SharedList:
        """The evaluated list behind a share link; needs no account."""
        return cast(SharedList, self.get(f"shared/{_part(token)}/", expand="sheet"))


def _part(text: str) -> str:
    """A part of an address, which leads nowhere else whatever it holds."""
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} names nothing.")
    return quote(text, safe="")
