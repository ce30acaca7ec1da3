"""Ratings as people read them: a server's leaderboard, a person's profile, and what a game has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from bot.ratings import CAME, EXCUSED, LEFT, REPLACED, RESIGNED, STAYED
from bot.screens.controls import Button, Open, Reply
from bot.service.ratings import FIRST_RATING, SETTLED, Leaderboard, Profile, Ranked, Rated
from bot.table.promptness import Promptness
from bot.words.language import N_, _, decimal, enumeration, n_
from bot.words.marks import point_count
from bot.words.promptness import own_line
from engine.scenarios import SCENARIOS

LINES_A_PAGE = 15
"""Lines on a page of a leaderboard."""
MOST_LATEST_GAMES = 5
"""Most games that a profile lists."""
COURSE_GAMES = 20
"""Most games over which a profile shows the course of the rating."""
_BARS = "▁▂▃▄▅▆▇█"
_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
_FATES = {
    RESIGNED: N_("resigned"),
    REPLACED: N_("left, a bot played on"),
    LEFT: N_("gave up the seat"),
    CAME: N_("joined later (unrated)"),
    EXCUSED: N_("was replaced (unrated)"),
}


def leaderboard(standings: Leaderboard, page: int) -> Reply:
    """A page of the leaderboard for a person, with their own line."""
    lines, own = standings.lines, standings.own
    page = min(page, _last(lines))
    mine = next((line for line in lines if line.profile.user == own.user), None)
    own_line = ""
    if standings.private and own.counted:
        own_line = _("You're hidden from this list. Your rating: **{rating}**.", rating=own.rating)
    elif mine is not None and mine not in _page(lines, page):
        own_line = _("You: {line}", line=_line(mine))
    elif mine is None and lines:
        own_line = _("You have no rated games here yet.")
    return Reply(board(lines, page, own_line), rows=_turning(lines, page))


def board(lines: Sequence[Ranked], page: int, own: str = "") -> str:
    """A page of a leaderboard as everyone can see it; `own`: a line for one reader about themselves."""
    title = _("### 🏅 Leaderboard of this server")
    if not lines:
        return "\n".join([title, _("No rated games here yet."), _about()])
    shown = [_line(line) for line in _page(lines, page)]
    if last := _last(lines):
        shown.append(_("-# Page {page} of {pages}", page=page + 1, pages=last + 1))
    return "\n".join([title, *shown, *([own] if own else []), _about()])


def _about() -> str:
    """What counts, in a sentence or two."""
    return "-# " + _(
        "Everyone starts at {start}. Games with two or more people count. Leaving counts as last, and bots give "
        "no rating. A rating is provisional until {settled} games.",
        start=FIRST_RATING,
        settled=SETTLED,
    )


def _page(lines: Sequence[Ranked], page: int) -> Sequence[Ranked]:
    return lines[page * LINES_A_PAGE : (page + 1) * LINES_A_PAGE]


def _last(lines: Sequence[Ranked]) -> int:
    """The last page's number, counted from 0."""
    return max(0, len(lines) - 1) // LINES_A_PAGE


def _line(line: Ranked) -> str:
    """ "**1.** Ann · **1180** · 12 games · 5 wins"."""
    profile = line.profile
    parts = [f"**{line.rank}.** {profile.name}", f"**{profile.rating}**", _games(line.games), _wins(line.wins)]
    return " · ".join(parts if profile.settled else [*parts, _("provisional")])


def _turning(lines: Sequence[Ranked], page: int) -> list[Sequence[Button]]:
    """Buttons to other pages, and to show this one to everyone."""
    if not lines:
        return []
    found = []
    if page:
        found.append(Button(_("Previous"), Open("leaders", (str(page - 1),)), emoji="⬅️"))
    if page < _last(lines):
        found.append(Button(_("Next"), Open("leaders", (str(page + 1),)), emoji="➡️"))
    return [[*found, Button(_("Show everyone here"), Open("show_leaders", (str(page),)), emoji="📣")]]


def profile(
    found: Profile,
    name: str,
    links: Mapping[int, str],
    *,
    own: bool,
    private: bool,
    hidden: Collection[int] = (),
    promptness: Promptness | None = None,
) -> str:
    """A person's games and rating in a server, and how fast they decide. `links`: to the ends of games, by number;
    `hidden`: numbers of games that the reader must not learn of; `promptness` is None if there is nothing to say."""
    title = f"### {name}"
    how_fast = [] if promptness is None else [own_line(promptness)]
    if not found.games:
        nothing = (
            _("You have no rated games here yet: finish one with at least one other person.")
            if own
            else _("They have no rated games here yet.")
        )
        return "\n".join([title, nothing, *how_fast])
    latest = [one for one in reversed(found.games[-MOST_LATEST_GAMES:]) if one.result.game not in hidden]
    lines = [title, *_figures(found), *how_fast]
    if latest:
        lines += [_("**Latest games**"), *(_game(one, links) for one in latest)]
        lines.append("-# " + _("`/game log` shows a game by its number."))
    if len(latest) < len(found.games[-MOST_LATEST_GAMES:]):
        lines.append("-# " + _("Games in channels that you can't see aren't listed."))
    if own and private:
        lines.append("-# " + _("Only you see this: you keep it private (`/settings`)."))
    return "\n".join(lines)


def _figures(profile: Profile) -> list[str]:
    """Lines about the rating, its course, and the results of the games."""
    games = profile.counted
    if not games:
        return []
    stayed = [one.person.points for one in games if one.person.fate == STAYED]
    course = [games[max(0, len(games) - COURSE_GAMES)].before, *(one.after for one in games[-COURSE_GAMES:])]
    ratings = {"rating": profile.rating, "best": max(one.after for one in games)}
    share = _("{games}, {wins} ({share}%)", games=_games(len(games)), wins=_wins(profile.wins), share=_share(profile))
    places = Counter(one.place for one in games if one.place is not None and one.person.fate == STAYED)
    scenario, often = Counter(one.result.scenario for one in games).most_common(1)[0]
    lines = [
        _("Rating **{rating}**, best {best}", **ratings)
        if profile.settled
        else _("Rating **{rating}**, best {best} · provisional until {n} games", **ratings, n=SETTLED),
        _("{bars} from {first} to {last}", bars=_bars(course), first=course[0], last=course[-1]),
        share,
    ]
    if stayed:
        average = decimal(sum(stayed) / len(stayed))
        lines.append(_("{points} points on average", points=average))
        told = (f"{_MEDALS.get(place, f'**{place}.**')} {times}×" for place, times in sorted(places.items()))
        lines.append(_("Places: {places}", places=" · ".join(told)))
    if left := len(games) - len(stayed):
        lines.append(n_("Left {n} game before its end", "Left {n} games before their end", left))
    lines.append(_("Most played: {scenario} ({games})", scenario=_scenario(scenario), games=_games(often)))
    return lines


def _game(rated: Rated, links: Mapping[int, str]) -> str:
    """A line for a game in a person's profile."""
    number, person = rated.result.game, rated.person
    title = _("Game {number}", number=number)
    where = f"[{title}]({links[number]})" if number in links else title
    parts = [f"**{where}**", f"<t:{int(rated.result.ended)}:d>", _scenario(rated.result.scenario)]
    if person.fate == STAYED:
        place = _("place {place} of {n}", place=rated.place, n=len(rated.result.places))
        parts += [f"🏆 {place}" if person.won else place, point_count(person.points)]
    else:
        parts.append(_(_FATES[person.fate]))
    if rated.place is not None:
        parts.append(f"**{_signed(rated.after - rated.before)}**")
    return "- " + " · ".join(parts)


def changed(games: Iterable[Rated]) -> str:
    """How a game changed ratings, for the message at its end; empty if it changed none."""
    changes = [f"{one.person.name} **{one.after}** ({_signed(one.after - one.before)})" for one in games]
    return _("📈 Ratings: {ratings}", ratings=enumeration(changes)) if changes else ""


def _games(n: int) -> str:
    return n_("{n} game", "{n} games", n)


def _wins(n: int) -> str:
    return n_("{n} win", "{n} wins", n)


def _share(profile: Profile) -> int:
    """Percentage of wins in the games that count."""
    return round(100 * profile.wins / len(profile.counted))


def _scenario(id: str) -> str:
    return _(SCENARIOS[id].title) if id in SCENARIOS else id


def _signed(n: int) -> str:
    """ "+23", "−7", "±0"."""
    return f"+{n}" if n > 0 else f"−{-n}" if n < 0 else "±0"


def _bars(course: Sequence[int]) -> str:
    """A bar for each number; the greatest number has the highest bar."""
    low, high = min(course), max(course)
    return "".join(_BARS[round((n - low) / max(1, high - low) * (len(_BARS) - 1))] for n in course)
