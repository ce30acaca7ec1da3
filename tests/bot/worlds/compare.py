"""Compares two worlds that differ in a secret: all others must see the same in both."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from engine.config import Config
from tests.bot.worlds.plans import Told, Twins
from tests.bot.worlds.probes import look, meddle
from tests.bot.worlds.stage import Begins, Stage, Theatre


class Act(Protocol):
    """What happens on a stage, named for the secret that it is about. Its result must be the same in both worlds."""

    __name__: str

    def __call__(self, stage: Stage, twins: Twins, /) -> Awaitable[object]: ...


INTERRUPT: dict[str, Any] = {"variants": ("knight-interrupt",)}


async def compare(
    theatre: Theatre, plan: Callable[[Config], Twins], *acts: Act, players: int = 4, **options: Any
) -> list[dict[int | None, list[object]]]:
    """Stage both worlds, and let one act after the other happen there; each is about a secret. People who hide nothing
    and readers of the process's log must see the same in both; if not, the failure names the first act that they learn
    of.

    Returns what each seat saw, by world; None is an onlooker.
    """
    seen: list[dict[int | None, list[object]]] = []
    logs, results = [], list[dict[str, object]]()
    twins: Twins | None = None
    for world in (0, 1):
        chance = Told()
        async with theatre.stage(world, chance, players + 1, **options) as stage:
            twins = twins or plan(await stage.config())
            chance.outcomes |= twins.chances[world].outcomes
            results.append({})
            for act in acts:
                stage.begin(act.__name__)
                results[-1][act.__name__] = await act(stage, twins)
            seen.append({seat: await stage.seen(seat) for seat in (None, *range(players))})
        logs.append(stage.log())
    assert twins is not None
    for seat in twins.outsiders:
        same(f"Seat {seat}", seen[0][seat], seen[1][seat])
    same("The log", logs[0], logs[1])
    for name, result in results[0].items():
        assert result == results[1][name], f"{name} results in something else"
    return seen


def same(who: str, here: list[Any], there: list[Any]) -> None:
    """Check that both lists are equal. Fails with the first difference."""
    assert len(here) > 15
    about = Begins("nothing")
    for at, (one, other) in enumerate(zip(here, there, strict=False)):
        assert one == other, f"{who} sees a difference in item {at}, when it is about {about.secret}"
        about = one if isinstance(one, Begins) else about
    assert len(here) == len(there), f"{who} sees {len(here)} things here and {len(there)} there"


async def probe(stage: Stage, twins: Twins, most: int = 2) -> list[object]:
    """Have some outsiders, an onlooker first, look at everything and try what isn't their business now. What no one
    can do who doesn't play, the onlooker tries only the first time."""
    answers: list[object] = []
    for seat in twins.outsiders[:most]:
        tries = seat is not None or not stage.is_probed
        answers.append(await look(stage, seat, suggested=tries))
        if tries and seat not in (await stage.hall.game()).to_act:
            await meddle(stage, seat)
    stage.is_probed = True
    return answers


async def as_planned(stage: Stage, twins: Twins) -> None:
    """What all know: the steps of the plan."""
    await stage.past(twins.steps)
