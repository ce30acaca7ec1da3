"""Posting and editing: how a message takes on what a request says, by all rules in order, or stays as it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tests.wire.attachments import Attachment, referenced, resolve
from tests.wire.calls import Files
from tests.wire.components import check_message, number, places
from tests.wire.limits import Faults, check_files
from tests.wire.media import file_name
from tests.wire.mentions import check_allowed, mentions
from tests.wire.messages import LOADING, V2, Message
from tests.wire.model import Json, Permission, Refused
from tests.wire.places import Channel
from tests.wire.words import rewritten

if TYPE_CHECKING:
    from tests.wire.world import World

SUPPRESS_EMBEDS = 1 << 2


def fill(
    world: World, message: Message, body: Json, files: Files, kept: list[Attachment], parsed: Sequence[str]
) -> None:
    """Make a message what `body` says, with the files in `kept` unless `body` lists others.

    `parsed`: the kinds of mentions that count if `body` doesn't say.

    :raises Refused: if a limit is broken; the message then stays as it was.
    """
    check_allowed(body.get("allowed_mentions"))
    body = rewritten(body, world.rewrites)
    listed, edited = body.get("attachments"), message.id in world.messages
    alt = {str(entry["id"]): entry.get("description") for entry in listed or []}
    if listed is not None:
        kept = [a for a in message.attachments if str(a.id) in alt]
        if edited:  # files that aren't listed are dropped
            files = {n: files[n] for n in files if str(n) in alt}
    check_files(list(files.values()), len(kept), world.file_limit)
    new = {
        n: Attachment(world.ids(), file_name(name), data, alt.get(str(n)), message.channel.id, world.cdn)
        for n, (name, data) in sorted(files.items())
    }

    def now(key: str, old: Any) -> Any:
        return (body[key] or type(old)()) if key in body else old

    content, embeds, components = (now(key, getattr(message, key)) for key in ("content", "embeds", "components"))
    flags = _flags(message, body.get("flags") if edited else None)
    check_message(content, embeds, components, flags, len(kept) + len(new), world.emoji)
    if "components" in body:
        number(components)
        _resolve(world, components, referenced(listed, kept, new))
        _find_chosen(world, message, components)
    elif len(kept) < len(message.attachments):
        components = message.without(kept)
    message.content, message.embeds, message.flags = content, embeds, flags
    message.components, message.attachments = components, [*kept, *new.values()]
    for attachment in kept:
        attachment.description = alt.get(str(attachment.id)) or attachment.description
    if {"content", "components"} & body.keys():
        named = mentions(message.said, body.get("allowed_mentions"), [*world.users, world.bot], parsed)
        allowed = not message.channel.recipient and Permission.MENTION_EVERYONE in message.channel.permissions
        message.mentions, message.mention_everyone = named.users, named.everyone and allowed
        message.mention_roles = named.roles


def replied(world: World, channel: Channel, body: Json) -> Message | None:
    """The message that `body` replies to. :raises Refused: if it isn't there, or the bot can't read it."""
    named = body.get("message_reference") or {}
    if not named.get("message_id"):
        return None
    if not channel.recipient and Permission.READ_MESSAGE_HISTORY not in channel.permissions:
        raise Refused(403, 160002, "Cannot reply without permission to read message history")
    target = world.messages.get(int(named["message_id"]))
    if target is not None and target.channel is channel and not target.deleted and not target.only_for:
        return target
    if named.get("fail_if_not_exists", True):
        faults = Faults()
        faults.add("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
        faults.done()
    return None


def _flags(message: Message, asked: int | None) -> int:
    """A message's flags after an edit. V2 can be set but never removed."""
    flags = message.flags & ~LOADING
    if asked is None:
        return flags
    if flags & V2 & ~asked:
        faults = Faults()
        faults.add("flags", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", "IS_COMPONENTS_V2 can't be removed.")
        faults.done()
    return flags & ~SUPPRESS_EMBEDS | asked & (SUPPRESS_EMBEDS | V2)


def _resolve(world: World, components: list[Json], by_name: dict[str, Attachment]) -> None:
    """Find the files that components show. :raises Refused: if one isn't there."""

    def find(url: str) -> Attachment | None:
        there = (a for m in world.messages.values() if not m.deleted for a in m.attachments)
        return next((a for a in there if f"/{a.id}/" in url), None)

    faults = Faults()
    for here, component in places(components):
        for path in resolve(component, by_name, world.cdn, find):
            code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            faults.add(f"{here}.{path}", code, "The referenced attachment was not found")
    faults.done()


def _find_chosen(world: World, message: Message, components: list[Json]) -> None:
    """:raises Refused: if a list shows a role or channel as chosen that isn't there (discord-api-docs #6719, #7448)."""
    guild, faults = message.channel.guild, Faults()
    roles = set(guild.roles) if guild else set()
    known = {"role": roles, "channel": set(world.channels), "user": {user.id for user in world.users}}
    for here, component in places(components):
        for n, chosen in enumerate(component.get("default_values") or ()):
            if int(chosen["id"]) not in known[chosen["type"]]:
                faults.add(
                    f"{here}.default_values.{n}", "SELECT_COMPONENT_INVALID_DEFAULT_VALUE", "Invalid default value."
                )
    faults.done()
