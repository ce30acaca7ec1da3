"""What a host can set, from the environment and `.env`, and where all games are kept: a SQLite file, or a PostgreSQL
database. A wrong value becomes one sentence."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, NamedTuple
from urllib.parse import quote, urlsplit

from dotenv import dotenv_values
from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.program import command

# --- where all games are kept

StoreAddress = Path | str
"""A file, or the address of a database, which can contain a password."""

_SERVER = re.compile(
    r"(?P<scheme>postgres(?:ql)?://)(?:(?P<user>[^:]*?)(?::(?P<password>.*))?@)?(?P<rest>[^@/?#]*/[^@/?#]+(?:\?.*)?)"
)
_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def address_in(text: StoreAddress) -> StoreAddress:
    """Read an address as a host writes it: postgresql://…, a file's path, or "sqlite:" and a path; raises `ValueError`.

    A password can contain any character. Characters that an address can't contain are encoded if they weren't already.
    """
    if isinstance(text, Path):
        return text
    scheme, colon, rest = text.partition(":")
    if scheme in ("postgresql", "postgres"):
        parts = _SERVER.fullmatch(text)
        if parts is None:
            raise ValueError("must look like postgresql://user:password@host/name")
        login = ":".join(_encoded(part) for part in (parts["user"], parts["password"]) if part is not None)
        address = parts["scheme"] + (f"{login}@" if login else "") + parts["rest"]
        try:
            urlsplit(address)
        except ValueError:  # for example, a bracket of an IPv6 address is missing
            raise ValueError("must look like postgresql://user:password@host/name") from None
        return address
    if scheme == "sqlite":
        if not rest.lstrip("/"):
            raise ValueError("must name a file")
        return Path(rest[2:] if rest.startswith("//") else rest)
    if colon and rest.startswith("//"):
        raise ValueError("must be a file, or an address that starts with postgresql://")
    return Path(text)


def _encoded(text: str) -> str:
    return quote(_PERCENT.sub("%25", text), safe="%")


def place_of(address: StoreAddress) -> str:
    """Name the place, to begin a sentence with; without user and password."""
    if isinstance(address, Path):
        return f"The database file {address}"
    parts = urlsplit(address)
    return f"The PostgreSQL database {parts.path.strip('/')} on {parts.hostname or 'this machine'}"


# --- what can be set

PREFIX = "HARBORMASTER_"
"""What the names of most settings begin with."""


class SettingsError(Exception):
    """A setting is missing or malformed. The text is one sentence for the host, without secrets."""


class NotNow(SettingsError):
    """A command can't do its work for a reason that can pass by itself: a database is out of reach or in use, say."""


def _one_line_token(token: SecretStr | None) -> SecretStr | None:
    """Drop surrounding blanks. An empty token counts as none; one with blanks inside is a mistake."""
    text = token.get_secret_value().strip() if token else ""
    if len(text.split()) > 1:
        raise ValueError("must be one word, as copied from the developer portal")
    return SecretStr(text) if text else None


def _address(schemes: tuple[str, ...], text: str | None) -> str | None:
    """An address with a host and one of the schemes, without user and trailing slash. An empty one counts as none."""
    if not text:
        return None
    starts = " or ".join(f"{scheme}://" for scheme in schemes)
    try:
        parts = urlsplit(text)
        named = parts.scheme in schemes and parts.hostname and parts.port != 0 and _is_host(parts.hostname)
        if named and parts.username is None and not re.search(r"\s", text):
            return text.rstrip("/")
    except ValueError:  # for example, the port is no number
        pass
    raise ValueError(f"must be an address that starts with {starts}")


def _is_host(name: str) -> bool:
    """Whether a name can be looked up: one like 127.0..1 can't even be asked for."""
    try:
        name.encode("idna")
    except UnicodeError:
        return False
    return True


def _web_address(text: str | None) -> str | None:
    return _address(("http", "https"), text)


def _web_page(text: str | None) -> str | None:
    return text if _web_address(text) else None  # as it is: a slash at the end can matter


def _socket_address(text: str | None) -> str | None:
    return _address(("ws", "wss"), text)


def _shards(text: str) -> str:
    if not re.fullmatch(r"auto|[0-9]{1,5}(-[0-9]{1,5})?", text) or (
        "-" in text and int(text.split("-")[0]) > int(text.split("-")[1])
    ):
        raise ValueError("must be auto, or shards such as 3 or 0-3")
    return text


def _font(path: Path | None) -> Path | None:
    """A font that can be read."""
    from render import is_font  # commands that draw nothing start faster without it

    if path is not None and not is_font(path):
        raise ValueError("must be a font file that can be read, such as /usr/share/fonts/NotoSansCJK-Bold.ttc")
    return path


class Listen(NamedTuple):
    """Where to listen."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def _listen(text: object) -> object:
    """Read PORT, which is at 127.0.0.1, or HOST:PORT."""
    if not isinstance(text, str):
        return text
    host, _, port = text.rpartition(":")
    if (
        not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535)
        or not re.fullmatch(r"[^\s/]*", host)
        or not _is_host(host)
        or text[0] == ":"
    ):
        raise ValueError("must be a port or an address with one, such as 127.0.0.1:9090")
    return Listen(host.strip("[]") or "127.0.0.1", int(port))


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


class Settings(BaseSettings):
    """The host's settings, read from HARBORMASTER_<NAME>, except token, database and DSN."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_prefix=PREFIX,
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
    database: Annotated[StoreAddress, BeforeValidator(address_in)] = Field(
        default=Path("harbormaster.db"),
        validation_alias=AliasChoices("DATABASE_URL", "HARBORMASTER_DATABASE"),
        repr=False,
    )
    """The SQLite file, which is made if it is missing, or the PostgreSQL database."""
    litestream: bool = False
    """Whether Litestream copies the SQLite file as it changes. Then only Litestream folds the write-ahead log."""
    rest_base: Annotated[str | None, AfterValidator(_web_address)] = None
    """Another server's REST base, such as http://127.0.0.1:8080/api/v10; None means Discord's."""
    gateway: Annotated[str | None, AfterValidator(_socket_address)] = None
    """Another server's gateway, such as ws://127.0.0.1:8080/gateway; None means Discord's."""
    shards: Annotated[str, AfterValidator(_shards)] = "auto"
    """Which shards this process connects: "auto" for its fair share, or numbers such as 3 or 0-3."""
    shard_count: int | None = Field(default=None, ge=1, le=16_384)
    """How many shards there are; None: as many as Discord says."""
    proxy: Annotated[str | None, AfterValidator(_web_address)] = None
    """A rate-limit proxy that all processes share, such as http://127.0.0.1:3000; None means none."""
    requests: int = Field(default=45, ge=1, le=1000)
    """Requests a second of all processes, which divide them. Without effect with a proxy, which counts for all."""
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(_upper)] = "INFO"
    log_format: Annotated[Literal["text", "json"], BeforeValidator(_lower)] = "text"
    """How the log is written: as lines for people, or as one JSON object per line."""
    http: Annotated[Listen | None, NoDecode, BeforeValidator(_listen)] = None
    """Where /healthz, /readyz and /metrics are answered: PORT at 127.0.0.1, or HOST:PORT; None means nowhere."""
    pages: Annotated[Listen | None, NoDecode, BeforeValidator(_listen)] = None
    """Where the pages of games are served to browsers, as for `http`; None means nowhere."""
    pages_address: Annotated[str | None, AfterValidator(_web_address)] = None
    """Where people reach these pages, such as https://games.example.org; None: nothing links to them."""
    sentry_dsn: SecretStr | None = Field(default=None, validation_alias="SENTRY_DSN")
    """Where error reports are sent, which needs the extra `sentry`; None means nowhere."""
    silence: float = Field(default=600.0, gt=0, allow_inf_nan=False)
    """Seconds without any event from Discord after which the log says so."""
    privacy: Annotated[str | None, AfterValidator(_web_page)] = None
    """The address of the host's own privacy policy, which /privacy links to; None: there is none."""
    keep_games: int = Field(default=0, ge=0, le=36_500)
    """Days after which games that don't go on are deleted; 0: never."""
    font: Annotated[Path | None, AfterValidator(_font)] = None
    """The host's own font, for names that no shipped font can show; None: players with such names are called by their
    colors in pictures."""
    films: bool = True
    """Whether people can have a finished game as a film. Drawing one takes a core for some seconds."""
    members: bool = False
    """Whether Discord reports who leaves a server, which needs a privileged intent that is off by default. Otherwise,
    Discord is asked about people who were reminded."""
    preview_port: int = Field(default=8765, ge=1, le=65535)
    """The port of the offline table on 127.0.0.1."""
    seats: int = Field(default=4, ge=1, le=8)
    """How many people sit at the offline table."""

    @model_validator(mode="after")
    def _check_shards(self) -> Settings:
        if self.shards != "auto":
            last = int(self.shards.split("-")[-1])
            if self.shard_count is None or last >= self.shard_count:
                raise ValueError(
                    "HARBORMASTER_SHARD_COUNT must be the number of all shards, and larger than each number in"
                    " HARBORMASTER_SHARDS"
                )
        return self

    @model_validator(mode="after")
    def _check_proxy(self) -> Settings:
        if self.proxy and self.rest_base:
            raise ValueError(
                "HARBORMASTER_PROXY and HARBORMASTER_REST_BASE exclude each other; set only one of the two"
            )
        return self

    @model_validator(mode="after")
    def _check_ports(self) -> Settings:
        if self.pages and self.http and self.pages.port == self.http.port:
            raise ValueError("HARBORMASTER_PAGES and HARBORMASTER_HTTP must be different ports")
        return self

    @property
    def own_shards(self) -> range | None:
        """The shards that this process is told to connect; None: its fair share."""
        if self.shards == "auto":
            return None
        numbers = [int(number) for number in self.shards.split("-")]
        return range(numbers[0], numbers[-1] + 1)

    def require_token(self) -> str:
        """The token in plain text; raises SettingsError if there is none."""
        if self.discord_token is None:
            raise SettingsError(
                "DISCORD_TOKEN is not set: put it into the environment or into .env, "
                f"or use `{command('play')}` for an offline table."
            )
        return self.discord_token.get_secret_value()


def load_settings(**given: object) -> Settings:
    """Read the settings. Values given here (by field name) win over environment and `.env`.

    Raises SettingsError with one sentence that names every bad setting, but repeats no value.
    """
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        problems = "; ".join(map(_problem, error.errors(include_input=False)))
        raise SettingsError(f"{problems}.") from None
    except UnicodeDecodeError:
        raise SettingsError("The file .env is not a text file in UTF-8.") from None
    except OSError as error:
        raise SettingsError(f"The file .env can't be read: {error.strerror or error}.") from None


MUST_BE = {"bool": "must be yes or no", "int": "must be a whole number", "float": "must be a number"}
"""What a setting must be, by the beginning of pydantic's name for the error."""


WORDS = {"Input should be": "must be", "greater than or equal to": "at least", "less than or equal to": "at most"}
"""What hosts read in place of pydantic's words."""


def _problem(error: ErrorDetails) -> str:
    """One mistake in a few words."""
    message = error["msg"].removeprefix("Value error, ").removesuffix(".")
    for theirs, ours in WORDS.items():
        message = message.replace(theirs, ours)
    reason = MUST_BE.get(error["type"].partition("_")[0], message)
    if not (place := error["loc"]):  # the message is about several settings, and names them
        return reason
    name = str(place[0])
    if name == "DATABASE_URL" and name not in given_names():
        name = "database"
    unprefixed = name.isupper() or name in ("discord_token", "sentry_dsn")
    return f"{name.upper() if unprefixed else f'{PREFIX}{name.upper()}'}: {reason}"


def given_names() -> set[str]:
    """Names of all variables of the environment and of `.env`, in capitals."""
    return {name.upper() for name in (*dotenv_values(".env"), *os.environ)}


def known_names() -> Iterator[str]:
    """Names of all settings; those without the prefix can have it, too."""
    for name, field in Settings.model_fields.items():
        match field.validation_alias:
            case AliasChoices(choices=choices):
                yield from (str(choice) for choice in choices)
            case str(alias):
                yield from (alias, f"{PREFIX}{alias}")
            case _:
                yield f"{PREFIX}{name.upper()}"


def misspelled() -> Iterator[tuple[str, str]]:
    """For each name that is given like a setting but isn't one, a sentence that says so, and what to do."""
    names = list(known_names())
    known = {name.removeprefix(PREFIX): name for name in reversed(names)}
    for name in sorted(name for name in given_names().difference(names) if name.startswith(PREFIX)):
        similar = get_close_matches(name.removeprefix(PREFIX), known, 1, 0.55)
        yield f"{name} isn't a setting.", f"Did you mean {known[similar[0]]}?" if similar else "Remove it."
