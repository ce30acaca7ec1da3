"""The alternate rules (section L): one file each, one line here each."""

from __future__ import annotations

from engine.variants.variant import Variant

VARIANTS: dict[str, Variant] = {}
"""All alternate rules by id."""
