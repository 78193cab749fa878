"""What the site refuses, as an exception."""

from typing import Any

import httpx

MEDIA_TYPE = "application/problem+json"


class Problem(Exception):
    """A refusal: a problem document (RFC 9457), or an answer of something in between, such as a proxy, that is none.

    Attributes:
        status: of the answer.
        code: public name of the kind of problem, to go by in programs; empty where the answer is no problem document.
        title: the kind in words.
        detail: this occurrence in words; the same as the title where nothing more is known.
        at: JSON pointer into what was sent; None where nothing is pointed at.
        document: the whole problem document; empty where the answer is none.
    """

    def __init__(self, status: int, document: dict[str, Any], otherwise: str = "") -> None:
        self.status = status
        self.code = str(document.get("code", ""))
        self.title = str(document.get("title", otherwise))
        self.detail = str(document.get("detail") or self.title)
        error = document.get("error")
        self.at: str | None = error.get("at") if isinstance(error, dict) else None
        self.document = document
        super().__init__(f"{status} {self.title}: {self.detail}" + (f" (at {self.at})" if self.at else ""))

    @classmethod
    def of(cls, response: httpx.Response) -> "Problem":
        """What an answer that is no success says."""
        document: object = None
        if response.headers.get("Content-Type", "").partition(";")[0].strip() == MEDIA_TYPE:
            try:
                document = response.json()
            except ValueError:
                document = None
        return cls(response.status_code, document if isinstance(document, dict) else {}, response.reason_phrase)
