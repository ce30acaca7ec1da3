"""Pictures: a `View` in, PNG bytes out. They know nothing else of the game. `svg` has boards as vector graphics."""

from render.bands import board_lookups as board_lookups
from render.cards import hand as hand
from render.costs import costs as costs
from render.figures import figures as figures
from render.film import film as film
from render.fonts import is_font as is_font
from render.fonts import legible as legible
from render.fonts import shape as shape
from render.fonts import write_names_in as write_names_in
from render.labels import Labels as Labels
from render.palette import MARKS as MARKS
from render.palette import USUAL as USUAL
from render.palette import Look as Look
from render.palette import PaletteName as PaletteName
from render.picture import board as board
from render.signs import FACES as FACES
from render.signs import signs as signs
from render.then_and_now import changes as changes
from render.then_and_now import then_and_now as then_and_now
from render.words import CostWords as CostWords
from render.words import FigureWords as FigureWords
from render.words import HandWords as HandWords
