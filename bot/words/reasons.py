"""The sentences of the refusals of service, screens and front, by key; the engine's stand beside its rules."""

from __future__ import annotations

from bot.words.language import N_

REASONS: dict[str, str | tuple[str, str]] = {
    # --- finding a game
    "no-table": N_("There is no game {number} here."),
    "no-table/here": N_("There is no game in this channel; open a table with `/game new`."),
    "no-table/yours": N_("There is no game {number} in this channel or among yours."),
    "not-started": N_("Game {number} has not begun."),
    "not-archived": N_("Game {number} isn't archived."),
    "not-over": N_("Game {number} is not over; until then its seed stays secret."),
    "not-over/seed": N_("The game is not over; until then the seed stays secret."),
    "no-server": N_("Ratings belong to a server; ask for them there."),
    "profile/bot": N_("Computers and bots have no rating; choose a person."),
    "profile/private": N_("They keep their games and rating private."),
    "rooms": N_("Private threads need a text channel, or a thread in one; there are none here."),
    "forget/playing": N_("You play in game {number}. Finish it, resign or hand your seat over; then I can forget you."),
    "forget/waiting": N_("You sit at table {number}, which hasn't begun. Leave it first; then I can forget you."),
    "archived": N_("This game was archived because nobody had moved for a long time; go on with `/game resume`."),
    "damaged": N_(
        "Game {number} can't go on just now, because its stored record can't be read. The host of the bot has been "
        "told, and nothing that you tried was done."
    ),
    "newer": N_("Game {number} was changed by a newer version of me. Please try again in a minute; nothing is lost."),
    "damaged/file": N_(
        "This game can't go on just now, because its stored record can't be read. The host of the bot has been told, "
        "and nothing that you tried was done."
    ),
    # --- the lobby
    "no-channel": N_("A table needs a channel; use this in a server."),
    "nothing-to-set": N_("There is nothing to choose there with the present scenario."),
    "unseen-table": N_("You can't see the channel of that table. Ask somebody who manages this server."),
    "not-opened/managers": N_("Only people who manage this server open tables here."),
    "not-opened/role": N_("Only people with the role {role} open tables here."),
    "not-opened/here": N_("Open tables in {channels}: this server plays there."),
    "not-opened/full": (
        N_("{n} table is open on this server, and more aren't allowed. Join it, or wait until it is over."),
        N_("{n} tables are open on this server, and more aren't allowed. Join one, or wait until one is over."),
    ),
    "not-opened/yours": (
        N_("You host {n} open table here already. Finish or cancel it first."),
        N_("You host {n} open tables here already. Finish or cancel one first."),
    ),
    "not-opened/pause": N_("You have just opened a table. You can open the next one {when}."),
    "no-computers": N_("Computers don't play on this server; those who manage it have decided that."),
    "no-computers/learn": N_("Computers don't play on this server, so there are no first games against them."),
    "not-manager/server": N_("Only people who may manage this server can do that."),
    "not-here": N_(
        "Only my commands are on this server, and I am not. Somebody who manages it can [add me]({link}); then try "
        "again."
    ),
    "not-here/thread": N_("This thread is private, and I'm not in it. Mention me here first, then try again."),
    "no-channel/gone": N_(
        "I can't work in the channel of game {number} any more; `/game move` in another takes it there."
    ),
    "channel-busy": N_(
        "Game {number} is using this channel; game {waiting} can go on here when it is over, or in another channel by "
        "`/game move`."
    ),
    "channel-busy/lobby": N_("Game {number} is waiting for players in this channel; use another channel or a thread."),
    "channel-busy/running": N_("Game {number} is being played in this channel; use another channel or a thread."),
    "full": N_("All {players} places of '{scenario}' are taken; the host can choose a scenario for more players."),
    "level": N_("There is no computer called {typed}; there are {possible}."),
    "no-computer": N_("No computer sits at this table."),
    "not-lobby/running": N_("The game has begun; this was possible only before the start."),
    "not-lobby/archived": N_("The game has begun; this was possible only before the start."),
    "not-lobby/computer": N_(
        "The game has begun: a computer can only play for somebody in it who doesn't answer, by `/seat bot`."
    ),
    "not-lobby/over": N_("This game is over; open a new one with /game new."),
    "not-lobby/cancelled": N_("This table was cancelled; open a new one with /game new."),
    "not-host": N_("Only the host, {host}, can do that."),
    "not-host/start": N_("Only the host can start this game; the host can also allow it to everyone in the options."),
    "not-member": N_("You are not at this table."),
    "not-playing/resigned": N_("You have left this game; `/board` and `/game log` show how it goes on."),
    "no-such-choice/yield": N_(
        "Nothing is to be chosen here: in this game the second settlement yields the first cards."
    ),
    "not-member/phrase": N_("Join the table first; then you can add a phrase."),
    "not-member/color": N_("Join the table first; then you can choose a colour."),
    "not-over/rematch": N_("This game is not over yet; a rematch can follow when it is."),
    "phrase": N_("A phrase is one line of at most {most} characters."),
    "color": N_("{typed} is not a colour here; choose from {possible}."),
    "color-taken": N_("{color} is taken by {name}; free are {free}."),
    "option/choice": N_("That can't be chosen any more for “{option}”; open the options again."),
    "no-commitment": N_("The fingerprint of the dice must be posted before the start; please try again in a moment."),
    "no-commitment/learn": N_("The table is open, but Discord is slow just now: press **Start** in a moment."),
    # --- playing
    "not-playing/onlooker": N_("You aren't playing in this game; the panel shows all that can be seen of it."),
    "not-playing/resume": N_("Only somebody who plays in this game can take it up again."),
    "stale": N_("That button is out of date; use the current panel."),
    "repeated": N_("That has been done already."),
    "wrong-turn/elsewhere": N_("It isn't your turn."),
    "too-late/discard": N_("All have discarded: what is gone can't be taken back."),
    "wrong-phase/no answer": N_("Nobody is asked to answer the robber now."),
    "not-now/settlement": N_("There is no legal place for a settlement now."),
    "not-now/city": N_("There is no legal place for a city now."),
    "not-now/road": N_("There is no legal place for a road now."),
    "not-now/bridge": N_("There is no legal place for a bridge now."),
    "not-now/way": N_("There is no legal place for a road now."),
    "not-now/yield": N_("There is no settlement to choose now."),
    "not-now/robber": N_("The robber can't be moved now."),
    "not-now/victim": N_("There is nobody to take a card from now."),
    "not-now/cards": N_("None of your cards can be played now."),
    "not-now/plenty": N_("You can't play year of plenty now."),
    "not-now/monopoly": N_("You can't play a monopoly now."),
    "not-now/bank": N_("You have too few cards of any one resource to trade with the bank. {rates}"),
    "no-such-card": N_("You hold no development card; you can buy one in your turn."),
    "no-last-offer": N_("You have made no offer in this game yet."),
    "nobody-to-ask/repeat": N_("Everyone you made that offer to has left the game: {names}."),
    "nobody-to-ask/repeat on turn": N_(
        "You made that offer to {names}; in another's turn offers go to the player on turn only."
    ),
    "no-such-offer/panel": N_("Offer {offer} is no longer open."),
    "not-yours/offer": N_("Only {name} can close offer {offer}."),
    "not-accepted/yet": N_("Nobody has accepted offer {offer} yet."),
    "unreadable/offer": N_("{typed} is not the number of an offer; the panel shows it, like 3."),
    "no-such-wish": N_("{name} is no longer looking for that."),
    "no-such-wish/not held": N_("You hold nothing that {name} is looking for."),
    "no-wish": N_("You have no wish posted just now."),
    "wish/both": N_("Either say what you're looking for, or take your wish back."),
    "wish/no-want": N_("Say what you're looking for, too: write it in “want”, like “1 ore”."),
    "wish/own-turn": N_("It's your turn: offer a trade instead of waiting for one."),
    "wish/same-resource": N_("You can't look for a resource and give the same one."),
    "wish/setup": N_("You can say what you're looking for once the first turn has begun."),
    "unaffordable/short road": N_("A road costs {cost}; you have {held}."),
    "unaffordable/short bridge": N_("A bridge costs {cost}; you have {held}."),
    "unaffordable/short settlement": N_("A settlement costs {cost}; you have {held}."),
    "unaffordable/short city": N_("A city costs {cost}; you have {held}."),
    "obstacle/no road": N_("No road is left in your supply."),
    "obstacle/no bridge": N_("No road is left in your supply."),
    "obstacle/no settlement": N_("No settlement is left in your supply."),
    "obstacle/no city": N_("No city is left in your supply."),
    "obstacle/no settlement to replace": N_("You have no settlement that it could replace."),
    "no-player": N_("Nobody in this game is called {typed}; the players are {players}."),
    "no-player/here": N_("{name} doesn't play in this game."),
    "several-players": N_("{typed} could mean {choices}: choose from the list."),
    # --- what was typed and can't be read
    "unreadable/directions": N_(
        "That has more than two sides: write what you give, “for” and what you want, like “2 wool for 1 ore”."
    ),
    "unreadable/edge": N_(
        "{text} is not an edge of this board: the names are a small letter and a number, {first} to {last}."
    ),
    "unreadable/ends": N_("No edge joins {text}: name an edge by its label, or by two neighbours."),
    "unreadable/hex": N_("{text} is not a hex of this board: the names are row, dot, number, {first} to {last}."),
    "unreadable/huge": N_("{text} is too many: write it like “2 wool, 1 ore”."),
    "unreadable/intersection": N_(
        "{text} is not an intersection of this board: the names are a capital letter and a number, {first} to {last}."
    ),
    "unreadable/letters": N_("It isn't clear what {text} counts: write it like “2 wool, 1 ore”."),
    "unreadable/no-cards": N_("No cards are named: write it like “2 wool, 1 ore”."),
    "unreadable/no-edge": N_("Name an edge: the names are a small letter and a number, {first} to {last}."),
    "unreadable/no-hex": N_("Name a hex: the names are row, dot, number, {first} to {last}."),
    "unreadable/no-intersection": N_(
        "Name an intersection: the names are a capital letter and a number, {first} to {last}."
    ),
    "unreadable/no-give": N_("Say what you give for it, too, like “2 wool for 1 ore”."),
    "unreadable/no-want": N_("Say what you want for it, too, like “2 wool for 1 ore”."),
    "unreadable/number": N_("A number without a resource after it ({number}): write it like “2 wool, 1 ore”."),
    "unreadable/number-between": N_(
        "It isn't clear whether {number} counts {before} or {behind}: put a comma between the two."
    ),
    "unreadable/one-side": N_("Only one side of a trade belongs here: write it like “2 wool, 1 ore”."),
    "unreadable/person": N_("People don't belong among the cards: say in the option `to` whom an offer goes to."),
    "unreadable/resource": N_("Name one resource: brick, lumber, wool, grain or ore."),
    "unreadable/resource-name": N_(
        "{text} isn't a resource; there are brick, lumber, wool, grain and ore: write it like “2 wool, 1 ore”."
    ),
    "unreadable/resource-name, the rest": N_(
        "{text} isn't a resource (there are brick, lumber, wool, grain and ore); the rest I read as {rest}."
    ),
    "unreadable/or": N_("An offer can't say “or”: make two offers."),
    "unreadable/said-twice": N_("What comes after “for” is said twice: say it in one of the two places."),
    "unreadable/slip": N_("I don't know {text}: did you mean {meant}?"),
    "unreadable/slip, the rest": N_("I don't know {text} (did you mean {meant}?); the rest I read as {rest}."),
    "unreadable/too-many": N_("There are never more than {most} cards of a kind: write it like “2 wool, 1 ore”."),
    # --- an exported game that isn't as it should be
    "wrong/commitment": N_("The commitment is not that of the seed and the game, which is {due}."),
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
    "wrong/draw": N_("Draw {ordinal} of {kind} in record {number} says {result} of {n}; seed and entropy give {due}."),
    # --- the table
    "replaced": N_("A computer is playing for you just now; take your seat back first, by the button or `/seat back`."),
    "not-replaced": N_("No computer plays for you: your seat is yours."),
    "last-person": N_("Nobody else would be left: computers don't play among themselves."),
    "no-player/person": N_("A computer can only play for a person who is still in the game."),
    "no-player/replaced": N_("A computer plays for them already."),
    "paused": N_("The game is paused; it goes on when more than half of you press **Go on**, or by `/game resume`."),
    "paused/already": N_("The game is paused already."),
    "not-paused": N_("The game isn't paused."),
    "no-proposal": N_("That is no longer proposed; propose it yourself if you want it."),
    "orders/no special building": N_("This game has no special building phase, so there is nothing to pass in."),
    "orders/yourself": N_("You can't refuse to trade with yourself."),
    "same-channel": N_("The game is here already."),
    "not-host/move": N_("Only the host, {host}, can take the game elsewhere, as long as I can work in its channel."),
    "other-server": N_("The game belongs to another server; take it to a channel of that one."),
    "no-thread": N_("I can't open a thread here: please give me **Create Public Threads**, or leave `thread` out."),
    "no-thread/you": N_(
        "You can't open threads here, so I don't open one for you; leave `thread` out, or ask somebody who can."
    ),
    "no-thread/forum": N_(
        "The forum for threads of games is gone, or I can't see it; who manages this server chooses another one with "
        "`/server`. Without `thread` the table opens here."
    ),
    "no-thread/full": N_(
        "This server has as many open threads as Discord allows; somebody can close one, or leave `thread` out."
    ),
    "no-thread/refused": N_("Discord won't open another thread here just now; leave `thread` out, or try again later."),
    "no-thread/here": N_("There can't be a thread in here; open the table without one, or in a text channel."),
    "handover/you play": N_("You play in this game already."),
    "handover/playing": N_("They play in this game already."),
    "handover/bot": N_("A bot can't take a seat; `/seat bot` has a computer play for somebody."),
    "handover/none": N_("No seat is offered to you here."),
    "handover/not offered": N_("That seat isn't offered any more."),
    "handover/no computer": N_("No computer plays in this game, so no seat is free."),
    "handover/yourself": N_("The seat is yours already; name somebody who isn't playing."),
    "handover/no seat": N_("No computer plays in that seat, so nobody can take it over."),
    "handover/declined": N_("They said no to a seat in this game; you can ask them again after a day."),
    "handover/asked": N_("They have been asked to take another seat of this game and haven't answered yet."),
    "handover/turned away": N_("Your last request came to nothing; you can ask for a seat again after a day."),
    "handover/another asks": N_(
        "Somebody else has asked for a seat; ask again when those who play have answered them."
    ),
    "handover/not absent": N_("{name} plays themselves; let a computer play for them first."),
    "zone": N_("I don't know the time zone {typed}; write a city, like Berlin."),
    "zone/near": N_("I don't know the time zone {typed}; did you mean {name}?"),
    "zone/fixed": N_(
        "{typed} doesn't say whether your clocks change in summer; choose a city with your time, like {name}."
    ),
    "zone/needed": N_("Tell me your time zone, too: by its city, like Berlin."),
    "clock": N_("{typed} isn't a time of day: write it like “22:30”."),
    "quiet": N_("Quiet hours can't last all day; **Never** stops all reminders."),
    "date": N_("{typed} isn't a date: write it as year, month, day, like “2026-12-24”."),
    "vacation": N_("A vacation ends after it begins, begins within a year, and lasts a year at most."),
    "pace": N_("The time for a decision is 2 minutes to 14 days, or none."),
    "pace/typed": N_("{typed} isn't a length of time: write it like “2 days”, “90 minutes” or “none”."),
    "pace/another": N_("Another pace is proposed already: answer that first, or propose yours after a day."),
    "pace/same": N_("That is the pace of this game already."),
    "too-soon": N_("Give them time: in {time} the game will have waited an hour, and you can decide it."),
    "too-soon/pace": N_("Give them time: they have {time} left, then you can decide it."),
    "too-soon/go on": N_(
        "Give them time: in {time} they will have had a day to agree to go on, and you can decide it."
    ),
    "too-soon/paused": N_(
        "The game is paused: press **Go on** first; when they haven't answered that for a day, a computer can play for "
        "them."
    ),
    "too-soon/not awaited": N_("The game isn't waiting for them: there is nothing for a computer to do."),
    "no-hints": N_("This table plays without hints; the host could have changed that before the start."),
    "no-hint": N_("There is nothing for you to decide now; ask again when the game waits for you."),
    "topic": N_("This game has no such topic; choose one from the list."),
    "standing": N_("Choose a number of cards from 0, for never, to {most}."),
    "not-manager": N_("Only somebody with the permission *Manage Channels* can do that here."),
    "missing-permission": N_("I can't work in {channel}: please give me {permissions} there, then try again."),
}
