"""How the page copes while an answer is written into a long thread, in a real Chromium.

    python -m bench.chat_streaming [--seconds 60] [--messages 200]

100 tokens a second. Prints, over all seconds, the longest task in each: median and 95th percentile;
and the gaps between frames. The limits are 50 ms and 100 ms.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import expect, sync_playwright

from tests.browser.long_thread import load_all, make_thread
from tests.browser.people import message_field, say, sign_in
from tests.environment import find_chromium
from tests.flow.demo_server import demo_server

WATCH = """() => {
    window.__tasks = [];
    window.__gaps = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.__tasks.push([entry.startTime, entry.duration]);
    }).observe({ type: "longtask" });
    let last = performance.now();
    const next = (now) => {
        window.__gaps.push(now - last);
        last = now;
        requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    window.__began = performance.now();
}"""


def measure(seconds: int, messages: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = find_chromium()
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with demo_server(
            Path(folder), database="sqlite", layer="memory", settings="tests.browser.site.settings"
        ) as server:
            context = browser.new_context()
            sign_in(context, server, "ada")
            page = context.new_page()
            page.goto(f"{server.url}/agentui/t/{make_thread(server, messages)}/")
            expect(message_field(page)).to_be_editable()
            load_all(page, messages)
            page.wait_for_timeout(2_000)
            page.evaluate(WATCH)
            say(page, f"write {seconds * 100}")
            time.sleep(seconds)
            found: dict[str, Any] = page.evaluate(
                "() => ({ tasks: window.__tasks, gaps: window.__gaps, began: window.__began,"
                " ended: performance.now(), text: document.querySelector('agentui-chat').shadowRoot"
                ".querySelector('agentui-thread').store.messages.at(-1).parts.at(-1)?.text.length })"
            )
        browser.close()
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--messages", type=int, default=200)
    options = parser.parse_args()
    found = measure(options.seconds, options.messages)
    longest = [0.0] * options.seconds
    for start, duration in found["tasks"]:
        second = min(options.seconds - 1, max(0, int((start - found["began"]) / 1000)))
        longest[second] = max(longest[second], duration)
    median, p95 = statistics.median(longest), statistics.quantiles(longest, n=20)[-1]
    gaps = sorted(found["gaps"])
    print(f"{options.messages} messages, {options.seconds} s, {found['text']} characters written")
    print(f"longest task in a second (0: under 50 ms): median {median:.0f} ms, p95 {p95:.0f} ms,")
    print(f"    worst {max(longest):.0f} ms, {sum(1 for x in longest if x)} seconds with any")
    print(
        f"frame gaps: median {gaps[len(gaps) // 2]:.0f} ms, p95 {gaps[int(len(gaps) * 0.95)]:.0f} ms"
    )
    return 0 if median <= 50 and p95 < 100 else 1


if __name__ == "__main__":
    sys.exit(main())
