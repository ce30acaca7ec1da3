"""Settings are read from the environment and `.env`. A mistake is reported in one sentence, without secrets."""

from __future__ import annotations

import os
from pathlib import Path

import discord
import pytest

from bot import cli
from bot.process import start_log
from bot.settings import Settings, SettingsError, load_settings
from tests.house import ROOT


@pytest.fixture(autouse=True)
def empty_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without `.env` and an environment without our settings."""
    for name in [*os.environ]:
        if name.upper() in ("DISCORD_TOKEN", "SENTRY_DSN") or name.upper().startswith("HARBORMASTER_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_no_setting_is_needed_to_get_the_defaults() -> None:
    settings = load_settings()
    assert settings.discord_token is None
    assert settings.database == Path("harbormaster.db")
    assert (settings.rest_base, settings.gateway) == (None, None)
    assert (settings.log_level, settings.preview_port, settings.seats) == ("INFO", 8765, 4)


def test_environment_wins_over_file_and_arguments_over_both(empty_house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (empty_house / ".env").write_text(
        "DISCORD_TOKEN=' abc.def '\nHARBORMASTER_SEATS=3\nHARBORMASTER_LOG_LEVEL=debug\nUNRELATED=1\n"
    )
    monkeypatch.setenv("HARBORMASTER_SEATS", "5")
    settings = load_settings()
    assert settings.require_token() == "abc.def"
    assert (settings.seats, settings.log_level) == (5, "DEBUG")
    assert load_settings(seats=2).seats == 2


def test_rest_and_gateway_addresses_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBORMASTER_REST_BASE", "http://127.0.0.1:8080/api/v10/")
    monkeypatch.setenv("HARBORMASTER_GATEWAY", "ws://127.0.0.1:8080/gateway")
    settings = load_settings()
    assert settings.rest_base == "http://127.0.0.1:8080/api/v10"
    assert settings.gateway == "ws://127.0.0.1:8080/gateway"


def test_the_page_about_privacy_keeps_its_last_slash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBORMASTER_PRIVACY", "https://example.org/privacy/")
    assert load_settings().privacy == "https://example.org/privacy/"


@pytest.mark.parametrize(
    ("value", "listen", "shown"),
    [
        ("9090", ("127.0.0.1", 9090), "127.0.0.1:9090"),
        ("0.0.0.0:80", ("0.0.0.0", 80), "0.0.0.0:80"),
        ("localhost:9090", ("localhost", 9090), "localhost:9090"),
        ("[::1]:9090", ("::1", 9090), "[::1]:9090"),
    ],
)
def test_a_port_alone_means_this_machine(
    value: str, listen: tuple[str, int], shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_settings().http is None
    monkeypatch.setenv("HARBORMASTER_HTTP", value)
    address = load_settings().http
    assert address == listen
    assert str(address) == shown


def test_pages_and_monitoring_have_different_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBORMASTER_HTTP", "9090")
    monkeypatch.setenv("HARBORMASTER_PAGES", "0.0.0.0:9090")
    with pytest.raises(SettingsError, match=r"^HARBORMASTER_PAGES and HARBORMASTER_HTTP must be different ports\.$"):
        load_settings()
    monkeypatch.setenv("HARBORMASTER_PAGES", "0.0.0.0:8080")
    assert load_settings().pages == ("0.0.0.0", 8080)


def test_the_example_file_gives_the_defaults(empty_house: Path) -> None:
    (empty_house / ".env").write_text((ROOT / ".env.example").read_text())
    assert load_settings() == Settings(_env_file=None)  # type: ignore[call-arg]
    text = (ROOT / ".env.example").read_text()
    for name in Settings.model_fields:
        assert f"{name.upper()}=" in text
    lower, upper = Settings.model_fields["seats"].metadata
    assert f"how many people sit at it ({lower.ge} to {upper.le})" in text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HARBORMASTER_SEATS", "nine"),
        ("HARBORMASTER_SEATS", "0"),
        ("HARBORMASTER_PREVIEW_PORT", "70000"),
        ("HARBORMASTER_LOG_LEVEL", "loud"),
        ("HARBORMASTER_REST_BASE", "ftp://somewhere"),
        ("HARBORMASTER_GATEWAY", "127.0.0.1"),
        ("HARBORMASTER_LOG_FORMAT", "xml"),
        ("HARBORMASTER_HTTP", "localhost"),
        ("HARBORMASTER_HTTP", "127.0..1:9090"),
        ("HARBORMASTER_PROXY", "http://proxy..lan:3000"),
        ("HARBORMASTER_HTTP", ":8080"),
        ("HARBORMASTER_HTTP", "127.0.0.1:70000"),
        ("HARBORMASTER_HTTP", "http://localhost:90"),
        ("HARBORMASTER_PAGES", "games.example.org"),
        ("HARBORMASTER_PAGES_ADDRESS", "games.example.org"),
        ("HARBORMASTER_PROXY", "http://127.0.0.1:port"),
        ("HARBORMASTER_PROXY", "http://ann:secret@127.0.0.1"),
        ("HARBORMASTER_PROXY", "http://[::1"),
        ("HARBORMASTER_SILENCE", "inf"),
        ("HARBORMASTER_FONT", "/nowhere/font.ttf"),
        ("HARBORMASTER_SHARDS", "\u0663"),
        ("HARBORMASTER_DATABASE", "mysql://localhost"),
        ("DATABASE_URL", "postgres://[::1/games"),
        ("DATABASE_URL", "sqlite:"),
        ("DISCORD_TOKEN", "two secret words"),
    ],
)
def test_a_malformed_setting_is_reported_in_one_sentence_without_its_value(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(name, value)
    assert cli.main(["run"]) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"harbormaster: {name}: ")
    assert message.count("\n") == 1
    assert value not in message.removeprefix(f"harbormaster: {name}: ")
    assert "Traceback" not in message


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("FILMS", "must be yes or no"),
        ("MEMBERS", "must be yes or no"),
        ("LITESTREAM", "must be yes or no"),
        ("KEEP_GAMES", "must be a whole number"),
        ("SILENCE", "must be a number"),
        ("LOG_FORMAT", "must be 'text' or 'json'"),
    ],
)
def test_a_refused_setting_is_told_in_a_hosts_words(name: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"HARBORMASTER_{name}", "maybe")
    with pytest.raises(SettingsError) as refused:
        load_settings()
    assert str(refused.value) == f"HARBORMASTER_{name}: {reason}."


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("HARBORMASTER_FILM", "Did you mean HARBORMASTER_FILMS?"),
        ("HARBORMASTER_TOKEN", "Did you mean DISCORD_TOKEN?"),
        ("HARBORMASTER_SENTRY", "Did you mean SENTRY_DSN?"),
        ("HARBORMASTER_XYZ", "Remove it."),
    ],
)
def test_a_misspelled_name_is_said_at_the_start(
    name: str, advice: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(discord.utils, "setup_logging", lambda **_: None)  # it would stay for other tests
    monkeypatch.setenv(name, "secret")
    start_log(load_settings(), "INFO")
    assert caplog.messages == [f"{name} isn't a setting. {advice}"]


def test_several_mistakes_are_reported_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBORMASTER_SEATS", "0")
    monkeypatch.setenv("HARBORMASTER_LOG_LEVEL", "loud")
    with pytest.raises(SettingsError, match=r"HARBORMASTER_LOG_LEVEL.*; HARBORMASTER_SEATS"):
        load_settings()


def test_run_without_a_token_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run"]) == 2
    assert capsys.readouterr().err.startswith("harbormaster: DISCORD_TOKEN is not set")


def test_a_token_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "abc.secret.def")
    settings = load_settings()
    assert "secret" not in repr(settings)
    assert "secret" not in settings.model_dump_json()
