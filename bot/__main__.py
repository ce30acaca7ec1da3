"""`python -m bot` is `harbormaster`."""

from bot.cli import main

raise SystemExit(main())
