"""Files as Discord keeps them: decoded, renamed, kept by id, shown by components, fetched by links that expire."""

from __future__ import annotations

import base64
import io
from typing import Any

import aiohttp
import pytest
from PIL import Image

from tests.wire.application_emoji import ApplicationEmoji
from tests.wire.attachments import IS_ANIMATED, IS_ANIMATED_MEDIA, LOADING, NOT_FOUND
from tests.wire.calls import Request
from tests.wire.media import file_name, look
from tests.wire.messages import V2, Message
from tests.wire.model import Json, Refused
from tests.wire.server import WireServer
from tests.wire.world import World


def picture(kind: str = "PNG", frames: int = 1) -> bytes:
    """A picture of 4 x 2 pixels."""
    first, *others = [Image.new("RGB", (4, 2), (n * 90, 0, 0)) for n in range(frames)]
    file = io.BytesIO()
    first.save(file, kind, **({"save_all": True, "append_images": others} if others else {}))
    return file.getvalue()


def gallery(*names: str) -> Json:
    """A V2 message with a picture for each link or file name."""
    links = [name if "://" in name else f"attachment://{name}" for name in names]
    return {"flags": V2, "components": [{"type": 12, "items": [{"media": {"url": link}} for link in links]}]}


def media(message: Message, number: int = 0) -> Json:
    """Discord's media item of a picture in the message."""
    item: Json = message.json()["components"][0]["items"][number]["media"]
    return item


def panel(world: World) -> Message:
    """A message with one picture."""
    return world.post(world.table, gallery("board.png"), {0: ("board.png", picture())})


@pytest.mark.parametrize(
    ("data", "kind", "animated"),
    [
        (picture("PNG"), "image/png", False),
        (picture("JPEG"), "image/jpeg", False),
        (picture("GIF", 2), "image/gif", True),
        (picture("WEBP", 2), "image/webp", True),
        (picture("PNG", 2), "image/png", False),  # an animated PNG stands still
    ],
)
def test_a_pictures_type_comes_from_its_bytes(world: World, data: bytes, kind: str, animated: bool) -> None:
    message = world.post(world.table, gallery("film.txt"), {0: ("film.txt", data)})
    shown = media(message)
    assert (shown["content_type"], shown["width"], shown["height"], shown["loading_state"]) == (kind, 4, 2, 2)
    assert (shown["flags"], message.attachments[0].json()["flags"]) == (
        (IS_ANIMATED_MEDIA, IS_ANIMATED) if animated else (0, 0)
    )


@pytest.mark.parametrize("data", [b"", b"text", picture()[:40], picture("WEBP", 2)[:60], picture("BMP")])
def test_a_file_that_is_not_a_picture_does_not_load(world: World, data: bytes) -> None:
    message = world.post(world.table, gallery("board.png"), {0: ("board.png", data)})
    assert message.broken_media == [media(message)["url"]]
    assert "width" not in media(message)
    assert look(data, "game.json").content_type == "application/json"


def test_a_file_component_can_show_any_file(world: World) -> None:
    layout = {"flags": V2, "components": [{"type": 13, "file": {"url": "attachment://game.json"}}]}
    message = world.post(world.table, layout, {0: ("game.json", b"{}")})
    shown = message.json()["components"][0]
    assert (shown["name"], shown["size"], shown["file"]["loading_state"], message.broken_media) == (
        "game.json",
        2,
        2,
        [],
    )


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("my board.png", "my_board.png"),
        ("_Ünï (1)*.png", "Uni_1.png"),
        ("../../etc/passwd", "etc_passwd"),
        ("...", "unknown"),
    ],
)
def test_file_names_and_references_to_them_are_cleaned(world: World, name: str, clean: str) -> None:
    assert file_name(name) == clean
    message = world.post(world.table, gallery(name), {0: (name, picture())})
    assert (list(message.files), message.broken_media) == ([clean], [])


def test_a_file_that_no_component_shows_is_hidden(world: World) -> None:
    message = world.post(world.table, gallery("a.png"), {0: ("a.png", picture()), 1: ("b.png", picture())})
    assert (message.hidden_files, message.json()["attachments"]) == (["b.png"], [])
    plain = world.post(world.table, {"content": "x"}, {0: ("a.png", picture())})
    assert (plain.hidden_files, len(plain.json()["attachments"])) == ([], 1)


def test_a_reference_to_a_missing_file_is_refused_with_its_path(world: World) -> None:
    with pytest.raises(Refused) as refused:
        world.post(world.table, gallery("a.png", "b.png"), {0: ("a.png", picture())})
    errors: Any = refused.value.errors
    [error] = errors["components"]["0"]["items"]["1"]["media"]["url"]["_errors"]
    assert error["code"] == "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"


def test_edits_keep_files_by_id_and_show_them_by_id_and_name(world: World) -> None:
    message = panel(world)
    number = media(message)["attachment_id"]
    for listed in (None, [{"id": number}], [{"id": number, "filename": "other.png"}]):
        body = gallery("board.png") | ({"attachments": listed} if listed else {})
        with pytest.raises(Refused, match="ATTACHMENT_NOT_FOUND"):
            world.edit(message, body, {}, keep_files=True)
    listed = [{"id": number, "filename": "board.png"}, {"id": 0, "filename": "new.png"}]
    files = {0: ("new.png", picture()), 1: ("unlisted.png", picture())}
    world.edit(message, {**gallery("board.png", "new.png"), "attachments": listed}, files, keep_files=True)
    assert (media(message)["attachment_id"], list(message.files)) == (number, ["board.png", "new.png"])
    world.edit(message, {**gallery("new.png"), "attachments": [{"id": 0}]}, {0: ("new.png", b"1")}, keep_files=True)
    assert list(message.files.values()) == [b"1"]  # unlisted files are dropped


def test_a_picture_breaks_when_its_file_is_removed(world: World) -> None:
    message = panel(world)
    world.edit(message, {"attachments": []}, {}, keep_files=True)
    assert (message.files, len(message.broken_media)) == ({}, 1)


def test_the_number_and_size_of_files_are_limited(world: World) -> None:
    world.file_limit = 100
    for files, code in (
        (dict.fromkeys(range(11), ("a.png", b"1")), 30015),
        ({0: ("a.png", b"1" * 101)}, 40005),
    ):
        with pytest.raises(Refused, match=str(code)):
            world.post(world.table, {"content": "x"}, files)
    full = world.post(world.table, {"content": "x"}, dict.fromkeys(range(10), ("a.png", b"1")))
    with pytest.raises(Refused, match="30015"):
        world.edit(full, {"content": "y"}, {0: ("a.png", b"1")}, keep_files=True)


@pytest.mark.parametrize("way", ["edit", "update"])
def test_new_pictures_can_be_lost_in_edits(world: World, way: str) -> None:
    """discord-api-docs #7529, an open bug for some clients; off by default."""
    message, plain = panel(world), world.post(world.table, {"content": "x"}, {})
    world.edit(message, gallery("n.png"), {0: ("n.png", picture())}, keep_files=way == "edit")
    world.losing_uploads = frozenset({way})
    with pytest.raises(Refused, match="ATTACHMENT_NOT_FOUND"):
        world.edit(message, gallery("n.png"), {0: ("n.png", picture())}, keep_files=way == "edit")
    world.edit(plain, {}, {0: ("n.png", picture())}, keep_files=way == "edit")
    assert list(plain.files) == ["n.png"]  # only media of components get lost


async def test_links_expire_and_a_freshly_read_message_has_new_ones() -> None:
    now = [1_800_000_000.0]
    async with WireServer(clock=lambda: now[0]) as wire, aiohttp.ClientSession() as session:
        message = panel(wire.world)
        wire.world.cdn.life = 100.0

        async def status(url: str) -> int:
            async with session.get(url) as answer:
                return answer.status

        old = media(message)["url"]
        assert [await status(url) for url in (old, old.partition("?")[0], old.replace("hm=", "hm=0"))] == [
            200,
            404,
            404,
        ]
        now[0] += 90_000
        new = media(message)["url"]
        assert [await status(url) for url in (old, new)] == [404, 200]
        message.deleted = True
        assert await status(new) == 404


async def test_links_to_known_files_load_immediately_and_others_later() -> None:
    async with WireServer() as wire:
        world = wire.world
        own = media(panel(world))["url"].partition("?")[0]
        message = world.post(world.table, gallery(own, f"{world.base}/attachments/1/2/c.png", "https://a.b/c.png"), {})
        shown = [media(message, n) for n in range(3)]
        assert [item["loading_state"] for item in shown] == [2, NOT_FOUND, LOADING]
        assert "attachment_id" not in shown[0]


def test_application_emoji_need_a_unique_name_and_a_valid_picture(world: World) -> None:
    routes = ApplicationEmoji(world)
    world.emoji.clear()

    def create(name: str, data: bytes) -> Json:
        image = "data:image/png;base64," + base64.b64encode(data).decode()
        return routes.create(Request("POST", "", 0.0, json={"name": name, "image": image}), "1")

    made = create("ore", picture())
    assert routes.list(Request("GET", "", 0.0), "1") == {"items": [made]}
    for name, data, why in (
        ("ore", picture(), "NAME_ALREADY_TAKEN"),
        ("o", picture(), "REGEX"),
        ("wool", b"text", "IMAGE_INVALID"),
        ("wool", b"0" * (2**18 + 1), "256"),
    ):
        with pytest.raises(Refused, match=why):
            create(name, data)
    routes.delete(Request("DELETE", "", 0.0), "1", made["id"])
    with pytest.raises(Refused, match="404 10014"):
        routes.get(Request("GET", "", 0.0), "1", made["id"])
