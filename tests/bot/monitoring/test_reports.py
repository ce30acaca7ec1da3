"""Error reports contain no more than the log does; settings that can't work are refused with one sentence."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator

import pytest
import sentry_sdk
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from bot import process
from bot.process import start_log
from bot.settings import SettingsError, load_settings
from engine.codec import Secret

DSN = "https://key@sentry.invalid/1"
TOKEN = "MTIz.a-token.of-a-bot"


class Kept(Transport):
    """Keeps the events that would be sent."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[str] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        self.events += [json.dumps(item.payload.json) for item in envelope.items]


@pytest.fixture
def sent() -> Iterator[Kept]:
    kept = Kept()
    process.start(DSN, transport=kept)
    yield kept
    sentry_sdk.init()


class Odd(Exception):
    """An exception with a hand in its `repr`, but not in its text."""

    def __init__(self, hand: str) -> None:
        super().__init__(hand)

    def __str__(self) -> str:
        return "something odd"


def fail(hand: str, seed: bytes) -> None:
    token, drawn = TOKEN, Secret(hand, 1)
    raise RuntimeError(f"no good with {len(token)} and {drawn} of {len(seed)}")


@pytest.mark.usefixtures("caplog")  # an error is logged
def test_an_error_is_sent_without_variables_and_arguments(sent: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(sys, "argv", ["harbormaster", "run", "argument-of-the-host"])
    log = logging.getLogger("bot.discord")
    log.setLevel(logging.INFO)
    for number in range(2 * process.BREADCRUMBS):
        log.info("Game %d: version %d stored", 7, number)
    log.warning("Game %d: %s", 7, Odd("4 wool"))
    try:
        fail("3 ore", b"seed-of-the-game")
    except RuntimeError:
        log.exception("Game %s is stuck: %s", 7, Odd("5 brick"), extra={"request": "/webhooks/1/interaction-token"})
    [event] = sent.events
    report = json.loads(event)
    assert report["logentry"] == {
        "message": "Game %s is stuck: %s",
        "formatted": "Game 7 is stuck: something odd",
    }
    assert report["exception"]["values"][0]["value"] == "no good with 21 and Secret(…) of 16"
    assert "vars" not in event
    assert len(report["breadcrumbs"]["values"]) == process.BREADCRUMBS
    for frame in report["exception"]["values"][0]["stacktrace"]["frames"]:
        for name in ("pre_context", "context_line", "post_context"):
            frame.pop(name, None)  # the source lines are from this file, which has the secrets
    for secret in ("3 ore", "4 wool", "5 brick", "seed-of", TOKEN, "argument-of-the-host", "interaction-token"):
        assert secret not in json.dumps(report), secret


def test_warnings_are_not_sent_as_reports(sent: Kept) -> None:
    logging.getLogger("bot").warning("nothing to see")
    assert sent.events == []


def test_only_the_listed_integrations_are_active(sent: Kept) -> None:
    """Other integrations would send the addresses of requests, which contain interactions' tokens."""
    assert set(sentry_sdk.get_client().integrations) == {"logging", "excepthook", "dedupe", "atexit"}


def test_without_the_package_one_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(SettingsError, match=r"pip install 'sentry-sdk>=2\.75'") as refused:
        process.start(DSN)
    assert "key" not in str(refused.value)
    process.flush(1.0)


def test_a_wrong_dsn_is_refused_without_repeating_it() -> None:
    with pytest.raises(SettingsError, match="SENTRY_DSN is not the DSN") as refused:
        start_log(load_settings(sentry_dsn="secret-words"), "INFO")
    assert "secret-words" not in str(refused.value)
