"""Clicks at the very moment when something else happens at the offline table."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from simcord.preview import _actions

from bot.offline import simcord_patches
from bot.offline.simcord_patches import forgive_haste


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bool, dict[str, Any]]]:
    """What reaches simcord: whether another action was in progress then, and the request's body."""
    actions: list[tuple[bool, dict[str, Any]]] = []

    async def plain(self: Any, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        actions.append((self._active_action is not None, dict(body)))
        return {}

    monkeypatch.setattr(_actions._ActionOps, "_action", plain)
    forgive_haste()
    return actions


def table(revision: int = 7) -> Any:
    """A stand-in for simcord's preview, with just the parts that the patch reads."""
    page = SimpleNamespace(revision=revision, last_sequence=3)
    return SimpleNamespace(
        _active_action=None, env=SimpleNamespace(_operation_task=None), _get_page=lambda context_id: page
    )


async def act(found: Any, body: Mapping[str, Any]) -> None:
    """Send an action of a page."""
    await _actions._ActionOps._action(found, "page", body)


async def test_a_click_waits_for_the_action_in_progress(done: list[tuple[bool, dict[str, Any]]]) -> None:
    preview = table()
    preview._active_action = object()
    click = asyncio.create_task(act(preview, {"kind": "click", "sequence": 4, "published_revision": 7}))
    await asyncio.sleep(0.1)
    assert not done
    preview._active_action = None
    await click
    assert [busy for busy, _ in done] == [False]


async def test_a_click_on_a_page_that_just_changed_is_carried_out(done: list[tuple[bool, dict[str, Any]]]) -> None:
    await act(table(revision=9), {"kind": "click", "sequence": 4, "published_revision": 7})
    assert done[0][1]["published_revision"] == 9


async def test_repeated_clicks_and_other_actions_are_passed_on_unchanged(
    done: list[tuple[bool, dict[str, Any]]],
) -> None:
    await act(table(revision=9), {"kind": "click", "sequence": 3, "published_revision": 7})
    await act(table(revision=9), {"kind": "scroll", "sequence": 4, "published_revision": 7})
    assert [body["published_revision"] for _, body in done] == [7, 7]


async def test_a_click_waits_only_for_a_limited_time(
    done: list[tuple[bool, dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simcord_patches, "_HASTE", 0.05)
    preview = table()
    preview._active_action = object()
    await act(preview, {"kind": "click", "sequence": 4, "published_revision": 7})
    assert [busy for busy, _ in done] == [True], "simcord says what it thinks of it"
