"""How the page copes while an answer is written into a long thread, in a real Chromium.

    python -m bench.chat_streaming [--seconds 60] [--messages 200]

100 tokens a second. Prints, over all seconds, the longest task in each: median and 95th percentile, on
the clock and on the processor; and the gaps between frames. The limits are 50 ms and 100 ms, on the
processor: on a machine that does other things too, the clock measures those.
"""

from __future__ import annotations

import argparse
import json
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
    window.__gaps = [];
    let last = performance.now();
    const next = (now) => {
        window.__gaps.push(now - last);
        last = now;
        requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
}"""
FOUND = """() => {
    const thread = document.querySelector("agentui-chat").shadowRoot.querySelector("agentui-thread");
    return { gaps: window.__gaps, text: thread.store.messages.at(-1).parts.at(-1)?.text.length };
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
            browser.start_tracing(page=page, categories=["disabled-by-default-devtools.timeline"])
            say(page, f"write {seconds * 100}")
            time.sleep(seconds)
            found: dict[str, Any] = page.evaluate(FOUND)
            found["tasks"] = tasks_of(json.loads(browser.stop_tracing())["traceEvents"])
        browser.close()
        return found


def tasks_of(events: list[dict[str, Any]]) -> list[tuple[float, float, float]]:
    """The tasks of the page's main thread: begin, time on the clock and on the processor, in ms."""
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    ran = [
        (event["ts"] / 1000, event.get("dur", 0) / 1000, event.get("tdur", 0) / 1000)
        for event in events
        if event["name"] == "RunTask" and (event["pid"], event["tid"]) in threads
    ]
    began = min(task[0] for task in ran)
    return [(at - began, clock, processor) for at, clock, processor in ran]


def show(name: str, longest: list[float]) -> tuple[float, float]:
    median, p95 = statistics.median(longest), statistics.quantiles(longest, n=20)[-1]
    print(
        f"longest task in a second, {name}:"
        f" median {median:.0f} ms, p95 {p95:.0f} ms, worst {max(longest):.0f} ms"
    )
    return median, p95


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--messages", type=int, default=200)
    options = parser.parse_args()
    found = measure(options.seconds, options.messages)
    clock, processor = [0.0] * options.seconds, [0.0] * options.seconds
    for at, on_clock, on_processor in found["tasks"]:
        second = min(options.seconds - 1, int(at / 1000))
        clock[second] = max(clock[second], on_clock)
        processor[second] = max(processor[second], on_processor)
    gaps = sorted(found["gaps"])
    print(f"{options.messages} messages, {options.seconds} s, {found['text']} characters written")
    show("on the clock", clock)
    median, p95 = show("on the processor", processor)
    print(
        f"frame gaps: median {gaps[len(gaps) // 2]:.0f} ms, p95 {gaps[int(len(gaps) * 0.95)]:.0f} ms"
    )
    return 0 if median <= 50 and p95 < 100 else 1


if __name__ == "__main__":
    sys.exit(main())
