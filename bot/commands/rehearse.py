"""`harbormaster rehearse`: tries out what the real Discord does, step by step, with the host's help."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from bot.commands import Command
from bot.commands.shared import add_json, at_least, print_json, settings_of
from bot.rehearsal.findings import OK, StepResult
from bot.rehearsal.play import rehearse
from bot.settings import NotNow


class Rehearse(Command):
    DETAILS = """\
Set DISCORD_TOKEN, add the bot to a server of your own, and stop `harbormaster run`. To get a channel's ID, switch on
Advanced > Developer Mode in Discord's settings, then right-click the channel > Copy Channel ID.

It registers commands in that server alone, posts and edits messages with pictures, opens threads and a direct
message, and asks you to press some buttons. At the end, and also when you stop it, it removes all of that.

A line begins with "ok", "differs" for what isn't as expected, "failed" for what Discord refuses, or "skipped". The
output holds no token. docs/first-day.md explains each step.

exit status:
  0  all is as expected
  1  something isn't, was skipped, or Discord can't be reached
  2  the token or another setting must be fixed"""

    def options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--channel", metavar="ID", type=int, required=True, help="a text channel of that server")
        parser.add_argument("--within", metavar="SECONDS", type=float, default=120.0, help="time for each press (120)")
        parser.add_argument(
            "--turns",
            metavar="N",
            type=at_least(1),
            default=85,
            help="how many turns the replay has (85, like most games)",
        )
        add_json(parser)

    def run(self, arguments: Namespace) -> int:
        findings: list[StepResult] = []

        def say(words: str) -> None:
            print(f"         >> {words}", file=sys.stderr if arguments.json else sys.stdout, flush=True)

        def tell(finding: StepResult) -> None:
            findings.append(finding)
            if not arguments.json:
                print(finding.line(), flush=True)

        settings = settings_of(arguments)
        try:
            good = rehearse(settings, arguments.channel, arguments.within, max(arguments.turns, 2), say, tell)
        except NotNow as error:
            print(f"harbormaster: {error}", file=sys.stderr)
            return 1
        if arguments.json:
            print_json(
                ok=good,
                steps=[{**asdict(one), "seen": {k: _plain(v) for k, v in one.seen.items()}} for one in findings],
            )
            return 0 if good else 1
        wrong = [finding.step for finding in findings if finding.state != OK]
        print(f"Not as expected: {', '.join(wrong)}." if wrong else "All as expected.")
        return 0 if good else 1


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | list | None) else str(value)
