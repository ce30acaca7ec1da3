"""`harbormaster verify`: checks an exported game, and says what that shows."""

from __future__ import annotations

import sys
from pathlib import Path

from bot.export import ExportError, load
from bot.presentation.texts.refusals import sentence
from bot.presentation.texts.verification import summary
from bot.verify import Wrong, check

PROVES = """\
This shows: the seed is the one that was committed to, every draw follows from it and from what the players
mixed in, every range is the one of the rules, and every action was legal and led to the position at the end.
Compare the commitment with the message that the bot posted before the first player joined, and the seal with
the one it posted at the end: the file itself can't know them. `tools/verify.py` checks the draws without any
code of this program. Nothing can show that the host of the bot didn't look: the host can read the database,
and with it the seed and every hand, while a game runs."""


def main(path: str) -> int:
    """Check a file and tell about it; 0 when all is right, 1 when something is wrong."""
    try:
        export = load(Path(path).read_text("utf-8"))
        game = check(export)
    except OSError as error:
        print(f"WRONG: The file can't be read: {error.strerror}.")
        return 1
    except UnicodeDecodeError:
        print("WRONG: The file is no text.")
        return 1
    except ExportError as error:
        print(f"WRONG: {error}")
        return 1
    except Wrong as wrong:
        print(f"WRONG: {sentence(wrong)}")
        return 1
    if callable(reconfigure := getattr(sys.stdout, "reconfigure", None)):
        reconfigure(errors="backslashreplace")  # names in any script
    print(summary(export, game))
    print(f"\n{PROVES}")
    return 0
