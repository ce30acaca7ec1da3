"""The results as tables, and their place in docs/scale.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.scale import arithmetic
from render.bands import BAND

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scale.md"
BEGIN, END = "<!-- figures: python -m bench.scale -->", "<!-- end of the figures -->"
STORES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
Json = dict[str, Any]


def render(results: Json) -> str:
    """All tables."""
    runs: list[Json] = results["runs"]
    made, asked = results["machine"], results["asked"]
    about = (
        f"Made on {made['date']} by `{made['command']}` with {made['cores']} cores ({made['processor']}), Python"
        f" {made['python']}, load of the machine before it {made['load']}. {asked['running']:,} running and"
        f" {asked['finished']:,} finished games; {asked['rate']:g} actions/s for {asked['seconds']:g} s, then"
        f" {asked['burst']} clicks at once, then {asked['flat out']:g} s as fast as it goes."
    )
    limit = "kept by the server" if asked["limited"] else "counted, but not kept"
    parts = [about, _table(["", "goal", *(run["name"] for run in runs)], _figures(results, limit))]
    kinds = list(dict.fromkeys(kind for run in runs for kind in run["steady"]["requests an action"]))
    rows = [[kind, *(f"{run['steady']['requests an action'].get(kind, 0):.3f}" for run in runs)] for kind in kinds]
    parts += ["Requests for an action, by kind:", _table(["", *(run["name"] for run in runs)], rows)]
    if results["start-up"]:
        head = ["store", "running", "finished", "database MB", "kB a running game", "kB a finished game"]
        head += ["s to the first acknowledged click", "s to its answer", "MiB then"]
        words = "Start-up of one process, and what games cost. A game that is over is packed an hour after its end"
        packed = [f"{bytes_ / 1000:.1f} kB on {STORES[kind]}" for kind, bytes_ in results.get("packed", {}).items()]
        words += f", and takes {' and '.join(packed)} from then on:" if packed else ":"
        parts += [words, _table(head, map(_start, results["start-up"]))]
    words = (
        f"On paper, for games of {arithmetic.ACTIONS} actions in {arithmetic.DAYS:g} days, with {arithmetic.PEAK:g}"
        f" times the mean in the busiest hour and {arithmetic.GAMES_A_SERVER} games a server:"
    )
    return "\n\n".join([*parts, words, _table(arithmetic.HEAD, arithmetic.rows(results))])


def problems(results: Json) -> list[str]:
    """What went wrong, a line each."""
    found = Counter[str]()
    for run in results["runs"]:
        wrong = [f"{run['panels wrong']} panels wrong"] * bool(run["panels wrong"])
        every = [*_met(run), *wrong, *run["games stored otherwise than played"], *run["tracebacks"], *run["ended"]]
        found.update(f"{run['name']}, {problem}" for problem in every)
    found.update(f"start-up on {STORES[run['kind']]}, {told}" for run in results["start-up"] for told in run["ended"])
    return [f"{problem} ({n} times)" if n > 1 else problem for problem, n in found.items()]


def _met(run: Json) -> list[str]:
    """What the players met."""
    return [f"{phase}: {problem}" for phase in ("steady", "burst", "flat out") for problem in run[phase]["problems"]]


def write(results: Json, page: Path = PAGE) -> None:
    """Put the tables between the marks of a page."""
    text = page.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{render(results)}\n\n{END}{after}", "utf-8")


def _figures(results: Json, limit: str) -> list[list[str]]:
    runs: list[Json] = results["runs"]
    one = next((run["flat out"]["actions a second"] for run in runs if _is(run, "postgresql", 1)), None)

    def row(name: str, goal: str, figure: Callable[[Json], str]) -> list[str]:
        return [name, goal, *map(figure, runs)]

    def times(phase: str, what: str) -> Callable[[Json], str]:
        return lambda run: "{p50} / {p99} / {max}".format(**run[phase][what])

    def shares(phase: str, what: str) -> Callable[[Json], str]:
        def figure(run: Json) -> str:
            found: Json = run[phase][what]
            return " / ".join(f"{found[who]:g}" if who in found else "–" for who in ("bots", "database", WIRE))

        return figure

    def ratio(run: Json) -> str:
        most: float = run["flat out"]["actions a second"]
        return f"{most:g}" + (f" ({most / one:.2f})" if one and run["kind"] == "postgresql" else "")

    def syncs(run: Json) -> str:
        traced = results["sqlite fsyncs an action"]
        found = run["steady"].get("fsyncs an action", traced if run["kind"] == "sqlite" else None)
        return "not measured" if found is None else f"{found:.2f}"

    def memory(run: Json) -> str:
        return "; ".join(" → ".join(map(str, at)) for at in zip(*run["memory"].values(), strict=True))

    def misses(run: Json) -> str:
        found, actions = run["lookups"], max(run["steady"]["actions"], 1)
        return " / ".join(f"{found.get(f'{what} miss', 0) / actions:.2f}" for what in ("game", "board"))

    def sound(run: Json) -> str:
        different = len(run["games stored otherwise than played"])
        return f"{different} / {run['panels wrong']} / {len(_met(run))} / {len(run['tracebacks'])}"

    return [
        row("actions carried out", "", lambda run: f"{run['steady']['actions']:,}"),
        row("acknowledgement p50 / p99 / max, ms", "p99 500, max 2,500", times("steady", "acknowledgement")),
        row("suggestions p50 / p99 / max, ms", "max 2,500", times("steady", "suggestions")),
        row("private answer p50 / p99 / max, ms", "", times("steady", "private answer")),
        row("picture p50 / p99 / max, ms", "", times("steady", "picture")),
        row("unanswered of interactions", "0", _unanswered("steady")),
        row("burst: acknowledgement p50 / p99 / max, ms", "max 2,500", times("burst", "acknowledgement")),
        row("burst: picture p50 / p99 / max, ms", "", times("burst", "picture")),
        row("burst: unanswered of interactions", "0", _unanswered("burst")),
        row("as fast as it goes: actions a second (times one process)", "2 processes: 1.6", ratio),
        row("as fast as it goes: acknowledgement p50 / p99 / max, ms", "", times("flat out", "acknowledgement")),
        row(f"as fast as it goes: cores used by {WHO}", "", shares("flat out", "cores used")),
        row(f"processor ms for an action: {WHO}", "", shares("steady", "processor ms an action")),
        row(f"cores used by {WHO}", "", shares("steady", "cores used")),
        row("MiB of each process: start → middle → end → after all", "512, flat", memory),
        row("fsyncs for an action", "", syncs),
        row("event loop late, p99 at most, ms", "", lambda run: f"{run['event loop late, p99 at most, ms']}"),
        row(f"for an action: games replayed / bands of {BAND} rows drawn", "", misses),
        row("requests for an action that count for 50/s", "1.0", _counted),
        row(f"such requests in the busiest second ({limit})", "50", _busiest),
        row("begun later than the rate asks for, at most, ms", "", lambda run: f"{run['steady']['driver behind']}"),
        row("games stored wrong / panels wrong / problems / tracebacks", "0 / 0 / 0 / 0", sound),
    ]


WIRE = "wire server and driver"
WHO = "bots / database / wire server and driver"


def _is(run: Json, kind: str, processes: int) -> bool:
    return bool(run["kind"] == kind and run["processes"] == processes)


def _unanswered(phase: str) -> Callable[[Json], str]:
    return lambda run: f"{sum(run[phase]['unanswered'].values())} of {run[phase]['interactions']:,}"


def _counted(run: Json) -> str:
    return f"{run['steady']['counted requests an action']:.2f}"


def _busiest(run: Json) -> str:
    return f"{run['steady']['counted requests in the busiest second']}"


def _start(found: Json) -> list[str]:
    cost = found["cost"]
    store = STORES[found["kind"]]
    sizes = [f"{cost['whole'] / 1e6:.0f}", f"{cost['running'] / 1e3:.1f}" if cost["running"] else "–"]
    sizes.append(f"{cost['finished'] / 1e3:.1f}" if cost["finished"] else "–")
    times = [f"{found['acknowledged']:.2f}", f"{found['answered']:.2f}", f"{found['memory']}"]
    return [store, f"{found['running']:,}", f"{found['finished']:,}", *sizes, *times]


def _table(head: Sequence[str], rows: Any) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
