"""The time from a player's click until the whole new board has arrived, over real sockets, next to a trivial program.

`python -m bench.click [--network MS] [CLICKS]`. Harbormaster and the trivial program run at the same time and are
clicked in turn. The measured click is the last one of an action in a random game, played by buttons, selects and forms.
The trivial program answers with a fixed file of the same size, and does nothing else.

`--network`: milliseconds that each event and each answer to a request takes to arrive, as over the real network. Then
the figure says how many requests wait for one another.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path

from bench.scale.usage import family_cpu
from bench.table import Row, at_most, show
from bench.wire.floor import Latency, measure, trivial_click
from tests.bot.discord.doing import by_components
from tests.wire.calls import Interaction, Request
from tests.wire.messages import EPHEMERAL
from tests.wire.party import Party, party

MEDIAN, P99 = 12.0, 25.0
"""Goals: multiples of the trivial program's time."""
FAR = 1.25
"""Goal over a network, for the median."""
WARM_UP = 12
"""Actions before the first measured one."""


class Table:
    """A running game whose next action can be timed."""

    def __init__(self, people: Party) -> None:
        self.people = people
        self.sizes: list[int] = []
        self.actions = 0

    async def act(self) -> float:
        """Do an action that changes the board. Returns the seconds from the dispatch of its last click to the last byte
        of the new board."""
        while True:
            clicked, request = await self._act()
            if request.files:
                self.sizes.append(len(request.files[0][1]))
                return request.done - clicked.sent

    async def _act(self) -> tuple[Interaction, Request]:
        """Do an action. Returns its last click, and the request that shows it in the panel."""
        people = self.people
        if (await people.game()).outcome is not None:
            await people.rematch()
        person, action = await people.choose()
        assert people.last_read is not None
        before = people.last_read.revision
        people.wire.requests.clear()  # only requests: tokens stay valid
        clicked: Interaction = await by_components(people, person, action)
        self.actions += 1
        found = await people.wire.until(lambda: self._shown(clicked), what=f"no board after {action}: {clicked.text!r}")
        assert found is not None
        await people.settled(before + 1)
        return clicked, found

    def _shown(self, clicked: Interaction) -> Request | None:
        return next((r for r in self.people.wire.requests if r.at > clicked.sent and self._is_panel(r)), None)

    def _is_panel(self, request: Request) -> bool:
        """Whether a request posts or edits the panel, with its picture or keeping the one that it has. The edit can be
        the answer to a click on the panel, or use the token of one, such as the one that opened the picker."""
        click = request.interaction
        by_click = click is not None and click.source is not None and not click.source.only_for
        public = by_click or f"/channels/{self.people.channel.id}/messages" in request.path
        body = (request.json or {}).get("data") or request.json or {}
        private = (body.get("flags") or 0) & EPHEMERAL
        return public and not private and bool(request.files or body.get("attachments")) and request.accepted


async def compare(clicks: int, network: float) -> tuple[dict[str, Latency], float, float]:
    """The latencies of both programs, clicked in turn; the median size of a board in bytes; and the seconds of
    processor time that Harbormaster uses for an action. `network`: seconds that each event and each answer takes."""
    with tempfile.TemporaryDirectory() as folder:
        async with party(Path(folder), 1) as people:
            people.wire.unlimited()
            await people.begin(target=10)
            table = Table(people)
            for _ in range(WARM_UP):
                await table.act()
            people.wire.network = (network, network)
            async with trivial_click(round(statistics.median(table.sizes)), network) as trivial:
                table.sizes.clear()
                before, table.actions = family_cpu(people.bot.pid), 0
                latencies = await measure({"trivial": trivial, "ours": table.act}, clicks)
                used = (family_cpu(people.bot.pid) - before) / table.actions
            return latencies, statistics.median(table.sizes), used


async def rows(clicks: int = 300, network: int = 0) -> list[Row]:
    """Rows of the table. `network`: as of the command line."""
    latencies, size, used = await compare(clicks, network / 1e3)
    ours, trivial = latencies["ours"], latencies["trivial"]
    far = f" {network} ms away" if network else ""
    return [
        _row(f"median{far}", ours.median, trivial.median, FAR if network else MEDIAN, f"{clicks} clicks", 2),
        _row(f"p99{far}", ours.p99, trivial.p99, P99, f"worst {1e3 * max(ours.samples):.0f} ms", 1),
        Row("click to new board: processor time", f"{1e3 * used:.1f} ms", f"an action; {size / 1024:.0f} KiB a board"),
    ]


def _row(name: str, ours: float, trivial: float, limit: float, remark: str, digits: int) -> Row:
    reference = f"ours {1e3 * ours:.1f} ms, trivial program {1e3 * trivial:.2f} ms; {remark}"
    return at_most(f"click to new board: {name}", ours / trivial, limit, "x", reference, digits)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.click", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("clicks", nargs="?", type=int, default=300, help="how many clicks count")
    parser.add_argument("--network", type=int, default=0, metavar="MS", help="how long all takes to arrive")
    asked = parser.parse_args()
    show(asyncio.run(rows(asked.clicks, asked.network)))
