"""The steps in order: what each does, what it should see, and what it means if it sees something else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.discord.connecting import SESSION_RESERVE
from bot.rehearsal import people, places, posting
from bot.rehearsal.findings import CARRIED_OUT, AnyOf, Between, Expected, Given, Seen
from bot.rehearsal.posting import AS_SENT, UNKNOWN_MESSAGE
from bot.rehearsal.stage import Stage

NEEDED_FILE = 8 << 20
"""Size in bytes that Discord must allow for a file: that of the largest film."""
PNG = {"pictures": 1, "content type": "image/png", "size": Given(), "file name kept": True, "id given": True}


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the rehearsal. `run` notes what it sees. `done` says what it does. `means` says what it means if
    that isn't as `expected`.

    It isn't tried if one of the steps in `needs` could not be done.
    """

    name: str
    done: str
    means: str
    run: Callable[[Stage, Seen], Awaitable[None]]
    expected: Expected = field(default_factory=dict)
    needs: tuple[str, ...] = ()


STEPS = (
    Step(
        "application",
        "Asked for the application.",
        "A switch in the developer portal is set wrong.",
        places.application,
        {
            "privileged intents": False,
            "interactions endpoint URL": "",
            "guild install": True,
            "user install": False,
            "privacy policy": True,
        },
    ),
    Step(
        "gateway",
        "Asked how many sessions can begin today.",
        "With none left, Discord ends all sessions and takes the token away: wait a day.",
        places.gateway,
        {"sessions left": Between(SESSION_RESERVE + 1, 10**6), "at once": Given(), "shards": Given()},
    ),
    Step(
        "channel",
        "Asked for the channel.",
        "The ID is no channel that Harbormaster can see, in a server that it is in.",
        places.channel,
        {"type": places.TEXT_CHANNEL, "in a server": True, "lacks": []},
    ),
    Step(
        "session",
        "Began a session.",
        "Harbormaster would not hear of clicks, or of what happens in its servers.",
        places.session,
        {"session id": True, "resume address": True, "server came": True, "the bot among its members": True},
        ("channel",),
    ),
    Step(
        "command",
        "Made a command in this server alone.",
        "New commands would not appear; the old ones still work.",
        places.commands,
        {"status": CARRIED_OUT, "name": "rehearse", "autocomplete": True, "activities": False},
        ("application", "channel"),
    ),
    Step(
        "register",
        "Registered all commands in this server, and removed them again.",
        "New commands would not appear; the old ones still work.",
        places.register,
        {"status": CARRIED_OUT, "all there": True, "removed again": CARRIED_OUT},
        ("command",),
    ),
    Step(
        "post",
        "Posted a message with a text and a picture.",
        "Game messages would look wrong, or Harbormaster would not recognize its own messages.",
        posting.post,
        {"status": CARRIED_OUT, "text": AS_SENT, "number of the first part kept": True, **PNG},
        ("channel",),
    ),
    Step(
        "nonce",
        "Posted the very same message again.",
        "After an answer that gets lost, there would be two game messages.",
        posting.once,
        {"status": CARRIED_OUT, "messages": 1},
        ("post",),
    ),
    Step(
        "edit-words",
        "Edited the words and kept the picture.",
        "Game messages would lose their board whenever only their words change.",
        posting.edit_words,
        {"status": CARRIED_OUT, "text": AS_SENT, "same attachment": True, **PNG},
        ("post",),
    ),
    Step(
        "edit-picture",
        "Edited the message with a new picture.",
        "Game messages could not show a new board by an edit.",
        posting.edit_picture,
        {"status": CARRIED_OUT, "new attachment": True, "still there afterwards": True, **PNG},
        ("post",),
    ),
    Step(
        "delete",
        "Deleted a message, then edited it and posted it again.",
        "Old game messages would stay, or what was deleted would come back.",
        posting.delete,
        {"status": CARRIED_OUT, "an edit afterwards": UNKNOWN_MESSAGE, "the same posted again": UNKNOWN_MESSAGE},
        ("channel",),
    ),
    Step(
        "emoji",
        "Uploaded an emoji of Harbormaster's own, and showed it in a text and on a button.",
        "Resources, colors and dice would look as they do on each device.",
        posting.emoji,
        {"status": CARRIED_OUT, "text": AS_SENT, "on the button": True},
        ("application", "channel"),
    ),
    Step(
        "game",
        "Posted the message of a simulated game, and one with every kind of control.",
        "Game messages would be refused, or come out without some of their controls.",
        posting.game,
        {
            "status": CARRIED_OUT,
            "parts": Between(20, 40),
            "text": AS_SENT,
            "parts as they were sent": True,
            "every control": True,
            **PNG,
        },
        ("channel",),
    ),
    Step(
        "role",
        "Mentioned a role silently, with leave and without.",
        "The role that is chosen in /server would not hear of new tables, or others would be disturbed.",
        places.role,
        {"mentions without leave": [], "mentions with leave": "the role"},
        ("channel",),
    ),
    Step(
        "thread",
        "Opened a thread, wrote in it, closed it and wrote again.",
        "Games in threads of their own would not open, or not go on.",
        places.thread,
        {
            "status": CARRIED_OUT,
            "more may be opened": True,
            "posted": CARRIED_OUT,
            "closed": CARRIED_OUT,
            "posted in the closed one": CARRIED_OUT,
            "open again": True,
        },
        ("channel",),
    ),
    Step(
        "press",
        "Waited for a button to be pressed, and answered with a new picture.",
        "Clicks come late, lack permissions, or can't bring a new board.",
        people.press,
        {
            "arrived after": Between(-2.0, 2.0),
            "answered with a picture": CARRIED_OUT,
            "lacks": [],
            "installed in": "this server",
            "largest file": Between(NEEDED_FILE, 10**10),
            "edited by its token": CARRIED_OUT,
            "picture kept by its token": True,
            "told to all": CARRIED_OUT,
            **PNG,
        },
        ("session", "channel"),
    ),
    Step(
        "private",
        "Answered so that only you see it, edited that and deleted it.",
        "Hands could not be shown, or would stay.",
        people.private,
        {
            "status": CARRIED_OUT,
            "only for them": True,
            **PNG,
            "edited": CARRIED_OUT,
            "text": AS_SENT,
            "picture kept": True,
            "new picture": CARRIED_OUT,
            "deleted": CARRIED_OUT,
        },
        ("press",),
    ),
    Step(
        "choose",
        "Showed only you every kind of control, and had you choose in a list.",
        "Menus, lists and files that only one person sees would not work.",
        people.choose,
        {"status": CARRIED_OUT, "parts as they were sent": True, "acknowledged": CARRIED_OUT, "chosen": "ore"},
        ("press",),
    ),
    Step(
        "name",
        "Named you in an edit.",
        "Names would be missing, or edits would notify people.",
        people.name,
        {"mentions without leave": [], "mentions with leave": "them", "to your eyes": "yes"},
        ("press",),
    ),
    Step(
        "ping",
        "Called you, between silent messages.",
        "Players would not learn that a game waits for them, or be disturbed by each message.",
        people.ping,
        {"status": CARRIED_OUT, "silent": True, "mentions": 2, "buttons stay": True, "two notified you": "yes"},
        ("press",),
    ),
    Step(
        "direct",
        "Opened a direct message, wrote with a picture, had a button pressed there, and deleted.",
        "Reminders and hands would not reach this person by direct message.",
        people.direct,
        {
            "opened": CARRIED_OUT,
            "posted": CARRIED_OUT,
            "text": AS_SENT,
            "picture kept": True,
            "pressed": CARRIED_OUT,
            "deleted": CARRIED_OUT,
        },
        ("press",),
    ),
    Step(
        "in-thread",
        "Had a button pressed in a thread.",
        "Games in threads could not be played.",
        people.in_thread,
        {"posted": CARRIED_OUT, "pressed": CARRIED_OUT},
        ("press", "thread"),
    ),
    Step(
        "in-voice",
        "Had a button pressed in a voice channel.",
        "Games in voice channels could not be played.",
        people.in_voice,
        {"posted": CARRIED_OUT, "pressed": CARRIED_OUT},
        ("press",),
    ),
    Step(
        "room",
        "Opened a private thread, and brought you in.",
        "The table's option *Private threads* would not work.",
        places.room,
        {
            "status": CARRIED_OUT,
            "brought in": CARRIED_OUT,
            "posted": CARRIED_OUT,
            "among the open ones": True,
            "owner told": True,
        },
        ("press",),
    ),
    Step(
        "film",
        "Posted a game's replay.",
        "The replay would stand still, or be another file.",
        people.film,
        {
            "status": CARRIED_OUT,
            **PNG,
            "content type": "image/webp",
            "animated": True,
            "comes back whole": True,
            "to your eyes": "plays",
        },
        ("session", "channel"),
    ),
    Step(
        "form",
        "Opened a form.",
        "Trades, discards and settings by form would not work.",
        people.form,
        {
            "opened": CARRIED_OUT,
            "answered with a picture": CARRIED_OUT,
            "words": True,
            "choice": AnyOf(("easy", "strong")),
            "side": AnyOf(("sea", "land")),
            "boxes": "wool",
            "says where it came from": True,
        },
        ("session", "channel"),
    ),
    Step(
        "slash",
        "Waited for /rehearse.",
        "Commands or their suggestions would not work.",
        people.command,
        {
            "says what is being typed": True,
            "suggestions": Given(),
            "acknowledged": CARRIED_OUT,
            "answered": CARRIED_OUT,
            "place": AnyOf(people.MARKED_PLACES),
            "registered in": "this server",
        },
        ("session", "command"),
    ),
    Step(
        "limits",
        "Looked at the limits that the answers named.",
        "Harbormaster would have to wait, or is refused.",
        places.limits,
        {"routes that tell": Given(), "used up for long": [], "refused": []},
        ("channel",),
    ),
)
AWAY = Step(
    "away",
    "Removed everything again.",
    "Delete by hand what is left.",
    places.away,
    {"stays": [], "the bot's own commands as before": AnyOf((True, None))},
)
