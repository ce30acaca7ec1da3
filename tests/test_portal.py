"""The pictures of Discord's developer portal show what the bot needs, and the stored ones match what is drawn."""

from __future__ import annotations

import io

import discord
import pytest
from PIL import Image, ImageChops
from yarl import URL

from bot.discord.show.permissions import install_link
from docs.portal import FOLDER, PAGES, Chips, Switch, page

MOST = 40_000
"""The most bytes of a picture."""


@pytest.mark.parametrize("name", PAGES)
def test_each_stored_picture_matches_what_is_drawn(name: str) -> None:
    file = FOLDER / f"{name}.png"
    drawn = Image.open(io.BytesIO(page(name))).convert("RGB")
    assert ImageChops.difference(drawn, Image.open(file).convert("RGB")).getbbox() is None, "make docs"
    assert file.stat().st_size < MOST


def test_scopes_and_permissions_are_those_of_the_install_link() -> None:
    lists = {row.label: row.chosen for row in PAGES["portal-installation"][1] if isinstance(row, Chips)}
    link = URL(install_link(1)).query
    assert set(lists["Scopes"]) == set(link["scope"].split())
    names = {name for name, has in discord.Permissions(int(link["permissions"])) if has}
    titles = {"read_messages": "View Channels"}
    assert set(lists["Permissions"]) == {
        titles.get(n, n.replace("_", " ").title().replace(" In ", " in ")) for n in names
    }


def test_no_privileged_intent_and_no_user_install_is_on() -> None:
    switches = {row.label: row.on for _, rows in PAGES.values() for row in rows if isinstance(row, Switch)}
    assert [name for name, on in switches.items() if on] == ["Public Bot", "Guild Install"]
