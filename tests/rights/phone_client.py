"""A phone as the page sees it: one cookie, HTTP and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

ANSWER_S = 60.0
"""A sheet to print takes seconds on a small machine."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    body: Mapping[str, Any]
    text: str

    @property
    def is_accepted(self) -> bool:
        return self.status == httpx.codes.OK and self.body.get("ok", True) is True

    @property
    def says_why(self) -> bool:
        return bool(self.body.get("says") or self.body.get("error"))


class PhoneClient:
    def __init__(self, address: str) -> None:
        self._client = httpx.Client(base_url=address, headers={"origin": address}, timeout=ANSWER_S)

    def fetch(self, path: str) -> HttpAnswer:
        return _answer(self._client.get(path))

    def send(self, path: str, body: Mapping[str, object], timeout_s: float = ANSWER_S) -> HttpAnswer:
        return _answer(self._client.post(path, json=body, timeout=timeout_s))

    def tell(self, words: str, **more: object) -> HttpAnswer:
        return self.send("/api/tell", {"words": words, **more})

    def pair(self, code: str) -> HttpAnswer:
        return self.send("/api/pair", {"code": code})

    def state(self) -> Mapping[str, Any]:
        return self.fetch("/api/state").body

    def offers(self) -> list[str]:
        return [offer["words"] for offer in self.state()["offers"]]

    def cookies(self) -> dict[str, str]:
        return dict(self._client.cookies)

    def use_cookies(self, cookies: Mapping[str, str]) -> None:
        self._client.cookies.update(dict(cookies))


def _answer(response: httpx.Response) -> HttpAnswer:
    is_json = response.headers.get("content-type", "").startswith("application/json")
    body = response.json() if is_json else {}
    is_text = not response.headers.get("content-type", "").startswith(("image", "application/pdf"))
    return HttpAnswer(response.status_code, body if isinstance(body, dict) else {}, response.text if is_text else "")
