"""Both programs that verify a game: whether they find something wrong with a file."""

from __future__ import annotations

import importlib.util
import json
from types import ModuleType

from bot.export import ExportError, Wrong, load, verified
from bot.words.refusals import refusal_sentence
from tests.altering import Data
from tests.house import ROOT

SCRIPT = ROOT / "tools" / "verify.py"


def load_script() -> ModuleType:
    """Load the stand-alone verifier from its file, since it belongs to no package."""
    spec = importlib.util.spec_from_file_location("standalone_verify", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


alone = load_script()


def notices(data: Data) -> bool:
    """Whether `harbormaster verify` finds something wrong. Any other error fails the test."""
    try:
        verified(load(json.dumps(data)))
    except Wrong as wrong:
        return refusal_sentence(wrong).endswith(".")
    except ExportError as error:
        return str(error).endswith(".")
    return False


def notices_alone(data: Data) -> bool:
    """Whether the stand-alone verifier finds something wrong. Any other error fails the test."""
    try:
        alone.check(data)
    except alone.Wrong:
        return True
    return False
