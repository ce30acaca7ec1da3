"""The game services: everything that a front asks for, done once, stored before it is told."""

from bot.service.clock import PATIENCE
from bot.service.games import Played
from bot.service.services import Services

__all__ = ["PATIENCE", "Played", "Services"]
