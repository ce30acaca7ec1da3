"""People at a table: each has habits, looks at what is shown, and does something; and what they were told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable

from bot import languages
from bot.screens.play import CARD_ACTIONS
from bot.table.table import LOBBY, RUNNING
from engine.actions import AcceptOffer, Action, MakeOffer, PlayRoadBuilding
from engine.game import Game as Position
from engine.resources import covers
from tests.bot.playground import choose
from tests.sim.plan import DAY, Habit
from tests.sim.rest import OFTEN
from tests.sim.town import Game, Town
from tests.wire.calls import Interaction
from tests.wire.chaos import Told
from tests.wire.limits import BUTTON, INPUT, RADIOS, SELECT
from tests.wire.messages import Message, walk
from tests.wire.party import Person
from tests.wire.stored_game import StoredGame

CONFUSED = (TimeoutError, LookupError, AssertionError, AttributeError, ValueError)
"""What happens to people who find something else than they expected: no answer, an old message, a form that is gone."""
FORM = 9
LATEST = 15.0
"""Seconds within which answers are there in calm weather."""
IMPATIENT = 0.1
"""How often people who only wait for someone want a bot to play for them."""
CARDS = 0.5
"""How often people bring it about that a card is played while someone has accepted an offer."""
TRIES = 20
"""Offers that they think of."""
PATIENT = 0.9
"""How often they go on waiting for someone to accept."""
TYPED = ("", "1", "2 ore", "1 wool 1 grain", "22:00", "Berlin", "yes", "my own word", "5 minutes", "@everyone")
"""What people type. Instead of "my own word" each has words that no one else types."""
WORD = re.compile("own word of [A-Z][a-z]+ [0-9]+")
"""What such words look like."""
PAGES = (
    "hand",
    "board",
    "stats",
    "catchup",
    "games",
    "settings",
    "help",
    "auto",
    "game timer",
    "game verify",
    "game log",
)


class Player:
    """A person at a table."""

    def __init__(self, town: Town, game: Game, person: Person, habit: Habit) -> None:
        self.town, self.game, self.person, self.habit = town, game, person, habit
        self.rng = town.universe.chance(f"{game.number} {person.human.name}")
        self.was_told: Callable[[Player, Told, int], None] = lambda player, told, number: None
        """Called after each action that they did."""
        self.was_confused: Callable[[Player, float, Exception], None] = lambda player, began, error: None
        """Called when they didn't find what they needed, with when they began."""
        self._strayed = -DAY
        """When they last did something else than to play, whose late answer can replace what they need."""

    async def live(self) -> None:
        """Visit the table again and again, and soon if it is their turn."""
        while True:
            await self._stay_away()
            for _ in range(self.rng.randint(1, self.habit.stays)):
                await self._do(self._do_something)
            if self.town.plan.seconds >= DAY and self.rng.random() < OFTEN:
                await self._do(self._change_rest)

    async def _do(self, what: Callable[[], Awaitable[bool]]) -> None:
        """Do something after a moment, while people play. Who doesn't find what they need leaves it."""
        await asyncio.sleep(self.rng.expovariate(1 / self.habit.pause))
        await self.town.playing.wait()
        self.town.busy += 1
        began = self.town.universe.now
        try:
            done = await what()
            self.town.acts += done
        except CONFUSED as error:
            self.town.universe.log(f"{self.person.human.name} is confused: {type(error).__name__}")
            if began > self._strayed + LATEST and not isinstance(error, TimeoutError):  # which `Answers` looks at
                self.was_confused(self, began, error)
        finally:
            self.town.busy -= 1

    async def _change_rest(self) -> bool:
        self.town.universe.log(f"{self.person.human.name} changes when they rest")
        await self.town.rests.change(self.person, self.rng)
        return True

    async def _stay_away(self) -> None:
        """Wait for the next visit. Who is awaited comes in a fraction of the usual time."""
        until = self.town.universe.now + self.rng.expovariate(1 / self.habit.visits)
        while (left := until - self.town.universe.now) > 0:
            await asyncio.sleep(min(left, self.habit.visits / 8))
            stored = await self.game.played()
            seat = self._seat(stored)
            if seat is not None and self.rng.random() < 0.5:
                game = stored.game()
                if seat in game.to_act or AcceptOffer in game.options(seat):
                    return

    def _seat(self, stored: StoredGame) -> int | None:
        """Their seat in a game that goes on, if they have one."""
        if stored.table.status != RUNNING:
            return None
        game = stored.game()
        users = [stored.table.user_at(game, seat) for seat in range(game.config.players)]
        return users.index(self.person.id) if self.person.id in users else None

    async def _do_something(self) -> bool:
        """Do what they come for. False: they only wait for others."""
        stored, rng = await self.game.played(), self.rng
        if rng.random() < self.habit.attacks:
            await self._attack()
        elif rng.random() < self.habit.slips:
            await self._press_anything()
        elif stored.table.status != RUNNING:
            await self._go_on(stored)
        elif self.town.rests.is_away(self.person.id):
            return False
        elif (seat := self._seat(stored)) is None:
            await self._look()
        elif stored.table.member(self.person.id).level:
            await self.person.slash(self.game.channel, "seat back")
        elif (liked := self._likes(stored.game(), seat)) and rng.random() < CARDS:
            await self._play(self._liked(stored.game(), seat, rng.choice(liked)))
        elif liked == [] and rng.random() < PATIENT:
            return False
        elif seat in stored.game().to_act or (stored.game().options(seat) and rng.random() < 0.3):
            await self._play(choose(stored.game(), seat, rng))
        elif rng.random() < 0.2:
            await self._look()
        else:
            return rng.random() < IMPATIENT and await self._replace(stored)
        return True

    def _likes(self, game: Position, seat: int) -> list[type[Action]] | None:
        """What they like to do: offer something before they play a card, accept, and play it then. Nothing, while they
        wait for that; None: they have no such wish."""
        options, offers = game.options(seat), game.state.offers
        if not (cards := [kind for kind in CARD_ACTIONS if kind in options]):
            return [kind for kind in (AcceptOffer,) if kind in options] or None
        if any(offer.accepted for offer in offers if offer.seat == seat):
            return [PlayRoadBuilding] if PlayRoadBuilding in cards else cards
        return [] if offers else [kind for kind in (MakeOffer,) if kind in options] or None

    def _liked(self, game: Position, seat: int, kind: type[Action]) -> Action:
        """One of those actions: an offer that someone else can accept, if they find one."""
        action = game.options(seat)[kind].sample(self.rng)
        hands = [hand for other, hand in enumerate(game.state.hands) if other != seat]
        for _ in range(TRIES):
            if not isinstance(action, MakeOffer) or any(covers(hand, action.want) for hand in hands):
                break
            action = game.options(seat)[kind].sample(self.rng)
        return action

    async def _replace(self, stored: StoredGame) -> bool:
        """Have a bot play for one of those whom the game waits for. False: there is none."""
        game = stored.game()
        if not (awaited := [one for seat in game.to_act if not (one := stored.table.member_at(game, seat)).level]):
            return False
        self.town.universe.log(f"{self.person.human.name} wants a bot to play for {awaited[0].name}")
        await self.person.slash(self.game.channel, "seat bot", check=False, player=awaited[0].name)
        return True

    async def _go_on(self, stored: StoredGame) -> None:
        """Begin another game."""
        panels = self.game.panels()
        say = languages.resolve(stored.table.options.language).gettext
        labels = [say("Start"), say("Join")] if stored.table.status == LOBBY else [say("Rematch")]
        live = [c.get("label") for c in panels[-1].interactive] if panels else []
        if label := next((label for label in labels if label in live and self.rng.random() < 0.6), None):
            self.town.universe.log(f"{self.person.human.name} presses {label}")
            await self.person.click(panels[-1], label=label)
        elif not panels:
            await self.person.human.slash(
                "game new" if stored.table.status != LOBBY else "board", channel=self.game.channel
            )

    async def _attack(self) -> None:
        """Send what no client sends."""
        self._strayed = self.town.universe.now
        forger, world = self.town.forger, self.town.wire.world
        private = [message for message in world.messages.values() if message.only_for and not message.deleted]
        for message in (*self.game.panels()[-1:], *private[-5:]):
            forger.learn(message)
        for it in [*world.interactions.values()][-40:]:
            forger.learn(modal=it.data if it.kind == FORM else None)
        forged = forger.forge()
        human, source = self.person.human, forged.source
        if source is not None and source.only_for not in (None, human):
            source = None  # whatever a client sends, Discord lets no one press what only another sees
        self.town.universe.log(f"{human.name} attacks with a {forged.name}")
        await human.raw(forged.type, forged.data, channel=self.game.channel, source=source, wait=False)

    async def _play(self, action: Action) -> None:
        if not self.game.panels():  # a manager has deleted it
            await self.person.human.slash("board", channel=self.game.channel)
            return
        assert self.game.last_read is not None
        record, number = self.game.last_read.revision, self.game.last_read.table.number
        self.town.universe.log(f"{self.person.human.name} wants {action.name}")
        it = await self.game.do(self.person, action)
        self.was_told(self, Told(it, action, record), number)

    async def _look(self) -> None:
        self._strayed = self.town.universe.now
        await self.person.human.slash(self.rng.choice(PAGES), channel=self.game.channel)

    async def _press_anything(self) -> None:
        self._strayed = self.town.universe.now
        world, human = self.town.wire.world, self.person.human
        written = world.dm(human) if human.id in world.direct.opened else None
        messages = [m for m in world.messages.values() if not m.deleted]
        mine = [m for m in messages if m.only_for is human][-3:]
        mine += [m for m in messages if m.channel is written][-2:]
        shown = [*mine, *self.game.panels()[-1:]]
        controls = [(m, c) for m in shown for c in m.interactive if c["type"] in (BUTTON, SELECT)]
        if controls:
            await self._press(*self.rng.choice(controls))

    async def _press(self, message: Message, control: dict[str, object]) -> Interaction:
        twice = self.rng.random() < self.habit.doubles
        which = str(control["custom_id"])
        self.town.universe.log(f"{self.person.human.name} presses {which}{' twice' if twice else ''}")
        if control["type"] == BUTTON:
            it = await self.person.human.click(message, which, twice=twice)
            return await self._fill_in(it) if it.kind == FORM else it
        options: list[dict[str, str]] = control["options"]  # type: ignore[assignment]
        least = max(int(control.get("min_values", 1)), 1)  # type: ignore[call-overload]
        values = [option["value"] for option in self.rng.sample(options, least)]
        return await self.person.human.select(message, which, values, twice=twice)

    def _typed(self) -> str:
        text = self.rng.choice(TYPED)
        return f"own word of {self.person.human.name} {self.town.acts}" if text == "my own word" else text

    async def _fill_in(self, form: Interaction) -> Interaction:
        """Send a form with whatever fits into its fields."""
        values: dict[str, object] = {}
        for field in (c for c in walk(form.data["components"]) if "custom_id" in c):
            if self.rng.random() < 0.5:
                continue
            if "options" in field:
                given = [option["value"] for option in field["options"]]
                least = max(int(field.get("min_values", 1)), 1)
                chosen = self.rng.sample(given, min(least, len(given)))
                values[field["custom_id"]] = chosen[0] if field["type"] == RADIOS else chosen
            elif field["type"] == INPUT:
                values[field["custom_id"]] = self._typed()[: int(field.get("max_length", 4000))]
        return await self.person.human.submit_modal(form, values)
