"""What games send to Discord and a rehearsal doesn't: `python -m tests.wire.cover [SEED]` lists it, a line each.

A game is played at the stand-in, and everything is opened that people can open in it. Of each request the shape counts:
what kind it is, and which kinds of parts it has.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.actions import AcceptOffer, MakeOffer
from engine.resources import single
from tests.wire.calls import Interaction, Request
from tests.wire.commands import STRING, USER
from tests.wire.described import route_of
from tests.wire.forms import set_options
from tests.wire.limits import BUTTON, SELECT, SELECTS
from tests.wire.messages import EPHEMERAL, SILENT, V2, Message, live
from tests.wire.model import Json
from tests.wire.openings import end
from tests.wire.party import Party, Person, party
from tests.wire.places import DM, FORUM, NEWS_THREAD, PRIVATE, SPOKEN, THREAD, Channel
from tests.wire.server import WireServer
from tests.wire.stagehand import rehearsal
from tests.wire.world import World

PARTS = {
    1: "row",
    2: "button",
    3: "list",
    4: "typed words",
    6: "list of roles",
    8: "list of channels",
    9: "section",
    10: "text",
    12: "pictures",
    13: "file",
    14: "line",
    17: "box",
    18: "label",
    21: "radio buttons",
    22: "checkboxes",
    23: "checkbox",
}
STYLES = {1: "blue", 2: "gray", 3: "green", 4: "red", 5: "link"}
ROLES, CHANNELS = 6, 8
"""Types of lists that Discord fills itself."""
PLACES = {DM: "a direct message", THREAD: "a thread", NEWS_THREAD: "a thread", PRIVATE: "a private thread"}
TURNS = 45
"""Actions that are played."""
AGAIN = 8
"""Actions in a game with hands by direct message."""
DEPTH = 2
"""How many buttons are pressed one after another, beginning with a command."""
ENDING = (
    "learn",
    "rematch",
    "resign",
    "cancel",
    "leave",
    "forget",
    "call_off",
    "close_lobby",
    "handover",
    "substitute",
)
"""Verbs and commands that would end the tour, or change who plays."""


# --- shapes


Places = dict[int, Channel]
"""Channels by id, also those that were deleted."""


def places_of(world: World) -> Places:
    """A world's channels, to which new ones are added."""
    known, drop = Places(), world.drop

    def dropped(channel: Channel) -> None:
        known.update(world.channels)
        drop(channel)

    world.drop = dropped  # type: ignore[method-assign]
    return known


def shapes(places: Places, requests: Iterable[Request]) -> set[str]:
    """The shapes of all requests that Discord accepted."""
    return {shape for request in requests if request.accepted for shape in _shapes(places, request)}


def _shapes(places: Places, request: Request) -> Iterator[str]:
    way, body = _way(places, request), request.json
    yield way
    if isinstance(body, list) or (isinstance(body, dict) and "options" in body and "name" in body):
        commands = body if isinstance(body, list) else [body]
        yield from (f"command: {shape}" for command in commands for shape in _command(command))
        return
    if not isinstance(body, dict):
        return
    data = (body.get("data") or {}) if "/callback" in request.path else body
    if "title" in data:
        yield from (f"form: {shape}" for shape in _components(data["components"]))
    elif way.startswith(("post", "edit", "first", "answer")):
        yield from (f"{way}: {feature}" for feature in _features(data, request, edits=way.startswith("edit")))
        yield from _components(data.get("components") or [])


def _way(places: Places, request: Request) -> str:
    """What a request does, and where."""
    method, path = request.method, request.path
    if path.endswith("/callback"):
        return f"first answer of type {request.json['type']}"
    if path.startswith("/webhooks/"):
        verb = {"POST": "answer by token", "PATCH": "edit by token", "DELETE": "delete by token"}[method]
        return f"{verb}, {'private' if _is_private(request) else 'public'}"
    if found := re.fullmatch(r"/channels/(\d+)/messages(/\d+)?", path):
        place = places.get(int(found[1]))
        does = {"POST": "post", "PATCH": "edit", "DELETE": "delete"}.get(method)
        return f"{does} in {_place(place)}" if does else f"{method} /channels/…/messages{'/…' if found[2] else ''}"
    route = re.sub(r"\{[a-z_]+\}", "…", route_of(method, path) or f"{method} {path}")
    return route.replace("/guilds/…/commands", "/commands")  # a rehearsal registers commands in one server alone


def _place(channel: Channel | None) -> str:
    if channel is None:
        return "a channel"
    return PLACES.get(channel.kind, "a voice channel" if channel.kind in SPOKEN else "a channel")


def _is_private(request: Request) -> bool:
    """Whether a request by an interaction's token is about a message that only one person sees."""
    it = request.interaction
    if request.method == "POST":
        return bool((request.json.get("flags") or 0) & EPHEMERAL)
    if it is None:
        return False
    number = request.path.rpartition("/")[2]
    original = it.response or it.source
    message = original if number == "@original" else next((m for m in it.followups if str(m.id) == number), original)
    return message is not None and message.only_for is not None


def _features(body: Json, request: Request, *, edits: bool) -> Iterator[str]:
    flags = body.get("flags") or 0
    if body.get("content"):
        yield "words" if not body.get("components") else "words with buttons below"
    if flags & V2 or (edits and body.get("components")):
        yield "components"
    if not edits and not flags & EPHEMERAL:
        yield "silent" if flags & SILENT else "loud"
    if (body.get("allowed_mentions") or {}).get("users"):
        yield "names someone"
    if request.files:
        yield "new files"
    kept = [one for one in body.get("attachments") or [] if int(one["id"]) >= len(request.files) and "id" in one]
    if edits and kept:
        yield "keeps a file"
    if any(one.get("description") for one in body.get("attachments") or []):
        yield "alternative text"
    if body.get("nonce"):
        yield "nonce"


def _components(components: Iterable[Json], above: str = "") -> Iterator[str]:
    """Kinds of components, each with the ones around it."""
    for part in components:
        name = f"{above}{PARTS.get(part['type'], part['type'])}"
        yield name
        yield from (f"{name}: {detail}" for detail in _details(part))
        inner = [*part.get("components", []), *filter(None, (part.get("accessory"), part.get("component")))]
        yield from _components(inner, f"{name} > ")


def _details(part: Json) -> Iterator[str]:
    if part["type"] == BUTTON:
        yield STYLES[part["style"]]
        yield _emoji(part.get("emoji"))
    if part["type"] in SELECTS:
        for option in part.get("options") or ():
            yield f"options with {_emoji(option.get('emoji'))}"
            yield from ("options with a description" for _ in filter(None, [option.get("description")]))
            yield from ("a chosen option" for _ in filter(None, [option.get("default")]))
        yield from ("several" for _ in range((part.get("max_values") or 1) > 1))
        yield from ("chosen before" for _ in range(bool(part.get("default_values"))))
    if any(item.get("description") for item in part.get("items") or ()):
        yield "alternative text"


def _emoji(emoji: Json | None) -> str:
    return "no emoji" if not emoji else "an emoji of the bot's own" if emoji.get("id") else "an emoji"


def _command(command: Json) -> Iterator[str]:
    yield f"type {command.get('type', 1)}"
    for option in command.get("options") or ():
        yield f"option of type {option['type']}"
        yield from (name for name in ("choices", "autocomplete", "min_value", "max_value") if option.get(name))
        yield from _command({"type": 1, "options": option.get("options")}) if option.get("options") else ()


# --- what people do


class Tour:
    """People who play a while, and open everything that can be opened."""

    def __init__(self, table: Party) -> None:
        self.table, self.wire = table, table.wire
        self.seen = set[str]()

    async def go(self) -> None:
        """The whole tour."""
        table = self.table
        host, bob, *_others = table.people
        await table.gather()
        await self.explore(host, await host.slash(table.channel, "game join"), DEPTH)
        await set_options(table, rooms=True, target=20)
        for person, label in ((bob, "Color"), (host, "Lucky words"), (host, "Start")):
            await self.press(person, await table.panel(), label)
        await table.settled(1)
        for n in range(TURNS):
            await table.step()
            if n % 15 == 14:
                await self.offer()
                await self.commands(table.people[n % len(table.people)])
                await table.settled()  # what was pressed last can have ended a turn
        await end(table)  # no attempt: in a game that goes on, the host's commands would pause it for good
        await self.wire.settled(1.0, 60.0)
        await self.commands(host)
        await table.rematch(rooms=False)
        for _ in range(AGAIN):
            await table.step()
        await self.elsewhere()
        await self.manage()

    async def elsewhere(self) -> None:
        """Games in a thread and in a voice channel, and a first game; a person's menu."""
        table, world = self.table, self.wire.world
        host, bob, cat = table.people
        voice = Channel(world.ids(), "voice", guild=world.home, type=SPOKEN[0])
        world.channels[voice.id] = voice
        await self.attempt(bob.slash(voice, "game new", check=False))
        await self.attempt(cat.slash(world.dock, "game new", check=False, thread=True))
        await self.attempt(host.slash(world.tavern, "game learn", check=False))
        for name in ("Offer a trade", "Profile"):
            await self.attempt(table.done(host.human.use_on(bob.human, name)))

    async def manage(self) -> None:
        """A server's settings, its list of games, and a game in a post."""
        world, host = self.wire.world, self.table.people[0]
        forum = Channel(world.ids(), "forum", guild=world.home, type=FORUM)
        world.channels[forum.id] = forum
        page = (await host.slash(world.dock, "server")).messages[0]
        await self.press(host, page, "List all games in this channel")
        for select in [c for c in page.interactive if c["type"] in (SELECT, ROLES, CHANNELS)]:
            value = str(world.home.of_bot.id if select["type"] == ROLES else forum.id)
            await self.attempt(host.select(page, [value], custom_id=select["custom_id"]))
        await self.attempt(host.slash(world.dock, "game new", check=False, thread=True))
        await self.wire.settled(0.5)

    async def offer(self) -> None:
        """Make an offer, if the game is where one can be made, and accept it."""
        table, game = self.table, await self.table.game()
        view = game.view(None)
        if view.step.kind != "main" or view.on_turn is None or not any(hand := game.state.hands[view.on_turn]):
            return
        give = next(kind for kind, n in enumerate(hand) if n)
        maker, number = await table.person(view.on_turn), game.state.next_offer
        await self.attempt(table.do(maker, MakeOffer(single(give), single((give + 1) % 5))))
        for person in table.people:
            await self.attempt(table.do(person, AcceptOffer(number)))

    async def commands(self, person: Person) -> None:
        """Use each command that needs nothing more, and what its answer offers."""
        for command in self.wire.world.commands[0]:
            for path, options in _leaves(command):
                if path.rpartition(" ")[2] in ENDING or path == "game new":
                    continue
                values = {o["name"]: _value(self.table, o) for o in options if o.get("required")}
                if all(value is not None for value in values.values()):
                    it = await self.attempt(person.slash(self.table.channel, path, check=False, **values))
                    await self.explore(person, it, DEPTH)

    async def explore(self, person: Person, it: Interaction | None, depth: int) -> None:
        """Press each kind of button, and choose in each kind of list, in an interaction's private messages."""
        for message in it.messages if it is not None else ():
            for control in live(message.components) if message.only_for and not message.deleted else ():
                kind = re.sub(r"\d+", "0", ":".join(control["custom_id"].split(":")[:2]))
                if depth and kind not in self.seen and not any(word in kind for word in ENDING):
                    self.seen.add(kind)
                    await self.explore(person, await self.use(person, message, control), depth - 1)

    async def use(self, person: Person, message: Message, control: Json) -> Interaction | None:
        """Press a button, or choose the first option of a list; a form is sent as it is."""
        if control["type"] == BUTTON:
            return await self.press(person, message, control["custom_id"])
        if not control.get("options"):
            return None
        value = [control["options"][0]["value"]]
        return await self.attempt(person.select(message, value, custom_id=control["custom_id"]))

    async def press(self, person: Person, message: Message, label: str) -> Interaction | None:
        """Press a button. A form that opens is sent as it is."""
        it = await self.attempt(person.click(message, label=label))
        if it is not None and it.kind == 9:
            await self.attempt(person.submit_modal(it, {}))
        return it

    async def attempt(self, doing: object) -> Interaction | None:
        """What a person does, if their client lets them: much on the way is no longer possible by then."""
        with contextlib.suppress(LookupError, ValueError, AssertionError, StopIteration, TimeoutError):
            it: Interaction = await doing  # type: ignore[misc]
            return it
        return None


def _leaves(command: Json, above: str = "") -> Iterator[tuple[str, list[Json]]]:
    """The commands that can be typed, with their options."""
    if not above and command.get("type", 1) != 1:  # in a person's menu
        return
    path, options = f"{above}{command['name']}", command.get("options") or []
    inner = [option for option in options if option["type"] in (1, 2)]
    if not inner:
        yield path, options
    for option in inner:
        yield from _leaves(option, f"{path} ")


def _value(table: Party, option: Json) -> object:
    """A value for an option of a command; None: a person would have to look."""
    if option.get("choices"):
        return option["choices"][0]["value"]
    if option["type"] == USER:
        return table.people[-1]
    return "a1" if option["type"] == STRING else None


# --- the difference


async def sent_by_games(folder: Path, seed: int = 0) -> set[str]:
    """Shapes of what games send."""
    async with party(folder, seed, people=3) as table:
        places = places_of(table.wire.world)
        await Tour(table).go()
        return shapes(places | table.wire.world.channels, table.wire.requests)


async def sent_by_rehearsal(folder: Path) -> set[str]:
    """Shapes of what a rehearsal sends, in which a person helps."""
    async with WireServer() as wire:
        places, voice = places_of(wire.world), Channel(wire.world.ids(), "voice", guild=wire.world.home, type=SPOKEN[0])
        wire.world.channels[voice.id] = voice
        done = await rehearsal(wire, folder)
        assert done.status == 0, done.said
        return shapes(places | wire.world.channels, wire.requests)


async def missing(folder: Path, seed: int = 0) -> list[str]:
    """Shapes that games send and a rehearsal doesn't."""
    games = await sent_by_games(folder, seed)
    return sorted(games - await sent_by_rehearsal(folder))


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(missing(Path(folder), int((*sys.argv[1:], "0")[0])))
    print("\n".join(found) if found else "Nothing is missing.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
