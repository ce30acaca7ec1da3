"""A table in one language whose players read two others, over days: who gets what in which language."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from bot.table.options import DAY
from bot.table.preferences import DM
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands
from tests.bot.discord.hall import Hall, reply, text
from tests.bot.discord.moves import plan, play_each
from tests.bot.discord.tongues import make_up, read_locales, texts
from tests.bot.words.pseudo import Language
from tests.bot.worlds.watch import ALL, Watch

HOUR = 3600.0


class Marked(Language):
    """English, but an invisible mark at the end of each text says which language it is."""

    def __init__(self, name: str, mark: str) -> None:
        self.name, self.mark = name, mark

    def gettext(self, message: str, /) -> str:
        return f"{message}{self.mark}" if message else ""


GERMAN, PORTUGUESE, FRENCH = Marked("German", "\u2061"), Marked("Portuguese", "\u2063"), Marked("French", "\u2064")


def spoken(text: str) -> set[str]:
    """The languages that a text has words of."""
    return {one.name for one in (GERMAN, PORTUGUESE, FRENCH) if one.mark in text}


async def test_each_reads_private_things_in_their_own_language_and_all_the_tables_in_public(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch(monkeypatch)
    make_up(monkeypatch, **{"de": GERMAN, "pt-BR": PORTUGUESE, "fr": FRENCH})
    async with open_hall(3) as hall:
        ann, bob, cem = hall.people
        read_locales(monkeypatch, {ann.id: "de", bob.id: "pt-BR", cem.id: "en-US"}, community="fr")
        page = await hall.change_own(cem, "Your settings", language="fr")
        assert spoken(text(reply(page))) == {"French"}, "as just chosen"
        before = watch.count
        await ann.slash(hall.channel, "game new")
        for person in (bob, cem):
            await hall.remind(person, DM)
            await person.click(await hall.panel(), label=f"Join{FRENCH.mark}")
        await hall.options(pace=DAY)
        await ann.click(await hall.panel(), label=f"Start{FRENCH.mark}")
        await _days(hall)
        found = Counter[tuple[str, str]]()
        who = {ALL: "everyone", ann.id: "Ann (German)", bob.id: "Bob (Portuguese)", cem.id: "Cem (French)"}
        for sent in watch.all(hall.env)[before:]:
            said = [*texts(json.loads(sent.body)), *(alt for _name, alt, _data in sent.files)]
            for language in spoken("".join(said)):
                found[who[sent.audience], language] += 1
    print("\n".join(f"{audience} got {n} messages in {language}" for (audience, language), n in sorted(found.items())))
    assert dict(found.keys()) == {
        "everyone": "French",
        "Ann (German)": "German",
        "Bob (Portuguese)": "Portuguese",
        "Cem (French)": "French",
    }
    assert len(found) == 4, "someone got something in another language"


async def _days(hall: Hall) -> None:
    """Play for days, by buttons and commands, with looks at private things, reminders, and a word or two typed."""
    moves = plan(await hall.game(), 3, offers=True)
    for day in range(2):
        await play_each(hall, by_commands, moves[day * 6 : day * 6 + 6])
        for person in hall.people:
            for command in ("hand", "catchup", "games", "settings", "game timer", "auto", "help"):
                await person.slash(hall.channel, command)
        await hall.env.advance_time(30 * HOUR)
