"""Follow a Dockerfile in a folder, as far as that works without containers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

Instruction = tuple[str, str]


def instructions(path: Path) -> list[Instruction]:
    """The name and the rest of each instruction, in order."""
    text = re.sub(r"^#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", "")
    return [(name, rest) for line in text.splitlines() if line for name, _, rest in [line.partition(" ")]]


@dataclass
class Image:
    """A folder that is the root of all stages. What is at /x in a container is at root/x."""

    root: Path
    context: Path
    python: str
    """What `python` runs until the image has its own."""
    env: dict[str, str] = field(default_factory=dict)
    user: int = 0
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    check: list[str] = field(default_factory=list)

    def build(self) -> None:
        """Do all steps. Raises `CalledProcessError` if one fails."""
        folder = self.root
        for name, rest in instructions(self.context / "Dockerfile"):
            if name == "FROM":
                folder, self.env = self.root, {}
            elif name == "WORKDIR":
                folder = self.at(rest)
                folder.mkdir(parents=True, exist_ok=True)
            elif name == "COPY":
                self._copy(folder, rest.split())
            elif name == "RUN" and rest.startswith("apt-get "):
                assert shutil.which("gcc"), "the compiler is this machine's"
            elif name == "RUN":
                self._run(folder, rest)
            elif name == "ENV":
                for pair in rest.split():
                    key, _, value = pair.partition("=")
                    self.env[key] = self._placed(value.replace("$PATH", os.environ["PATH"]))
            elif name == "USER":
                self.user = int(rest.partition(":")[0])
            elif name == "HEALTHCHECK":
                self.check = self._words(rest.partition(" CMD ")[2])
            elif name == "ENTRYPOINT":
                self.entrypoint = self._words(rest)
            elif name == "CMD":
                self.command = self._words(rest)
            else:
                assert name in ("VOLUME", "STOPSIGNAL"), f"nobody here can do {name}"

    def at(self, path: str) -> Path:
        """The path here of a file in the container."""
        return self.root / path.removeprefix("/")

    def _copy(self, folder: Path, words: list[str]) -> None:
        if words[0].startswith("--from="):
            assert words[1] == words[2], "all stages are one folder here"
            assert self.at(words[1]).exists()
            return
        *sources, target = words
        place = self.at(target) if target.startswith("/") else folder / target
        for source in sources:
            if (self.context / source).is_dir():
                shutil.copytree(self.context / source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(self.context / source, place)

    def _run(self, folder: Path, command: str) -> None:
        command = re.sub(r"^python ", f"{self.python} ", self._placed(command))
        if os.geteuid() != 0:
            command = re.sub(r" -[og] \d+", "", command)
        clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        subprocess.run(command, shell=True, cwd=folder, env={**clean, **self.env}, check=True)

    def _words(self, array: str) -> list[str]:
        return [self._placed(word) for word in json.loads(array)]

    def _placed(self, text: str) -> str:
        """A text with the container's paths moved into the folder."""
        return re.sub(r"(?<![\w.])/(venv|data|backups|src|healthcheck\.py|entrypoint\.sh)\b", rf"{self.root}/\1", text)
