"""The game service: everything that Discord asks for, done once, stored before it is told."""

from bot.service.service import Played, Service

__all__ = ["Played", "Service"]
