"""Development cards: which can be played, and what they ask for."""

from __future__ import annotations

from discord import app_commands

from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, act, typing
from bot.discord.talk.dispatch import refusal_text
from bot.discord.talk.feature import Feature, Verb
from bot.screens import suggested
from bot.screens.controls import Button, ChoiceField, Do, Entry, Form, ListOption, Open, Reply, Style, Values, rows
from bot.screens.forms import FormKind
from bot.screens.play import PLAYABLE
from bot.screens.viewer import Viewer
from bot.words.hands import card_help, card_title
from bot.words.language import N_, _
from bot.words.marks import RESOURCE_SIGNS, RESOURCE_TITLES, resource_title
from bot.words.typed import parse_hand
from engine.actions import Action, PlayKnight, PlayMonopoly, PlayRoadBuilding, PlayVictoryPoint, PlayYearOfPlenty
from engine.domains import Cards, Choices
from engine.errors import RefereeError
from engine.resources import NOTHING, RESOURCES, VICTORY_POINT, hand
from engine.rules import data_of


def resource_option(kind: int, description: str | None = None) -> ListOption:
    """A resource as an option of a list."""
    return ListOption(str(kind), resource_title(kind), description, emoji=RESOURCE_SIGNS[kind])


class Plenty(FormKind):
    """One list for each card from the bank (H5)."""

    name = "plenty"

    def build(self, viewer: Viewer, args: tuple[str, ...]) -> Form:
        domain = viewer.options.get(PlayYearOfPlenty)
        if not isinstance(domain, Cards):
            raise viewer.why([PlayYearOfPlenty(NOTHING)], RefereeError("not-now/plenty"))
        options = [resource_option(kind, _("The bank has {n}", n=n)) for kind, n in enumerate(viewer.view.bank) if n]
        labels = (_("First card"), _("Second card"))
        fields = [ChoiceField(f"card{n}", labels[n], options) for n in range(domain.total)]
        return Form(_("Year of Plenty"), [*fields])

    def entries(self, args: tuple[str, ...]) -> dict[str, Entry]:
        return {"card0": Entry("[0-4]"), "card1": Entry("[0-4]", least=0)}

    def read(self, viewer: Viewer, args: tuple[str, ...], values: Values) -> Action:
        chosen = [int(card) for name in ("card0", "card1") for card in values.get(name, ())]
        return PlayYearOfPlenty(hand(chosen.count(kind) for kind in range(5)))


class Monopoly(FormKind):
    """One list: the resource that all others hand over (H6)."""

    name = "monopoly"

    def build(self, viewer: Viewer, args: tuple[str, ...]) -> Form:
        domain = viewer.options.get(PlayMonopoly)
        if not isinstance(domain, Choices):
            raise viewer.why([PlayMonopoly(-1)], RefereeError("not-now/monopoly"))
        options = [resource_option(kind) for kind in domain.values]
        return Form(_("Monopoly"), [ChoiceField("resource", _("Resource to take"), options)])

    def entries(self, args: tuple[str, ...]) -> dict[str, Entry]:
        return {"resource": Entry("[0-4]")}

    def read(self, viewer: Viewer, args: tuple[str, ...], values: Values) -> Action:
        return PlayMonopoly(int(values["resource"][0]))


FORMS: dict[type[Action], FormKind] = {PlayYearOfPlenty: Plenty(), PlayMonopoly: Monopoly()}


async def _cards(call: Call) -> Reply:
    """The player's development cards, with a button for each that can be played now."""
    viewer = await call.viewer()
    counts = viewer.view.players[viewer.my_seat].development_cards or NOTHING
    data = data_of(viewer.view.config)
    lines, buttons = [], []
    for action, kind, sign, label in PLAYABLE:
        if counts[kind]:
            held = {"card": card_title(kind), "n": counts[kind], "effect": card_help(kind, data)}
            lines.append(f"{sign} " + _("**{card}** ×{n}: {effect}.", **held))
        if type(action) in viewer.options:
            form = FORMS.get(type(action))
            target = Do(action) if form is None else Open("form", (form.name,), bound=True)
            buttons.append(Button(_(label), target, Style.PRIMARY, sign))
    if not buttons:
        lines.append(await refusal_text(call, why_no_card(viewer, counts)))
    return Reply("\n".join(lines), rows=rows(buttons), decision=viewer.decision)


def why_no_card(viewer: Viewer, held: tuple[int, ...]) -> RefereeError:
    """Why no card can be played now."""
    if not any(held):
        return RefereeError("no-such-card")
    never = VICTORY_POINT if data_of(viewer.view.config).hidden_points else -1
    trials = [action for action, kind, *_rest in PLAYABLE if held[kind] and kind != never]
    return viewer.why(trials, RefereeError("not-now/cards"))


# --- the commands

PLAY = app_commands.Group(name="play", description=N_("Play a development card"), guild_only=True)
RESOURCE_CHOICES = [app_commands.Choice(name=RESOURCE_TITLES[kind], value=name) for kind, name in enumerate(RESOURCES)]


@PLAY.command(name="knight", description=N_("Move the robber and steal a card"))
async def knight(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: PlayKnight())


@PLAY.command(name="road-building", description=N_("Build two roads for free"))
async def road_building(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: PlayRoadBuilding())


@PLAY.command(name="year-of-plenty", description=N_("Take two cards of your choice from the bank"))
@app_commands.describe(cards=N_("What you take, like “wool, ore”"))
@app_commands.autocomplete(cards=typing(suggested.plenty))
async def year_of_plenty(interaction: Interaction, cards: str) -> None:
    await act(interaction, lambda viewer: PlayYearOfPlenty(parse_hand(cards)))


@PLAY.command(name="monopoly", description=N_("Take all cards of one resource from everyone"))
@app_commands.describe(resource=N_("The resource"))
@app_commands.choices(resource=RESOURCE_CHOICES)
async def monopoly(interaction: Interaction, resource: str) -> None:
    await act(interaction, lambda viewer: PlayMonopoly(RESOURCES.index(resource)))


@PLAY.command(name="victory-point", description=N_("Reveal a victory point card"))
async def victory_point(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: PlayVictoryPoint())


FEATURE = Feature(
    commands=[PLAY],
    buttons={"cards": Verb(_cards)},
    forms=[*FORMS.values()],
    actions=[type(action) for action, *_rest in PLAYABLE if type(action) not in FORMS],
)
