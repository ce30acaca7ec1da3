"""The game services: all that a front asks for. Each change is made once, and stored before anyone hears of it."""

from bot.service.clock import PATIENCE
from bot.service.games import Done
from bot.service.services import Services

__all__ = ["PATIENCE", "Done", "Services"]
