"""How long a game's page takes in a browser: to open, and for each step.

A step is the work of the page's main thread for its longest frame, as the browser traces it: the input, scripts,
styles, layout, painting and garbage. Its processor time hardly depends on what else the machine does. That holds only
as long as the browser doesn't slow down: for that, it keeps the thread's processor busy three times as long as it
thinks that the thread was, by the clock, also while the thread waited or had no processor.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

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
    const { port1, port2 } = new MessageChannel();
    const painted = () => new Promise((resolve) => {
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
        if (MOVES && byId("slider").value === before) {  // no way on
            performance.mark("rest");
            go(start);
            await settled();
            performance.mark("rest");
        }
    }
}"""
_GARBAGE = ("MajorGC", "MinorGC", "V8.GCIncrementalMarking", "V8.GCIncrementalMarkingStart", "CppGC.IncrementalSweep")
_OPENED = """addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
        window.opened = performance.now();
        performance.mark("opened");
    };
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


def opening(tab: Page, path: Path) -> float:
    """The same in milliseconds of the main thread's processor time."""
    events = _trace(tab, lambda: opened(tab, path))
    mark = next(event for event in events if event["name"] == "opened")
    return _processor([e for e in events if _is_task(e) and e["tid"] == mark["tid"] and e["ts"] < mark["ts"]])


class Took(NamedTuple):
    """How long the main thread was at work for the longest frame of a step, in milliseconds."""

    processor: float
    clean: float
    """Processor time without collecting garbage."""
    clock: float


def steps(tab: Page, kind: str, count: int) -> list[Took]:
    """Each of so many steps of a kind, in the second half of a game."""
    start = "last >> 1" if kind.endswith("on") else "last"
    return _traced(tab, _script(start, "", KINDS[kind], "true"), count)


def anew(tab: Page, count: int = 10) -> list[Took]:
    """The same where the whole page is laid out and painted, so many times."""
    return _traced(tab, _script("last", "document.body.hidden = true", ANEW, "false"), count)


def _script(start: str, prepare: str, act: str, moves: str) -> str:
    """What goes to a start, and then acts again and again. Acts that should move, but don't, don't count."""
    parts = {"START": start, "PREPARE": prepare, "ACT": act, "MOVES": moves}
    return re.sub("|".join(parts), lambda found: parts[found[0]], _STEPS)


def _trace(tab: Page, work: Callable[[], object]) -> list[dict[str, Any]]:
    """What the browser's threads do meanwhile, in the order of its beginning."""
    browser = tab.context.browser
    assert browser
    session = browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    ended: list[object] = []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    session.on("Tracing.tracingComplete", lambda data: ended.append(data))
    included = ["toplevel", "blink.user_timing", "v8", "cppgc"]
    categories = {"includedCategories": included, "excludedCategories": ["*"]}
    session.send("Tracing.start", {"traceConfig": categories, "transferMode": "ReportEvents"})
    work()
    session.send("Tracing.end")
    while not ended:
        tab.wait_for_timeout(20)
    session.detach()
    return sorted(events, key=lambda event: event.get("ts", 0))


def _is_task(event: dict[str, Any]) -> bool:
    return event["name"] == "ThreadControllerImpl::RunTask" and "tdur" in event


def _traced(tab: Page, script: str, count: int) -> list[Took]:
    """The longest frame after each mark "step". A frame ends with a mark "frame"; what comes between the last frame and
    the next step belongs to neither."""
    events = _trace(tab, lambda: tab.evaluate(script, count))
    marks = [event for event in events if event["name"] in ("step", "frame", "rest")]
    tasks = [e for e in events if _is_task(e)]
    garbage = [e for e in events if e["name"] in _GARBAGE and "tdur" in e]

    def between(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those of the frame, without what is within another one."""
        outer: list[dict[str, Any]] = []
        first, last = (bisect(found, time["ts"], key=lambda event: event["ts"]) for time in (mark, next_))
        for event in found[first:last]:
            if event["tid"] != mark["tid"]:
                continue
            if not outer or event["ts"] >= outer[-1]["ts"] + outer[-1]["dur"]:
                outer.append(event)
        return outer

    found: list[list[Took]] = []
    resting = True
    for mark, next_ in itertools.pairwise(marks):
        if mark["name"] == "rest" and not resting:
            found.pop()  # it led nowhere
        if mark["name"] != "frame":
            resting = mark["name"] == "rest"
        if mark["name"] == "step":
            found.append([])
        if not resting and next_["name"] == "frame":
            own = between(tasks)
            processor, clock = _processor(own), sum(task["dur"] for task in own) / 1000
            found[-1].append(Took(processor, processor - _processor(between(garbage)), clock))
    return [Took(*map(max, zip(*frames, strict=True))) for frames in found]


def _processor(events: list[dict[str, Any]]) -> float:
    """Milliseconds of events. Virtual machines sometimes count more for a thread than there was time."""
    return float(sum(min(event["tdur"], event["dur"]) for event in events)) / 1000
