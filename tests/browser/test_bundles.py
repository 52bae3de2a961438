"""The bundles that are fetched later: under a policy of nonces alone, and by names with a hash."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import ORIGIN, STATIC

pytestmark = pytest.mark.browser

POLICY = (
    "default-src 'none'; script-src 'nonce-abc'; style-src 'self'; connect-src 'self';"
    " require-trusted-types-for 'script'; trusted-types dompurify lit-html"
)
SHOW = """() => {
    const markdown = document.createElement("agentui-markdown");
    markdown.text = "# Title\\n\\n```js\\nconst a = 1;\\n```";
    document.body.append(markdown);
}"""
NAMES = {
    "/s/agentui.1a2b.js": "agentui.js",
    "/s/agentui-markdown.3c4d.js": "agentui-markdown.js",
    "/s/agentui-highlight.5e6f.js": "agentui-highlight.js",
}
TAG = (
    '<script type="module" nonce="abc" src="/s/agentui.1a2b.js"'
    ' data-agentui-markdown="/s/agentui-markdown.3c4d.js"'
    ' data-agentui-highlight="/s/agentui-highlight.5e6f.js"></script>'
)


def test_they_come_when_they_are_needed_and_not_before(page: Page) -> None:
    asked: list[str] = []
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/":
            body = f"<!doctype html><meta charset=utf-8><title>Test</title><body>{TAG}"
            headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html"}
            route.fulfill(body=body, headers=headers)
        elif path in NAMES:
            asked.append(NAMES[path])
            script = (STATIC / NAMES[path]).read_bytes()
            route.fulfill(body=script, content_type="text/javascript")
        else:
            route.fulfill(status=404, body="")

    page.route("**/*", answer)
    page.goto(f"{ORIGIN}/")
    page.evaluate("customElements.whenDefined('agentui-markdown')")
    assert asked == ["agentui.js"]
    page.evaluate(SHOW)
    expect(page.get_by_role("heading", name="Title")).to_be_visible()
    expect(page.locator("agentui-markdown .tok-keyword")).to_have_text("const")
    assert asked == ["agentui.js", "agentui-markdown.js", "agentui-highlight.js"]
    assert [error for error in errors if "favicon" not in error and "404" not in error] == []
