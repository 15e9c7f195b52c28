"""Chromium for tests of the page, with common screen sizes and colour schemes."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent.parent
SHOTS = ROOT / "build/web"
AXE = ROOT / "build/axe/package/axe.min.js"
SIZES = {"phone": (360, 740), "tablet": (820, 1180), "tv": (1920, 1080)}
SCHEMES = ("light", "dark")
CHROMIUM = shutil.which("chromium") or ""

needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here: apt install chromium")
thorough = pytest.mark.skipif("OXEYE_BROWSER" not in os.environ, reason="takes minutes: make browser runs it")
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="no axe-core here: make browser fetches it with npm")


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        args = ["--no-sandbox"] if os.getuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=args)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Browser, url: str, size: str = "phone", scheme: str = "light") -> Iterator[Page]:
    """A page in a browser context of its own; any script error or CSP violation fails the test."""
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, locale="en")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
    page.goto(url)
    try:
        yield page
        assert wrong == []
    finally:
        context.close()


def paired(page: Page, code: str) -> None:
    """Pair through the form of the page."""
    page.goto(page.url.split("#")[0] + "#more")
    page.locator("#pair input").fill(code)
    page.locator("#pair button").click()
    page.locator("#now .keys").wait_for()


def shown(page: Page, name: str) -> None:
    """Save a screenshot for a visual check."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png")


def list_axe_findings(page: Page, where: str) -> list[str]:
    """The serious findings of axe-core on what the page shows now."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    told = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{where}: {finding['id']} {[node['target'] for node in finding['nodes']][:3]}"
        for finding in told["violations"]
        if finding["impact"] in ("serious", "critical")
    ]
