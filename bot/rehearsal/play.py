"""Goes through the steps, reports each, and removes everything again, whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
from collections.abc import Callable, Iterable, Sequence

import discord

from bot.discord import connecting
from bot.discord.client import limit_requests
from bot.discord.show.channels import FAILED as NO_ANSWER
from bot.rehearsal.findings import DIFFERS, DOCS_PAGE, FAILED, OK, SKIPPED, Refused, Seen, StepResult, faults
from bot.rehearsal.stage import Listener, NotNeeded, Skip, Stage, Stopped, sample_pictures
from bot.rehearsal.steps import AWAY, STEPS, Step
from bot.settings import NotNow, Settings, SettingsError
from bot.words.marks import listing

MEANINGS = {
    20026: "Discord has flagged the bot as a sender of spam.",
    10062: "The answer came too late: is this machine's line slow?",
    30034: "Too many commands were made today.",
    50240: "Activities are switched on in the developer portal: switch them off.",
    40003: "Direct messages are being opened too fast.",
    40060: "Something else has answered: does Harbormaster run elsewhere?",
    50001: "Harbormaster can't see it.",
    50007: "You take no direct messages from this server.",
    50013: "Harbormaster lacks a permission.",
    50278: "You share no server with the bot.",
    160006: "The server has as many open threads as it can.",
}
"""What Discord's error codes mean for the host."""
LACKING = (50001, 50013)
"""Codes that say that a permission is missing, without saying which."""
CODE = re.compile(r"\b\d{5,6}\b")


def rehearse(
    settings: Settings,
    channel: int,
    within: float,
    turns: int,
    say: Callable[[str], None],
    tell: Callable[[StepResult], None],
) -> bool:
    """Try all steps in a channel. Returns whether all is as expected. `say` tells the host what to do, `tell` reports a
    finding.

    :raises SettingsError: for a token that Discord refuses.
    """
    connecting.aim(settings)
    try:
        return asyncio.run(_rehearse(settings.require_token(), channel, within, turns, say, tell))
    except asyncio.CancelledError:
        return False
    except discord.LoginFailure:
        raise SettingsError("Discord refuses the token: copy it again from the developer portal.") from None


async def _rehearse(
    token: str, channel: int, within: float, turns: int, say: Callable[[str], None], tell: Callable[[StepResult], None]
) -> bool:
    task, loop, client = asyncio.current_task(), asyncio.get_running_loop(), Listener()
    assert task is not None

    def stop() -> None:
        if client.stopped:  # the second time, stop immediately
            task.cancel()
        client.stop()

    with contextlib.suppress(NotImplementedError):  # Windows
        loop.add_signal_handler(signal.SIGINT, stop)
        loop.add_signal_handler(signal.SIGTERM, stop)
    stage = Stage(client, channel, within, turns, say)
    findings: list[StepResult] = []

    def note(finding: StepResult) -> None:
        findings.append(finding)
        tell(finding)

    connecting: asyncio.Task[None] | None = None
    try:
        try:
            await client.login(token)
        except discord.LoginFailure:
            raise
        except NO_ANSWER as error:
            raise NotNow(f"Discord can't be reached ({error}).") from None
        limit_requests(client)
        stage.pictures = await asyncio.to_thread(lambda: list(sample_pictures()))
        connecting = asyncio.create_task(client.connect())
        done: set[str] = set()
        for step in STEPS:
            client.go_on()
            lacking = [name for name in step.needs if name not in done]
            finding = _skipped(step, lacking) if lacking else await try_step(step, stage)
            note(finding)
            if finding.state in (OK, DIFFERS):
                done.add(step.name)
    except (Stopped, asyncio.CancelledError):
        note(StepResult("stopped", SKIPPED, "Stopped from outside.", {}, ("the rest",)))
    finally:
        if stage.pictures:
            note(await try_step(AWAY, stage))
        if connecting is not None:
            connecting.cancel()
        await client.close()
        if connecting is not None:
            await asyncio.gather(connecting, return_exceptions=True)
    return all(finding.state == OK for finding in findings)


def _skipped(step: Step, lacking: Sequence[str]) -> StepResult:
    return StepResult(step.name, SKIPPED, step.done, {}, (f"it needs {' and '.join(lacking)}",))


async def try_step(step: Step, stage: Stage) -> StepResult:
    """Try a step and return its finding."""
    seen: Seen = {}
    see = f"{DOCS_PAGE}#{step.name}"
    try:
        await step.run(stage, seen)
    except Skip as reason:
        return StepResult(step.name, SKIPPED, step.done, seen, (str(reason),))
    except NotNeeded as reason:
        return StepResult(step.name, OK, f"{step.done} Not tried:", seen, (str(reason),))
    except Refused as refused:
        means = _meaning(stage, [refused.answer.code]) or step.means
        return StepResult(step.name, FAILED, step.done, seen, (f"Discord refuses: {refused}",), means, see)
    except NO_ANSWER as error:
        wrong = [f"no answer from Discord: {error or type(error).__name__}"]
        return StepResult(step.name, FAILED, step.done, seen, wrong, step.means, see)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        wrong = [f"its answer lacks what is read of it: {type(error).__name__} {error}"]
        return StepResult(step.name, FAILED, step.done, seen, wrong, step.means, see)
    if not (wrong := faults(seen, step.expected)):
        return StepResult(step.name, OK, step.done, seen, see=see)
    codes = (int(code) for code in CODE.findall("; ".join(wrong)))
    return StepResult(step.name, DIFFERS, step.done, seen, wrong, _meaning(stage, codes) or step.means, see)


def _meaning(stage: Stage, codes: Iterable[int]) -> str:
    """What the first of Discord's codes that is known means, with the permissions that are missing; empty: nothing."""
    code = next((code for code in codes if code in MEANINGS), 0)
    if code in LACKING and stage.lacking:
        return f"Harbormaster lacks {listing(stage.lacking)}. Give it that in this channel."
    return MEANINGS.get(code, "")
