"""What a host can set, from the environment and `.env`; a wrong value becomes one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, ValidationInfo
from pydantic_settings import BaseSettings, SettingsConfigDict


class SettingsError(Exception):
    """A setting is missing or malformed; the text is one sentence for the host and holds no secret."""


def _one_line_token(token: SecretStr | None) -> SecretStr | None:
    """Drop surrounding blanks; an empty token counts as none, one with blanks inside is a mistake."""
    text = token.get_secret_value().strip() if token else ""
    if len(text.split()) > 1:
        raise ValueError("must be one word, as copied from the developer portal")
    return SecretStr(text) if text else None


def _address(schemes: tuple[str, ...], text: str | None) -> str | None:
    """An address with host and one of the schemes, without a trailing slash; empty counts as none."""
    if not text:
        return None
    parts = urlsplit(text)
    if parts.scheme not in schemes or not parts.hostname:
        wanted = " or ".join(f"{scheme}://" for scheme in schemes)
        raise ValueError(f"must be an address that starts with {wanted}")
    return text.rstrip("/")


def _web_address(text: str | None) -> str | None:
    return _address(("http", "https"), text)


def _socket_address(text: str | None) -> str | None:
    return _address(("ws", "wss"), text)


def _alone(proxy: str | None, info: ValidationInfo) -> str | None:
    """The proxy speaks to Discord itself, so there can't be another server behind it."""
    if proxy and info.data.get("rest_base"):
        raise ValueError("stands in place of HARBORMASTER_REST_BASE; set only one of the two")
    return proxy


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


class Settings(BaseSettings):
    """The host's settings; every field but the token is read from HARBORMASTER_<NAME>."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_prefix="HARBORMASTER_",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        populate_by_name=True,
    )

    discord_token: Annotated[SecretStr | None, AfterValidator(_one_line_token)] = Field(
        default=None, validation_alias="DISCORD_TOKEN"
    )
    """The bot's token; None means the offline table."""
    database: Path = Path("harbormaster.db")
    """The SQLite file; made when missing."""
    rest_base: Annotated[str | None, AfterValidator(_web_address)] = None
    """Another server's REST base, such as http://127.0.0.1:8080/api/v10; None means Discord's."""
    gateway: Annotated[str | None, AfterValidator(_socket_address)] = None
    """Another server's gateway, such as ws://127.0.0.1:8080/gateway; None means Discord's."""
    proxy: Annotated[str | None, AfterValidator(_web_address), AfterValidator(_alone)] = None
    """A rate-limit proxy that all processes of the bot share, such as http://127.0.0.1:3000; None means none."""
    requests: int = Field(default=45, ge=1, le=1000)
    """Requests a second that this process may send; of no account with a proxy, which counts for all."""
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(_upper)] = "INFO"
    silence: float = Field(default=600.0, gt=0)
    """Seconds without any event from Discord after which the log says so."""
    preview_port: int = Field(default=8765, ge=1, le=65535)
    """The port of the offline table on 127.0.0.1."""
    seats: int = Field(default=4, ge=2, le=8)
    """How many people sit at the offline table."""

    def require_token(self) -> str:
        """The token in clear, or SettingsError when there is none."""
        if self.discord_token is None:
            raise SettingsError(
                "DISCORD_TOKEN is not set: put it into the environment or into .env, "
                "or use `harbormaster play` for an offline table."
            )
        return self.discord_token.get_secret_value()


def load_settings(**given: object) -> Settings:
    """Read the settings; values given here (by field name) win over environment and `.env`.

    Raises SettingsError with one sentence that names every bad setting and repeats no value.
    """
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        problems = "; ".join(_problem(item["loc"], item["msg"]) for item in error.errors(include_input=False))
        raise SettingsError(f"{problems}.") from None
    except UnicodeDecodeError:
        raise SettingsError("The file .env is not a text file in UTF-8.") from None


def _problem(place: tuple[int | str, ...], message: str) -> str:
    name = str(place[0]) if place else "settings"
    variable = name if name.isupper() else f"HARBORMASTER_{name.upper()}"
    if name == "discord_token":
        variable = "DISCORD_TOKEN"
    reason = message.removeprefix("Value error, ").removesuffix(".")
    return f"{variable}: {reason[:1].lower()}{reason[1:]}"
