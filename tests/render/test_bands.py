"""Bands are kept up to a number of bytes, and a change draws few of them."""

from __future__ import annotations

import dataclasses

import pytest

import render
from render import scene, sea
from render.bands import BAND, Band, BandCache, cut, joined, kept
from render.dice import dice, roll
from render.palette import fixed, reduce
from render.pieces import building, road
from render.tokens import token
from tests.render.build import BASE, busy, player, view
from tests.render.colors import decoded


def test_the_least_recently_used_bands_are_dropped_first() -> None:
    cache = BandCache(10_000)
    for k in range(5):
        cache.put(bytes([k]), Band(bytes(3000), 0, 1, 0))
        cache.get(b"\0")
    assert [k for k in range(5) if cache.get(bytes([k]))] == [0, 4]
    info = cache.cache_info()
    assert 6000 < info.bytes <= info.limit == 10_000
    assert (info.hits, info.misses, info.bands) == (7, 3, 2)


def test_a_band_that_is_put_twice_is_counted_once() -> None:
    cache = BandCache(10_000)
    for _ in range(9):
        cache.put(b"same", Band(bytes(3000), 0, 1, 0))
    assert cache.cache_info().bands == 1
    assert cache.cache_info().bytes < 4000


def test_a_picture_larger_than_the_cache_is_still_drawn() -> None:
    shown = busy(BASE)
    usual, limit = render.board(shown), kept.limit
    try:
        kept.limit = 0
        kept.cache_clear()
        assert render.board(shown) == usual
        assert kept.cache_info().bytes == 0
    finally:
        kept.limit = limit


def test_joined_bands_make_the_image_that_was_cut() -> None:
    image = reduce(decoded(render.board(view())), "standard")
    for quick in (False, True):
        assert joined(cut(image, quick=quick), image.width, fixed("standard")).tobytes() == image.tobytes()


def test_a_new_road_redraws_only_the_bands_that_it_touches() -> None:
    players = [player(0, "red", [10]), player(1, "blue")]
    render.board(view(players=players))
    before = kept.cache_info().misses
    players[0] = dataclasses.replace(players[0], roads=1 << 10 | 1 << 30)
    render.board(view(players=players))
    assert 0 < kept.cache_info().misses - before <= 1 + 100 // BAND


def test_bands_are_found_again_after_their_sprites_were_dropped() -> None:
    shown = busy(BASE)
    render.board(shown)
    before = kept.cache_info().misses
    for draw in (token, building, road, dice, roll):
        draw.cache_clear()
    render.board(shown)
    assert kept.cache_info().misses == before


def test_boards_with_the_same_land_share_their_sea(monkeypatch: pytest.MonkeyPatch) -> None:
    kept.cache_clear()
    monkeypatch.setattr(scene, "_grounds", scene._Grounds(100))
    render.board(view())
    monkeypatch.delattr(sea, "_draw")
    render.board(view(dataclasses.replace(BASE, tokens=BASE.tokens[::-1])))
