"""How long a game's page takes in a browser: to open, and for each step.

A step is the processor time of the page's main thread in its longest frame, as the browser traces it: the scripts,
and styles, layout and painting. So what else the machine does hardly matters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KINDS = {
    "an action on": "press('on')",
    "an action back": "press('back')",
    "a turn on": "press('turn-on')",
    "a turn back": "press('turn-back')",
    "dragging": "put('slider', 'input', byId('slider').valueAsNumber - 1 - random(20))",
    "going to a find": "put('jump', 'change', finds[random(finds.length)])",
}
"""Steps, and what the reader does for each."""
ANEW = "document.body.hidden = false"
"""Lays out and paints the whole page, for comparison."""
_STEPS = """async (count) => {
    const { last, go } = harbormaster, start = START;
    const byId = (id) => document.getElementById(id);
    const press = (id) => byId(id).click();
    const put = (id, event, value) => {
        byId(id).value = value;
        byId(id).dispatchEvent(new Event(event, { bubbles: true }));
    };
    const finds = [...byId("jump").querySelectorAll("optgroup option")].map(({ value }) => value);
    let seed = 1;
    const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
    const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
    const painted = () => new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        requestAnimationFrame(() => port2.postMessage(""));  // arrives when the frame is painted
    });
    const settled = async () => {
        for (let frame = 0; frame < 10; frame++) {
            await painted();
            performance.mark("frame");
        }
    };
    go(start);
    await settled();
    for (let n = 0; n < count; n++) {
        const before = byId("slider").value;
        PREPARE;
        await pause(20);
        performance.mark("step");
        await pause(0);
        ACT;
        await settled();
        if (byId("slider").value === before) {  // no way on
            go(start);
            await settled();
        }
    }
    performance.mark("step");
}"""
_OPENED = """addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { window.opened = performance.now(); };
    port2.postMessage("");
}));"""


@contextmanager
def timed(browser: Browser, size: tuple[int, int], slowed: float = 1.0) -> Iterator[Page]:
    """An empty tab, on a machine that is so many times slower. Its pages note when they are open."""
    tab = browser.new_page(viewport={"width": size[0], "height": size[1]})
    tab.add_init_script(_OPENED)
    tab.context.new_cdp_session(tab).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    yield tab
    tab.close()


def opened(tab: Page, path: Path) -> float:
    """Open a page; returns the milliseconds from the navigation until its first position was painted."""
    tab.goto(path.as_uri())
    while (found := tab.evaluate("window.opened || null")) is None:
        tab.wait_for_timeout(20)
    return float(found)


def steps(tab: Page, kind: str, count: int) -> list[float]:
    """Milliseconds of each of so many steps of a kind, in the second half of a game."""
    start = "last >> 1" if kind.endswith("on") else "last"
    return _traced(tab, _STEPS.replace("START", start).replace("PREPARE", "").replace("ACT", KINDS[kind]), count)


def anew(tab: Page, count: int = 10) -> list[float]:
    """Milliseconds in which the whole page is laid out and painted, so many times."""
    hide = "document.body.hidden = true"
    return _traced(tab, _STEPS.replace("START", "last").replace("PREPARE", hide).replace("ACT", ANEW), count)


def _traced(tab: Page, script: str, count: int) -> list[float]:
    """Milliseconds of the main thread in the longest frame after each mark "step"."""
    browser = tab.context.browser
    assert browser
    session = browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    ended: list[object] = []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    session.on("Tracing.tracingComplete", lambda data: ended.append(data))
    categories = {"includedCategories": ["toplevel", "blink.user_timing"], "excludedCategories": ["*"]}
    session.send("Tracing.start", {"traceConfig": categories, "transferMode": "ReportEvents"})
    tab.evaluate(script, count)
    session.send("Tracing.end")
    while not ended:
        tab.wait_for_timeout(20)
    session.detach()
    marks = [event for event in events if event["name"] in ("step", "frame")]
    marks.sort(key=lambda event: event["ts"])
    tasks = [e for e in events if e["name"] == "ThreadControllerImpl::RunTask" and "tdur" in e]
    found: list[list[float]] = []
    for mark, next_ in itertools.pairwise(marks):
        if mark["name"] == "step":
            found.append([])
        if found:
            own = (e for e in tasks if e["tid"] == mark["tid"] and mark["ts"] < e["ts"] < next_["ts"])
            found[-1].append(sum(task["tdur"] for task in own) / 1000)
    return [max(frames) for frames in found]
