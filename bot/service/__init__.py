"""The game services: everything that a front asks for, done once, stored before it is told."""

from bot.service.games import Played
from bot.service.services import Services

__all__ = ["Played", "Services"]
