"""The game service: everything that Discord asks for, done once, stored before it is told."""

from bot.service.service import Service
from bot.service.values import Options, Played

__all__ = ["Options", "Played", "Service"]
