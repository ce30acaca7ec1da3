"""Why something can't be done, in words: any refusal as a sentence, and the sentences of service, screens and front by
key. The engine's are next to its rules."""

from __future__ import annotations

from collections.abc import Sequence

from bot.plaintext import CardsWithSigns, Span, TypedText
from bot.words import times
from bot.words.language import N_, NN_, _, enumeration, n_, quoted, within
from bot.words.marks import cards, hex_text, listing, resource
from engine import errors
from engine.errors import RefereeError
from engine.refusals import CardList, Hex, Listed, Player, Players, Resource, Word, Words
from engine.views import View


def refusal_sentence(error: RefereeError, view: View | None = None, names: Sequence[str] = ()) -> str:
    """A refusal's sentence, with the players by name if the names are known."""
    message = REASONS.get(error.key) or errors.SENTENCES.get(error.key)
    if message is None:
        return str(error)
    one, many = (message, message) if isinstance(message, str) else message
    values = {name: _in_words(value, view, names) for name, value in error.params.items()}
    n = error.params.get("n")
    return n_(one, many, n, **values) if one != many and isinstance(n, int) else _(many, **values)


def known_code(error: RefereeError) -> str:
    """The refusal's code if it has a sentence here, else "other": a metric must carry nothing that was typed."""
    return error.code if error.key in REASONS or error.key in errors.SENTENCES else "other"


def _in_words(value: object, view: View | None, names: Sequence[str]) -> object:
    """A parameter in words."""
    match value:
        case CardList(hand):
            return cards(hand, signs=False)
        case Resource(kind):
            return resource(kind, sign=False)
        case Player(seat, color):
            return names[seat] if names else _(color)
        case Players(players, choice):
            return listing((str(_in_words(player, view, names)) for player in players), "or" if choice else "and")
        case Hex(at, name):
            return hex_text(view.board, at) if view else name
        case Listed(items, choice):
            return listing(items, "or" if choice else "and")
        case Words(words):
            return enumeration(map(_, words))
        case Word(text):
            return _(text)
        case TypedText(text, limit):
            return quoted(text, limit)
        case RefereeError():
            return within(refusal_sentence(value, view, names))
        case Span(seconds):
            return times.span(seconds)
        case CardsWithSigns(hand):
            return cards(hand) if any(hand) else _("none of it")
        case _:
            return value


# --- by key

REASONS: dict[str, str | tuple[str, str]] = {
    # --- finding a game
    "no-table": N_("There is no game {number} here."),
    "no-table/here": N_("There is no game in this channel; open a table with `/game new`."),
    "no-table/yours": N_("There is no game {number} in this channel or among yours."),
    "not-started": N_("Game {number} has not begun."),
    "not-archived": N_("Game {number} isn't archived."),
    "not-over/seed": N_("The game isn't over: until then the seed stays secret."),
    "no-server": N_("Ratings are per server: ask there."),
    "profile/bot": N_("Bots have no rating. Choose a person."),
    "profile/private": N_("They keep their games and rating private."),
    "no-counting": N_("This table plays without the card counting aid."),
    "rooms": N_("Private threads need a text channel, or a thread in one."),
    "forget/playing": N_(
        "You're playing in game {number}. Finish it, resign or give your seat away first. Then I can forget you."
    ),
    "forget/waiting": N_("You're at table {number}. Leave it first. Then I can forget you."),
    "forget/unreadable": N_(
        "All else is forgotten, but not what is in games that can't be read: {games}. The bot's host has been told."
    ),
    "archived": N_("This game is archived. Resume it with `/game resume`."),
    "damaged": N_(
        "Game {number} is unavailable: its data can't be read. The bot's host has been told. Nothing was changed."
    ),
    "newer": N_("Game {number} was changed by a newer version of me. Nothing is lost: please try again in a minute."),
    "damaged/file": N_(
        "This game is unavailable: its data can't be read. The bot's host has been told. Nothing was changed."
    ),
    # --- the lobby
    "no-channel": N_("A table needs a channel: use this on a server."),
    "hint-failed": N_("No hint came in time. Ask again."),
    "review-unknown": N_("I no longer know which moves in this game you made yourself, so I can't judge them."),
    "review-failed": N_("That took me too long. Ask again."),
    "no-replay": N_("Films are off here. `/game verify` gives a page that shows the game again."),
    "no-replay/running": N_("There is a film when the game is over."),
    "no-replay/soon": N_("The film is still being made. It will be posted in the game's channel."),
    "no-replay/wait": N_("I'm busy with another film. Try again {when}."),
    "no-replay/restart": N_("I was just updated: there is a film after my next restart."),
    "not-over/moves": N_("The game isn't over yet. I judge your moves after it."),
    "nothing-to-set": N_("There is nothing to choose there in this scenario."),
    "unseen-table": N_("You can't see that table's channel. Ask someone who manages this server."),
    "read-only/timeout": N_("You're in a timeout on that server. You can join its tables {when}."),
    "read-only/rules": N_("Accept the rules of that server first. Then you can join its tables."),
    "unseen-game": N_("Not everyone here can see that game's channel. Share it there."),
    "not-opened/managers": N_("Only people who manage this server can open tables here."),
    "not-opened/role": N_("Only people with the role {role} can open tables here."),
    "not-opened/here": N_("On this server, open tables in {channels}."),
    "not-opened/full": NN_(
        "This server allows only {n} open table. Join it, or wait until it's over.",
        "This server allows only {n} open tables. Join one, or wait until one is over.",
    ),
    "not-opened/yours": NN_(
        "You already host {n} open table here. Finish or cancel it first.",
        "You already host {n} open tables here. Finish or cancel one first.",
    ),
    "not-opened/pause": N_("You just opened a table. You can open the next one {when}."),
    "no-computers": N_("Bots aren't allowed on this server."),
    "no-computers/learn": N_("Bots aren't allowed on this server, so there are no first games against them."),
    "off-server": N_("Open `/settings` on the server whose new tables you want to hear of."),
    "unmentionable": N_(
        "I can't mention {role}: allow anyone to mention it in its settings, or give me the permission **Mention "
        "@everyone, @here, and All Roles**."
    ),
    "unmentionable/everyone": N_("I never mention everyone: choose a role for people who want to hear of new tables."),
    "not-manager/server": N_("Only people who manage this server can do that."),
    "not-here": N_("Only my commands are on this server, and I'm not. Someone who manages it can [add me]({link})."),
    "not-here/thread": N_("This thread is private, and I'm not in it. Mention me here first, then try again."),
    "no-channel/gone": N_("I can't work in game {number}'s channel anymore. Use `/game move` in another channel."),
    "channel-busy": N_(
        "Game {number} is using this channel. Use `/game move` in another channel to continue game {waiting} there."
    ),
    "channel-busy/lobby": N_(
        "Table {number} is waiting for players in this channel. Use the command in another channel or in a thread; "
        "`/game new thread:True` opens a table in its own thread."
    ),
    "channel-busy/running": N_(
        "Game {number} is being played in this channel. Use the command in another channel or in a thread; "
        "`/game new thread:True` opens a table in its own thread."
    ),
    "channel-busy/learn": N_(
        "Game {number} is using this channel. Use the command in another channel or in a thread; "
        "`/game learn thread:True` opens your game in its own thread."
    ),
    "full/kept": N_("The free seats are kept for {names}. Ask the host, or open a table of your own with `/game new`."),
    "not-invited": N_("Only people whom the host invited can join this table. Ask {host} for a seat."),
    "barred": N_("You aren't at this table, and can't join it for now."),
    "keep/typed": N_("Mention the people whom you want to keep seats for, like “@Ann @Bob”."),
    "keep/most": N_("Seats can be kept for at most {most} people."),
    "keep/not here": N_("Someone you chose isn't on this server, so no seat can be kept for them."),
    "keep/bot": N_("No seat can be kept for a bot. **Add a bot** seats one that plays here."),
    "keep/yourself": N_("You need no kept seat: name someone else."),
    "keep/seated": N_("{name} is already at this table."),
    "keep/full": NN_(
        "{scenario} has {most} seats, so only {n} can be kept. **Options** has larger scenarios.",
        "{scenario} has {most} seats, so at most {n} can be kept. **Options** has larger scenarios.",
    ),
    "keep/most here": NN_(
        "{scenario} has {most} seats, so only {n} can be kept.",
        "{scenario} has {most} seats, so at most {n} can be kept.",
    ),
    "keep/declined": N_("{name} has declined a seat at this table, so none can be kept for them again."),
    "not-kept": N_("No seat at this table is kept for you."),
    "not-kept/seated": N_("You're already at this table. **Leave** frees your seat."),
    "take-off/yourself": N_("To leave the table yourself, press **Leave**."),
    "take-off/gone": N_("They aren't at this table anymore."),
    "take-off/bot": N_("That's a bot: **Add a bot** shows the bots, with a button to remove one."),
    "take-off/last": N_("No one else is at this table: cancel it instead."),
    "let-back": N_("They aren't among the people who were taken off this table."),
    "new-host": N_("The host must be a person who plays at this table."),
    "full": N_("Table full ({players}). The host can choose a scenario for more players."),
    "full/most": N_("Table full ({players}). `/game new` opens your own in another channel."),
    "level": N_("There is no bot level {typed}. Choose from {possible}."),
    "no-computer": N_("There are no bots at this table."),
    "not-lobby/running": N_("Too late: the game has started."),
    "not-lobby/archived": N_("Too late: the game has started."),
    "not-lobby/join": N_("The game has started. `/seat take` asks the players for a bot's seat."),
    "not-lobby/leave": N_(
        "The game has started. `/seat bot` lets a bot play for you, `/seat give` gives your seat away, and "
        "`/game resign` leaves for good."
    ),
    "not-lobby/cancel": N_("The game has started. To end it early, use `/game end`."),
    "not-lobby/computer": N_("The game has started. `/seat bot` lets a bot play for someone who's away."),
    "not-lobby/over": N_("This game is over. Open a new one with `/game new`."),
    "not-lobby/cancelled": N_("This table was canceled. Open a new one with `/game new`."),
    "not-host": N_("Only the host, {host}, can do that."),
    "not-host/start": N_("Only the host can start (see **Options**)."),
    "absent": N_("{names} left this server and lost their place at the table. Start again to play without them."),
    "not-member": N_("You aren't at this table."),
    "not-playing/resigned": N_("You left this game. `/board` and `/game log` show how it goes on."),
    "not-member/phrase": N_("Join the table first. Then you can add lucky words."),
    "not-member/color": N_("Join the table first. Then you can choose a color."),
    "not-over/rematch": N_("This game isn't over yet. A rematch comes after it."),
    "phrase": N_("Lucky words are one line of at most {most} characters."),
    "phrase/unseen": N_("Lucky words need something that can be seen: type a word or a number."),
    "color": N_("{typed} isn't a color here. Choose from {possible}."),
    "color-taken": N_("{name} already has {color}. Free: {free}."),
    "option/web": N_("This server doesn't allow that for “{option}”: open the options again."),
    "option/language": N_("I don't speak that language: open this again to see which ones I do."),
    "option/choice": N_("“{option}” has changed: open the options again."),
    "fixed": N_("Only people who manage this server or channel can change “{option}”."),
    "no-commitment": N_("Still setting up: try again in a moment."),
    "restless": N_("Someone keeps changing something at this table. Press **Start** again once that is over."),
    "no-commitment/learn": N_(
        "The table in {channel} is open, but Discord is slow: press **Start** there in a moment."
    ),
    # --- playing
    "not-playing/onlooker": N_("You're not playing in this game."),
    "not-playing/resume": N_("Only players of this game can resume it."),
    "stale": N_("That button expired. Use the latest game message."),
    "repeated": N_("That's already done."),
    "wrong-turn/elsewhere": N_("It isn't your turn."),
    "too-late/discard": N_("Everyone has discarded: you can't undo it anymore."),
    "wrong-phase/no answer": N_("No one is asked to answer the robber now."),
    "not-now/settlement": N_("There is no legal place for a settlement now."),
    "not-now/city": N_("There is no legal place for a city now."),
    "not-now/road": N_("There is no legal place for a road now."),
    "not-now/bridge": N_("There is no legal place for a bridge now."),
    "not-now/way": N_("There is no legal place for a road now."),
    "not-now/yield": N_("There is no settlement to choose now."),
    "not-now/end": N_("The points can't be counted now."),
    "not-now/robber": N_("The robber can't be moved now."),
    "not-now/victim": N_("There is no one to steal from now."),
    "not-now/cards": N_("None of your cards can be played now."),
    "not-now/plenty": N_("You can't play Year of Plenty now."),
    "not-now/monopoly": N_("You can't play Monopoly now."),
    "not-now/bank": N_("You have too few cards of any one resource to trade with the bank. {rates}"),
    "no-such-card": N_("You have no dev cards."),
    "no-last-offer": N_("You have made no offer in this game yet."),
    "nobody-to-ask/repeat": N_("Everyone you made that offer to has left the game: {names}."),
    "nobody-to-ask/repeat on turn": N_(
        "You made that offer to {names}. In someone else's turn you can only trade with them."
    ),
    "no-such-offer/panel": N_("Offer {offer} is no longer open."),
    "not-yours/offer": N_("Only {name} can confirm offer {offer}."),
    "not-accepted/yet": N_("No one has accepted offer {offer} yet."),
    "unreadable/offer": N_("{typed} isn't the number of an offer, like 3."),
    "no-such-wish": N_("{name} is no longer looking for that."),
    "no-such-wish/not held": N_("You have nothing that {name} is looking for."),
    "no-wish": N_("You aren't looking for anything."),
    "wish/both": N_("Say what you're looking for, or use `cancel` alone."),
    "wish/no-want": N_("Say what you're looking for in `get`, like “1 ore”."),
    "wish/own-turn": N_("It's your turn: make an offer instead."),
    "wish/same-resource": N_("You can't give the resource you're looking for."),
    "wish/setup": N_("Wait until the first turn has started."),
    "unaffordable/short road": N_("A road costs {cost}; you have {held}."),
    "unaffordable/short bridge": N_("A bridge costs {cost}; you have {held}."),
    "unaffordable/short settlement": N_("A settlement costs {cost}; you have {held}."),
    "unaffordable/short city": N_("A city costs {cost}; you have {held}."),
    "obstacle/no road": N_("You have no roads left."),
    "obstacle/no bridge": N_("You have no roads left."),
    "obstacle/no settlement": N_("You have no settlements left."),
    "obstacle/no city": N_("You have no cities left."),
    "obstacle/no settlement to replace": N_("You have no settlement to upgrade."),
    "no-player": N_("No one in this game is called {typed}. The players are {players}."),
    "no-player/here": N_("{name} doesn't play in this game."),
    "several-players": N_("{typed} could be {choices}: choose from the list."),
    # --- what was typed and can't be read
    "unreadable/directions": N_(
        "That has more than two sides: write what you give, “for” and what you want, like “2 wool for 1 ore”."
    ),
    "unreadable/edge": N_("{text} isn't an edge of this board: they are called {first} to {last}."),
    "unreadable/ends": N_("No edge joins {text}: name an edge by its label, or by its two corners."),
    "unreadable/hex": N_("{text} isn't a hex of this board: they are called {first} to {last}."),
    "unreadable/huge": N_("{text} is too many: write it like “2 wool, 1 ore”."),
    "unreadable/intersection": N_("{text} isn't a corner of this board: they are called {first} to {last}."),
    "unreadable/letters": N_("{text} of what? Write it like “2 wool, 1 ore”."),
    "unreadable/no-cards": N_("No cards are named: write it like “2 wool, 1 ore”."),
    "unreadable/no-edge": N_("Name an edge: they are called {first} to {last}."),
    "unreadable/no-hex": N_("Name a hex: they are called {first} to {last}."),
    "unreadable/no-intersection": N_("Name a corner: they are called {first} to {last}."),
    "unreadable/no-give": N_("Say what you give for it, too, like “2 wool for 1 ore”."),
    "unreadable/no-want": N_("Say what you want for it, too, like “2 wool for 1 ore”."),
    "unreadable/number": N_("{number} of what? Write it like “2 wool, 1 ore”."),
    "unreadable/number-between": N_(
        "It isn't clear whether {number} counts {before} or {behind}: put a comma between the two."
    ),
    "unreadable/one-side": N_("Only one side of the trade goes here: write it like “2 wool, 1 ore”."),
    "unreadable/person": N_("Only cards go here, no players."),
    "unreadable/resource-name": N_(
        "{text} isn't a resource. They are brick, lumber, wool, grain and ore: write it like “2 wool, 1 ore”."
    ),
    "unreadable/resource-name, the rest": N_(
        "{text} isn't a resource (brick, lumber, wool, grain, ore). The rest I read as {rest}."
    ),
    "unreadable/or": N_("An offer can't say “or”: make two offers."),
    "unreadable/or, cards": N_(
        "{text} could also be {choices}: write that in full, or put a comma in place of {text}."
    ),
    "unreadable/said-twice": N_("You say twice what you want: say it once."),
    "unreadable/said-twice, give": N_("You say twice what you would give: say it once."),
    "unreadable/several": N_("{text} could be {choices}: write more of the word."),
    "unreadable/slip": N_("I don't know {text}: did you mean {meant}?"),
    "unreadable/slip, the rest": N_("I don't know {text} (did you mean {meant}?). The rest I read as {rest}."),
    "unreadable/too-many": N_("There are never more than {most} cards of a kind: write it like “2 wool, 1 ore”."),
    # --- an exported game that is wrong
    "wrong/commitment": N_("The fingerprint isn't that of the seed and the game, which is {due}."),
    "wrong/players": N_("The players aren't those of the configuration."),
    "wrong/config": N_("The configuration can't be played: {reason}."),
    "wrong/log": N_("The log doesn't fit the rules: {reason}."),
    "wrong/position": N_("The game ends in another position than the file says: {due}."),
    "wrong/seal": N_("The seal is not that of the contents, which is {due}: something was altered."),
    "wrong/record": N_("Record {number} has the number {found}: one is missing."),
    "wrong/order": N_(
        "Draw {ordinal} of {kind} in record {number} should be draw {due}: one is missing or out of order."
    ),
    "wrong/impossible": N_("Record {number} has an impossible draw: {reason}."),
    "wrong/draw": N_(
        "Draw {ordinal} of {kind} in record {number} says {result} of {n}: seed and lucky words give {due}."
    ),
    # --- the table
    "replaced": N_("A bot is playing for you. Take your seat back first: `/seat back`."),
    "not-replaced": N_("No bot is playing for you: your seat is yours."),
    "last-person": N_("You're the last human player: bots don't play alone."),
    "no-player/person": N_("A bot can only play for someone who is still in the game."),
    "no-player/replaced": N_("A bot is already playing for them."),
    "paused": N_("The game is paused. It resumes when a majority presses **Resume**, or uses `/game resume`."),
    "paused/already": N_("The game is already paused."),
    "not-paused": N_("The game isn't paused."),
    "no-proposal": N_("That proposal is gone."),
    "orders/no special building": N_("Nothing to pass on: this game has no building between turns."),
    "moved": N_("The game was just moved. You can move it again {when}."),
    "same-channel": N_("The game is already here."),
    "not-host/move": N_("Only the host, {host}, can move the game."),
    "hidden": N_("This channel is hidden from {names}. A game can only move to where all its players see it."),
    "hidden/most": N_(
        "This channel is hidden from {names}. More than half of the players must see where the game goes on."
    ),
    "other-server": N_("Game {number} belongs to another server. That only works there."),
    "no-thread": N_("I can't open a thread here: please give me **Create Public Threads**, or leave `thread` out."),
    "no-thread/you": N_("You can't open threads here. Leave `thread` out, or ask someone who can."),
    "no-thread/forum": N_(
        "I can't see the forum for game threads. Server managers can choose another one with `/server`. Without "
        "`thread` the table opens here."
    ),
    "no-thread/full": N_("This server has no room for another open thread. Close one, or leave `thread` out."),
    "no-thread/tag": N_(
        "In the forum for game threads, each post must have a tag. Someone who manages it can add the tag **{tag}** "
        "there. Without `thread` the table opens here."
    ),
    "no-thread/refused": N_("Discord won't open a thread here: {text}. Leave `thread` out, or use another channel."),
    "no-thread/here": N_("There can't be a thread in here. Leave `thread` out, or use a text channel."),
    "handover/to": N_("Say in `to` who gets the seat."),
    "handover/you play": N_("You're already in this game."),
    "handover/playing": N_("They're already in this game."),
    "handover/bot": N_("That account is a bot. To let a bot play for someone, use `/seat bot`."),
    "handover/none": N_("No seat is offered to you here."),
    "handover/not offered": N_("That seat isn't offered anymore."),
    "handover/no computer": N_("No seat is free: no bot plays here, or its player can still come back."),
    "handover/yourself": N_("The seat is already yours: name someone who isn't playing."),
    "handover/no seat": N_("No bot plays in that seat, so it can't be taken over."),
    "handover/declined": N_("They declined a seat in this game. You can ask them again after a day."),
    "handover/asked": N_("They have been asked to take another seat of this game and haven't answered yet."),
    "handover/turned away": N_("Your last request was declined. You can ask again after a day."),
    "handover/another asks": N_("Someone else has asked for a seat. Ask again after that vote."),
    "handover/waits": N_(
        "{name} can still come back. Their seat can be given away {time} after a bot took over, not counting vacations "
        "and pauses."
    ),
    "handover/not absent": N_("{name} is still playing. Let a bot play for them first."),
    "zone": N_("I don't know the time zone {typed}. Write a city, like Berlin."),
    "zone/near": N_("I don't know the time zone {typed}. Did you mean {name}?"),
    "zone/fixed": N_("{typed} doesn't say if your clocks change in summer. Choose a city with your time, like {name}."),
    "zone/needed": N_("Tell me your time zone, too: by its city, like Berlin."),
    "clock": N_("{typed} isn't a time of day: write it like “22:30”."),
    "quiet": N_("Quiet hours can't last all day. **Never** stops all reminders."),
    "date": N_("{typed} isn't a date: write it as year, month, day, like “2026-12-24”."),
    "vacation": N_("A vacation ends after it begins, begins within a year, and lasts a year at most."),
    "pace": N_("The turn timer is 2 minutes to 14 days, or none."),
    "pace/typed": N_("{typed} isn't a length of time: write it like “2 days”, “90 minutes” or “none”."),
    "pace/another": N_("Another timer is already proposed: answer that first, or propose yours after a day."),
    "pace/same": N_("That's already this game's timer."),
    "too-soon": N_("Too early: you can do this in {time}."),
    "too-soon/pace": N_("Too early: they have {time} left. Then you can do this."),
    "too-soon/go on": N_("Too early: you can do this in {time}."),
    "too-soon/paused": N_(
        "The game is paused: press **Resume** first. If they don't answer that for a day, a bot can play for them."
    ),
    "too-soon/asleep": N_(
        "Too early: they must have had an hour in which they could be asked. Their quiet hours don't count."
    ),
    "too-soon/not awaited": N_("The game isn't waiting for them."),
    "no-hints": N_("Hints are off at this table."),
    "no-hint": N_("There's nothing for you to decide right now."),
    "topic": N_("This game has no such topic. Choose one from the list."),
    "standing": N_("Choose a number of cards: 0 (never) to {most}."),
    "not-manager": N_("Only people with the permission *Manage Channels* can do that here."),
    "unwritten": N_("You can't write in this channel, so I can't post anything here for you."),
    "timed-out": N_(
        "I'm in a timeout on this server and can only read. That ends {when}, or when someone who moderates members "
        "ends it."
    ),
    "missing-permission": N_("I can't work in {channel}: please give me {permissions} there, then try again."),
}
