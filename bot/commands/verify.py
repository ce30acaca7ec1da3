"""`harbormaster verify`: checks an exported game, and says what that proves."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from bot.export import ExportError, Wrong, load, verified
from bot.words.proof import verification_lines
from bot.words.refusals import refusal_sentence

DETAILS = """\
FILE is what `/game verify` or `harbormaster export` gives. It needs no settings and no database.

exit status: 0 all is right, 1 something is wrong"""
PROVES = """\
This shows that the seed is the one that was fixed before the start. Every draw follows from it and from the
players' lucky words. Every range is the one of the rules. Every action was legal, and they led to the position
at the end.

Compare the fingerprint with the message that was posted before the first player joined. Compare the seal with
the one at the end. The file itself can't know them. `tools/verify.py` checks the draws without any code of this
program.

Nothing can show that the host didn't look. While a game runs, the host can read the database, and with it the
seed and every hand."""


def options(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE")


def run(arguments: Namespace) -> int:
    try:
        export = load(Path(arguments.file).read_text("utf-8"))
        game = verified(export)
    except OSError as error:
        print(f"Not verified: The file can't be read: {error.strerror}.")
        return 1
    except UnicodeDecodeError:
        print("Not verified: The file isn't text.")
        return 1
    except ExportError as error:
        print(f"Not verified: {error}")
        return 1
    except Wrong as wrong:
        print(f"Not verified: {refusal_sentence(wrong)}")
        return 1
    if callable(reconfigure := getattr(sys.stdout, "reconfigure", None)):
        reconfigure(errors="backslashreplace")  # names can be in any script
    print(verification_lines(export, game))
    print(f"\n{PROVES}")
    return 0
